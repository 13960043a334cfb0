from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Membership, Message, User, Workspace

pytestmark = pytest.mark.django_db
RECORDS = [
    "conversation",
    "session",
    "checkpoint",
    "message",
    "turn",
    "auditentry",
    "membership",
    "invitation",
]


@pytest.mark.parametrize("record", RECORDS)
def test_an_operator_reads_every_list_and_adds_nothing(client: Client, olga: User, record: str) -> None:
    client.force_login(olga)
    assert client.get(reverse(f"admin:sessions_app_{record}_changelist"), {"q": "team"}).status_code == 200
    assert client.get(reverse(f"admin:sessions_app_{record}_add")).status_code == 403


@pytest.mark.parametrize("record", RECORDS)
def test_staff_without_the_permission_see_nothing(client: Client, olga: User, record: str) -> None:
    client.force_login(User.objects.create_user("sam", is_staff=True))
    assert client.get(reverse(f"admin:sessions_app_{record}_changelist")).status_code == 403


@pytest.mark.parametrize("kind", ["message", "auditentry", "membership"])
def test_not_even_a_superuser_changes_or_deletes_a_record(client: Client, olga: User, kind: str) -> None:
    client.force_login(User.objects.create_superuser("root"))
    models: list[type[Message | AuditEntry | Membership]] = [Message, AuditEntry, Membership]
    row = next(model for model in models if model.__name__.lower() == kind)._default_manager.first()
    assert row is not None
    change = reverse(f"admin:sessions_app_{kind}_change", args=[row.pk])
    assert client.get(change).status_code == 200
    assert client.post(change, {"role": "agent", "facts": "{}"}).status_code == 403
    assert (
        client.post(reverse(f"admin:sessions_app_{kind}_delete", args=[row.pk]), {"post": "yes"}).status_code
        == 403
    )
    row.refresh_from_db()


def test_a_superuser_reads_who_is_in_a_workspace_and_changes_nothing_there(
    client: Client, olga: User
) -> None:
    """Roles change where the rules are asked and the audit log is written."""
    client.force_login(User.objects.create_superuser("root"))
    team = Workspace.objects.get()
    before = list(Membership.objects.order_by("pk").values_list("user", "role"))
    change = reverse("admin:sessions_app_workspace_change", args=[team.pk])
    assert "mia" in client.get(change).content.decode()
    forms = {"memberships-TOTAL_FORMS": "1", "memberships-INITIAL_FORMS": "1", "memberships-0-DELETE": "on"}
    first = str(Membership.objects.order_by("pk")[0].pk)
    client.post(change, {"name": "Kelp", "slug": "demo", **forms, "memberships-0-id": first})
    assert list(Membership.objects.order_by("pk").values_list("user", "role")) == before
    assert client.get(reverse("admin:sessions_app_workspace_add")).status_code == 403
