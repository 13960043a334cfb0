"""How fast one person or one token may ask: a bucket that fills with time, in this process."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from django.conf import settings
from rest_framework.throttling import BaseThrottle

from chat.consumers.limits import Bucket, TooFast
from chat.origins import address_of

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView

MOST_BUCKETS = 10_000
BURST_SECONDS = 4


class Speed(BaseThrottle):
    """Bursts are fine and floods are not; a token has a bucket of its own beside its person's."""

    _buckets: OrderedDict[str, Bucket] = OrderedDict()  # noqa: RUF012 - shared by all requests on purpose
    _wait: float = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        try:
            self._bucket(_whose(request)).take()
        except TooFast as error:
            self._wait = float(str(error.facts["retry_after_seconds"]))
            return False
        return True

    def wait(self) -> float:
        return self._wait

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            rate = settings.API_REQUESTS_A_SECOND
            bucket = self._buckets[key] = Bucket(burst=rate * BURST_SECONDS, a_second=rate)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        return bucket


def _whose(request: Request) -> str:
    if request.auth is not None:
        return f"token {request.auth.pk}"
    if request.user.is_authenticated:
        return f"user {request.user.pk}"
    return f"address {address_of(request._request)}"  # noqa: SLF001 - the library's own request is not one
