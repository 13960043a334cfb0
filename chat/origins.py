"""Says through which door and from where somebody came, for the audit log."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from sessions_app.models import Trigger
from sessions_app.services.audit import Origin

LONGEST_CLIENT = 200


def origin_of(request: HttpRequest, trigger: Trigger = Trigger.PAGE) -> Origin:
    client = request.headers.get("User-Agent", "")[:LONGEST_CLIENT]
    return Origin(trigger, address=address_of(request), client=client)


def address_of(request: HttpRequest) -> str:
    """The other end of the connection, or what the proxy says of it where one is configured. Anybody can send
    such a header, so it counts only by setting, and of a list only what the proxy itself has added."""
    header = settings.CLIENT_ADDRESS_HEADER
    return _believed(request.headers.get(header, "") if header else "") or request.META.get("REMOTE_ADDR", "")


def address_in(scope: Mapping[str, Any]) -> str:
    """The same for a socket."""
    wanted = settings.CLIENT_ADDRESS_HEADER.lower().encode()
    told = [value.decode("latin-1") for name, value in scope.get("headers", ()) if name == wanted]
    host, _ = scope.get("client") or ("", 0)
    return _believed(",".join(told)) or str(host)


def _believed(told: str) -> str:
    last = told.rpartition(",")[2].strip()
    return last if _is_address(last) else ""


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
