"""Text that breaks things elsewhere (F16): stored as it is or visibly replaced, the same bytes on every engine."""

from __future__ import annotations

import hashlib
import json
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions_app.canonical import canonical_json, canonical_text, clean_text
from sessions_app.errors import MessageTooLong
from sessions_app.models import Agent, Conversation, Message, MessageRole, SessionEvent, User
from sessions_app.services.folding import text_of
from sessions_app.services.log import digest_after
from sessions_app.services.transcript import LONGEST_BYTES
from tests.sessions_app.acting import answer_turn
from tests.sessions_app.conftest import Exchange, Say


@dataclass(frozen=True)
class Text:
    """What is sent, what is kept, and the digest of a fixed message that says it: on every engine this one."""

    name: str
    sent: str
    kept: str
    digest: str

    def __str__(self) -> str:
        return self.name


def kept(name: str, text: str, digest: str) -> Text:
    return Text(name, text, text, digest)


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"

TEXTS = [
    Text(
        "NUL",
        "a\x00b\x00",
        "a\u2400b\u2400",
        "63edae9b9402cbc3e757db2148ffd7434d602bb6fc6f10017278ca74365f02c2",
    ),
    Text(
        "a lone high surrogate",
        "a\ud83db",
        "a\ufffdb",
        "56628c52cb9650da6f95c995abaf564c9c3f0fbf7032893d3b153ed72ac97017",
    ),
    Text(
        "a lone low surrogate",
        "a\ude00b",
        "a\ufffdb",
        "56628c52cb9650da6f95c995abaf564c9c3f0fbf7032893d3b153ed72ac97017",
    ),
    Text(
        "surrogates in the wrong order",
        "\ude00\ud83d",
        "\ufffd\ufffd",
        "308d64ba71d40c9f3a5626513cae454fb38f1ad3b80c82617ec1c99896159f8c",
    ),
    Text(
        "a pair of surrogates",
        "\ud83d\ude00",
        "\U0001f600",
        "517015d3a968cb6b7e94e27e55ea8e8548b7e9d1988e6871656b22ae8e898c56",
    ),
    Text(
        "a pair, a lone one and NUL",
        "\ud83d\ude00\ud83d\x00",
        "\U0001f600\ufffd\u2400",
        "31089b8bd47347db5d61ca900225ce47409bf045b16da1baca5893b73611ee29",
    ),
    Text(
        "what JSON can say and no database can hold",
        json.loads('"\\ud800 \\u0000"'),
        "\ufffd \u2400",
        "76ab34e80f7519bcb261beff8eea443f65bc0caa49496230c503aca81e53a57f",
    ),
    kept(
        "a family joined by zero-width joiners",
        FAMILY,
        "105fb9539eb70f7682087f12d131ef3292e0df2433561d0c45a365ad7a3329a4",
    ),
    kept(
        "line and paragraph separators",
        "a\u2028b\u2029c\x85d",
        "3d201e09620cd54e0a024a3a1036a8956e3d34002ab52b59d09b4ff1ab20a523",
    ),
    kept(
        "right-to-left overrides",
        "invoice\u202efdp.exe\u202c \u2066x\u2069",
        "74390014a91d9be929496ec6744ad221b8c2b807686651fcb9df6e373e3fd259",
    ),
    kept(
        "a thousand combining marks",
        "e" + "\u0301" * 1000,
        "c82111dabe4ee0896c1a1bd62acbc38cf84bf3a1b8d491b217727c730d4a3420",
    ),
    kept(
        "both forms of one letter",
        "\u00e9 e\u0301",
        "405b3e4d165fb8bb44896d75c66517c06eea7fda35c0bc27b11129397a6ccec9",
    ),
    kept(
        "noncharacters and the byte order mark",
        "\ufeffa\ufffe\uffff\U0010ffff",
        "4c522f015b63c26db5066d97e334d973f4506bb65ea5541d052541940add6cbe",
    ),
    kept(
        "control characters",
        "a\x01\x08\x0b\x0c\x1b[31m\x7fb",
        "582a59159dd40d7826c229b293d97ee5f74062a4e89cbbebfe0db1d1b386d3c7",
    ),
    kept(
        "carriage returns and blanks at both ends",
        " \t a\r\nb\rc \n",
        "661683b81540e62e6c137bee2201d4ebf6766d9ba9cf07b098d17f043f01113a",
    ),
    kept(
        "quotes and backslashes",
        "'\"\\\\' -- %s {x} $$ \\u0000 ?",
        "d128e636af4c3dfe4ba7b8bd2fcefb6ec8e9dca053e9227c63630c6bb8502f02",
    ),
    kept(
        "the full-width and the halved",
        "\uff0f\uff21 \U00020bb7 \U0001d4d0",
        "dc13d568db96948d99245225f048d3284de283ff9609bd610cc410f4e091c794",
    ),
    kept(
        "five hundred nested quotes",
        "> " * 500 + "x",
        "3786a1fdcf355ffc1d7c612ce7bb09a1ff492ad6d7777f8a350908d1b16bcdcf",
    ),
]

ids = str


@pytest.mark.parametrize("text", TEXTS, ids=ids)
def test_what_a_person_posts_is_kept_or_visibly_replaced(text: Text, say: Say) -> None:
    message = Message.objects.get(pk=say(text.sent).message.pk)
    [event] = SessionEvent.objects.filter(message=message)
    assert text_of(message.folded) == event.content["text"] == text.kept
    assert f'"text":{encoded(text.kept)}' in event.payload
    assert (
        message.content
        == f'{{"marks":[],"outcome":null,"parts":[{{"kind":"text","text":{encoded(text.kept)}}}]}}'
    )
    assert message.digest == event.content["digest"] == digest_after("", message, message.folded)


@pytest.mark.parametrize("text", TEXTS, ids=ids)
def test_what_an_agent_streams_is_kept_or_visibly_replaced(text: Text, exchange: Exchange) -> None:
    reply = Message.objects.get(pk=exchange("hello", text.sent).pk)
    [event] = SessionEvent.objects.filter(message=reply, kind="text")
    assert event.payload == f'{{"text":{encoded(text.kept)}}}'
    assert text_of(reply.folded) == text.kept


@pytest.mark.parametrize("text", TEXTS, ids=ids)
def test_its_digest_is_the_same_on_every_engine(
    text: Text, conversation: Conversation, alice: User, echo: Agent
) -> None:
    """The constant was computed once: whatever runs this, now or later, gives the same bytes."""
    content = {"parts": [{"kind": "text", "text": text.sent}], "marks": [], "outcome": None}
    message = fixed_message(conversation, alice, json.loads(canonical_json(content)))
    assert digest_after("", message, message.folded) == text.digest


def fixed_message(conversation: Conversation, alice: User, content: dict[str, Any]) -> Message:
    """Through the database and back, with everything that is usually random fixed."""
    User.objects.filter(pk=alice.pk).update(public_id=uuid.UUID(int=1))
    message = Message.objects.create(
        public_id=uuid.UUID(int=2),
        conversation=conversation,
        session=conversation.active_session,
        role=MessageRole.PERSON,
        author_id=alice.pk,
        client_id="c",
        first_seq=900,
        sealed_seq=900,
        seal_number=1,
        content=canonical_json(content),
        digest="x",
        posted_at=datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
    )
    return Message.objects.get(pk=message.pk)


def encoded(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@pytest.mark.parametrize("letter", ["a", "é", "€", "\U0001f600"])
def test_64_kib_are_accepted_and_one_byte_more_is_refused(letter: str, say: Say) -> None:
    size = len(letter.encode())
    longest = letter * (LONGEST_BYTES // size) + "b" * (LONGEST_BYTES % size)
    assert len(longest.encode()) == 65_536
    assert text_of(Message.objects.get(pk=say(longest).message.pk).folded) == longest
    before = SessionEvent.objects.count()
    with pytest.raises(MessageTooLong, match="your draft is kept"):
        say(longest + "b")
    assert SessionEvent.objects.count() == before


def test_what_is_measured_is_what_would_be_stored(say: Say) -> None:
    """NUL takes one byte when it is sent and three when it is shown."""
    with pytest.raises(MessageTooLong):
        say("\x00" * (LONGEST_BYTES // 3 + 1))
    say("\x00" * (LONGEST_BYTES // 3))


def test_a_million_characters_in_one_event_of_an_agent_are_kept(exchange: Exchange) -> None:
    word = "wörd😀" * 200_000
    reply = Message.objects.get(pk=exchange("hello", word).pk)
    [event] = SessionEvent.objects.filter(message=reply, kind="text")
    assert len(word) == 1_000_000
    assert event.content["text"] == word
    assert text_of(reply.folded) == word
    assert hashlib.sha256(event.payload.encode()).hexdigest() == MILLION


MILLION = "e5af5dcc1d121b15895b29eecacbc9be0f79b50c133bf53ee02785c1926d7699"


@pytest.mark.parametrize("text", TEXTS, ids=ids)
def test_cleaning_again_changes_nothing(text: Text) -> None:
    assert clean_text(text.sent) == text.kept
    assert clean_text(text.kept) == text.kept


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=60))
def test_any_text_an_agent_streams_comes_back_as_it_was_cleaned(text: str, say: Say) -> None:
    turn = say("hello").turn
    assert turn is not None
    reply = Message.objects.get(pk=answer_turn(turn, text).pk)
    assert text_of(reply.folded) == clean_text(text)


@settings(deadline=None)
@given(text=st.text(st.characters(exclude_categories=())))
def test_the_short_way_to_write_text_gives_the_same_bytes(text: str) -> None:
    assert canonical_text(text) == canonical_json({"text": text})
