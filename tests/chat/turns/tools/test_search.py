from __future__ import annotations

import json

from chat.turns.tools import ToolContext, ToolOutcome, call_tool
from sessions_app.models import Trigger, User
from sessions_app.services.audit import Origin
from sessions_app.services.conversations import start_conversation
from sessions_app.services.reset import reset_conversation
from sessions_app.services.transcript import post_message


def found(context: ToolContext, query: str) -> ToolOutcome:
    return call_tool("search_history", json.dumps({"query": query}), context)


def test_it_finds_what_was_said_also_in_archived_sessions(context: ToolContext) -> None:
    reset_conversation(
        context.conversation, by=None, expected_session=context.session, origin=Origin(Trigger.COMMAND)
    )
    outcome = found(context, "committed")
    assert outcome.status == "ok"
    assert outcome.output.startswith("Demo, ")
    assert "(session 1, archived):" in outcome.output
    assert "committed before it is shown" in outcome.output.replace("**", "")


def test_it_says_when_nothing_matches(context: ToolContext) -> None:
    assert found(context, "seaweed").output == "Nothing in this conversation's history matches."


def test_other_conversations_stay_closed(context: ToolContext) -> None:
    alice = User.objects.get(username="alice")
    other = start_conversation(context.conversation.workspace, by=alice, key="other")
    post_message(other, by=alice, text="seaweed", client_id="1")
    assert "Nothing" in found(context, "seaweed").output
