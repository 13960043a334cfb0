"""What stands between a right password and coming in, besides the second factor."""

from __future__ import annotations

from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.stages import EmailVerificationStage


class ConfirmEmailStage(EmailVerificationStage):
    """Holds back who signed up by themselves and has not confirmed an address. Others need none: an operator or
    an owner has let them in."""

    def handle(self) -> tuple[Any, bool]:
        user = self.login.user
        if user is not None and user.must_confirm_email:
            self.login.email_verification = EmailVerificationMethod.MANDATORY
        elif user is not None and not self.login.signup:
            return None, True
        answer: tuple[Any, bool] = super().handle()
        return answer
