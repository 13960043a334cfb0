"""What every vendor needs of a history: who spoke, readable arguments, and a result for each tool call."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from chat.events import Asked, Replied, Returned, ToolCall
from chat.providers.shapes import parsed

Message = Asked | Replied | Returned

NO_RESULT = "The outcome of this call is not known."


def prepared(messages: Sequence[Message]) -> Iterator[Message]:
    """The messages as a vendor will take them, with names in front of what several people said.

    No vendor has names that all its models heed; where one person speaks nobody needs them.
    """
    people = {message.name for message in messages if isinstance(message, Asked) and message.name}
    for message in with_every_result(messages):
        if isinstance(message, Asked) and message.name and len(people) > 1:
            yield Asked(f"{message.name}: {message.text}")
        else:
            yield message


def arguments_of(call: ToolCall) -> dict[str, object]:
    """What the model wrote as an object; vendors refuse their own models' mistakes when they are sent back."""
    found = parsed(call.arguments or "{}")
    return found if isinstance(found, dict) else {"unreadable": call.arguments}


def arguments_text(call: ToolCall) -> str:
    return call.arguments if isinstance(parsed(call.arguments), dict) else json.dumps(arguments_of(call))


def with_every_result(messages: Sequence[Message]) -> Iterator[Message]:
    """The messages, where each tool call is followed by its result and each result follows its call.

    Vendors refuse a call without a result, and a result without a call: that one is told instead.
    """
    waiting: dict[str, ToolCall] = {}
    for message in messages:
        if not isinstance(message, Returned):
            yield from unknown_results(waiting)
            waiting = calls_in(message)
            yield message
        elif waiting.pop(message.id, None):
            yield message
        else:
            yield Asked(f"(The tool {message.name} gave back: {message.output})")
    yield from unknown_results(waiting)


def calls_in(message: Asked | Replied) -> dict[str, ToolCall]:
    parts = message.parts if isinstance(message, Replied) else ()
    return {part.id: part for part in parts if isinstance(part, ToolCall)}


def unknown_results(calls: dict[str, ToolCall]) -> Iterator[Returned]:
    for call in calls.values():
        yield Returned(call.id, call.name, NO_RESULT, is_error=True)
