"""Who asks: the owner of a token in the Authorization header, or somebody signed in with the browser."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from knox.crypto import hash_token
from rest_framework import exceptions
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from chat.models import ApiToken
from chat.tokens import is_good, note_use
from sessions_app.models import User

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema

NOTED_EVERY = timedelta(minutes=1)
UNKNOWN = "This token is not known here, or no longer; nothing was done."


class BearerToken(TokenAuthentication):  # type: ignore[misc]
    """Found by its digest alone: nothing about it can be learnt by guessing, and nothing is written but the
    minute of its last use."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        digest = hash_token(token.decode("latin-1"))
        found = ApiToken.objects.select_related("user").filter(digest=digest).first()
        if found is None or not is_good(found) or not found.user.is_active:
            raise exceptions.AuthenticationFailed(UNKNOWN)
        if found.last_used_at is None or timezone.now() - found.last_used_at > NOTED_EVERY:
            note_use(found)
        return found.user, found


class Forged(exceptions.PermissionDenied):
    default_code = "csrf_failed"
    default_detail = (
        "What changes something needs the header X-CSRFToken beside the page's cookie, or a token instead of "
        "both; nothing was changed."
    )


class BrowserSession(SessionAuthentication):
    """The page's cookie, with the check against forged requests; never beside a token."""

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise Forged from error


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = BearerToken
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token, as “Authorization: Bearer hf_…”.",
        }


class BrowserScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = BrowserSession
    name = "cookie"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        description = "The page's own login. What changes something needs the header X-CSRFToken."
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": description}
