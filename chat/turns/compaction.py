"""Makes room in a model's context: the agent summarises, and from then on is sent the summary instead.

People go on reading every word; a checkpoint taken just before gives the model the full context back.
"""

from __future__ import annotations

import structlog

from chat.database_threads import read, write
from chat.events import Prompt
from chat.providers.base import Provider
from chat.turns.asking import ask_beside
from chat.turns.assignment import Assignment, provider_of
from chat.turns.history import Context, context_now
from chat.turns.prompt_messages import prompt_messages
from chat.turns.tokens import tokens_of_messages
from sessions_app.errors import Conflict, SessionChanged
from sessions_app.models import Conversation, Session, User
from sessions_app.services.access import Act, require
from sessions_app.services.compaction import record_compaction

# Of the model's limit: from here on a summary is made, and so much of the newest is kept word for word.
FULL_SHARE = 0.75
KEPT_SHARE = 0.25
CHARACTERS = 8_000
SECONDS = 120
QUESTION = (
    "Summarise this conversation\n\nKeep every decision, name, number, open question and task. Somebody who has "
    "only your summary must be able to go on. Answer with the summary alone."
)
FULL = "The conversation had nearly filled what the agent can be sent."

log = structlog.get_logger(__name__)


class NothingToSumUp(Conflict):
    code = "nothing_to_sum_up"
    sentence = "There is nothing to sum up yet, or the agent gave no summary; nothing was changed."


async def compact_for(work: Assignment) -> bool:
    """Compacts before a turn's first word, where its context is nearly full; says whether it did."""
    context = work.context
    if work.has_words or context.tokens <= context.limit * FULL_SHARE:
        return False
    kept_from = _kept_from(work.turn.session, context)
    return await _compact(
        work.turn.session, work.provider, context, by=None, reason=FULL, kept_from=kept_from
    )


async def compact_on_request(conversation: Conversation, *, by: User) -> None:
    """Sums up everything so far, because a person wants it."""
    work = await read(_what_there_is, conversation, by)
    if not await _compact(*work, by=by, reason="", kept_from=None):
        raise NothingToSumUp


def _what_there_is(conversation: Conversation, by: User) -> tuple[Session, Provider, Context]:
    related = ("active_session", "agent", "workspace")
    conversation = Conversation.objects.select_related(*related).get(pk=conversation.pk)
    require(by, conversation, Act.WRITE)
    context = context_now(conversation)
    if context is None or conversation.agent is None or not context.sent:
        raise NothingToSumUp
    return conversation.active_session, provider_of(conversation.agent), context


async def _compact(
    session: Session,
    provider: Provider,
    context: Context,
    *,
    by: User | None,
    reason: str,
    kept_from: int | None,
) -> bool:
    """Afterwards the model is sent a summary of the older part; false where there was nothing to sum up."""
    older = [
        m for m in context.sent if kept_from is None or m.session_id != session.pk or m.first_seq < kept_from
    ]
    said = tuple(part for message in older for part in prompt_messages(message, message.folded))
    if not said:
        return False
    prompt = Prompt(said, system=context.prompt.system)
    summary = await ask_beside(provider, prompt, QUESTION, characters=CHARACTERS, seconds=SECONDS)
    if not summary:
        log.warning("compaction_gave_nothing", session=str(session.public_id))
        return False
    try:
        await write(record_compaction, session, summary=summary, by=by, reason=reason, kept_from=kept_from)
    except SessionChanged:
        return False
    return True


def _kept_from(session: Session, context: Context) -> int | None:
    """Where the newest part begins that is kept word for word: the question always, and what fits beside it."""
    room, first = context.limit * KEPT_SHARE, None
    own = [message for message in context.sent if message.session_id == session.pk]
    for message in sorted(own, key=lambda message: message.first_seq, reverse=True):
        room -= tokens_of_messages(prompt_messages(message, message.folded))
        if first is not None and room < 0:
            break
        first = message.first_seq
    return first
