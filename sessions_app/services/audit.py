"""Writes the audit log: one hash-chained entry for everything done on purpose to a pointer or an agent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sessions_app.canonical import canonical_json, chained_digest, clean_text
from sessions_app.errors import Invalid, KeyReused
from sessions_app.models import (
    Action,
    AuditChain,
    AuditEntry,
    Conversation,
    Session,
    Trigger,
    User,
    Workspace,
)

INSTANCE_CHAIN = "instance"
LONGEST_KEY = 100
LONGEST_REASON = 500


@dataclass(frozen=True)
class Origin:
    """Through which door somebody came, and from where."""

    trigger: Trigger
    address: str = ""
    client: str = ""


COMMAND = Origin(Trigger.COMMAND)


def clean_reason(reason: str) -> str:
    """A reason as it is kept, for everybody to read."""
    reason = clean_text(reason)
    if len(reason) > LONGEST_REASON:
        raise Invalid(f"A reason has at most {LONGEST_REASON} characters; nothing was changed.")
    return reason


def chain_of(conversation: Conversation) -> str:
    return f"conversation:{conversation.public_id}"


def workspace_chain(workspace: Workspace) -> str:
    return f"workspace:{workspace.public_id}"


def write_entry(
    conversation: Conversation,
    action: Action,
    *,
    by: User | None,
    origin: Origin,
    at: datetime,
    reason: str = "",
    old: Session | None = None,
    new: Session | None = None,
    idempotency_key: str | None = None,
    **facts: Any,
) -> AuditEntry:
    """Adds the next entry to the conversation's chain. With `new` it is the licence for one pointer move."""
    told = {
        "conversation": str(conversation.public_id),
        "key": conversation.key,
        **_who(by, origin),
        **facts,
        "reason": reason,
        "old_session": _session_facts(old),
        "new_session": _session_facts(new),
    }
    return append_entry(
        AuditEntry(
            chain=chain_of(conversation),
            action=action,
            trigger=origin.trigger,
            workspace_id=conversation.workspace_id,
            conversation_id=conversation.pk,
            old_session_id=old.pk if old else None,
            new_session_id=new.pk if new else None,
            actor_id=by.pk if by else None,
            idempotency_key=idempotency_key,
            facts=canonical_json(told),
            at=at,
        )
    )


def write_workspace_entry(
    workspace: Workspace,
    action: Action,
    *,
    by: User | None,
    origin: Origin,
    at: datetime,
    idempotency_key: str | None = None,
    **facts: Any,
) -> AuditEntry:
    """Adds the next entry to the workspace's own chain: what was done to no conversation in particular."""
    return append_entry(
        AuditEntry(
            chain=workspace_chain(workspace),
            action=action,
            trigger=origin.trigger,
            workspace_id=workspace.pk,
            actor_id=by.pk if by else None,
            idempotency_key=idempotency_key,
            facts=canonical_json({"workspace": str(workspace.public_id), **_who(by, origin), **facts}),
            at=at,
        )
    )


def write_instance_entry(
    action: Action, *, by: User | None, origin: Origin, at: datetime, **facts: Any
) -> AuditEntry:
    """Adds the next entry to the instance's own chain: what was done to no workspace in particular."""
    return append_instance_entry(action, by=by, origin=origin, at=at, **facts)


def append_instance_entry(
    name: str,
    *,
    by: User | None,
    origin: Origin,
    at: datetime,
    within: Workspace | None = None,
    **facts: Any,
) -> AuditEntry:
    """The same for what is no action on a pointer or an agent, such as a sign-in. What happened within a
    workspace is found among the entries of that one too."""
    return append_entry(
        AuditEntry(
            chain=INSTANCE_CHAIN,
            action=name,
            trigger=origin.trigger,
            workspace_id=within.pk if within else None,
            actor_id=by.pk if by else None,
            facts=canonical_json({**_who(by, origin), **facts}),
            at=at,
        )
    )


def replayed(
    conversation: Conversation, idempotency_key: str | None, action: Action, **request: Any
) -> AuditEntry | None:
    """The entry an earlier, equal request left; the same key for anything else is refused."""
    if idempotency_key is None:
        return None
    if not 0 < len(idempotency_key) <= LONGEST_KEY or clean_text(idempotency_key) != idempotency_key:
        raise Invalid(f"An idempotency key has 1 to {LONGEST_KEY} characters; nothing was changed.")
    entry = AuditEntry.objects.filter(chain=chain_of(conversation), idempotency_key=idempotency_key).first()
    if entry is None:
        return None
    if entry.action != action or entry.told.get("request") != request:
        raise KeyReused
    return entry


def entry_digest(entry: AuditEntry) -> str:
    """What an entry's digest must be, after its predecessor's."""
    covered = {
        "chain": entry.chain,
        "number": entry.number,
        "action": entry.action,
        "trigger": entry.trigger,
        "idempotency_key": entry.idempotency_key,
        "at": entry.at.isoformat(),
        "facts": entry.told,
    }
    return chained_digest(entry.previous, canonical_json(covered))


def append_entry(entry: AuditEntry) -> AuditEntry:
    """Numbers and chains it. Locking the head of the chain, last of all locks, orders its writers."""
    AuditChain.objects.get_or_create(name=entry.chain)
    head = AuditChain.objects.select_for_update(no_key=True).get(name=entry.chain)
    entry.number, entry.previous = head.length + 1, head.head
    entry.digest = entry_digest(entry)
    entry.save(force_insert=True)
    AuditChain.objects.filter(pk=head.pk).update(length=entry.number, head=entry.digest)
    return entry


def _who(by: User | None, origin: Origin) -> dict[str, Any]:
    return {
        "actor": str(by.public_id) if by else None,
        "actor_name": by.name if by else "operator",
        "address": origin.address,
        "client": origin.client,
    }


def _session_facts(session: Session | None) -> dict[str, Any] | None:
    if session is None:
        return None
    return {"id": str(session.public_id), "number": session.number, "messages": session.message_count}
