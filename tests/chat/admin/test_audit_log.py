from __future__ import annotations

import csv
import io
import json

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Session, User
from tests.sessions_app.guards_lifted import lifted_guards

LIST = "admin:sessions_app_auditentry_changelist"


def listed(operator: Client, **query: str) -> list[str]:
    answer = operator.get(reverse(LIST), query_params=query)
    assert answer.status_code == 200
    return [entry.action for entry in answer.context["cl"].result_list]


def exported(operator: Client, form: str, **query: str) -> str:
    answer = operator.get(reverse("admin:audit_export", args=[form]), query_params=query)
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]


def test_it_is_filtered_and_searched(operator: Client, lost: Session) -> None:
    assert listed(operator) == ["reset", "start"]
    assert listed(operator, action="reset") == ["reset"]
    assert listed(operator, trigger__exact="command") == ["start"]
    assert listed(operator, q="by mistake") == ["reset"]
    assert listed(operator, q=str(lost.public_id)) == ["reset", "start"]
    assert listed(operator, q="192.0.2.9") == ["reset"]


def test_the_chains_of_what_is_shown_are_verified(operator: Client, lost: Session) -> None:
    html = operator.get(reverse(LIST)).content.decode()
    assert "Verified just now: 2 entries of 1 chain" in html
    with lifted_guards(connection):
        AuditEntry.objects.filter(action="reset").update(digest="0" * 64)
    assert "not in order" in operator.get(reverse(LIST)).content.decode()


def test_an_entry_says_all_of_it_and_that_its_chain_is_sound(operator: Client, lost: Session) -> None:
    entry = AuditEntry.objects.get(action="reset")
    html = operator.get(reverse("admin:sessions_app_auditentry_change", args=[entry.pk])).content.decode()
    assert "Verified just now" in html
    assert "192.0.2.9" in html


def test_what_is_shown_is_exported_and_that_is_on_the_record(
    operator: Client, olga: User, lost: Session
) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(operator, "csv", action="reset"), newline="")))
    assert [(row["action"], row["reason"], row["old_messages"]) for row in rows] == [
        ("reset", "by mistake", "2")
    ]
    entries = [json.loads(line) for line in exported(operator, "jsonl").splitlines()]
    assert {entry["action"] for entry in entries} == {"start", "reset", "export_audit"}
    records = AuditEntry.objects.filter(action="export_audit", actor_id=olga.pk, trigger="admin").order_by(
        "number"
    )
    assert [record.told["chosen"] for record in records] == ["action=reset", ""]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_staff_without_the_permission_export_nothing(client: Client, sam: User, form: str) -> None:
    client.force_login(sam)
    assert client.get(reverse("admin:audit_export", args=[form])).status_code == 403
    assert not AuditEntry.objects.filter(action="export_audit").exists()


def test_an_unknown_form_is_refused(operator: Client) -> None:
    assert operator.get(reverse("admin:audit_export", args=["exe"])).status_code == 403
