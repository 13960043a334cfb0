"""Finds the people and agents whom a file names, by their ids, and stands somebody in for who is not here.

Who stands in has a name and nothing else: nobody can sign in as them, and no agent answers as them.
"""

from __future__ import annotations

from django.db.models import Model

from sessions_app.errors import ImportConflict
from sessions_app.models import Agent, User, Workspace
from sessions_app.services.transfer.records import Record
from sessions_app.services.transfer.scan import Contents

ELSEWHERE = (
    "An agent of this conversation works in another workspace of this server, and would answer with its key. "
    "Import it into that workspace; nothing was imported."
)

AT_ONCE = 500
Found = dict[str, int]


def known_people(contents: Contents) -> Found:
    """Public id → our own, of those who are here."""
    return _known(User, list(contents.people))


def known_agents(contents: Contents, workspace: Workspace) -> Found:
    """The same; refused where one is another workspace's."""
    found = _known(Agent, list(contents.agents))
    if Agent.objects.filter(pk__in=found.values()).exclude(workspace=workspace).exists():
        raise ImportConflict(ELSEWHERE)
    return found


def stand_in_for_people(contents: Contents, known: Found) -> Found:
    missing = [record for public_id, record in contents.people.items() if public_id not in known]
    return {**known, **{record["id"]: _person(record).pk for record in missing}}


def stand_in_for_agents(contents: Contents, known: Found, workspace: Workspace) -> Found:
    missing = [record for public_id, record in contents.agents.items() if public_id not in known]
    return {**known, **{record["id"]: _agent(record, workspace).pk for record in missing}}


def _person(record: Record) -> User:
    person = User(
        public_id=record["id"], username=_unique(record), display_name=record["name"], is_active=False
    )
    person.set_unusable_password()
    person.save(force_insert=True)
    return person


def _agent(record: Record, workspace: Workspace) -> Agent:
    described = {name: record[name] for name in ("name", "description", "provider", "model")}
    return Agent.objects.create(
        public_id=record["id"],
        workspace=workspace,
        handle=_unique(record),
        is_active=False,
        tools=[],
        **described,
    )


def _unique(record: Record) -> str:
    return f"imported-{record['id'].replace('-', '')}"


def _known(model: type[Model], ids: list[str]) -> Found:
    found: Found = {}
    for begin in range(0, len(ids), AT_ONCE):
        rows = model._default_manager.filter(public_id__in=ids[begin : begin + AT_ONCE])  # noqa: SLF001 - Django's own name for something public
        found |= {str(public_id): pk for public_id, pk in rows.values_list("public_id", "pk")}
    return found
