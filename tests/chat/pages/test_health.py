"""What watches a process asks it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from sessions_app.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga() -> User:
    """Operates."""
    olga = User.objects.create_user("olga", is_staff=True)
    olga.user_permissions.add(Permission.objects.get(codename="operate"))
    return olga


def test_a_process_that_answers_is_alive(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


def test_a_process_without_a_runtime_is_not_ready(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"] == {"runtime": False, "database": True}


def test_figures_are_for_this_machine(client: Client) -> None:
    answer = client.get("/metrics")
    assert answer.status_code == 200
    assert b"holdfast_commit_seconds" in answer.content


@pytest.mark.parametrize(
    "where", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "192.0.2.7"}], ids=["direct", "by proxy"]
)
def test_figures_are_not_for_everybody(client: Client, where: dict[str, str]) -> None:
    assert client.get("/metrics", **where).status_code == 404  # type: ignore[arg-type]


def test_figures_are_for_operators_wherever_they_are(client: Client, olga: User) -> None:
    client.force_login(olga)
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 200
