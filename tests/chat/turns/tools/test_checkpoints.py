from __future__ import annotations

from chat.turns.tools import ToolContext, call_tool
from sessions_app.models import Trigger, User
from sessions_app.services.audit import Origin
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.conversations import start_conversation
from sessions_app.services.reset import reset_conversation


def test_without_checkpoints_it_says_so(context: ToolContext) -> None:
    assert call_tool("list_checkpoints", "", context).output == "This conversation has no checkpoint yet."


def test_it_lists_this_conversations_checkpoints_of_every_session(context: ToolContext) -> None:
    conversation, alice = context.conversation, User.objects.get(username="alice")
    other = start_conversation(conversation.workspace, by=alice, key="other")
    take_checkpoint(other, by=alice, name="Elsewhere")
    take_checkpoint(conversation, by=alice, name="Before lunch")
    reset_conversation(
        conversation, by=None, expected_session=context.session, origin=Origin(Trigger.COMMAND)
    )
    newest, oldest = call_tool("list_checkpoints", "{}", context).output.splitlines()
    assert newest.startswith(
        "“Before a new session” (before the active session changed): session 1, 2 messages"
    )
    assert oldest.startswith("“Before lunch” (Manual): session 1, 2 messages, ")
    assert oldest.endswith("UTC, by Alice")
