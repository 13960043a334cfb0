"""How fast scripts may ask: buckets that fill with time, in this process, for each token, person and address."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework import exceptions

from chat.consumers.limits import Bucket, TooFast
from chat.origins import address_of

if TYPE_CHECKING:
    from rest_framework.request import Request

MOST_BUCKETS = 10_000
BURST_SECONDS = 4
# So that one script that runs wild leaves room for its person's others.
TOKENS_A_PERSON = 2


class Speeds:
    """The buckets of those who asked last; who comes back after many others begins with a full one."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, key: str, *, a_second: float) -> None:
        with self._lock:
            bucket = self._buckets.pop(key, None) or Bucket(
                burst=int(a_second * BURST_SECONDS), a_second=a_second
            )
            self._buckets[key] = bucket
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
            bucket.take()


speeds = Speeds()


def count_request(request: Request) -> None:
    """Refuses what comes too fast. A token's own bucket comes first: what it refuses costs its person nothing.
    Whoever nobody knows is counted by address."""
    a_second = settings.API_REQUESTS_A_SECOND
    try:
        if request.auth is not None:
            speeds.take(f"token {request.auth.pk}", a_second=a_second)
        if request.user.is_authenticated:
            speeds.take(f"person {request.user.pk}", a_second=a_second * TOKENS_A_PERSON)
        else:
            address = address_of(request._request)  # noqa: SLF001 - the library's own request is not one
            speeds.take(f"address {address}", a_second=a_second)
    except TooFast as error:
        raise exceptions.Throttled(float(str(error.facts["retry_after_seconds"]))) from error
