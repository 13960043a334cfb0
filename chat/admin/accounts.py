"""How people come in, in the admin: a lost second factor is taken away there, and nothing is changed."""

from typing import Any

from allauth.account import admin as account_admin  # noqa: F401 - what it registers is taken back below
from allauth.account.models import EmailAddress
from allauth.mfa import admin as mfa_admin  # noqa: F401
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as social_admin  # noqa: F401
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions import admin as session_admin  # noqa: F401
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.http import HttpRequest

from chat.accounts.record import origin_on_page
from chat.accounts.record_changes import KIND
from sessions_app.models import SecurityEvent, User
from sessions_app.services.security_events import record_security_event

# Theirs show secrets, and change what nobody would be told of.
admin.site.unregister((EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, UserSession))


class Told(admin.ModelAdmin):  # type: ignore[type-arg]
    """Shown without what is secret, never changed, and removed on the record only."""

    event: SecurityEvent
    actions = None

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        assert isinstance(request.user, User)
        about = f"{obj.user.username}: {self.about(obj)}"
        super().delete_model(request, obj)
        record_security_event(self.event, by=request.user, about=about, origin=origin_on_page(request))

    def about(self, row: Any) -> str:
        raise NotImplementedError


@admin.register(Authenticator)
class AuthenticatorAdmin(Told):
    event = SecurityEvent.SECOND_FACTOR_REMOVED
    list_display = ("user", "type", "created_at", "last_used_at")
    search_fields = ("user__username",)
    fields = ("user", "type", "created_at", "last_used_at")

    def about(self, row: Any) -> str:
        return KIND[Authenticator.Type(row.type)]


@admin.register(SocialAccount)
class SocialAccountAdmin(Told):
    event = SecurityEvent.ACCOUNT_UNLINKED
    list_display = ("user", "provider", "date_joined", "last_login")
    search_fields = ("user__username",)
    fields = ("user", "provider", "date_joined", "last_login")

    def about(self, row: Any) -> str:
        return str(row.provider)


@admin.register(EmailAddress)
class EmailAddressAdmin(Told):
    list_display = ("email", "user", "verified", "primary")
    search_fields = ("email", "user__username")
    fields = ("email", "user", "verified", "primary")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
