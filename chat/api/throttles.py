"""How fast scripts may ask anything at all: in this process, for each token, person and address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from chat.buckets import Buckets
from chat.origins import address_of
from chat.rates import counted_as

if TYPE_CHECKING:
    from rest_framework.request import Request

BURST_SECONDS = 4
# So that one script that runs wild leaves room for its person's others.
TOKENS_A_PERSON = 2

buckets = Buckets()


def count_request(request: Request) -> None:
    """Refuses what comes too fast. A token's own bucket comes first: what it refuses costs its person nothing.
    Whoever nobody knows is counted by address."""
    a_second = settings.API_REQUESTS_A_SECOND
    if request.auth is not None:
        _take(f"token {request.auth.pk}", a_second)
    if request.user.is_authenticated:
        _take(f"person {request.user.pk}", a_second * TOKENS_A_PERSON)
    else:
        address = address_of(request._request)  # noqa: SLF001 - the library's own request is not one
        _take(f"address {counted_as(address)}", a_second)


def _take(key: str, a_second: float) -> None:
    buckets.take(key, burst=int(a_second * BURST_SECONDS), a_second=a_second)
