"""The recovery dashboard: what runs, what is stuck, what broke off, what was put away, and how the database is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from chat.recovery.operators import for_operators
from sessions_app.models import (
    Action,
    AuditEntry,
    Checkpoint,
    Conversation,
    Session,
    Turn,
    TurnState,
)
from sessions_app.services.health import read_health

SHOWN = 10
LONG_MINUTES = 10
PLACED = "session__conversation__workspace"


@dataclass(frozen=True)
class LiveTurn:
    """A turn that runs or waits; `state` says what an operator should think of it."""

    turn: Turn
    state: str
    age: timedelta
    lease_seconds: int | None


@require_safe
@for_operators
def dashboard(request: HttpRequest) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": "Recovery",
        "is_dashboard": True,
        "turns": live_turns(),
        "interrupted": _interrupted(),
        "archived": _archived_sessions(),
        "checkpoints": Checkpoint.objects.select_related(PLACED, "taken_by").order_by("-taken_at")[:SHOWN],
        "resets": _resets(),
        "deleted": _deleted(),
        "health": read_health(),
    }
    return render(request, "admin/recovery/dashboard.html", context)


def live_turns() -> list[LiveTurn]:
    """The stuck ones first, then the oldest."""
    turns = Turn.objects.live().select_related(PLACED, "agent", "asked_by").order_by("pk")[:100]
    return sorted((_live_turn(turn) for turn in turns), key=lambda live: (live.state != "stuck", -live.age))


def _live_turn(turn: Turn) -> LiveTurn:
    now = timezone.now()
    lease = None if turn.lease_until is None else round((turn.lease_until - now).total_seconds())
    age = now - (turn.started_at or turn.queued_at)
    return LiveTurn(turn, _state(turn, lease, age), age, lease)


def _state(turn: Turn, lease_seconds: int | None, age: timedelta) -> str:
    if not turn.is_running:
        return "waiting"
    if lease_seconds is None or lease_seconds < 0:
        return "stuck"
    return "long" if age > timedelta(minutes=LONG_MINUTES) else "running"


def _interrupted() -> Any:
    turns = Turn.objects.filter(state=TurnState.INTERRUPTED, reply__isnull=False)
    return turns.select_related(PLACED, "agent").order_by("-ended_at")[:SHOWN]


def _archived_sessions() -> Any:
    sessions = Session.objects.exclude(archived_at=None)
    return sessions.select_related("conversation__workspace").order_by("-archived_at", "-pk")[:SHOWN]


def _resets() -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(action=Action.RESET).order_by("-at", "-pk")[:SHOWN])


def _deleted() -> Any:
    deleted = Conversation.objects.exclude(deleted_at=None).select_related("workspace", "archived_by")
    return deleted.order_by("-deleted_at")[:SHOWN]
