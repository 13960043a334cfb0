"""All that a runner needs to know of a turn it holds, read from the database in one go."""

from __future__ import annotations

import json
from dataclasses import dataclass

from chat.broadcast.place import Place, place_of
from chat.events import Prompt, ToolCall
from chat.providers.base import Provider, ProviderSettings
from chat.providers.registry import UnknownProvider, make_provider
from chat.turns.history import Context, context_of, going_on
from chat.turns.tools import ToolContext
from sessions_app.errors import HoldfastError, StaleEpoch
from sessions_app.models import AfterInterruption, Agent, Conversation, Message, SessionEvent, Turn, TurnState
from sessions_app.services.agents import agent_key
from sessions_app.services.folding import Folding
from sessions_app.services.log import message_events
from sessions_app.services.turn_lease import Lease, record_context


@dataclass(frozen=True)
class Assignment:
    """`context` is what the turn began with; `prompt` has what the reply says so far behind it.

    `pending_calls` are in the log without a result, and may be made: recovery has seen to that.
    """

    lease: Lease
    turn: Turn
    conversation: Conversation
    provider: Provider
    context: Context
    prompt: Prompt
    pending_calls: tuple[ToolCall, ...]
    has_words: bool
    last_seq: int
    place: Place

    @property
    def reply(self) -> Message:
        assert self.turn.reply is not None
        return self.turn.reply

    @property
    def session(self) -> str:
        return str(self.turn.session.public_id)

    @property
    def message(self) -> str:
        return str(self.reply.public_id)

    @property
    def can_continue(self) -> bool:
        return self.provider.can_continue

    @property
    def goes_on(self) -> bool:
        """Whether another process would go on with it, if this one ended."""
        return self.can_continue and self.turn.agent.after_interruption == AfterInterruption.CONTINUE

    @property
    def tool_context(self) -> ToolContext:
        offered = frozenset(tool.name for tool in self.context.prompt.tools)
        return ToolContext(
            conversation=self.conversation,
            session=self.turn.session,
            offered=offered,
            agent=self.turn.agent,
            remote={tool.spec.name: tool for tool in self.context.remote},
        )


def assignment_of(lease: Lease) -> Assignment:
    """Refused where the lease no longer stands: an agent is not asked for what nobody could save."""
    related = (
        "agent",
        "question__author",
        "reply",
        "continues",
        "supersedes",
        "session__conversation__workspace",
    )
    mine = Turn.objects.filter(pk=lease.turn_id, epoch=lease.epoch, state=TurnState.RUNNING)
    turn = mine.select_related(*related).first()
    if turn is None:
        raise StaleEpoch
    reply, conversation = turn.reply, turn.session.conversation
    assert reply is not None
    provider = provider_of(turn.agent)
    context = context_of(turn)
    so_far = Folding()
    for kind, payload in message_events(reply):
        so_far.add(kind, json.loads(payload))
    if not record_context(lease, digest=context.digest):
        raise StaleEpoch
    return Assignment(
        lease=lease,
        turn=turn,
        conversation=conversation,
        provider=provider,
        context=context,
        prompt=going_on(context.prompt, reply, can_continue=provider.can_continue),
        pending_calls=tuple(
            ToolCall(call["id"], call["name"], call["arguments"]) for call in so_far.unanswered_calls()
        ),
        has_words=bool(so_far.content()["parts"]),
        last_seq=_last_seq(reply),
        place=place_of(conversation),
    )


def _last_seq(reply: Message) -> int:
    events = SessionEvent.objects.filter(session_id=reply.session_id, seq__gte=reply.first_seq, message=reply)
    return events.order_by("-seq").values_list("seq", flat=True)[:1].get()


def provider_of(agent: Agent) -> Provider:
    settings = ProviderSettings(
        model=agent.model,
        address=agent.address,
        key=agent_key(agent),
        can_continue=agent.can_continue,
        most_output_tokens=agent.most_output_tokens,
    )
    return make_provider(agent.provider, settings)


def goes_on_by_itself(agent: Agent) -> bool:
    """Whether a cut-off reply of this agent is gone on with after a crash, without asking. One whose provider
    is gone, or whose key cannot be read, does not go on; that must not keep the server from starting."""
    try:
        return agent.after_interruption == AfterInterruption.CONTINUE and provider_of(agent).can_continue
    except (HoldfastError, UnknownProvider):
        return False
