from __future__ import annotations

import pytest

from chat.turns.assignment import goes_on_by_itself
from sessions_app.models import AfterInterruption, Agent

AGENTS = {
    "one whose provider can continue": (Agent(provider="demo"), True),
    "one that shall not": (Agent(provider="demo", after_interruption=AfterInterruption.ASK), False),
    "one whose provider is gone": (Agent(provider="no longer there"), False),
    "one whose key cannot be read": (Agent(provider="demo", encrypted_key="of another installation"), False),
}


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_goes_on_by_itself_only_where_it_can_be_asked(name: str) -> None:
    agent, goes_on = AGENTS[name]
    assert goes_on_by_itself(agent) is goes_on
