"""Compresses answers, but never a stream that is followed as it grows."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class CompressionMiddleware(GZipMiddleware):
    """Django would make every piece of such a stream a gzip file of its own, and most clients read only the
    first of several."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming and getattr(response, "is_async", False):
            return response
        return super().process_response(request, response)
