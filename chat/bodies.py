"""How large a request's body may be, held while it arrives: the server would keep all of it before anybody looks.

A body that came in pieces is given its length, so that nothing behind this has to know of such bodies.
"""

from __future__ import annotations

from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings

from chat.api.problems import MEDIA_TYPE, problem
from sessions_app.canonical import canonical_json

MEGABYTE = 1024 * 1024
LARGEST = 8 * MEGABYTE  # what the API's largest door takes; each door has its own limit within it
# Where a path begins like this a body may be larger.
LARGER = {b"/api/v1/imports": settings.LARGEST_IMPORT, b"/imports/": settings.LARGEST_IMPORT}
# A client that is still sending would not hear the refusal, so it may send this much more, to nobody.
PASSED_OVER = 64 * MEGABYTE


class BoundedRequest(WebRequest):  # type: ignore[misc]
    """Keeps what arrives up to the limit of its path; of a larger body nothing is kept and 413 is the answer."""

    _limit = LARGEST
    _received = 0
    _is_too_large = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        self._limit = limit_of(getattr(self.channel, "_path", b""))  # it becomes the request's own only later
        self._is_too_large = length is not None and length > self._limit
        super().gotLength(0 if self._is_too_large else length)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self._received += len(data)
        self._is_too_large |= self._received > self._limit
        if not self._is_too_large:
            super().handleContentChunk(data)
            return
        self.content.truncate(0)
        if self._received > self._limit + PASSED_OVER:
            self.channel.transport.abortConnection()

    def process(self) -> Any:
        if self._is_too_large:
            return self._refuse()
        if not self.requestHeaders.hasHeader(b"Content-Length") and self._received:
            self.requestHeaders.setRawHeaders(b"Content-Length", [str(self._received).encode()])
            self.requestHeaders.removeHeader(b"Transfer-Encoding")
        return super().process()

    def _refuse(self) -> None:
        sentence = f"The body may have at most {self._limit} bytes; nothing was changed."
        body = canonical_json(problem(413, "too_large", sentence)).encode()
        head = [(b"Content-Type", MEDIA_TYPE.encode()), (b"Content-Length", str(len(body)).encode())]
        self.handle_reply({"type": "http.response.start", "status": 413, "headers": head})
        self.handle_reply({"type": "http.response.body", "body": body})


class BoundedFactory(HTTPFactory):  # type: ignore[misc]
    """Makes such requests in the place of Daphne's own."""

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = BoundedRequest
        return protocol


def limit_of(path: bytes) -> int:
    return next((most for start, most in LARGER.items() if path.startswith(start)), LARGEST)
