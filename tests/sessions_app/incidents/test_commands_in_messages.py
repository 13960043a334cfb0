"""Incident c: a message that looked like a command rotated the conversation under everybody's feet."""

from __future__ import annotations

import contextlib
import uuid
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_app.errors import CommandInMessage, HoldfastError
from sessions_app.models import (
    AuditEntry,
    Conversation,
    User,
)
from sessions_app.services.audit import Origin
from sessions_app.services.fork import edit_and_resend
from sessions_app.services.transcript import post_message
from tests.sessions_app.conftest import Exchange, Say
from tests.sessions_app.guards.scene import rows_of_guarded_tables

BLANKS = ["", " ", "\n", "\t", "\r\n", "  \n\t ", "\u00a0", "\u2003", "\u3000", "\x0b"]
COMMANDS = [
    "/new", "/reset", "/NEW", "/ReSeT", "／new", "／RESET", "/new topic", "/reset now", "/new\nplease",  # noqa: RUF001
    "/reset\ttoday", "/new ", "／new\u3000もの", "/new\u2028line",  # noqa: RUF001
]  # fmt: skip
ORDINARY = [
    "/newton", "see /new", "／newer", "/resets", "/renew", "//new", "/ new", "new", "\\/new", "/new-york",  # noqa: RUF001
    "/new.", "a\n/new", "`/new`", "> /reset", "/newß", "/neｗ",  # noqa: RUF001
]  # fmt: skip


def assert_refused_as_a_command(conversation: Conversation, alice: User, text: str) -> None:
    before = rows_of_guarded_tables()
    with pytest.raises(CommandInMessage, match="New session"):
        post_message(conversation, by=alice, text=text, client_id="c")
    assert rows_of_guarded_tables() == before


@pytest.mark.parametrize("text", COMMANDS)
def test_no_message_however_it_looks_changes_the_active_session(
    text: str, conversation: Conversation, alice: User
) -> None:
    for blank in BLANKS:
        assert_refused_as_a_command(conversation, alice, blank + text)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    blank=st.text(st.sampled_from("".join(BLANKS)), max_size=6),
    slash=st.sampled_from("/／"),  # noqa: RUF001
    word=st.sampled_from(["new", "reset"]).flatmap(
        lambda word: st.tuples(*(st.sampled_from([letter, letter.upper()]) for letter in word)).map("".join)
    ),
    rest=st.one_of(st.just(""), st.tuples(st.sampled_from(" \n\t\u3000"), st.text(max_size=20)).map("".join)),
)
def test_no_spelling_of_a_command_is_a_message(
    blank: str, slash: str, word: str, rest: str, conversation: Conversation, alice: User
) -> None:
    assert_refused_as_a_command(conversation, alice, blank + slash + word + rest)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_resembles_a_command_is_an_ordinary_message(
    text: str, conversation: Conversation, alice: User
) -> None:
    before = (conversation.active_session_id, AuditEntry.objects.count())
    posted = post_message(conversation, by=alice, text=text, client_id="c")
    conversation.refresh_from_db()
    assert posted.message.folded["parts"] == [{"kind": "text", "text": text}]
    assert (conversation.active_session_id, AuditEntry.objects.count()) == before


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=st.text(min_size=1, max_size=40))
def test_whatever_is_sent_the_pointer_stays(text: str, conversation: Conversation, alice: User) -> None:
    before = (conversation.active_session_id, AuditEntry.objects.count())
    with contextlib.suppress(HoldfastError):
        post_message(conversation, by=alice, text="/" + text, client_id=uuid.uuid4().hex)
    conversation.refresh_from_db()
    assert (conversation.active_session_id, AuditEntry.objects.count()) == before


def test_an_edited_message_cannot_be_a_command_either(
    conversation: Conversation, alice: User, say: Say, origin: Origin
) -> None:
    message = say("hello").message
    before = rows_of_guarded_tables()
    with pytest.raises(CommandInMessage):
        edit_and_resend(message, by=alice, text=" /Reset now", client_id="c", origin=origin)
    assert rows_of_guarded_tables() == before


def test_the_agent_may_say_what_it_wants_and_nothing_moves(
    conversation: Conversation, exchange: Exchange
) -> None:
    pointer: Any = conversation.active_session_id
    reply = exchange("please reset", "/reset now")
    conversation.refresh_from_db()
    assert reply.folded["parts"] == [{"kind": "text", "text": "/reset now"}]
    assert conversation.active_session_id == pointer
