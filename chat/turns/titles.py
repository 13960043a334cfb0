"""Gives a conversation a title after its first exchange; one that a person chose is never replaced."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from django.db import Error

from chat.broadcast.place import Place
from chat.database_threads import write
from chat.events import Prompt
from chat.turns.asking import ask_beside
from chat.turns.assignment import Assignment
from sessions_app.errors import HoldfastError
from sessions_app.services.conversations import UNTITLED, title_automatically
from sessions_app.services.folding import text_of

QUESTION = "Give this conversation a title\n\nAnswer with two to six words, no quotation marks, no full stop."
CHARACTERS = 80
SECONDS = 20
WORDS_OF_QUESTION = 8

log = structlog.get_logger(__name__)


async def give_title(work: Assignment, tell: Callable[[Place], None]) -> None:
    conversation = work.conversation
    if conversation.title_is_manual or conversation.title != UNTITLED:
        return
    question = text_of(work.turn.question.folded)
    prompt = Prompt(work.context.prompt.messages[-1:])
    proposal = await ask_beside(work.provider, prompt, QUESTION, characters=CHARACTERS, seconds=SECONDS)
    title = " ".join(proposal.strip(' "“”.\n').split()) or " ".join(question.split()[:WORDS_OF_QUESTION])
    try:
        await write(title_automatically, conversation, title=title[:CHARACTERS])
    except (HoldfastError, Error) as error:
        log.warning("title_not_given", error=str(error))
        return
    tell(work.place)
