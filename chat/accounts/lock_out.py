"""Counts failed sign-ins, and keeps out who failed too often. Each process counts for itself, in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from chat.origins import address_of

LOCK_OUT_SECONDS = 300
TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS = 5
TRIES_FROM_ONE_ADDRESS = 30
TRIES_OF_ONE_NAME = 50
# From anywhere: who is asked for a code has the password already, and a code is short.
TRIES_OF_CODES = 5

SENTENCE = (
    f"Too many failed attempts. Wait {LOCK_OUT_SECONDS // 60} minutes, then try again; "
    "until then the right password is refused as well."
)


def refuse_locked_out(request: HttpRequest, name: str, *, with_code: bool = False) -> None:
    """For the forms: what somebody who is locked out has typed is not even looked at."""
    if is_locked_out(request, name, with_code=with_code):
        raise ValidationError(SENTENCE, code="locked_out")


def is_locked_out(request: HttpRequest, name: str, *, with_code: bool = False) -> bool:
    return any(cache.get(key, 0) >= most for key, most in _counters(request, name, with_code))


def note_failure(request: HttpRequest, name: str, *, with_code: bool = False) -> bool:
    """Counts one more; whether it is the one that locks somebody out."""
    return any([_count(key) == most for key, most in _counters(request, name, with_code)])  # noqa: C419 - all are counted


def forgive(request: HttpRequest, name: str) -> None:
    """Who signs in has proved who they are; what others tried from the same address stays counted."""
    cache.delete_many([_key("both", name.casefold(), address_of(request)), _key("code", name.casefold())])


def _count(key: str) -> int:
    """The time runs from the first failure on: somebody who keeps trying is not kept out for ever."""
    cache.add(key, 0, LOCK_OUT_SECONDS)
    try:
        return cache.incr(key)
    except ValueError:  # it ran out between the two
        cache.set(key, 1, LOCK_OUT_SECONDS)
        return 1


def _counters(request: HttpRequest, name: str, with_code: bool) -> Iterator[tuple[str, int]]:
    address = address_of(request)
    yield _key("both", name.casefold(), address), TRIES_OF_ONE_NAME_FROM_ONE_ADDRESS
    yield _key("address", address), TRIES_FROM_ONE_ADDRESS
    yield _key("name", name.casefold()), TRIES_OF_ONE_NAME
    if with_code:
        yield _key("code", name.casefold()), TRIES_OF_CODES


def _key(*parts: str) -> str:
    """Digested, because a name may hold what a cache's key may not."""
    return "sign-in:" + hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
