"""Says in one line what a fact of the log means to those who read the transcript."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sessions_app.models import EventKind, Level, Openness, SessionEvent

MOVES = {
    "reset": "{by} started a new session",
    "restore_session": "{by} brought this session back",
    "restore_checkpoint": "{by} went back to a checkpoint",
    "fork": "{by} went on from an earlier point",
    "undo": "{by} undid the last change of session",
}
OPENNESS_WORDS = {
    Openness.OPEN: "opened this to the whole workspace",
    Openness.RESTRICTED: "restricted this to named people and those who manage the workspace",
    Openness.PRIVATE: "made this private: only who is named can see it",
}


@dataclass(frozen=True)
class Notice:
    """`other` names the session the words lead to, where there is one."""

    seq: int
    at: datetime
    kind: str
    words: str
    reason: str = ""
    other: dict[str, Any] | None = None
    checkpoint: str = ""
    is_message: bool = False


def notice_of(event: SessionEvent) -> Notice | None:
    """None for what needs no words, such as the beginning of the first session."""
    payload = event.content
    match event.kind:
        case EventKind.SETTINGS_CHANGED:
            return Notice(event.seq, event.at, event.kind, settings_words(payload))
        case EventKind.COMPACTED:
            words = "What the agent is sent was summarised; everything stays readable here"
            return Notice(
                event.seq,
                event.at,
                event.kind,
                words,
                reason=payload["summary"],
                checkpoint=payload["checkpoint"],
            )
        case EventKind.MADE_ACTIVE if payload["predecessor"]:
            return _move(event, payload, payload["predecessor"])
        case EventKind.ARCHIVED:
            return _move(event, payload, payload["successor"])
        case _:
            return None


def settings_words(payload: dict[str, Any]) -> str:
    by, changed = payload.get("by_name") or "Holdfast", payload["changed"]
    said = []
    if "title" in changed:
        said.append(f"renamed this to “{changed['title']}”")
    if "agent" in changed:
        said.append(f"chose {changed['agent']['name']} to answer")
    if "answers" in changed:
        said.append("lets it answer " + ("always" if changed["answers"] == "always" else "when mentioned"))
    if "system_prompt" in changed:
        said.append("changed the system prompt" if changed["system_prompt"] else "removed the system prompt")
    if "access" in changed:
        said.append(access_words(changed["access"]))
    return f"{by} {' and '.join(said) or 'changed the settings'}"


def access_words(changed: dict[str, Any]) -> str:
    """A change of who may see a conversation, as the transcript and the history tell it."""
    if "openness" in changed:
        return OPENNESS_WORDS[changed["openness"]["to"]]
    name, level = changed["person"]["name"], changed["level"]
    if level["to"] is None:
        return f"took {name} out of the people named here"
    return f"named {name}, who {Level(level['to']).label}"


def _move(event: SessionEvent, payload: dict[str, Any], other: dict[str, Any]) -> Notice:
    words = MOVES.get(payload["action"], "{by} changed the session").format(
        by=payload["by_name"] or "Somebody"
    )
    return Notice(event.seq, event.at, event.kind, words, reason=payload["reason"], other=other)
