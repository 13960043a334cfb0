from __future__ import annotations

import csv
import io
import json

import pytest

from sessions_app.models import AuditEntry, Conversation, Trigger, User
from sessions_app.services.audit import Origin
from sessions_app.services.audit_export import COLUMNS, FORMULA_STARTS, as_csv, as_jsonl
from sessions_app.services.reset import reset_conversation


@pytest.fixture
def entries(conversation: Conversation, alice: User, origin: Origin) -> list[AuditEntry]:
    reset_conversation(
        conversation,
        by=alice,
        expected_session=conversation.active_session,
        origin=origin,
        reason='=HYPERLINK("https://evil.example","click")\nsecond line',
    )
    return list(AuditEntry.objects.order_by("number"))


def test_jsonl_tells_everything_on_one_line_each(entries: list[AuditEntry]) -> None:
    lines = "".join(as_jsonl(entries)).splitlines()
    told = [json.loads(line) for line in lines]
    assert [entry["action"] for entry in told] == ["start", "reset"]
    assert (told[1]["old_number"], told[1]["new_number"], told[1]["key"]) == (1, 2, "team:general")
    assert (told[1]["digest"], told[1]["facts"]) == (entries[1].digest, entries[1].told)


def test_csv_reads_back_with_all_columns(entries: list[AuditEntry]) -> None:
    rows = list(csv.reader(io.StringIO("".join(as_csv(entries)), newline="")))
    assert rows[0] == list(COLUMNS)
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert json.loads(rows[2][COLUMNS.index("facts")]) == entries[1].told


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\uff1d1"])
def test_no_cell_begins_like_a_formula(conversation: Conversation, alice: User, start: str) -> None:
    origin = Origin(Trigger.PAGE, address=start, client=start)
    reset_conversation(
        conversation, by=alice, expected_session=conversation.active_session, origin=origin, reason=start
    )
    rows = list(csv.reader(io.StringIO("".join(as_csv(AuditEntry.objects.all())), newline="")))
    cells = [cell for row in rows for cell in row]
    assert f"'{start}" in cells
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS)]
