"""Says through which door and from where somebody came, for the audit log."""

from __future__ import annotations

import ipaddress

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
    told = request.headers.get(header, "").rpartition(",")[2].strip() if header else ""
    return told if _is_address(told) else request.META.get("REMOTE_ADDR", "")


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
