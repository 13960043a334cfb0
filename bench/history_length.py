"""What the length of a history costs: the same acts on sessions of 100, 10,000 and 100,000 messages."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.tables import milliseconds, print_table
from bench.targets import Target
from bench.timing import medians, seconds_of
from bench.transcripts import Cast, cast, conversation_with
from sessions_app.canonical import canonical_json
from sessions_app.models import (
    Checkpoint,
    Conversation,
    EventKind,
    Message,
    Session,
    Trigger,
    TurnState,
    User,
)
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.ending import finish_turn
from sessions_app.services.fork import fork_before
from sessions_app.services.history import history, snapshot
from sessions_app.services.journal import Append, append_batch
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import restore_checkpoint, restore_session
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn

SIZES, ROUNDS = (100, 10_000, 100_000), 60
QUICK_SIZES, QUICK_ROUNDS = (100, 1_000), 3
TEXTS = 2
PAGE = 50
LIMIT = 2.0
ORIGIN = Origin(Trigger.COMMAND, client="bench")


@dataclass(frozen=True)
class Subject:
    """A conversation whose long session is active before and after every trial."""

    conversation: Conversation
    session: Session
    middle: Message
    checkpoint: Checkpoint
    fork: Session
    by: User

    def go_back(self) -> None:
        restore_session(self.session, by=self.by, origin=ORIGIN)


Trial = Callable[[Subject], float]


def measure(*, quick: bool) -> list[Target]:
    sizes, rounds = (QUICK_SIZES, QUICK_ROUNDS) if quick else (SIZES, ROUNDS)
    people = cast()
    subjects = {size: subject(people, messages=size) for size in sizes}
    trials = {
        (name, size): functools.partial(trial, subjects[size])
        for name, trial in TRIALS.items()
        for size in sizes
    }
    return report(medians(trials, rounds=rounds), sizes, rounds)


def subject(people: Cast, *, messages: int) -> Subject:
    conversation = conversation_with(people, exchanges=messages // 2, texts=TEXTS)
    session = Session.objects.select_related("conversation").get(pk=conversation.active_session_id)
    middle = Message.objects.get(session=session, seal_number=messages // 2)
    checkpoint = take_checkpoint(conversation, by=people.alice, name="The end")
    fork_before(middle, by=people.alice, origin=ORIGIN)
    fork = Session.objects.get(conversation=conversation, parent=session)
    found = Subject(conversation, session, middle, checkpoint, fork, people.alice)
    found.go_back()
    return found


def report(found: dict[tuple[str, int], float], sizes: Sequence[int], rounds: int) -> list[Target]:
    shortest, longest = sizes[0], sizes[-1]
    targets = [
        Target(
            f"{name}, {longest:,} messages to {shortest:,}",
            found[name, longest] / found[name, shortest],
            LIMIT,
        )
        for name in TRIALS
    ]
    rows = [
        [name, *(milliseconds(found[name, size]) for size in sizes), *target.cells]
        for name, target in zip(TRIALS, targets, strict=True)
    ]
    print_table(
        "What the length of a history costs",
        ["messages in the session", *(f"{size:,}" for size in sizes), "ratio", "target", ""],
        rows,
        f"Medians of {rounds} rounds; the ratio compares {longest:,} messages with {shortest:,}.",
    )
    return targets


def reset(on: Subject) -> float:
    taken = seconds_of(
        lambda: reset_conversation(on.conversation, by=on.by, expected_session=on.session, origin=ORIGIN)
    )
    on.go_back()
    return taken


def restore(on: Subject) -> float:
    """From a fork, so that both sessions are long."""
    restore_session(on.fork, by=on.by, origin=ORIGIN)
    return seconds_of(on.go_back)


def restore_at_checkpoint(on: Subject) -> float:
    taken = seconds_of(lambda: restore_checkpoint(on.checkpoint, by=on.by, origin=ORIGIN))
    on.go_back()
    return taken


def fork_in_the_middle(on: Subject) -> float:
    taken = seconds_of(lambda: fork_before(on.middle, by=on.by, origin=ORIGIN))
    on.go_back()
    return taken


def checkpoint(on: Subject) -> float:
    return seconds_of(lambda: take_checkpoint(on.conversation, by=on.by, name="bench"))


def newest_page(on: Subject) -> float:
    return seconds_of(lambda: history(on.session, limit=PAGE))


def page_in_the_middle(on: Subject) -> float:
    return seconds_of(lambda: history(on.session, before=on.middle, limit=PAGE))


def newest_page_of_fork(on: Subject) -> float:
    return seconds_of(lambda: history(on.fork, limit=PAGE))


def first_load(on: Subject) -> float:
    return seconds_of(lambda: snapshot(on.session, limit=PAGE))


def exchange(on: Subject) -> float:
    """The one act here that makes the session longer, by two messages."""
    return seconds_of(lambda: ask_and_answer(on.conversation, on.by))


def ask_and_answer(conversation: Conversation, by: User) -> None:
    turn = post_message(conversation, by=by, text="And now?", client_id=uuid.uuid4().hex).turn
    assert turn is not None
    lease = claim_turn(turn, owner="bench")
    append_batch([Append(lease, [(EventKind.TEXT.value, canonical_json({"text": "Now too."}))])])
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)


TRIALS: dict[str, Trial] = {
    "reset_conversation": reset,
    "restore_session": restore,
    "restore_checkpoint": restore_at_checkpoint,
    "fork_before, in the middle": fork_in_the_middle,
    "take_checkpoint": checkpoint,
    "history, newest page": newest_page,
    "history, page in the middle": page_in_the_middle,
    "history, newest page of a fork": newest_page_of_fork,
    "snapshot": first_load,
    "post, claim, append, finish": exchange,
}
