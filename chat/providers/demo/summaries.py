"""Titles and summaries by the demo agent: what people wrote, shortened."""

from __future__ import annotations

from chat.events import Asked, Replied, Returned

SUMMARY = "Summarise this conversation"
TITLE = "Give this conversation a title"
TITLE_WORDS = 6
TITLE_CHARACTERS = 60
QUESTION_WORDS = 14
MOST_QUESTIONS = 20


def is_wanted(question: str) -> bool:
    return question.startswith((SUMMARY, TITLE))


def write(question: str, messages: tuple[Asked | Replied | Returned, ...]) -> str:
    """The title or the summary that the question asks for."""
    texts = [message.text for message in messages if isinstance(message, Asked)][:-1]
    asked = [text for text in texts if text.strip()]
    return _title(asked) if question.startswith(TITLE) else _summary(asked)


def _title(asked: list[str]) -> str:
    if not asked:
        return "A new conversation"
    title = _first_words(asked[0], TITLE_WORDS)[:TITLE_CHARACTERS].strip(" .,;:!?#*`…")
    return title[:1].upper() + title[1:] or "A conversation"


def _summary(asked: list[str]) -> str:
    if not asked:
        return "Nothing was written yet."
    shown = asked[-MOST_QUESTIONS:]
    listed = "\n".join(f"- {_first_words(text, QUESTION_WORDS)}" for text in shown)
    people = "1 message" if len(asked) == 1 else f"{len(asked)} messages"
    latest = f", the latest {len(shown)} of them" if len(shown) < len(asked) else ""
    return f"People wrote {people}{latest}:\n\n{listed}"


def _first_words(text: str, count: int) -> str:
    # Bounded first: one word may be a million characters long.
    words = text[:400].split()
    return " ".join(words[:count])[:200] + (" …" if len(words) > count else "")
