"""Where allauth asks about people who sign in at another site: whether they may, and whose account it is."""

from __future__ import annotations

from typing import Any, ClassVar

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from chat.accounts import words
from chat.accounts.sign_up import is_welcome, may_sign_up
from sessions_app.models import User


class OpenidAdapter(DefaultSocialAccountAdapter):
    """An account that is here already is opened by a link its owner has made, never by an e-mail address."""

    error_messages: ClassVar = {**DefaultSocialAccountAdapter.error_messages, **words.LINKS}

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return may_sign_up(request)

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Without a form only with an address that the other site has confirmed, where the rule asks for one."""
        if not super().is_auto_signup_allowed(request, sociallogin):
            return False
        confirmed = [one.email for one in sociallogin.email_addresses if one.verified]
        if settings.SIGN_UP.kind == "domains":
            return any(is_welcome(request, email) for email in confirmed)
        return True

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        user: User = super().populate_user(request, sociallogin, data)
        user.display_name = str(data.get("name") or "")[:100]
        return user

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        return reverse("account")

    def list_apps(self, request: HttpRequest, provider: Any = None, client_id: Any = None) -> list[Any]:
        """Those of the settings alone: what stands in the database was put there by nobody."""
        apps = super().list_apps(request, provider=provider, client_id=client_id)
        return [app for app in apps if not app.pk]
