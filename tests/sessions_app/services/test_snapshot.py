"""A snapshot is true at one point of the log, whatever is written while it is read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions_app.models import Conversation, Session, SessionEvent, Turn, TurnState, User
from sessions_app.services.audit import Origin
from sessions_app.services.ending import finish_turn
from sessions_app.services.folding import fold, text_of
from sessions_app.services.fork import edit_and_resend
from sessions_app.services.history import Snapshot, snapshot, superseded_in
from sessions_app.services.log import message_events
from sessions_app.services.turn_lease import claim_turn
from sessions_app.services.withdraw import withdraw_turn
from tests.sessions_app.acting import append_texts
from tests.sessions_app.conftest import Exchange, Say

MOST_STATEMENTS = 8


@contextlib.contextmanager
def written_before(statement: int, write: Callable[[], object]) -> Iterator[None]:
    """Somebody else's transaction comes between two statements of a reader, which are otherwise undisturbed."""
    count = 0

    def interpose(execute: Callable[..., Any], *arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == statement:
            write()
        return execute(*arguments)

    with connection.execute_wrapper(interpose):
        yield


def live_at(session: Session, as_of: int) -> dict[str, str]:
    """What the log tells of turns up to a point."""
    states: dict[str, str] = {}
    for event in SessionEvent.objects.filter(session=session, seq__lte=as_of).order_by("seq"):
        match event.kind:
            case "message_posted" | "turn_queued" if event.content["turn"]:
                states[event.content["turn"]] = "queued"
            case "turn_started":
                states[event.content["turn"]] = "running"
            case "turn_ended":
                del states[event.content["turn"]]
    return states


def assert_true_at_its_point(view: Snapshot) -> None:
    assert {str(turn.public_id): turn.state for turn in view.live_turns} == live_at(view.session, view.as_of)
    for message in view.messages:
        assert message.first_seq <= view.as_of
        assert view.contents[message.pk] == fold(message_events(message, up_to=view.as_of))


def test_a_message_edited_again_and_again_costs_no_more_to_read(
    conversation: Conversation, exchange: Exchange, say: Say, alice: User, origin: Origin
) -> None:
    """Each edit is a fork of a fork, and all of them but the last add nothing to the history."""
    exchange("one", "two")
    message, queries = say("three").message, set()
    for number in range(12):
        edited = edit_and_resend(message, by=alice, text="x", client_id=f"e{number}", origin=origin)
        message = edited.message
        with CaptureQueriesContext(connection) as asked:
            view = snapshot(Session.objects.get(pk=message.session_id))
            superseded_in(view.session, view.messages)
        assert [text_of(view.contents[m.pk]) for m in view.messages] == ["one", "two", "x"]
        if number > 0:
            queries.add(len(asked))
    assert len(queries) == 1


@pytest.mark.parametrize("statement", range(1, MOST_STATEMENTS))
@pytest.mark.parametrize("wrote", ["post", "claim", "append", "finish", "withdraw"])
def test_it_is_true_at_its_point_whoever_writes_meanwhile(
    statement: int, wrote: str, conversation: Conversation, say: Say, alice: User
) -> None:
    session = conversation.active_session
    turn = say("first").turn
    assert turn is not None
    lease = claim_turn(turn, owner="x") if wrote in ("append", "finish") else None
    writes: dict[str, Callable[[], object]] = {
        "post": lambda: say("second"),
        "claim": lambda: claim_turn(turn, owner="x"),
        "append": lambda: lease and append_texts(lease, "a word"),
        "finish": lambda: lease and finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch),
        "withdraw": lambda: withdraw_turn(turn, by=alice),
    }
    with written_before(statement, writes[wrote]):
        view = snapshot(session)
    assert_true_at_its_point(view)


@pytest.mark.parametrize("statement", range(1, MOST_STATEMENTS))
def test_so_it_is_where_nothing_was_live(statement: int, conversation: Conversation, say: Say) -> None:
    with written_before(statement, lambda: say("first")):
        view = snapshot(conversation.active_session)
    assert_true_at_its_point(view)
    assert Turn.objects.count() <= 1
