"""People and agents who write at the same time, in threads with connections of their own."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Iterator

from django.db import connection

from sessions_app.errors import HoldfastError
from sessions_app.models import Agent, Conversation, Membership, Role, User, Workspace
from sessions_app.services.audit import COMMAND
from sessions_app.services.conversations import start_conversation
from sessions_app.services.reset import reset_conversation
from sessions_app.services.transcript import Posted, post_message
from tests.sessions_app.acting import answer_turn

RESET_EVERY = 5


def start_team() -> Conversation:
    """alice's team with one conversation, committed."""
    team = Workspace.objects.create(name="Kelp", slug="kelp")
    alice = User.objects.create_user("alice", password="correct horse")
    Membership.objects.create(workspace=team, user=alice, role=Role.OWNER)
    echo = Agent.objects.create(workspace=team, name="Echo", handle="echo", provider="demo")
    return start_conversation(team, by=alice, key="team:general", agent=echo)


def say(conversation: Conversation, text: str = "hello") -> Posted:
    return post_message(
        conversation, by=User.objects.get(username="alice"), text=text, client_id=uuid.uuid4().hex
    )


def exchange(conversation: Conversation) -> None:
    turn = say(conversation).turn
    assert turn is not None
    answer_turn(turn, "a ", "whole ", "answer")


@contextlib.contextmanager
def busy_writers(*conversations: Conversation) -> Iterator[None]:
    """Inside, each conversation is written to and reset all the time; afterwards every writer has ended well."""
    stop, failures = threading.Event(), []

    def write(conversation: Conversation) -> None:
        try:
            for number in range(1, 1_000_000):
                exchange(conversation)
                if number % RESET_EVERY == 0:
                    _reset(conversation)
                if stop.is_set():
                    return
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=write, args=[conversation]) for conversation in conversations]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []


def _reset(conversation: Conversation) -> None:
    now = Conversation.objects.get(pk=conversation.pk)
    with contextlib.suppress(HoldfastError):
        reset_conversation(now, by=None, expected_session=now.active_session, origin=COMMAND)
