"""Prepares a transcript for the page: messages and facts in their order, in the words people read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone
from django.utils.safestring import mark_safe

from chat.pages.notices import Notice, notice_of
from sessions_app.markdown import Renderer, joined
from sessions_app.models import Agent, Message, MessageRole, Session, Turn, TurnState, User
from sessions_app.services.facts import facts_between
from sessions_app.services.folding import Content, text_of
from sessions_app.services.history import content_at, superseded_in

STATUS_WORDS = {"ok": "done", "error": "failed", "running": "running", "unknown": "outcome not known"}
TINTS = 8


@dataclass(frozen=True)
class ShownPart:
    """`tail` is what the open end of a reply says that is no finished block yet; `end` is where it begins."""

    kind: str
    number: int
    part: dict[str, Any]
    html: str = ""
    tail: str = ""
    end: int = 0
    status: str = ""
    output: str | None = None


@dataclass(frozen=True)
class ShownMessage:
    message: Message
    parts: list[ShownPart]
    part_count: int
    last_kind: str
    text: str
    outcome: dict[str, Any]
    resumes: int
    is_superseded: bool
    is_open: bool
    turn: Turn | None
    waiting: Turn | None
    tint: int
    is_message: bool = True

    @property
    def by_name(self) -> str:
        return str(self.outcome.get("by_name") or "the system")

    @property
    def can_be_continued(self) -> bool:
        return self.outcome.get("state") in (TurnState.INTERRUPTED, TurnState.STOPPED, TurnState.FAILED)

    @property
    def is_withdrawn(self) -> bool:
        return self.waiting is not None and self.waiting.state == TurnState.WITHDRAWN

    @property
    def is_waiting(self) -> bool:
        return self.waiting is not None and self.waiting.state == TurnState.QUEUED


@dataclass(frozen=True)
class Turns:
    """The turns that a page's messages ask for or are."""

    by_reply: dict[int | None, Turn] = field(default_factory=dict)
    by_question: dict[int, Turn] = field(default_factory=dict)


def shown_transcript(
    session: Session, messages: list[Message], *, as_of: int, after: int = 0, up_to: int | None = None
) -> list[ShownMessage | Notice]:
    """Messages and, between them, what was decided; inherited messages come before anything of the session."""
    items: list[ShownMessage | Notice] = list(shown_messages(session, messages, as_of=as_of))
    for event in facts_between(session, after=after, up_to=as_of if up_to is None else up_to):
        if (notice := notice_of(event)) is None:
            continue
        place = next(
            (at for at, item in enumerate(items) if _is_after(item, session, notice.seq)), len(items)
        )
        items.insert(place, notice)
    return items


def _is_after(item: ShownMessage | Notice, session: Session, seq: int) -> bool:
    if isinstance(item, Notice):
        return False
    return item.message.session_id == session.pk and item.message.first_seq > seq


def shown_messages(session: Session, messages: list[Message], *, as_of: int) -> list[ShownMessage]:
    superseded, turns = superseded_in(session, messages), _turns_of(messages)
    return [
        shown_message(
            message,
            content_at(message, session, as_of),
            is_superseded=message.pk in superseded,
            turn=turns.by_reply.get(message.pk),
            waiting=turns.by_question.get(message.pk),
        )
        for message in messages
    ]


def shown_message(
    message: Message,
    content: Content,
    *,
    is_superseded: bool = False,
    turn: Turn | None = None,
    waiting: Turn | None = None,
) -> ShownMessage:
    is_open = message.role == MessageRole.AGENT and not message.is_sealed
    return ShownMessage(
        message=message,
        parts=_shown_parts(content["parts"], is_open=is_open),
        part_count=len(content["parts"]),
        last_kind=content["parts"][-1]["kind"] if content["parts"] else "",
        text=text_of(content),
        outcome=content["outcome"] or {},
        resumes=len(content["marks"]),
        is_superseded=is_superseded,
        is_open=is_open,
        turn=turn,
        waiting=waiting,
        tint=tint_of(message.author),
    )


def blank_message(role: MessageRole) -> ShownMessage:
    """What the page keeps as a pattern for messages that it learns of later."""
    author = User() if role == MessageRole.PERSON else None
    agent = Agent() if role == MessageRole.AGENT else None
    message = Message(role=role, author=author, agent=agent, first_seq=0, posted_at=timezone.now())
    return shown_message(message, {"parts": [], "marks": [], "outcome": None})


def tint_of(user: User | None) -> int:
    """A person keeps their colour: it follows from their id."""
    return user.public_id.int % TINTS if user else 0


def _turns_of(messages: list[Message]) -> Turns:
    """Asked for together. A question's own turn is the first: later ones regenerate or continue its reply."""
    replies = Turn.objects.filter(reply__in=messages).select_related("asked_by")
    questions = Turn.objects.filter(question__in=messages, supersedes=None, continues=None, reply=None)
    return Turns(
        {turn.reply_id: turn for turn in replies},
        {turn.question_id: turn for turn in questions.order_by("-pk")},
    )


def _shown_parts(parts: list[dict[str, Any]], *, is_open: bool) -> list[ShownPart]:
    """A tool's result is shown in the card of its call."""
    results = {part["id"]: part for part in parts if part["kind"] == "tool_result"}
    calls = {part["id"] for part in parts if part["kind"] == "tool_call"}
    return [
        _shown_part(number, part, results, is_open=is_open and number == len(parts) - 1)
        for number, part in enumerate(parts)
        if not (part["kind"] == "tool_result" and part["id"] in calls)
    ]


def _shown_part(
    number: int, part: dict[str, Any], results: dict[str, dict[str, Any]], *, is_open: bool
) -> ShownPart:
    if part["kind"] == "text":
        return _shown_text(number, part, is_open=is_open)
    status = STATUS_WORDS.get(part.get("status", ""), part.get("status", ""))
    output = results.get(part.get("id", ""), {}).get("output")
    return ShownPart(part["kind"], number, part, status=status, output=output)


def _shown_text(number: int, part: dict[str, Any], *, is_open: bool) -> ShownPart:
    """Only text is Markdown; the rest is shown as it came, escaped by the template."""
    renderer = Renderer()
    blocks = renderer.feed(part["text"])
    if not is_open:
        blocks += renderer.finish()
    end = blocks[-1].end if blocks else 0
    tail = part["text"][end:] if is_open else ""
    return ShownPart("text", number, part, html=mark_safe(joined(blocks)), tail=tail, end=end)
