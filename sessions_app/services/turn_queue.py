"""Which turns may be claimed next: the first of each session that is free, fairly between workspaces."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Window
from django.db.models.functions import RowNumber

from sessions_app.models import Turn, TurnState


def claimable_turns(*, limit: int) -> list[Turn]:
    """Queued turns with nothing live before them in their active session, one of each workspace in turn."""
    earlier = Turn.objects.live().filter(session=OuterRef("session"), pk__lt=OuterRef("pk"))
    running = Turn.objects.filter(session=OuterRef("session"), state=TurnState.RUNNING)
    queued = Turn.objects.filter(state=TurnState.QUEUED, session__archived_at=None)
    free = queued.filter(~Exists(earlier), ~Exists(running))
    place = Window(RowNumber(), partition_by=F("session__conversation__workspace_id"), order_by="pk")
    found = free.annotate(place=place).select_related("session__conversation__workspace")
    return list(found.order_by("place", "pk")[:limit])
