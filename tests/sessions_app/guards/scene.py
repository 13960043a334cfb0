"""A conversation with a past: what the attacks are aimed at."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import connection

from sessions_app import guards
from sessions_app.models import (
    Agent,
    AuditChain,
    Checkpoint,
    Conversation,
    Membership,
    Message,
    Role,
    Session,
    ToolListing,
    ToolServer,
    Turn,
    User,
    Workspace,
)
from sessions_app.services.audit import chain_of
from sessions_app.services.conversations import start_conversation
from sessions_app.services.requeue import regenerate_reply
from sessions_app.services.reset import reset_conversation
from sessions_app.services.tool_listings import record_listing
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn
from tests.sessions_app.acting import OWNER, answer_turn, append_texts
from tests.sessions_app.conftest import PAGE, member_of

Rows = dict[str, list[tuple[Any, ...]]]


def make_scene() -> dict[str, Any]:
    """Ids by name: an archived session, an active one with an ended, a running and a queued turn, and another
    conversation."""
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    alice, mia = member_of(team, "alice", Role.OWNER), member_of(team, "mia", Role.MEMBER)
    echo = Agent.objects.create(workspace=team, name="Echo", handle="echo", provider="demo")
    here, elsewhere = (
        start_conversation(team, by=alice, key=key, agent=echo, origin=PAGE) for key in ("a", "b")
    )
    _ask(elsewhere, alice, "other")
    _ask(here, alice, "archived")
    archived = here.active_session
    reset_conversation(here, by=alice, expected_session=archived, origin=PAGE, idempotency_key="k")
    here.refresh_from_db()
    reply = _ask(here, alice, "asked")
    second = regenerate_reply(reply, by=alice)
    answer_turn(second, "again")
    running = _post(here, alice, "running")
    append_texts(claim_turn(running, owner=OWNER), "partly")
    running.refresh_from_db()
    queued = _post(here, alice, "queued")
    record_listing(
        ToolServer.objects.create(workspace=team, name="kelp", address="https://kelp"), [], by=alice
    )
    chain = AuditChain.objects.get(name=chain_of(here))
    return {
        "conversation": here.pk,
        "archived": archived.pk,
        "active": here.active_session_id,
        "last_seq": Session.objects.get(pk=here.active_session_id).last_seq,
        "entry": here.active_entry_id,
        "first_entry": here.active_entry_id - 1,
        "chain": chain.name,
        "chain_id": chain.pk,
        "sealed": Message.objects.get(client_id="asked").pk,
        "reply": reply.pk,
        "ended": Turn.objects.get(reply=reply).pk,
        "second": second.pk,
        "open": running.reply_id,
        "running": running.pk,
        "queued": queued.pk,
        "checkpoint": Checkpoint.objects.get(session=archived).pk,
        "listing": ToolListing.objects.get().pk,
        "other": elsewhere.pk,
        "other_session": elsewhere.active_session_id,
        "other_entry": elsewhere.active_entry_id,
        "other_turn": Turn.objects.get(session=elsewhere.active_session_id).pk,
        "alice": alice.pk,
        "owner": Membership.objects.get(user=alice).pk,
        "member": Membership.objects.get(user=mia).pk,
        "stranger": User.objects.create_user("bob").pk,
        "new_id": uuid.uuid4().hex,
        "another_id": uuid.uuid4().hex,
    }


def rows_of_guarded_tables() -> Rows:
    """Every row of every guarded table, to compare before and after."""
    with connection.cursor() as cursor:
        rows: Rows = {}
        for table in guards.GUARDED_TABLES:
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
            rows[table] = cursor.fetchall()
        return rows


def _post(conversation: Conversation, alice: User, client_id: str) -> Turn:
    turn = post_message(conversation, by=alice, text=client_id, client_id=client_id).turn
    assert turn is not None
    return turn


def _ask(conversation: Conversation, alice: User, client_id: str) -> Message:
    return answer_turn(_post(conversation, alice, client_id), "an answer")
