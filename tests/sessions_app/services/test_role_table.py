"""The table in docs/security.md is the one in the code."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from sessions_app.errors import NotAllowed
from sessions_app.models import Conversation, Grant, Level, Membership, Openness, Role, User, Workspace
from sessions_app.services.access import ALLOWED, NEEDS, Act, may, require_in_workspace
from sessions_app.services.levels import reaches
from sessions_app.services.role_table import MEANING, level_table, role_table, standing_table, standings
from sessions_app.services.sharing import change_openness

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "security.md"


def test_the_document_agrees_with_the_code() -> None:
    printed = StringIO()
    call_command("print_roles", stdout=printed)
    tables = [role_table(), level_table(), standing_table()]
    assert printed.getvalue().strip() == "\n\n".join(tables)
    for table in tables:
        assert f"\n\n{table}\n\n" in DOCUMENT.read_text(encoding="utf-8")


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
        require_in_workspace(person, team.pk, act)
    except NotAllowed:
        assert not says_yes
    else:
        assert says_yes


@pytest.mark.parametrize("openness", Openness)
def test_the_database_finds_for_everybody_what_the_table_says(
    conversation: Conversation, alice: User, openness: Openness
) -> None:
    """`visible_to` and `require` are one rule: for each role and name, in what is open, restricted and private."""
    change_openness(conversation, by=alice, openness=openness)
    place = list(Openness).index(openness)
    for number, ((role, named), levels) in enumerate(standings()):
        person = User.objects.create_user(f"person{number}")
        if role in Role.values:
            Membership.objects.create(workspace=conversation.workspace, user=person, role=role)
        if named in Level.values:
            given = {"level": named, "given_by": alice, "given_at": timezone.now()}
            Grant.objects.create(conversation=conversation, user=person, **given)
        level = levels[place]
        found = Conversation.objects.visible_to(person).filter(pk=conversation.pk)
        assert (role, named, found.exists()) == (role, named, level in Level.values)
        for act, needed in NEEDS.items():
            says_yes = role in Role.values and role in ALLOWED[act] and reaches(_known(level), needed)
            if act is not Act.SHARE or openness != Openness.OPEN:
                assert (role, named, act, may(person, conversation, act)) == (role, named, act, says_yes)


def _known(level: str) -> str | None:
    return level if level in Level.values else None
