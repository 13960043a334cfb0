"""Counts failed sign-ins, and keeps out who failed too often. Each process counts for itself, in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from django.core.cache import cache
from django.http import HttpRequest

from chat.origins import address_of

LOCK_OUT_SECONDS = 300
TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS = 5
TRIES_FROM_ONE_ADDRESS = 30
TRIES_OF_ONE_NAME = 50


def is_locked_out(request: HttpRequest, name: str) -> bool:
    return any(cache.get(key, 0) >= most for key, most in _counters(request, name))


def note_failure(request: HttpRequest, name: str) -> bool:
    """Counts one more; whether it is the one that locks somebody out."""
    return any([_count(key) == most for key, most in _counters(request, name)])  # noqa: C419 - all are counted


def forgive(request: HttpRequest, name: str) -> None:
    """Who signs in has proved who they are; what others tried from the same address stays counted."""
    cache.delete(next(key for key, _ in _counters(request, name)))


def _count(key: str) -> int:
    """The time runs from the first failure on: somebody who keeps trying is not kept out for ever."""
    cache.add(key, 0, LOCK_OUT_SECONDS)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out between the two
        cache.set(key, 1, LOCK_OUT_SECONDS)
        return 1


def _counters(request: HttpRequest, name: str) -> Iterator[tuple[str, int]]:
    address = address_of(request)
    yield _key("both", name.casefold(), address), TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS
    yield _key("address", address), TRIES_FROM_ONE_ADDRESS
    yield _key("name", name.casefold()), TRIES_OF_ONE_NAME


def _key(*parts: str) -> str:
    """Digested, because a name may hold what a cache's key may not."""
    return "sign-in:" + hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
