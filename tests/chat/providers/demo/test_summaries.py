from __future__ import annotations

from chat.events import Asked, Prompt, Replied, Text
from tests.chat.providers.demo.talking import hear, text_of

TALK = (
    Asked("how does giant kelp hold on to the rock in a storm?", "alice"),
    Replied((Text("With its holdfast."),)),
    Asked("tokens 5"),
    Replied((Text("word1 word2 word3 word4 word5"),)),
)


async def test_a_title_is_made_of_the_first_question() -> None:
    title = text_of(
        await hear(Prompt((*TALK, Asked("Give this conversation a title\nof six words at most."))))
    )
    assert title == "How does giant kelp hold on"


async def test_a_summary_lists_what_people_wrote() -> None:
    summary = text_of(await hear(Prompt((*TALK, Asked("Summarise this conversation\nfor whoever goes on.")))))
    assert "2 messages" in summary
    assert "- how does giant kelp" in summary
    assert "- tokens 5" in summary
    assert "storm" in summary


async def test_a_summary_stays_short_however_much_was_written() -> None:
    much = tuple(Asked("x" * 100_000) for _ in range(100))
    summary = text_of(await hear(Prompt((*much, Asked("Summarise this conversation")))))
    assert "100 messages, the latest 20 of them" in summary
    assert len(summary) < 5_000


async def test_an_empty_conversation_has_a_title_and_a_summary() -> None:
    for request in ("Give this conversation a title\nPlease.", "Summarise this conversation\nPlease."):
        written = text_of(await hear(Prompt((Asked(request),))))
        assert written
        assert "Please" not in written
