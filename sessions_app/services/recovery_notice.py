"""Says what a crash left of a reply: how much was saved, whether it went on, and what nobody can know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from sessions_app.models import Message, Session, Turn, TurnState
from sessions_app.services.folding import STATUS_UNKNOWN, Content, fold
from sessions_app.services.log import message_events
from sessions_app.services.turn_states import SERVER_STOPPED

CHARACTERS_PER_TOKEN = 4
LAST_TURNS = 20
RECENT = timedelta(days=1)


@dataclass(frozen=True)
class RecoveryNotice:
    """The facts about the newest reply of a session that outlived its server."""

    message: Message
    agent: str
    at: datetime
    characters: int
    tool_results: int
    unknown_tools: tuple[str, ...]
    resumes: int
    is_running: bool
    is_interrupted: bool

    @property
    def sentence(self) -> str:
        saved = f"{self.characters:,} character{_s(self.characters)} (about {self.tokens:,} tokens)"
        if self.tool_results:
            saved += f" and {self.tool_results} tool result{_s(self.tool_results)}"
        times = "" if self.resumes < 2 else f" {self.resumes} times"
        return (
            f"The server stopped{times} while {self.agent} was answering: {saved} had been saved and "
            f"nothing of it is missing. {self._how_it_went_on}{self._what_is_unknown}"
        )

    @property
    def key(self) -> str:
        """Another crash is another notice, also to somebody who has put this one away."""
        return f"{self.message.public_id}:{self.resumes}"

    @property
    def is_recent(self) -> bool:
        return timezone.now() - self.at < RECENT

    @property
    def tokens(self) -> int:
        return round(self.characters / CHARACTERS_PER_TOKEN)

    @property
    def _how_it_went_on(self) -> str:
        if self.is_interrupted:
            return "The answer could not go on by itself; you can continue it."
        return "The answer goes on from there." if self.is_running else "The answer went on from there."

    @property
    def _what_is_unknown(self) -> str:
        if not self.unknown_tools:
            return ""
        names = ", ".join(f"“{name}”" for name in self.unknown_tools)
        return f" Whether {names} acted is not known; it was not run again."


def recovery_notice(session: Session) -> RecoveryNotice | None:
    """Of the newest of the session's last turns that a crash cut off or handed on; None where there is none."""
    turns = session.turns.select_related("agent", "reply").order_by("-pk")[:LAST_TURNS]
    found = (_notice(turn, turn.reply) for turn in turns if turn.reply and _met_a_crash(turn))
    return next(found, None)


def _met_a_crash(turn: Turn) -> bool:
    return turn.resumes > 0 or _was_cut_off(turn)


def _was_cut_off(turn: Turn) -> bool:
    return turn.state == TurnState.INTERRUPTED and turn.reason.startswith(SERVER_STOPPED)


def _notice(turn: Turn, reply: Message) -> RecoveryNotice:
    content = reply.folded if reply.is_sealed else fold(message_events(reply))
    is_interrupted = _was_cut_off(turn)
    saved = content["parts"] if is_interrupted else _saved_parts(content)
    calls = [part for part in content["parts"] if part["kind"] == "tool_call"]
    return RecoveryNotice(
        message=reply,
        agent=turn.agent.name,
        at=turn.ended_at or turn.started_at or turn.queued_at,
        characters=sum(len(part["text"]) for part in saved if part["kind"] == "text"),
        tool_results=sum(part["kind"] == "tool_result" for part in saved),
        unknown_tools=tuple(part["name"] for part in calls if part["status"] == STATUS_UNKNOWN),
        resumes=turn.resumes + is_interrupted,
        is_running=turn.is_running,
        is_interrupted=is_interrupted,
    )


def _saved_parts(content: Content) -> list[dict[str, Any]]:
    """What was there when the reply was last handed on; the last part up to where it stood."""
    mark = content["marks"][-1]
    parts: list[dict[str, Any]] = content["parts"][: mark["part"]]
    if parts and parts[-1]["kind"] == "text":
        parts = [*parts[:-1], {**parts[-1], "text": parts[-1]["text"][: mark["offset"]]}]
    return parts


def _s(count: int) -> str:
    return "" if count == 1 else "s"
