"""Where allauth asks how this site does it: who is let in, where people are led, and how mail goes."""

from __future__ import annotations

import smtplib
from typing import Any, ClassVar

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from chat.accounts import words
from chat.accounts.lock_out import refuse_locked_out
from chat.accounts.record import password_reset_asked
from chat.accounts.sign_up import is_invited, may_sign_up
from chat.origins import address_of
from sessions_app.models import User

NOWHERE = "0.0.0.0"

log = structlog.get_logger(__name__)


class AccountAdapter(DefaultAccountAdapter):
    error_messages: ClassVar = {**DefaultAccountAdapter.error_messages, **words.ERRORS}

    def get_client_ip(self, request: HttpRequest) -> str:
        return address_of(request) or NOWHERE

    def get_http_user_agent(self, request: HttpRequest) -> str:
        """For mails: a browser says whatever it likes, and mail programs make links of it."""
        return ""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Before every look at a password, the one that proves again who somebody is included."""
        refuse_locked_out(request, str(credentials.get("username", "")))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Somebody deactivated is answered like somebody with a wrong password."""
        user: User | None = super().authenticate(request, **credentials)
        return user if user is not None and user.is_active else None

    def get_login_stages(self) -> list[str]:
        ours = {
            "allauth.account.stages.EmailVerificationStage": "chat.accounts.stages.ConfirmEmailStage",
        }
        return [ours.get(stage, stage) for stage in super().get_login_stages()]

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return may_sign_up(request)

    def new_user(self, request: HttpRequest) -> User:
        return User(must_confirm_email=settings.MUST_CONFIRM_EMAIL)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = User.normalize_username(username)
        if "@" in username:
            raise ValidationError("A username has no “@”, so that it cannot be taken for an e-mail address.")
        cleaned: str = super().clean_username(username, shallow=shallow)
        return cleaned

    def can_delete_email(self, email_address: Any) -> bool:
        """Who came in by an address they confirmed keeps one."""
        others = email_address.user.emailaddress_set.filter(verified=True).exclude(pk=email_address.pk)
        if settings.MUST_CONFIRM_EMAIL and email_address.verified and not others.exists():
            return False
        return bool(super().can_delete_email(email_address))

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Who came by an invitation is led back to it."""
        if is_invited(request):
            return reverse("kept_invitation")
        return str(super().get_login_redirect_url(request))

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        return self.get_login_redirect_url(request)

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("account" if self.request.user.is_authenticated else "account_login")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        message = message or words.message(message_template or "", message_context or {})
        if message:
            super().add_message(request, level, message=message, extra_tags=extra_tags)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        password_reset_asked(request=self.request, user=user)
        super().send_password_reset_mail(user, email, context)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """One text for all of them; only what happened differs."""
        what = {"what": words.notice(template_prefix)}
        super().send_notification_mail("account/email/notice", user, what, email=email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """A mail that cannot be sent breaks no page; pages do not tell either, or they would tell who has an
        account."""
        try:
            super().send_mail(template_prefix, email, context)
        except (smtplib.SMTPException, OSError) as error:
            log.error("mail_not_sent", mail=template_prefix, error=str(error))
