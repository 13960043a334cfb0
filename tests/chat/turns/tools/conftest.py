from __future__ import annotations

import pytest

from chat.turns.tools import ToolContext
from sessions_app.models import Conversation
from sessions_app.services.demo_team import create_demo_team


@pytest.fixture
def context(db: None) -> ToolContext:
    conversation = Conversation.objects.get(workspace=create_demo_team(password="correct horse"))
    return ToolContext(conversation, conversation.active_session)
