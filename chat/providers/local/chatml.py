"""Writes a prompt in the form that SmolLM2 was taught: turns between marks, and its own unfinished one last."""

from __future__ import annotations

from dataclasses import dataclass

from chat.events import Asked, Prompt, Replied, Returned, Text

# What an agent on this model may be sent. The worker's window has room for an answer beside it.
CONTEXT_TOKENS = 2048
USUAL_SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
# More than the window holds in any language: beyond this nothing need be sent to be refused.
MOST_CHARACTERS = 24_000
MOST_PREFIX_CHARACTERS = 6_000


@dataclass(frozen=True)
class Script:
    """`turns` may be left out from the oldest on until the rest fits; the last is the question."""

    head: str
    turns: tuple[str, ...]
    tail: str


def write_script(prompt: Prompt) -> Script:
    """With `continues` the tail ends with the unfinished reply, so the model's next word is the next one of it."""
    messages = prompt.messages
    unfinished = ""
    if prompt.continues and messages and isinstance(messages[-1], Replied):
        unfinished = _words(messages[-1])[-MOST_PREFIX_CHARACTERS:]
        messages = messages[:-1]
    turns = tuple(turn for message in messages if (turn := _turn(message)))
    tail = f"<|im_start|>assistant\n{_harmless(unfinished)}"
    return Script(_marked("system", prompt.system or USUAL_SYSTEM), _newest(turns), tail)


def _turn(message: Asked | Replied | Returned) -> str:
    """Tools are too much for this model: their calls and results are left out."""
    match message:
        case Asked(text=text):
            return _marked("user", text)
        case Replied():
            words = _words(message)
            return _marked("assistant", words) if words else ""
        case Returned():
            return ""


def _words(reply: Replied) -> str:
    return "".join(part.text for part in reply.parts if isinstance(part, Text))


def _marked(role: str, text: str) -> str:
    return f"<|im_start|>{role}\n{_harmless(text)}<|im_end|>\n"


def _harmless(text: str) -> str:
    """Nobody ends a turn or begins another by writing the model's marks."""
    return text.replace("<|", "< |")


def _newest(turns: tuple[str, ...]) -> tuple[str, ...]:
    """At least the last, and before it as many as could ever fit."""
    room, kept = MOST_CHARACTERS, len(turns)
    while kept and (room := room - len(turns[kept - 1])) > 0:
        kept -= 1
    return turns[min(kept, len(turns) - 1) :] if turns else ()
