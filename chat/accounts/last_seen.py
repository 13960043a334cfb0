"""Notes when a login session was last used, now and then: who looks at their list sees what is not theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from allauth.usersessions.models import UserSession
from asgiref.sync import iscoroutinefunction
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.db import Error
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware

from chat import database_threads
from chat.origins import address_of
from sessions_app.errors import DatabaseBusy
from sessions_app.services.transactions import one_transaction

EVERY_SECONDS = 300
PATIENCE_SECONDS = 0.1

log = structlog.get_logger(__name__)

_noting: set[asyncio.Task[None]] = set()


@sync_and_async_middleware
def last_seen(
    get_response: Callable[[HttpRequest], Any],
) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = await get_response(request)
            if is_due(request):
                await _note_meanwhile(request)
            return response

        return answer

    def answer_at_once(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request)
        if is_due(request):
            note(request)
        return response

    return answer_at_once


def is_due(request: HttpRequest) -> bool:
    """Of somebody who is signed in only, whose session the page has looked at: nothing is read for this alone."""
    session = request.session
    if not session.accessed or SESSION_KEY not in session or not session.session_key:
        return False
    return cache.add(f"seen:{session.session_key}", True, EVERY_SECONDS)


async def _note_meanwhile(request: HttpRequest) -> None:
    """A database that cannot be written to keeps nobody from reading: the page does not wait for it."""
    task = asyncio.ensure_future(database_threads.note(note, request))
    _noting.add(task)
    task.add_done_callback(_noting.discard)
    await asyncio.wait({task}, timeout=PATIENCE_SECONDS)


def note(request: HttpRequest) -> None:
    try:
        _note(request.session.session_key or "", address_of(request))
    except (Error, DatabaseBusy) as error:
        log.warning("last_seen_waits", error=str(error))  # it only lags behind


@one_transaction
def _note(key: str, address: str) -> None:
    seen = {"last_seen_at": timezone.now(), **({"ip": address} if address else {})}
    UserSession.objects.filter(session_key=key).update(**seen)
