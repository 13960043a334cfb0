"""Serves static files in front of everything else, without blocking the event loop."""

from collections.abc import Awaitable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

# A page's other policies say nothing of a file, and seventy files would carry them each.
PROTECTION = (("X-Content-Type-Options", "nosniff"), ("Cross-Origin-Resource-Policy", "same-origin"))


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """WhiteNoise for ASGI: no thread for requests that are not its own, no stream read byte by byte."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if iscoroutinefunction(self):
            return self.answer(request)
        response: HttpResponseBase = super().__call__(request)
        return response

    async def answer(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(self.static_prefix):
            response: HttpResponseBase = await self.get_response(request)
            return response
        return await sync_to_async(self.find_and_serve, thread_sensitive=False)(request)

    def find_and_serve(self, request: HttpRequest) -> HttpResponseBase:
        find = self.find_file if self.autorefresh else self.files.get
        static_file = find(request.path_info)
        return HttpResponse(status=404) if static_file is None else self.serve(static_file, request)

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponse:
        """The whole file in one response: the files are small, and Django warns of streams under ASGI."""
        found = static_file.get_response(request.method, request.META)
        response = HttpResponse(found.file.read() if found.file else b"", status=int(found.status))
        if found.file:
            found.file.close()
        del response["Content-Type"]
        for name, value in [*found.headers, *PROTECTION]:
            response[name] = value
        del response["Last-Modified"]  # the ETag says the same
        return response
