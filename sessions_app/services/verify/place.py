"""Says where a finding is, in words that people know: the team, the conversation's key, the session."""

from __future__ import annotations

from django.core.exceptions import ObjectDoesNotExist

from sessions_app.models import Session


class Place:
    """Asked only where something is wrong, so a clean session costs no query."""

    def __init__(self, session: Session, part: str = "") -> None:
        self._session, self._part = session, part

    def __str__(self) -> str:
        part = f", {self._part}" if self._part else ""
        return f"{self._conversation()}session {self._session.number}{part}"

    def of(self, part: object) -> Place:
        """A part of the session, such as one message."""
        return Place(self._session, str(part))

    def _conversation(self) -> str:
        try:
            conversation = self._session.conversation
            return f"{conversation.workspace.slug}/{conversation.key} "
        except ObjectDoesNotExist:
            return ""
