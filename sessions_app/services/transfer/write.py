"""Writes a checked conversation: its pointer moves as they were made elsewhere, each by its own audit entry."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from sessions_app.canonical import canonical_json
from sessions_app.errors import ImportRefused
from sessions_app.models import (
    Action,
    AuditEntry,
    Checkpoint,
    CheckpointKind,
    Conversation,
    Grant,
    Level,
    Membership,
    Role,
    Session,
    Trigger,
    User,
    Workspace,
)
from sessions_app.services.audit import Origin, append_entry, chain_of, write_workspace_entry
from sessions_app.services.checkpoints import mark_checkpoint
from sessions_app.services.log import lock_session
from sessions_app.services.moves import point_at
from sessions_app.services.transfer.fields import moment
from sessions_app.services.transfer.head import named
from sessions_app.services.transfer.people import (
    known_agents,
    known_people,
    stand_in_for_agents,
    stand_in_for_people,
)
from sessions_app.services.transfer.records import Record
from sessions_app.services.transfer.rows import Names, Stretches
from sessions_app.services.transfer.scan import Contents

CHECKPOINT_NAME = "As it was imported"


def write(contents: Contents, workspace: Workspace, *, by: User | None, origin: Origin) -> Conversation:
    """Inside the caller's transaction. Besides what the file holds it leaves a checkpoint, and an entry in the
    workspace's audit log: neither goes out with the next export."""
    names = Names(
        stand_in_for_people(contents, known_people(contents)),
        stand_in_for_agents(contents, known_agents(contents, workspace), workspace),
    )
    conversation = _conversation(contents.conversation, workspace, names)
    sessions = _sessions(contents, conversation, names)
    _replay(contents, conversation, sessions, names)
    stretches = Stretches(contents, conversation, names)
    for session in sessions.values():
        stretches.write(session)
    for record in contents.checkpoints:
        _checkpoint(record, sessions[record["session"]], names)
    touched = moment(contents.conversation["touched_at"])
    Conversation.objects.filter(pk=conversation.pk).update(touched_at=touched)
    conversation.refresh_from_db()
    now = timezone.now()
    if not conversation.is_open:
        _let_in(conversation, by, at=now)
    _tell(conversation, contents, by=by, origin=origin, at=now)
    return conversation


def _conversation(record: Record, workspace: Workspace, names: Names) -> Conversation:
    same = ("key", "title", "title_is_manual", "system_prompt", "answers", "openness")
    return Conversation.objects.create(
        public_id=record["id"],
        workspace=workspace,
        agent_id=names.agent(record["agent"]),
        active_session_id=Conversation.NOWHERE,
        active_entry_id=Conversation.NOWHERE,
        started_by_id=names.person(record["started_by"]),
        archived_by_id=names.person(record["archived_by"]),
        started_at=moment(record["started_at"]),
        touched_at=moment(record["touched_at"]),
        archived_at=_moment(record["archived_at"]),
        deleted_at=_moment(record["deleted_at"]),
        **{name: record[name] for name in same},
    )


def _sessions(contents: Contents, conversation: Conversation, names: Names) -> dict[int, Session]:
    """By their numbers; empty and archived, as every session is born."""
    sessions: dict[int, Session] = {}
    same = ("number", "parent_seq", "base_digest", "base_count")
    for record in contents.sessions.values():
        sessions[record["number"]] = Session.objects.create(
            public_id=record["id"],
            conversation=conversation,
            parent=sessions.get(record["parent"] or 0),
            head_digest=record["base_digest"],
            started_by_id=names.person(record["started_by"]),
            started_at=moment(record["started_at"]),
            archived_at=moment(record["started_at"]),
            **{name: record[name] for name in same},
        )
    return sessions


def _replay(
    contents: Contents, conversation: Conversation, sessions: dict[int, Session], names: Names
) -> None:
    """The audit chain, link by link: its digests come out as they were, or nothing is imported."""
    by_id = {str(session.public_id): session for session in sessions.values()}
    for record in contents.stretch("entry"):
        facts = record["facts"]
        old, new = (by_id[facts[end]["id"]] if facts[end] else None for end in ("old_session", "new_session"))
        entry = append_entry(
            AuditEntry(
                chain=chain_of(conversation),
                action=record["action"],
                trigger=record["trigger"],
                workspace_id=conversation.workspace_id,
                conversation_id=conversation.pk,
                old_session_id=old.pk if old else None,
                new_session_id=new.pk if new else None,
                actor_id=names.person(facts["actor"]),
                idempotency_key=record["idempotency_key"],
                facts=canonical_json(facts),
                at=moment(record["at"]),
            )
        )
        if entry.digest != record["digest"]:
            raise ImportRefused
        if new is not None:
            point_at(conversation, entry, old=old, new=new, reason=facts["reason"])


def _checkpoint(record: Record, session: Session, names: Names) -> None:
    Checkpoint.objects.create(
        public_id=record["id"],
        session=session,
        taken_by_id=names.person(record["taken_by"]),
        taken_at=moment(record["taken_at"]),
        **{name: record[name] for name in ("seq", "digest", "message_count", "name", "kind")},
    )


def _let_in(conversation: Conversation, by: User | None, *, at: datetime) -> None:
    """Who may see what is closed is decided where it is: it begins with whoever imports it, or at the command line
    with the owners of the workspace."""
    owners = Membership.objects.filter(workspace=conversation.workspace_id, role=Role.OWNER)
    for user_id in [by.pk] if by else owners.values_list("user_id", flat=True):
        Grant.objects.create(
            conversation=conversation, user_id=user_id, level=Level.CONTROL, given_by=by, given_at=at
        )


def _tell(
    conversation: Conversation, contents: Contents, *, by: User | None, origin: Origin, at: datetime
) -> None:
    session = lock_session(conversation.active_session_id)
    mark_checkpoint(session, kind=CheckpointKind.IMPORT, name=CHECKPOINT_NAME, by=by, at=at)
    write_workspace_entry(
        conversation.workspace,
        Action.IMPORT_CONVERSATION,
        by=by,
        origin=Origin(Trigger.IMPORT, origin.address, origin.client),
        at=at,
        imported=named(conversation),
        through=str(origin.trigger),
        instance=contents.instance,
        digest=contents.digest,
    )


def _moment(text: str | None) -> datetime | None:
    return None if text is None else moment(text)
