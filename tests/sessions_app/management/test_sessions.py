"""`list_sessions`, `restore_session`, `restore_checkpoint` and `audit`, as somebody at a shell uses them."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from sessions_app.models import AuditEntry, Checkpoint, Conversation, Session, User, Workspace
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.conversations import start_conversation
from sessions_app.services.reset import reset_conversation
from tests.sessions_app.conftest import Exchange
from tests.sessions_app.guards_lifted import lifted_guards


def told(*words: str) -> str:
    output = StringIO()
    call_command(*words, stdout=output, stderr=output)
    return output.getvalue()


def facts(*words: str) -> Any:
    return json.loads(told(*words, "--json"))


@pytest.fixture
def lost(conversation: Conversation, alice: User, exchange: Exchange, origin: Origin) -> Session:
    exchange()
    take_checkpoint(conversation, by=alice, name="Decision")
    session = conversation.active_session
    reset_conversation(conversation, by=alice, expected_session=session, origin=origin, reason="by mistake")
    session.refresh_from_db()
    conversation.refresh_from_db()
    return session


def test_sessions_are_listed_with_their_checkpoints(lost: Session) -> None:
    lines = told("list_sessions", "team:general").splitlines()
    assert lines[0].startswith("team:general#2")
    assert lines[1].startswith(f"team:general#1  {lost.public_id}  2 messages  archived")
    assert "by mistake" in lines[1]
    assert any("Decision" in line for line in lines)
    [archived] = facts("list_sessions", "--archived")
    assert (archived["session"], archived["messages"]) == (str(lost.public_id), 2)
    assert {mark["name"] for mark in archived["checkpoints"]} == {"Decision", "Before a new session"}


def test_restoring_is_a_dry_run_unless_told_otherwise(lost: Session, conversation: Conversation) -> None:
    before = AuditEntry.objects.count()
    assert "Nothing was changed. Say --yes to do it." in told("restore_session", "team:general#1")
    assert facts("restore_session", str(lost.public_id))["done"] is False
    assert AuditEntry.objects.count() == before


def test_a_session_comes_back_on_the_record(lost: Session, conversation: Conversation) -> None:
    said = told("restore_session", "team:general#1", "--yes", "--reason", "phoned in")
    assert said.startswith(
        "team:general: session 1 with 2 messages is active now; session 2 with 0 messages was"
    )
    conversation.refresh_from_db()
    assert conversation.active_session == lost
    entry = conversation.active_entry
    assert (entry.trigger, entry.actor_id, entry.told["reason"]) == ("command", None, "phoned in")
    assert entry.told["client"].startswith("manage.py restore_session (")
    assert entry.told["address"]


def test_a_checkpoint_comes_back(lost: Session, conversation: Conversation) -> None:
    checkpoint = Checkpoint.objects.get(name="Decision")
    assert "would be active" in told("restore_checkpoint", str(checkpoint.public_id))
    done = facts("restore_checkpoint", str(checkpoint.public_id), "--yes")
    assert (done["done"], done["entry"]["checkpoint"]["name"]) == (True, "Decision")
    conversation.refresh_from_db()
    assert conversation.active_session.parent == lost


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["restore_session", "team:general#9"], "There is no session"),
        (["restore_session", "nowhere#1"], "There is no conversation"),
        (["restore_session", "team:general"], "neither a session's id"),
        (["restore_session", "team:general#2", "--yes"], "active one already"),
        (["restore_checkpoint", "x"], "There is no checkpoint"),
        (["list_sessions", "nowhere"], "There is no conversation"),
        (["audit", "--since", "yesterday"], "must be a time"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(lost: Session, words: list[str], says: str) -> None:
    with pytest.raises(CommandError, match=says):
        told(*words)


def test_a_key_of_two_workspaces_needs_its_workspace(lost: Session) -> None:
    start_conversation(Workspace.objects.create(name="Other", slug="other"), by=None, key="team:general")
    with pytest.raises(CommandError, match="--workspace"):
        told("list_sessions", "team:general")
    assert told("list_sessions", "team:general", "--workspace", "other").startswith("team:general#1")


def test_the_audit_log_is_read_and_verified(lost: Session) -> None:
    said = told("audit", "team:general", "--verify")
    assert "reset  team:general  session 1 (2) → 2  by alice (page)  “by mistake”" in said
    assert "2 entries of 1 chains are unbroken." in said
    document = facts("audit", "--action", "reset", "--verify")
    assert [entry["reason"] for entry in document["entries"]] == ["by mistake"]
    assert document["chains"]["sound"] is True
    assert len(told("audit", "--jsonl").splitlines()) == 2
    assert told("audit", "--csv").startswith("at,action,trigger,key")
    assert facts("audit", "--search", "by mistake")["entries"][0]["action"] == "reset"
    assert facts("audit", "--since", "2999-01-01")["entries"] == []


def test_a_broken_chain_gives_exit_1(lost: Session) -> None:
    with lifted_guards(connection):
        AuditEntry.objects.filter(action="reset").update(digest="0" * 64)
    with pytest.raises(SystemExit) as exit_code:
        told("audit", "--verify")
    assert exit_code.value.code == 1
