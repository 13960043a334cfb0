"""The page of signing in, with the ways in that this site has."""

from __future__ import annotations

from typing import Any

from allauth.account.views import LoginView
from django.conf import settings

from chat.accounts.sign_up import may_sign_up


class SignIn(LoginView):  # type: ignore[misc]
    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {
            **super().get_context_data(**kwargs),
            "provider": settings.OPENID_PROVIDER,
            "may_sign_up": may_sign_up(self.request),
        }
