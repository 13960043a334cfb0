"""Sees to it that a private conversation is not left to nobody, when who controls it goes or may no longer."""

from __future__ import annotations

from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.utils import timezone

from sessions_app.models import Conversation, Grant, Level, Openness, User, Workspace
from sessions_app.services.audit import COMMAND, Origin
from sessions_app.services.levels import RANKS
from sessions_app.services.log import lock_conversation
from sessions_app.services.sharing import controllers, effective_grants, name_and_tell
from sessions_app.services.transactions import one_transaction


@one_transaction
def hand_over_control(
    user: User, *, by: User | None, workspace: Workspace | None = None, origin: Origin = COMMAND
) -> list[Conversation]:
    """Called where somebody has left, was deactivated or became a viewer: in every private conversation that
    they alone controlled, who is named highest and longest controls it from now on. Where nobody else is named
    it stays as it is, for the day they come back. Twice is once."""
    changed = []
    for conversation in _theirs(user, workspace):
        conversation = lock_conversation(conversation)
        successor = None if controllers(conversation).exists() else _successor(conversation)
        if conversation.openness == Openness.PRIVATE and successor is not None:
            name_and_tell(
                conversation, successor.user, Level.CONTROL, by=by, origin=origin, at=timezone.now()
            )
            changed.append(conversation)
    return changed


def _theirs(user: User, workspace: Workspace | None) -> QuerySet[Conversation]:
    named = Grant.objects.filter(user=user, level=Level.CONTROL).values("conversation_id")
    found = Conversation.objects.filter(openness=Openness.PRIVATE, pk__in=named).order_by("pk")
    return found if workspace is None else found.filter(workspace=workspace)


def _successor(conversation: Conversation) -> Grant | None:
    ranks = [When(level=level, then=Value(rank)) for rank, level in enumerate(RANKS)]
    named = effective_grants(conversation).annotate(rank=Case(*ranks, output_field=IntegerField()))
    return named.select_related("user").order_by("-rank", "given_at", "pk").first()
