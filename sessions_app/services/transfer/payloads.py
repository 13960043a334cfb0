"""What each kind of event carries. Whatever reads the log relies on these fields without asking."""

from __future__ import annotations

from typing import Any

from sessions_app.models import Action, Answers, EventKind, Level, Openness, TurnState
from sessions_app.services.transfer.fields import (
    LARGEST_SEQ,
    Kind,
    Unfit,
    digest,
    either,
    group,
    identity,
    many,
    maybe,
    number,
    one_of,
    text,
)

_SEQ = number(LARGEST_SEQ, least=1)
_WHO: dict[str, Kind] = {"by": maybe(identity), "by_name": text()}
LINK = group({"id": identity, "number": number(), "messages": number()})
_NAMED = group({"id": identity, "name": text()})
_TOLD = group(
    {"system": text(), "provider": text(), "model": text(), "context_limit": number()},
    {"tools": maybe(many(text(), 1000)), "tool_listings": many(identity, 1000)},
)
_LEVEL = maybe(one_of(Level.values))
_OPENNESS = one_of(Openness.values)
# What a change of who may see a conversation says, in the log and in the audit entry alike.
ACCESS = either(
    group({"openness": group({"from": _OPENNESS, "to": _OPENNESS})}),
    group({"person": _NAMED, "level": group({"from": _LEVEL, "to": _LEVEL})}),
)
_CHANGED = group(
    {},
    {
        "title": text(),
        "agent": _NAMED,
        "answers": one_of(Answers.values),
        "system_prompt": text(),
        "access": ACCESS,
    },
)
_MOVE: dict[str, Kind] = {"action": one_of(Action.values), "reason": text(), **_WHO}
_STARTED: dict[str, Kind] = {
    "turn": identity,
    "message": identity,
    "agent": identity,
    "agent_name": text(),
    "question": identity,
    "asked_by_name": text(),
    "supersedes": maybe(identity),
    "continues": maybe(identity),
    "told": _TOLD,
}
_POSTED: dict[str, Kind] = {
    "message": identity,
    "author": identity,
    "author_name": text(),
    "client_id": text(),
    "text": text(),
    "turn": maybe(identity),
    "digest": digest,
}
ENDS = [state.value for state in TurnState if state.is_final]
_ENDED: dict[str, Kind] = {
    "turn": identity,
    "state": one_of(ENDS),
    "reason": text(),
    **_WHO,
}
_COMPACTED: dict[str, Kind] = {
    "summary": text(),
    "checkpoint": identity,
    "reason": text(),
    "kept_from": _SEQ,
    **_WHO,
}
_RESULT: dict[str, Kind] = {"id": text(), "status": text(40), "output": text()}

PAYLOADS: dict[str, Kind] = {
    EventKind.MESSAGE_POSTED: group(_POSTED),
    EventKind.TURN_QUEUED: group(
        {"turn": identity, "question": identity, **_WHO}, {"supersedes": identity, "continues": identity}
    ),
    EventKind.TURN_STARTED: group(_STARTED),
    EventKind.TURN_RESUMED: group({"turn": identity, "attempt": number()}),
    EventKind.TURN_ENDED: group(_ENDED, {"usage": group({}, others=number()), "question": identity}),
    EventKind.TEXT: group({"text": text()}),
    EventKind.REASONING: group({"text": text()}, {"signature": text()}),
    EventKind.TOOL_CALL: group({"id": text(), "name": text(), "arguments": text()}),
    EventKind.TOOL_RESULT: group(_RESULT, {"duration_ms": maybe(number())}),
    EventKind.SEALED: group({"digest": digest}),
    EventKind.COMPACTED: group(_COMPACTED),
    EventKind.SETTINGS_CHANGED: group({"changed": _CHANGED, **_WHO}),
    EventKind.ARCHIVED: group({"successor": LINK, **_MOVE}),
    EventKind.MADE_ACTIVE: group({"predecessor": maybe(LINK), **_MOVE}),
}
OF_A_MESSAGE = frozenset(
    (
        EventKind.MESSAGE_POSTED.value,
        EventKind.TURN_STARTED.value,
        EventKind.TURN_RESUMED.value,
        EventKind.TEXT.value,
        EventKind.REASONING.value,
        EventKind.TOOL_CALL.value,
        EventKind.TOOL_RESULT.value,
        EventKind.SEALED.value,
    )
)
OF_A_MESSAGE_OR_NONE = frozenset((EventKind.TURN_ENDED.value,))


def check_event(event: dict[str, Any]) -> None:
    """Whether an event carries what its kind does, and belongs to a message where it must."""
    kind, has_message = event["kind"], event["message"] is not None
    if kind not in OF_A_MESSAGE_OR_NONE and has_message != (kind in OF_A_MESSAGE):
        raise Unfit(f"is of the kind {kind} {'and names a' if has_message else 'without its'} message")
    PAYLOADS[kind](event["payload"])
