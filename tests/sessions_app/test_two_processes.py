"""Two processes write to one database at once: neither is refused, neither starves, nothing is lost."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from sessions_app.models import Agent, Conversation, Message, SessionEvent, Turn, User, Workspace
from sessions_app.services.conversations import start_conversation
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn
from tests.figures import PrintFigure
from tests.sessions_app.conftest import PAGE
from tests.sessions_app.figures import figures
from tests.sessions_app.scratch_database import url_of
from tests.sessions_app.writing_process import Work, as_argument

ROUNDS = 150
POSTS = ROUNDS // 5
MODULE = "tests.sessions_app.writing_process"


@pytest.mark.django_db(transaction=True)
def test_two_processes_complete_all_their_work_without_a_lost_or_doubled_event(
    team: Workspace, alice: User, mia: User, echo: Agent, tmp_path: Path, print_figure: PrintFigure
) -> None:
    shared = start_conversation(team, by=alice, key="shared", origin=PAGE)
    works = [
        Work(user.username, running_turn(team, user, echo).pk, shared.pk, user.pk, ROUNDS)
        for user in (alice, mia)
    ]
    with both_running(works, tmp_path) as processes:
        results = [finished(process) for process in processes]
    for work, seconds in zip(works, results, strict=True):
        print_figure(figures(f"{connection.vendor}, two processes, {work.name}", seconds))
        assert len(seconds) == ROUNDS + POSTS
        assert texts_of(work) == [f"{work.name} {n} {part} " for n in range(ROUNDS) for part in "abc"]
        posted = Message.objects.filter(conversation=shared, author=work.user).order_by("first_seq")
        assert list(posted.values_list("client_id", flat=True)) == [
            f"{work.name} {5 * n}" for n in range(POSTS)
        ]
    assert_every_log_is_dense()


def running_turn(team: Workspace, user: User, echo: Agent) -> Turn:
    conversation = start_conversation(team, by=user, agent=echo, origin=PAGE)
    turn = post_message(conversation, by=user, text="write", client_id="c").turn
    assert turn is not None
    claim_turn(turn, owner=user.username)
    return turn


@contextlib.contextmanager
def both_running(works: Sequence[Work], folder: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """They are told to begin when both are ready; none is left behind."""
    environment = {
        **os.environ,
        "DATABASE_URL": url_of(connection),
        "HOLDFAST_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    with contextlib.ExitStack() as stack:
        processes = []
        for work in works:
            process = subprocess.Popen(
                [sys.executable, "-m", MODULE, as_argument(work)],
                env=environment,
                cwd=settings.BASE_DIR,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            processes.append(stack.enter_context(process))
            stack.callback(process.kill)
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("begin\n")
            process.stdin.flush()
        yield processes


def finished(process: subprocess.Popen[str]) -> list[float]:
    told, complained = process.communicate(timeout=60)
    assert complained == ""
    assert process.returncode == 0
    seconds: list[float] = json.loads(told)
    return seconds


def texts_of(work: Work) -> list[str]:
    reply = Turn.objects.get(pk=work.turn).reply
    events = SessionEvent.objects.filter(message=reply, kind="text").order_by("seq")
    return [event.content["text"] for event in events]


def assert_every_log_is_dense() -> None:
    for conversation in Conversation.objects.select_related("active_session"):
        session = conversation.active_session
        seqs = list(session.events.order_by("seq").values_list("seq", flat=True))
        assert seqs == list(range(1, session.last_seq + 1))
