"""A conversation in which everything has happened once, and a way to tamper with it behind the guards' back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection, transaction

from sessions_app.models import Agent, AuditEntry, Conversation, Session, Turn, User, Workspace
from sessions_app.services.audit import COMMAND
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.compaction import record_compaction
from sessions_app.services.conversations import (
    archive_conversation,
    rename_conversation,
    start_conversation,
    unarchive_conversation,
)
from sessions_app.services.purge import purge_conversation
from sessions_app.services.requeue import regenerate_reply
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import restore_checkpoint
from sessions_app.services.transcript import Posted, post_message
from sessions_app.services.turn_lease import claim_turn
from sessions_app.services.verify import Finding, verify
from sessions_app.services.withdraw import withdraw_turn
from tests.sessions_app.acting import OWNER, answer_turn, append_events, append_texts
from tests.sessions_app.guards_lifted import lifted_guards


@dataclass(frozen=True)
class Scene:
    """Session 1 was reset to session 2; session 3 forks from a checkpoint in 1, is active, and is written to."""

    conversation: Conversation
    ids: dict[str, int]


def play(team: Workspace, alice: User, echo: Agent) -> Scene:
    conversation = start_conversation(team, by=alice, key="team:general", agent=echo)
    other = start_conversation(team, by=alice, key="team:other", agent=echo)
    _begin(conversation, alice)
    reset_conversation(conversation, by=alice, expected_session=conversation.active_session, origin=COMMAND)
    checkpoint = conversation.sessions.get(number=1).checkpoints.get(name="halfway")
    entry = restore_checkpoint(checkpoint, by=alice, origin=COMMAND)
    ids = _go_on(Conversation.objects.get(pk=conversation.pk), alice)
    archive_conversation(conversation, by=alice)
    unarchive_conversation(conversation, by=alice)
    purged = start_conversation(team, by=alice, key="team:purged")
    purge_conversation(purged, by=alice, confirmation="team:purged", origin=COMMAND)
    ids |= {f"s{session.number}": session.pk for session in Session.objects.filter(conversation=conversation)}
    ids |= {"conversation": conversation.pk, "other": other.pk, "other_session": other.active_session_id}
    ids |= {"checkpoint": checkpoint.pk, "entry": entry.pk, "alice": alice.pk}
    ids |= {"purge_entry": AuditEntry.objects.get(action="purge").pk}
    return Scene(Conversation.objects.get(pk=conversation.pk), ids)


def _begin(conversation: Conversation, alice: User) -> None:
    reply = answer_turn(_turn(_say(conversation, alice, "one")), "first ", "answer")
    answer_turn(regenerate_reply(reply, by=alice), "second answer")
    take_checkpoint(conversation, by=alice, name="halfway")
    rename_conversation(conversation, by=alice, title="Renamed")
    answer_turn(_turn(_say(conversation, alice, "two")), "third answer")
    record_compaction(conversation.active_session, summary="so far", by=None)


def _go_on(conversation: Conversation, alice: User) -> dict[str, int]:
    """A finished answer, one under way with a tool, one that waits and one that was withdrawn."""
    done = _turn(_say(conversation, alice, "three"))
    reply = answer_turn(done, "fourth answer")
    running = _turn(_say(conversation, alice, "four"))
    lease = claim_turn(running, owner=OWNER)
    append_texts(lease, "half an ")
    append_events(lease, ("tool_call", {"id": "c1", "name": "clock", "arguments": {}}))
    waiting = _say(conversation, alice, "five")
    withdrawn = withdraw_turn(_turn(_say(conversation, alice, "six")), by=alice)
    return {
        "reply": reply.pk,
        "question": done.question_id,
        "open": lease.message_id,
        "done": done.pk,
        "running": running.pk,
        "waiting": _turn(waiting).pk,
        "waiting_question": waiting.message.pk,
        "withdrawn": withdrawn.pk,
    }


def _say(conversation: Conversation, alice: User, text: str) -> Posted:
    return post_message(conversation, by=alice, text=text, client_id=text)


def _turn(posted: Posted) -> Turn:
    assert posted.turn is not None
    return posted.turn


@contextlib.contextmanager
def tampered(scene: Scene, *statements: str) -> Iterator[None]:
    """Inside, the statements have been run and the guards stand again; afterwards nothing of it has happened."""
    with transaction.atomic():
        with lifted_guards(connection) if connection.vendor == "sqlite" else _as_a_replica():
            run(scene, *statements)
        yield
        transaction.set_rollback(True)


def run(scene: Scene, *statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement.format(**scene.ids))


def findings_after(scene: Scene, *statements: str) -> list[Finding]:
    with tampered(scene, *statements):
        return list(verify().findings)


@contextlib.contextmanager
def _as_a_replica() -> Iterator[None]:
    """PostgreSQL's own way past triggers and foreign keys; dropping them would wait for pending checks."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET session_replication_role = replica")
        yield
        cursor.execute("SET session_replication_role = origin")
