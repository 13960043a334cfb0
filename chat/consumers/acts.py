"""What a person does through the socket: each finds what it names, calls one service and says what to answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chat.consumers.finding import find_conversation, find_message, find_person, find_session, find_turn
from chat.consumers.frames import Frame, text_in, uuid_in
from chat.rates import Rate
from sessions_app.models import Conversation, Turn, User
from sessions_app.services.ending import stop_turn
from sessions_app.services.requeue import continue_reply, regenerate_reply
from sessions_app.services.transcript import post_message
from sessions_app.services.withdraw import withdraw_turn


@dataclass(frozen=True)
class Answer:
    """The frame to send back, and the conversation in which something may have changed."""

    kind: str
    conversation: Conversation
    fields: dict[str, Any] = field(default_factory=dict)


def perform(user_id: int, frame: Frame) -> Answer:
    """Does what the frame says, as the person is now: a deactivation a moment ago counts."""
    return ACTS[frame["type"]](find_person(user_id), frame)


def post(user: User, frame: Frame) -> Answer:
    conversation = find_conversation(user, uuid_in(frame, "conversation"))
    expected = find_session(user, uuid_in(frame, "session")) if frame.get("session") is not None else None
    posted = post_message(
        conversation,
        by=user,
        text=text_in(frame, "text"),
        client_id=text_in(frame, "client_id"),
        expected_session=expected,
    )
    fields = {
        "message": posted.message.public_id,
        "turn": posted.turn.public_id if posted.turn else None,
        "session": posted.message.session.public_id,
        "seq": posted.message.first_seq,
        "is_new": posted.is_new,
    }
    return Answer("posted", conversation, fields)


def stop(user: User, frame: Frame) -> Answer:
    turn = find_turn(user, uuid_in(frame, "turn"))
    stop_turn(turn, by=user)
    return Answer("done", turn.session.conversation)


def withdraw(user: User, frame: Frame) -> Answer:
    turn = find_turn(user, uuid_in(frame, "turn"))
    withdraw_turn(turn, by=user)
    return Answer("done", turn.session.conversation)


def go_on(user: User, frame: Frame) -> Answer:
    message = find_message(user, uuid_in(frame, "message"))
    return _queued(continue_reply(message, by=user), message.conversation)


def regenerate(user: User, frame: Frame) -> Answer:
    message = find_message(user, uuid_in(frame, "message"))
    return _queued(regenerate_reply(message, by=user), message.conversation)


def _queued(turn: Turn, conversation: Conversation) -> Answer:
    return Answer("queued", conversation, {"turn": turn.public_id})


ACTS: dict[str, Callable[[User, Frame], Answer]] = {
    "post": post,
    "stop": stop,
    "withdraw": withdraw,
    "continue": go_on,
    "regenerate": regenerate,
}
# What has an agent asked is counted with what is sent through other doors.
RATES = dict.fromkeys(("post", "continue", "regenerate", "compact"), Rate.SEND)
