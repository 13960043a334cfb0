"""What is compressed on the way out, and what is left as it is."""

from __future__ import annotations

from collections.abc import AsyncIterator

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from config.compression import CompressionMiddleware


def passed_on(response: HttpResponseBase) -> HttpResponseBase:
    request = RequestFactory().get("/", headers={"Accept-Encoding": "gzip"})
    return CompressionMiddleware(lambda _: HttpResponse()).process_response(request, response)


async def pieces() -> AsyncIterator[bytes]:
    yield b"data: one\n\n"


def test_a_long_answer_is_compressed() -> None:
    assert passed_on(HttpResponse("word " * 1000))["Content-Encoding"] == "gzip"


def test_a_stream_that_grows_is_not() -> None:
    assert "Content-Encoding" not in passed_on(StreamingHttpResponse(pieces()))
