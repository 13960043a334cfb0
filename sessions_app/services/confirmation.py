"""Confirmations of a reset: signed, and good for one person, one session and five minutes."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.core import signing

from sessions_app.errors import ConfirmationExpired, ConfirmationInvalid
from sessions_app.models import Conversation, Session, User

SALT = "holdfast.reset"
GOOD_FOR_SECONDS = 300


@dataclass(frozen=True)
class Confirmed:
    """What somebody has looked at and agreed to. `key` makes a repetition the same act."""

    session: Session
    key: str


def confirmation_for(session: Session, *, by: User) -> str:
    """A new confirmation, to be given to somebody who is shown what it would archive."""
    agreed = {"session": str(session.public_id), "by": str(by.public_id), "key": secrets.token_urlsafe(12)}
    return signing.dumps(agreed, salt=SALT)


def read_confirmation(token: str, conversation: Conversation, *, by: User) -> Confirmed:
    """Refused unless it was given to this person, for a session of this conversation, a short time ago."""
    try:
        agreed = signing.loads(token, salt=SALT, max_age=GOOD_FOR_SECONDS)
    except signing.SignatureExpired as error:
        raise ConfirmationExpired from error
    except signing.BadSignature as error:
        raise ConfirmationInvalid from error
    session = conversation.sessions.filter(public_id=agreed["session"]).first()
    if session is None or agreed["by"] != str(by.public_id):
        raise ConfirmationInvalid
    return Confirmed(session, agreed["key"])
