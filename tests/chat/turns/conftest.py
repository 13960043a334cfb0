from __future__ import annotations

import pytest

from chat.database_threads import write
from chat.providers.registry import PROVIDERS, Entry
from sessions_app.models import Agent
from tests.chat.live import Live
from tests.chat.turns.scripted import NAME, SCRIPT, Script


@pytest.fixture
async def script(live: Live, monkeypatch: pytest.MonkeyPatch) -> Script:
    """What the agent of the live runtime says from now on."""
    entry = Entry(NAME, NAME, "Says what it is told.", "tests.chat.turns.scripted:ScriptedProvider")
    monkeypatch.setitem(PROVIDERS, NAME, entry)
    await write(Agent.objects.update, provider=NAME)
    SCRIPT.__init__()  # type: ignore[misc]
    return SCRIPT
