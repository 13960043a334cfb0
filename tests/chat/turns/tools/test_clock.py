from __future__ import annotations

import json
from datetime import datetime

import pytest
from django.utils import timezone

from chat.turns.tools import ToolContext, ToolOutcome, call_tool
from sessions_app.models import Conversation, Session


def told(**arguments: str) -> ToolOutcome:
    return call_tool("time", json.dumps(arguments), ToolContext(Conversation(), Session()))


def test_it_tells_the_time_in_utc() -> None:
    before = timezone.now().replace(microsecond=0)
    moment, zone, weekday = told().output.split()
    assert before <= datetime.fromisoformat(moment) <= timezone.now()
    assert (zone, weekday) == ("UTC,", f"{datetime.fromisoformat(moment):%A}")


def test_it_tells_the_time_in_a_zone_besides() -> None:
    utc, tokyo = told(zone="Asia/Tokyo").output.splitlines()
    assert datetime.fromisoformat(utc.split()[0]) == datetime.fromisoformat(tokyo.split()[0])
    assert tokyo.split()[0].endswith("+09:00")
    assert "Asia/Tokyo" in tokyo


@pytest.mark.parametrize("zone", ["Kelp", "Europe", "../../etc/passwd", "/etc/passwd", "a\x00b", "", "é"])
def test_a_zone_that_does_not_exist_is_refused_with_a_sentence(zone: str) -> None:
    outcome = told(zone=zone)
    assert outcome.is_error
    assert outcome.output.startswith("There is no time zone")
