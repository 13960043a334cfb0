"""Adds the headers of a response that no other middleware adds."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

# Holdfast asks a browser for none of these, so nothing that slips into a page can either.
PERMISSIONS = (
    "accelerometer", "autoplay", "bluetooth", "camera", "display-capture", "encrypted-media", "fullscreen",
    "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi",
    "payment", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
HEADERS = {
    "Permissions-Policy": ", ".join(f"{permission}=()" for permission in PERMISSIONS),
    "Cross-Origin-Resource-Policy": "same-origin",
}


@sync_and_async_middleware
def security_headers(
    get_response: Callable[[HttpRequest], Any],
) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    if iscoroutinefunction(get_response):

        async def answer(request: HttpRequest) -> HttpResponseBase:
            return with_headers(await get_response(request))

        return answer
    return lambda request: with_headers(get_response(request))


def with_headers(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
