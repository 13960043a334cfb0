"""The tool `time`: what time it is, in UTC and in a zone."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from django.utils import timezone

from chat.turns.tools.base import ToolContext, ToolFailure, tool
from chat.turns.tools.signature import Hint

UTC = "UTC"


def time_in(
    context: ToolContext,
    zone: Annotated[str, Hint("A time zone such as Europe/Berlin; UTC if left out.", most=60)] = UTC,
) -> str:
    now = timezone.now()
    lines = [_line(now, UTC)]
    if zone != UTC:
        lines.append(_line(now.astimezone(_zone(zone)), zone))
    return "\n".join(lines)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:  # unknown, no path at all, or a folder of zones
        raise ToolFailure(f"There is no time zone “{name}”; write one such as Europe/Berlin.") from error


def _line(moment: datetime, zone: str) -> str:
    return f"{moment.isoformat(timespec='seconds')} {zone}, {moment:%A}"


TOOL = tool(
    "time",
    "Tells the current date, weekday and time in UTC, and in a time zone if one is named.",
    time_in,
    is_idempotent=True,
    seconds=5,
)
