"""Finds turns whose owner died, and ends them or takes them over; the services decide, this only asks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.utils import timezone

from chat.broadcast.place import Place, place_of
from chat.turns.assignment import goes_on_by_itself
from chat.turns.history import told_of
from chat.turns.owner import dead_owners, forget_owners
from chat.turns.tools import idempotent_names, repeatable_names
from sessions_app.errors import NotFound, TurnUnavailable
from sessions_app.models import Turn, TurnState
from sessions_app.services.recovery import orphaned_turns, settle_orphan
from sessions_app.services.transactions import CANNOT_NOW

# No process has run agents for so long that its readers deserve an end (P7).
ABANDONED_SECONDS = 60

log = structlog.get_logger(__name__)


def recover(owner: str) -> list[Place]:
    """Afterwards no turn of a dead owner is left: it has ended, or `owner` holds it. Gives where that was; whose
    a turn is now, the database says."""
    dead = dead_owners()
    places = _recover_all(orphaned_turns(dead_owners=dead, not_owned_by=owner), owner)
    owning = Turn.objects.filter(state=TurnState.RUNNING, owner__in=dead).values_list("owner", flat=True)
    forget_owners(dead - set(owning))
    return places


def end_abandoned(owner: str) -> list[Place]:
    """For a process that runs no agents: ends turns that nobody took up for long after their lease."""
    since = timezone.now() - timedelta(seconds=ABANDONED_SECONDS)
    turns = orphaned_turns(not_owned_by=owner)
    abandoned = (turn for turn in turns if turn.lease_until is not None and turn.lease_until < since)
    return _recover_all(abandoned, owner, can_run=False)


def _recover_all(turns: Iterable[Turn], owner: str, *, can_run: bool = True) -> list[Place]:
    places = (recover_turn(turn, owner, can_run=can_run) for turn in turns)
    return [place for place in places if place is not None]


def recover_turn(turn: Turn, owner: str, *, can_run: bool = True) -> Place | None:
    """Where it was, if it was ended or taken over. One that cannot be read keeps no other waiting, nor the
    server from starting."""
    try:
        lease = settle_orphan(
            turn,
            new_owner=owner,
            can_continue=can_run and goes_on_by_itself(turn.agent),
            idempotent_tools=idempotent_names() | _repeatable(turn),
        )
    except (TurnUnavailable, NotFound):
        return None
    except CANNOT_NOW:
        raise
    except Exception:
        log.exception("turn_not_recovered", turn=str(turn.public_id))
        return None
    log.info("turn_recovered", turn=str(turn.public_id), goes_on=lease is not None, resumes=turn.resumes)
    return place_of(turn.session.conversation)


def _repeatable(turn: Turn) -> frozenset[str]:
    """Tools of tool servers, as the reply was begun with them; none of one that was purged meanwhile."""
    try:
        told = told_of(turn.reply) if turn.reply else {}
    except ObjectDoesNotExist:
        return frozenset()
    return repeatable_names(told.get("tool_listings", ()))
