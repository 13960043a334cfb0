"""A person's login sessions: where they are signed in, and how each of them ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from allauth.usersessions.models import UserSession

from sessions_app.models import SecurityEvent, User
from sessions_app.services.audit import Origin
from sessions_app.services.security_events import record_security_event
from sessions_app.services.transactions import one_transaction

# The first that fits: browsers call themselves by the names of those they want to be taken for.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/|FxiOS", "Firefox"),
    ("Chrome/|CriOS|Chromium/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/|python|Python", "a script"),
)
SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X|Macintosh", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True)
class LoginSession:
    """One line of the list."""

    row: UserSession
    is_this_one: bool

    @property
    def device(self) -> str:
        return device(self.row.user_agent)


def login_sessions(user: User, *, this_key: str | None) -> list[LoginSession]:
    """Those that are still good, the one that asks first, then the newest."""
    rows = UserSession.objects.purge_and_list(user)
    found = [LoginSession(row, row.session_key == this_key) for row in rows]
    return sorted(found, key=lambda one: (not one.is_this_one, -one.row.last_seen_at.timestamp()))


@one_transaction
def end_login_session(session: UserSession, *, origin: Origin) -> None:
    """Afterwards its cookie opens nothing; an open page of it is told within seconds."""
    session.end()
    record_security_event(
        SecurityEvent.SIGNED_OUT_ELSEWHERE, by=session.user, about=device(session.user_agent), origin=origin
    )


@one_transaction
def end_every_login_session(user: User, *, origin: Origin) -> None:
    for session in UserSession.objects.filter(user=user):
        session.end()
    record_security_event(SecurityEvent.SIGNED_OUT_EVERYWHERE, by=user, origin=origin)


def device(user_agent: str) -> str:
    """What somebody recognises of what a browser says of itself."""
    browser = next(
        (name for pattern, name in BROWSERS if re.search(pattern, user_agent)), "an unknown browser"
    )
    system = next((name for pattern, name in SYSTEMS if re.search(pattern, user_agent)), "")
    return f"{browser} on {system}" if system else browser
