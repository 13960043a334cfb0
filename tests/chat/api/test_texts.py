"""F16: whatever text comes through the API, OpenAI's door or a socket is kept, visibly replaced, or refused."""

from __future__ import annotations

from typing import Any

from chat.database_threads import read
from sessions_app.models import Checkpoint, Conversation, Message, MessageRole
from sessions_app.services.folding import text_of
from tests.chat.api.conftest import Caller
from tests.chat.hostile_texts import MILLION, TEXTS, kept
from tests.chat.live import Live
from tests.chat.sockets import message_to, tab_of

HERE = "conversations/team:general"


def bodies(text: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Every address that takes a text, with a body that is right but for it."""
    nothing = "00000000-0000-0000-0000-000000000000"
    asks = {"model": "demo", "messages": [{"role": "user", "content": text}]}
    return [
        ("POST", f"{HERE}/messages", {"text": text}),
        ("PATCH", HERE, {"title": text}),
        ("PATCH", f"{HERE}/settings", {"system_prompt": text}),
        ("POST", f"{HERE}/checkpoints", {"name": text}),
        ("POST", f"{HERE}/resets", {"confirmation": text, "expected_session": nothing, "reason": text}),
        ("POST", f"{HERE}/restores", {"session": nothing, "reason": text}),
        ("POST", "conversations", {"workspace": "kelp", "title": text, "key": text}),
        ("POST", "tokens", {"name": text}),
        ("POST", "workspaces", {"name": text}),
        ("POST", "workspaces/kelp/invitations", {"role": "member", "email": text}),
        ("POST", "/v1/chat/completions", asks),
    ]


async def test_no_text_breaks_a_resource(live: Live, alice: Caller) -> None:
    broke = []
    for name, text in TEXTS.items():
        for method, path, body in bodies(text):
            answer = await alice.call(method, path, body)
            sentence = answer.json.get("detail") or answer.json.get("error", {}).get("message")
            if answer.status >= 500 or (answer.status >= 400 and not sentence):
                broke.append((name, method, path, answer.status))
    assert broke == []


async def test_a_million_characters_are_refused_everywhere_and_nothing_is_written(
    live: Live, alice: Caller
) -> None:
    before = await read(_counts)
    for method, path, body in bodies(MILLION):
        answer = await alice.call(method, path, body)
        assert answer.status in (400, 404, 413), (path, answer.status)
    assert await read(_counts) == before


async def test_a_posted_text_is_kept_or_visibly_replaced(live: Live, alice: Caller) -> None:
    """The same through a socket, and then the title too."""
    async with tab_of(live.cast.mia) as tab:
        for text in TEXTS.values():
            posted = await alice.post(f"{HERE}/messages", {"text": text})
            assert posted.json["message"]["text"] == kept(text)
            again = await tab.ask("post", **message_to(live.cast.conversation, text))
            assert await read(_text, again["message"]) == kept(text)
            renamed = await alice.call("PATCH", HERE, {"title": text[:200]})
            assert renamed.json["title"] == " ".join(kept(text[:200]).split())
            taken = await alice.post(f"{HERE}/checkpoints", {"name": text[:200]})
            assert taken.json["name"] == kept(text[:200]).strip()


async def test_no_text_in_an_address_breaks_a_search(live: Live, alice: Caller) -> None:
    for query in ("%00", "%ED%A0%80", "%E2%80%A8", "%22%22%22", "%22*%20OR%20NEAR(", "e" + "%CC%81" * 300):
        for path in (f"search?q={query}", f"conversations?q={query}", f"conversations/{query}"):
            assert (await alice.get(path)).status < 500, path


async def test_a_socket_takes_no_text_longer_than_a_message(live: Live) -> None:
    async with tab_of(live.cast.alice) as tab:
        error = await tab.ask("post", **message_to(live.cast.conversation, MILLION[:400_000]))
        assert error["code"] == "message_too_long"
        for name, text in TEXTS.items():
            wrong = {**message_to(live.cast.conversation, "hello"), "client_id": text, "session": text}
            assert (await tab.ask("post", **wrong))["code"] == "invalid", name


def _counts() -> tuple[int, int, int]:
    return Message.objects.count(), Conversation.objects.count(), Checkpoint.objects.count()


def _text(public_id: str) -> str:
    found = Message.objects.get(public_id=public_id, role=MessageRole.PERSON)
    return text_of(found.folded)
