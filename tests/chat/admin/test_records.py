from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Message, User

pytestmark = pytest.mark.django_db
RECORDS = ["conversation", "session", "checkpoint", "message", "turn", "auditentry"]


@pytest.mark.parametrize("record", RECORDS)
def test_an_operator_reads_every_list_and_adds_nothing(client: Client, olga: User, record: str) -> None:
    client.force_login(olga)
    assert client.get(reverse(f"admin:sessions_app_{record}_changelist"), {"q": "team"}).status_code == 200
    assert client.get(reverse(f"admin:sessions_app_{record}_add")).status_code == 403


@pytest.mark.parametrize("record", RECORDS)
def test_staff_without_the_permission_see_nothing(client: Client, olga: User, record: str) -> None:
    client.force_login(User.objects.create_user("sam", is_staff=True))
    assert client.get(reverse(f"admin:sessions_app_{record}_changelist")).status_code == 403


@pytest.mark.parametrize("kind", ["message", "auditentry"])
def test_not_even_a_superuser_changes_or_deletes_a_record(client: Client, olga: User, kind: str) -> None:
    client.force_login(User.objects.create_superuser("root"))
    row = Message.objects.first() if kind == "message" else AuditEntry.objects.first()
    assert row is not None
    change = reverse(f"admin:sessions_app_{kind}_change", args=[row.pk])
    assert client.get(change).status_code == 200
    assert client.post(change, {"role": "agent", "facts": "{}"}).status_code == 403
    assert (
        client.post(reverse(f"admin:sessions_app_{kind}_delete", args=[row.pk]), {"post": "yes"}).status_code
        == 403
    )
    row.refresh_from_db()
