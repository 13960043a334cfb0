from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from sessions_app.models import Conversation, Session, Turn, TurnState, User
from sessions_app.services.ending import finish_turn
from sessions_app.services.health import health_file
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn


@pytest.fixture(autouse=True)
def own_folder(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def page(operator: Client) -> str:
    answer = operator.get(reverse("admin:recovery"))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def running(conversation: Conversation, alice: User) -> Turn:
    turn = post_message(conversation, by=alice, text="go", client_id="go").turn
    assert turn is not None
    claim_turn(turn, owner="host-4711")
    turn.refresh_from_db()
    return turn


def test_it_shows_what_runs_with_owner_and_lease(operator: Client, running: Turn) -> None:
    html = page(operator)
    assert "hf-badge-running" in html
    assert "host-4711" in html
    assert "s left" in html


def test_what_let_its_lease_run_out_is_stuck(operator: Client, running: Turn) -> None:
    Turn.objects.update(lease_until=timezone.now() - timedelta(minutes=3))
    html = page(operator)
    assert "hf-badge-stuck" in html
    assert "ran out 3\xa0minutes ago" in html


def test_it_shows_resets_archived_sessions_and_checkpoints_with_a_restore_each(
    operator: Client, lost: Session
) -> None:
    html = page(operator)
    restore = reverse("admin:restore_session", args=[lost.public_id])
    assert html.count(f'formaction="{restore}"') == 2
    assert "by mistake" in html
    assert "Before a new session" in html


def test_it_shows_interrupted_messages(operator: Client, running: Turn) -> None:
    finish_turn(running, TurnState.INTERRUPTED, epoch=running.epoch, reason="The line was cut.")
    assert "The line was cut." in page(operator)


def test_it_says_how_the_database_is(operator: Client) -> None:
    assert "manage.py verify" in page(operator)
    found = {"check": "audit", "where": "a chain", "says": "is <b>broken</b>"}
    kept = {
        "verify": {
            "at": "2026-01-02T03:04:05+00:00", "is_clean": False, "finding_count": 1, "findings": [found],
        },
        "backup": {
            "at": "2026-01-03T03:04:05+00:00", "is_clean": True, "size_bytes": 3_000_000, "file": "/b/one",
        },
    }  # fmt: skip
    health_file().write_text(json.dumps(kept))
    html = page(operator)
    assert "1 thing not in order" in html
    assert "is &lt;b&gt;broken&lt;/b&gt;" in html
    assert "3 Jan 2026" in html
    assert "/b/one" in html


def test_operators_find_it_in_the_menu_and_others_do_not(client: Client, olga: User, sam: User) -> None:
    client.force_login(olga)
    assert reverse("admin:recovery") in client.get(reverse("admin:index")).content.decode()
    client.force_login(sam)
    index = client.get(reverse("admin:index")).content.decode()
    assert reverse("admin:recovery") not in index
    assert "sessions_app" not in index
    assert client.get(reverse("admin:recovery")).status_code == 403


def test_a_user_of_the_chat_is_led_to_the_login(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get(reverse("admin:recovery")).status_code == 302
