"""A vendor's own words are quoted short, clean and without keys."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from chat.providers.failures import VendorFailure
from chat.providers.refusals import QUOTED_CHARACTERS, quoted, refusal, retry_after

KEY = "canary-0123456789"


def refused(status: int, body: bytes = b"", wait: str = "") -> VendorFailure:
    return refusal(status, {"Retry-After": wait}, body, host="vendor.example", model="m", key=KEY)


@pytest.mark.parametrize(
    ("body", "quote"),
    [
        (b'{"error": {"message": "As OpenAI."}}', ": “As OpenAI.”"),
        (b'{"type": "error", "error": {"type": "x", "message": "As Anthropic."}}', ": “As Anthropic.”"),
        (b'{"error": "As Ollama."}', ": “As Ollama.”"),
        (b'{"message": "As vLLM did."}', ": “As vLLM did.”"),
        (b'{"detail": "As FastAPI."}', ": “As FastAPI.”"),
        (b"404 page not found", ": “404 page not found”"),
        (b"<html><body>no</body></html>", "."),
        (b'{"detail": [{"loc": []}]}', "."),
        (b'{"error": null}', "."),
        (b"[1, 2]", "."),
        (b'{"cut', "."),
        (b"", "."),
        (b"\xff\xfe", ": “\ufffd\ufffd”"),
    ],
)
def test_the_message_is_found_in_each_shape(body: bytes, quote: str) -> None:
    assert refused(400, body).sentence == f"vendor.example refused the question (400){quote}"


def test_a_quote_is_cut_and_has_no_letters_that_play_tricks() -> None:
    quote = quoted("a\x00b\u202ec\n\n d\ud800e" + "x" * 1000, "")
    assert quote.startswith(": “a b c d exxx")
    assert quote.endswith("x…”")
    assert len(quote) == QUOTED_CHARACTERS + len(": “”")


@pytest.mark.parametrize(
    "message",
    [
        f"Wrong key {KEY}!",
        "Wrong key sk-proj-abcDEF123456!",
        "Wrong key sk-ant-api03-x_y-z12345!",
        "Bearer abc!",
    ],
)
def test_a_quote_holds_no_key(message: str) -> None:
    assert "[hidden]" in quoted(message, KEY)
    for secret in (KEY, "abcDEF", "x_y-z", "abc!"):
        assert secret not in quoted(message, KEY)


def test_a_word_in_the_place_of_a_key_may_be_quoted() -> None:
    assert quoted("ollama is busy", "ollama") == ": “ollama is busy”"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_another_address_is_not_followed(status: int) -> None:
    assert "points to another address" in refused(status).sentence


@pytest.mark.parametrize("status", [402, 429])
def test_an_empty_account_is_not_asked_again(status: int) -> None:
    failure = refused(status, b'{"error": {"message": "Pay.", "code": "insufficient_quota"}}')
    assert failure.sentence == f"The account at vendor.example has no credit left ({status}): “Pay.”"
    assert not failure.is_passing


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_marked(status: int) -> None:
    failure = refused(status, wait="7")
    assert failure.is_worth_another_try
    assert failure.retry_after_seconds == 7


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("1.5", 1.5),
        ("-3", 0),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("1e999", None),
    ],
)
def test_the_wait_is_a_number_or_nothing(value: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": value}) == seconds


def test_the_wait_may_be_a_moment() -> None:
    seconds = retry_after(
        {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)}
    )
    assert seconds is not None
    assert 90 < seconds <= 100
