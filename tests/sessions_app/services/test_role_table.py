"""The table in docs/security.md is the one in the code."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from sessions_app.errors import NotAllowed
from sessions_app.models import Membership, Role, User, Workspace
from sessions_app.services.access import Act, require
from sessions_app.services.role_table import MEANING, role_table

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "security.md"


def test_the_document_agrees_with_the_code() -> None:
    printed = StringIO()
    call_command("print_roles", stdout=printed)
    assert printed.getvalue().strip() == role_table()
    assert f"\n\n{role_table()}\n\n" in DOCUMENT.read_text(encoding="utf-8")


def test_every_act_is_explained() -> None:
    assert set(MEANING) == set(Act)


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize("role", Role)
def test_the_services_decide_as_the_table_says(team: Workspace, role: Role, act: Act) -> None:
    person = User.objects.create_user("person")
    Membership.objects.create(workspace=team, user=person, role=role)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in role_table().splitlines()]
    [row] = [row for row in rows if row[0] == act.value]
    says_yes = row[rows[0].index(role.value)] == "yes"
    try:
        require(person, team.pk, act)
    except NotAllowed:
        assert not says_yes
    else:
        assert says_yes
