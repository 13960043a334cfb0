"""Whatever a vendor does, its exact words are kept and the answer ends once, with a reason in plain words."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from chat.events import Failed, Finished, FinishReason
from chat.providers.limits import Limits
from tests.chat.providers.hearing import KEY, QUICK, ends, hear, provider_for
from tests.vendors.running import RunningVendor
from tests.vendors.wish import DEFAULT_TEXT, Fault, model_name

# One limit is short in each: on a busy machine another could come first.
NO_HEADERS = Limits(headers_seconds=0.3)
NO_WORD = Limits(first_token_seconds=0.3)
SILENT = Limits(silence_seconds=0.8)
FINISHING = Limits(finish_seconds=0.3)
VENDORS = ["openai", "anthropic"]

pytestmark = pytest.mark.usefixtures("client_closed")


@dataclass(frozen=True)
class Ending:
    """`asked` is how often the vendor is asked: again only where nothing was said and it may help."""

    sentence: str
    is_passing: bool = False
    asked: int = 1
    limits: Limits = QUICK


REFUSED = {
    Fault.HANG_BEFORE_HEADERS: Ending(r"gave no answer within 0\.3 seconds", True, limits=NO_HEADERS),
    Fault.HANG_UP: Ending("hung up without an answer", True, asked=3),
    Fault.TOO_MANY: Ending(r"takes no more questions .* \(429\): “Rate limit reached\.”", True, asked=3),
    Fault.NO_CREDIT: Ending("has no credit left"),
    Fault.SERVER_ERROR: Ending(r"has trouble of its own \(500\): “The server had an error", True, asked=3),
    Fault.UNAVAILABLE: Ending(r"has trouble of its own \(503\): “Overloaded\.”", True, asked=3),
    Fault.UNAUTHORIZED: Ending(r"did not accept the agent's key \(401\)\.$"),
    Fault.FORBIDDEN: Ending(r"does not let .* do this \(403\): “The key (Bearer )?\[hidden\] may not\.”"),
    Fault.NO_MODEL: Ending(r"knows no model called “scripted.* \(404\): “The model does not exist\.”"),
    Fault.BAD_REQUEST: Ending(r"refused the question \(400\): “Too long by far\. x+…”$"),
    Fault.REDIRECT: Ending("points to another address, which is not followed"),
    Fault.HTML: Ending("answered with a web page"),
    Fault.HTML_AS_TEXT: Ending("sent something that cannot be read"),
    Fault.JSON_ERROR: Ending("gave up its answer: “model is still loading”"),
    Fault.JSON_ANSWER: Ending("something other than a stream"),
    Fault.HANG_BEFORE_FIRST_TOKEN: Ending(r"said no word for 0\.3 seconds", True, limits=NO_WORD),
    Fault.PINGS_BEFORE_FIRST_TOKEN: Ending(r"said no word for 0\.3 seconds", True, limits=NO_WORD),
    Fault.OVERLOADED: Ending("gave up its answer: “.*verloaded", True, asked=3),
}

BROKEN = {
    Fault.HANG_MID_TOKEN: Ending(r"fell silent .* nothing came for 0\.8 seconds", True, limits=SILENT),
    Fault.CUT: Ending("broke off before the answer was complete", True),
    Fault.CUT_MID_UTF8: Ending("broke off before the answer was complete", True),
    Fault.CUT_MID_JSON: Ending("broke off before the answer was complete", True),
    Fault.ENDS_WITHOUT_REASON: Ending("broke off before the answer was complete", True),
    Fault.MALFORMED_JSON: Ending("sent something that cannot be read"),
    Fault.MALFORMED_LINE: Ending("sent something that cannot be read"),
    Fault.LONG_LINE: Ending("sent a line far too long"),
    Fault.ERROR_IN_STREAM: Ending("gave up its answer: “The engine has a problem.”"),
}

HARMLESS = [
    Fault.NONE,
    Fault.HANG_AFTER_REASON,
    Fault.NO_END_MARK,
    Fault.LATE_END,
    Fault.ONE_BYTE,
    Fault.EMPTY_DELTAS,
    Fault.CRLF,
    Fault.CR,
    Fault.COMMENTS,
    Fault.BYTE_ORDER_MARK,
    Fault.MANY_DATA_LINES,
]


def test_every_fault_is_in_one_of_the_tables() -> None:
    assert {*REFUSED, *BROKEN, *HARMLESS, Fault.DUPLICATED} == set(Fault)


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize("fault", REFUSED)
async def test_no_answer_is_a_failure_in_plain_words(vendor: RunningVendor, name: str, fault: Fault) -> None:
    ending = REFUSED[fault]
    heard = await hear(provider_for(vendor, name, model_name(fault=fault), ending.limits))
    assert [type(event) for event in heard.events] == [Failed]
    assert_says(heard.end, ending)
    assert len(vendor.exchanges) == ending.asked


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize("fault", BROKEN)
async def test_a_broken_answer_keeps_its_exact_prefix(vendor: RunningVendor, name: str, fault: Fault) -> None:
    ending = BROKEN[fault]
    heard = await hear(provider_for(vendor, name, model_name(fault=fault), ending.limits))
    assert heard.text
    assert heard.text == words_before_the_fault(fault)
    assert ends(heard.events) == 1
    assert_says(heard.end, ending)
    assert len(vendor.exchanges) == 1


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize("fault", HARMLESS)
async def test_a_harmless_oddity_changes_no_letter(vendor: RunningVendor, name: str, fault: Fault) -> None:
    heard = await hear(provider_for(vendor, name, model_name(fault=fault), FINISHING))
    assert heard.text == DEFAULT_TEXT
    assert ends(heard.events) == 1
    assert isinstance(heard.end, Finished)
    assert heard.end.reason is FinishReason.STOP


async def test_repeated_events_of_a_completion_are_taken_as_sent_and_end_once(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "openai", model_name(fault=Fault.DUPLICATED, text="a b c")))
    assert heard.text == "aa b b c c"
    assert ends(heard.events) == 1


async def test_a_message_of_anthropic_that_begins_twice_is_refused(vendor: RunningVendor) -> None:
    heard = await hear(provider_for(vendor, "anthropic", model_name(fault=Fault.DUPLICATED)))
    assert heard.text == ""
    assert_says(heard.end, Ending("sent something that cannot be read"))


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize("fault", [Fault.CUT, Fault.CUT_MID_JSON, Fault.ENDS_WITHOUT_REASON])
async def test_half_a_tool_call_is_never_given(vendor: RunningVendor, name: str, fault: Fault) -> None:
    model = model_name(fault=fault, call=["first", "second"], arguments=['{"a":1}', '{"b":"long enough"}'])
    heard = await hear(provider_for(vendor, name, model))
    assert heard.calls == []
    assert isinstance(heard.end, Failed)


def words_before_the_fault(fault: Fault) -> str:
    """Three words, or as many as come before the first that has a letter of several bytes."""
    return {Fault.CUT_MID_UTF8: "Holdfast hält — jedes Wort.\nZeile zwei:"}.get(fault, "Holdfast hält —")


def assert_says(end: object, ending: Ending) -> None:
    assert isinstance(end, Failed)
    assert re.search(ending.sentence, end.sentence), end.sentence
    assert end.is_passing is ending.is_passing
    assert end.sentence.endswith((".", "”", "running?"))
    assert len(end.sentence) < 500
    assert KEY not in end.sentence
    assert "127.0.0.1" in end.sentence
