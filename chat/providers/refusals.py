"""Turns a vendor's error answer into a sentence, with its own words cut, cleaned and free of keys."""

from __future__ import annotations

import email.utils
import math
import re
import time
import unicodedata
from collections.abc import Mapping

from chat.providers.failures import VendorFailure
from chat.providers.shapes import parsed

QUOTED_CHARACTERS = 300
KEY_IN_TEXT = re.compile(r"\b(?:sk|pk|xai|gsk|hf|AIza)[-_][\w*.…-]{6,}|(?<=Bearer )\S+", re.IGNORECASE)
HIDDEN = "[hidden]"
SHORTEST_KEY = 8  # shorter ones are words such as “ollama”, put where a key is asked for but not looked at
OUT_OF_MONEY = {"insufficient_quota", "billing_not_active", "billing_error"}
PASSING_ERRORS = {"overloaded_error", "api_error", "rate_limit_error", "timeout_error", "server_error"}


def refusal(
    status: int, headers: Mapping[str, str], body: bytes, *, host: str, model: str, key: str
) -> VendorFailure:
    """What an answer with an error status says."""
    error = error_in(parsed(body))
    quote = quoted(message_of(error) or plain_text(body), key)
    seconds = retry_after(headers)
    if status == 401:
        return VendorFailure(f"{host} did not accept the agent's key (401).")
    if status == 403:
        return VendorFailure(f"{host} does not let the agent's key do this (403){quote}")
    if status == 402 or code_of(error) in OUT_OF_MONEY:
        return VendorFailure(f"The account at {host} has no credit left ({status}){quote}")
    if status == 404:
        return VendorFailure(f"{host} knows no model called “{model}” at this address (404){quote}")
    if status == 429:
        return VendorFailure(
            f"{host} takes no more questions at the moment (429){quote}",
            is_worth_another_try=True,
            retry_after_seconds=seconds,
        )
    if status >= 500 or status == 408:
        return VendorFailure(
            f"{host} has trouble of its own ({status}){quote}",
            is_worth_another_try=True,
            retry_after_seconds=seconds,
        )
    if 300 <= status < 400:
        return VendorFailure(
            f"{host} points to another address, which is not followed; give the agent that one."
        )
    return VendorFailure(f"{host} refused the question ({status}){quote}")


def error_in(value: object) -> object:
    """The error inside a vendor's JSON: under `error` with most, at the top with some."""
    return value.get("error") or value if isinstance(value, dict) else value


def message_of(error: object) -> str:
    if isinstance(error, dict):
        error = error.get("message") or error.get("detail") or ""
    return error if isinstance(error, str) else ""


def code_of(error: object) -> str:
    """The vendor's short word for what is wrong, or nothing."""
    found = (error.get("code"), error.get("type")) if isinstance(error, dict) else ()
    return next((word for word in found if isinstance(word, str)), "")


def is_passing(error: object) -> bool:
    code = error.get("code") if isinstance(error, dict) else None
    is_status = isinstance(code, int) and (code == 429 or code >= 500)
    return is_status or (isinstance(error, dict) and error.get("type") in PASSING_ERRORS)


def plain_text(body: bytes) -> str:
    """A short body that is neither JSON nor a web page is a message by itself."""
    text = body.decode(errors="replace").strip()
    return "" if text.startswith(("<", "{", "[")) else text


def quoted(message: str, key: str) -> str:
    """The end of a sentence: the vendor's own words after a colon, or only its full stop."""
    text = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in message)
    if len(key) >= SHORTEST_KEY:
        text = text.replace(key, HIDDEN)
    text = " ".join(KEY_IN_TEXT.sub(HIDDEN, text).split())
    if len(text) > QUOTED_CHARACTERS:
        text = text[: QUOTED_CHARACTERS - 1] + "…"
    return f": “{text}”" if text else "."


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds a vendor asks us to wait; it may name a number or a moment."""
    value = headers.get("Retry-After", "")
    try:
        seconds = float(value)
    except ValueError:
        seconds = seconds_until(value)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def seconds_until(moment: str) -> float:
    try:
        return email.utils.parsedate_to_datetime(moment).timestamp() - time.time()
    except ValueError:
        return math.nan
