"""Lists a workspace's conversations for one person: pinned first, then the last touched, with unread marks."""

from __future__ import annotations

from django.db.models import Case, Exists, F, FilteredRelation, OuterRef, Q, Value, When

from sessions_app.models import Conversation, Message, User, Workspace

LISTED = 100


def listed_conversations(
    workspace: Workspace, *, user: User, archived: bool = False, limit: int = LISTED
) -> list[Conversation]:
    """Rows with `pinned_at`, `draft` and `is_unread` of this person, in one query."""
    read_up_to = Case(
        When(mine__read_session=F("active_session"), then=F("mine__read_seq")), default=Value(0)
    )
    said_since = Message.objects.filter(
        session=OuterRef("active_session"), first_seq__gt=OuterRef("read_up_to")
    )
    return list(
        Conversation.objects.visible_to(user)
        .filter(workspace=workspace, archived_at__isnull=not archived, deleted_at=None)
        .annotate(
            mine=FilteredRelation("personal_states", condition=Q(personal_states__user=user)),
            pinned_at=F("mine__pinned_at"),
            draft=F("mine__draft"),
            read_up_to=read_up_to,
            is_unread=Exists(said_since.exclude(author=user)),
        )
        .select_related("agent")
        .order_by(F("pinned_at").desc(nulls_last=True), "-touched_at", "-pk")[:limit]
    )
