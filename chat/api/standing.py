"""Whether somebody may still be sent a session's log: asked again and again while a stream is open (P11)."""

from __future__ import annotations

from collections.abc import Callable

from rest_framework.request import Request

from chat.api.base import person, token_of
from chat.broadcast.standings import Asked, Lost, standings
from chat.models import ApiToken
from chat.tokens import is_good
from sessions_app.models import Session

Stands = Callable[[], Lost | None]


def standing_in(request: Request, session: Session) -> Stands:
    """A question for a database thread: may this person still see it, and is the token or the login still good?
    None while all of it is so, else what is not."""
    token, login = token_of(request), getattr(request, "session", None)
    asked = Asked(
        user_id=person(request).pk,
        login_key=login.session_key if token is None and login is not None else None,
        conversation_id=session.conversation_id,
        login_hash=person(request).get_session_auth_hash() if token is None else "",
    )

    def stands() -> Lost | None:
        if token is not None and not _is_still_good(token):
            return Lost.TOKEN_ENDED
        [found] = standings([asked])
        return found.lost

    return stands


def _is_still_good(token: ApiToken) -> bool:
    found = ApiToken.objects.filter(pk=token.pk).first()
    return found is not None and is_good(found)
