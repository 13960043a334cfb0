"""The one destructive act: an owner deletes a conversation for good, and the audit log keeps that it was."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from django.db.models import F
from django.utils import timezone

from sessions_app.errors import ConfirmationMismatch
from sessions_app.models import (
    Action,
    AuditEntry,
    Checkpoint,
    Conversation,
    Grant,
    Instance,
    Message,
    Openness,
    PersonalState,
    PurgePermit,
    Session,
    SessionEvent,
    Turn,
    User,
)
from sessions_app.services.access import Act, require
from sessions_app.services.audit import Origin, clean_reason, write_entry
from sessions_app.services.log import lock_conversation
from sessions_app.services.search.upkeep import forget
from sessions_app.services.transactions import one_transaction


@dataclass(frozen=True)
class Belongings:
    """What a purge deletes, counted."""

    sessions: int
    messages: int
    events: int
    checkpoints: int


def what_goes(conversation: Conversation) -> Belongings:
    """What the confirmation names before anything happens."""
    sessions = Session.objects.filter(conversation=conversation)
    return Belongings(
        sessions=sessions.count(),
        messages=Message.objects.filter(conversation=conversation).count(),
        events=sum(sessions.values_list("last_seq", flat=True)),
        checkpoints=Checkpoint.objects.filter(session__in=sessions).count(),
    )


@one_transaction
def purge_conversation(
    conversation: Conversation, *, by: User, confirmation: str, origin: Origin, reason: str = ""
) -> AuditEntry:
    """Afterwards nothing of the conversation is left but its audit chain, which says who did it and why.
    `confirmation` is the conversation's key, typed."""
    conversation = lock_conversation(conversation)
    require(by, conversation, Act.PURGE)
    if confirmation != conversation.key:
        raise ConfirmationMismatch
    list(Session.objects.select_for_update(no_key=True).filter(conversation=conversation).order_by("pk"))
    goes = what_goes(conversation)
    entry = write_entry(
        conversation,
        Action.PURGE,
        by=by,
        origin=origin,
        at=timezone.now(),
        reason=clean_reason(reason),
        # The entry stays for who manages the workspace, to whom a private conversation says nothing.
        title="" if conversation.openness == Openness.PRIVATE else conversation.title,
        goes=asdict(goes),
    )
    _delete(conversation, entry)
    Instance.objects.update(purged_events=F("purged_events") + goes.events)
    return entry


def _delete(conversation: Conversation, entry: AuditEntry) -> None:
    """In one statement a table: the guards look for the permit, and it must be gone when this commits."""
    forget(conversation)
    permit = PurgePermit.objects.create(conversation_id=conversation.pk, entry=entry)
    sessions = Session.objects.filter(conversation=conversation).values("pk")
    for rows in (
        SessionEvent.objects.filter(session__in=sessions),
        Checkpoint.objects.filter(session__in=sessions),
        Turn.objects.filter(session__in=sessions),
        Message.objects.filter(conversation=conversation),
        PersonalState.objects.filter(conversation=conversation),
        Grant.objects.filter(conversation=conversation),
        Session.objects.filter(conversation=conversation),
        Conversation.objects.filter(pk=conversation.pk),
    ):
        rows._raw_delete(rows.db)  # noqa: SLF001 - one statement, no collector
    permit.delete()
