"""Takes an exported conversation in: all of it or nothing, and a second time nothing, because it is there."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import IO

from django.db import DataError, IntegrityError

from sessions_app.errors import ImportConflict, ImportRefused, TurnRunning
from sessions_app.models import (
    AuditChain,
    Checkpoint,
    Conversation,
    Message,
    Session,
    Turn,
    User,
    Workspace,
)
from sessions_app.services.access import Act, require_in_workspace
from sessions_app.services.audit import Origin, chain_of
from sessions_app.services.log import lock_conversation
from sessions_app.services.transactions import one_transaction
from sessions_app.services.transfer.check import check
from sessions_app.services.transfer.export import records
from sessions_app.services.transfer.head import Head, note_head
from sessions_app.services.transfer.ids import Ids
from sessions_app.services.transfer.people import Found, known_agents, known_people
from sessions_app.services.transfer.records import line_of
from sessions_app.services.transfer.scan import NAMES_ALONE, Contents
from sessions_app.services.transfer.write import write

IN_USE = "The ids in this file are in use on this server, by another conversation; nothing was imported."
PURGED = (
    "This conversation was here and was deleted for ever; its audit log is closed, and it cannot come back to "
    "this server. Nothing was imported."
)
KEY_TAKEN = (
    "Another conversation of this workspace has the key {key}. Import it into another workspace; nothing was "
    "imported."
)
OUR_OWN = {"session": Session, "checkpoint": Checkpoint, "message": Message, "turn": Turn}


@dataclass(frozen=True)
class Plan:
    """What an import would do: `here` is the conversation where it is here just so, `conflict` why it would be
    refused."""

    contents: Contents
    people: Found
    agents: Found
    here: Conversation | None = None
    conflict: str = ""


@dataclass(frozen=True)
class Imported:
    conversation: Conversation
    is_new: bool
    plan: Plan


def plan_import(file: IO[bytes], *, workspace: Workspace, by: User | None) -> Plan:
    """Reads all of it and writes nothing. A file that is not sound is refused as an import would refuse it."""
    require_in_workspace(by, workspace.pk, Act.MANAGE)
    with Ids() as ids:
        contents = check(file, workspace, ids)
        people, agents = known_people(contents), {}
        try:
            here = _found(contents, workspace, ids, by)
            agents = known_agents(contents, workspace)
        except ImportConflict as conflict:
            return Plan(contents, people, agents, conflict=str(conflict))
    return Plan(contents, people, agents, here)


def import_conversation(
    file: IO[bytes], *, workspace: Workspace, by: User | None, origin: Origin
) -> Imported:
    """Afterwards the conversation is in this workspace, with its ids, digests and audit log. One that is here just
    so is given as it is; one that has become another is refused."""
    plan = plan_import(file, workspace=workspace, by=by)
    if plan.conflict:
        raise ImportConflict(plan.conflict)
    if plan.here is not None:
        return Imported(plan.here, is_new=False, plan=plan)
    try:
        written = _written(plan.contents, workspace, by=by, origin=origin)
    except (IntegrityError, DataError) as error:
        raise ImportRefused(
            "This file cannot be imported: the database does not take what is in it; nothing was imported."
        ) from error
    return Imported(written, is_new=True, plan=plan)


@one_transaction
def _written(contents: Contents, workspace: Workspace, *, by: User | None, origin: Origin) -> Conversation:
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)
    require_in_workspace(by, workspace.pk, Act.MANAGE)
    return write(contents, workspace, by=by, origin=origin)


def _found(contents: Contents, workspace: Workspace, ids: Ids, by: User | None) -> Conversation | None:
    """The conversation where it is here already; refused where something else is in its place."""
    known = Conversation.objects.filter(public_id=contents.conversation["id"]).first()
    if known is not None:
        _require_own(known, workspace, by)
        _require_same(known, contents)
        return known
    chain = chain_of(Conversation(public_id=contents.conversation["id"]))
    if AuditChain.objects.filter(name=chain).exists():
        raise ImportConflict(PURGED)
    key = contents.conversation["key"]
    if Conversation.objects.filter(workspace=workspace, key=key).exists():
        raise ImportConflict(KEY_TAKEN.format(key=key))
    for noun, model in OUR_OWN.items():
        rows = model._default_manager.all()  # noqa: SLF001 - Django's own name for something public
        if any(rows.filter(public_id__in=batch).exists() for batch in ids.batches(noun)):
            raise ImportConflict(IN_USE)
    return None


def _require_own(known: Conversation, workspace: Workspace, by: User | None) -> None:
    """Of what somebody may not see they learn no more than that its id is taken."""
    is_visible = by is None or Conversation.objects.visible_to(by).filter(pk=known.pk).exists()
    if known.workspace_id != workspace.pk or not is_visible:
        raise ImportConflict(IN_USE)


def _require_same(known: Conversation, contents: Contents) -> None:
    try:
        head = _head(known)
    except TurnRunning as running:
        raise ImportConflict from running
    own = hashlib.sha256()
    for record in records(head):
        if record["record"] not in NAMES_ALONE:
            own.update(line_of(record).encode() + b"\n")
    if own.hexdigest() != contents.digest:
        raise ImportConflict


@one_transaction
def _head(conversation: Conversation) -> Head:
    return note_head(lock_conversation(conversation))
