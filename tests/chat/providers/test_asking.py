"""A vendor is asked again only while it has said nothing, only where that may help, and not for ever."""

from __future__ import annotations

import logging

import pytest

from chat.events import Asked, Failed, Finished, Prompt, ToolSpec
from chat.providers.asking import pause_before_next_try
from chat.providers.failures import VendorFailure
from chat.providers.limits import Limits
from tests.chat.providers.hearing import KEY, QUICK, hear, provider_for
from tests.vendors.running import RunningVendor
from tests.vendors.wish import DEFAULT_TEXT, Fault, model_name

pytestmark = pytest.mark.usefixtures("client_closed")

VENDORS = ["openai", "anthropic"]
PASSING = VendorFailure("", is_worth_another_try=True)


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize(
    "fault", [Fault.TOO_MANY, Fault.SERVER_ERROR, Fault.UNAVAILABLE, Fault.HANG_UP, Fault.OVERLOADED]
)
async def test_what_passes_costs_only_another_try(vendor: RunningVendor, name: str, fault: Fault) -> None:
    heard = await hear(provider_for(vendor, name, model_name(fault=fault, times=2, retry_after=0)))
    assert heard.text == DEFAULT_TEXT
    assert isinstance(heard.end, Finished)
    assert len(vendor.exchanges) == 3


@pytest.mark.parametrize("name", VENDORS)
async def test_a_cut_before_the_first_word_costs_only_another_try(vendor: RunningVendor, name: str) -> None:
    heard = await hear(provider_for(vendor, name, model_name(fault=Fault.CUT, after=0, times=1)))
    assert heard.text == DEFAULT_TEXT
    assert len(vendor.exchanges) == 2


@pytest.mark.parametrize("name", VENDORS)
async def test_a_long_wait_that_the_vendor_asks_for_is_told_and_not_waited(
    vendor: RunningVendor, name: str
) -> None:
    heard = await hear(provider_for(vendor, name, model_name(fault=Fault.TOO_MANY, retry_after=3600)))
    assert isinstance(heard.end, Failed)
    assert (heard.end.is_passing, heard.end.retry_after_seconds) == (True, 3600)
    assert len(vendor.exchanges) == 1


@pytest.mark.parametrize("name", VENDORS)
async def test_a_prompt_that_cannot_be_sent_is_a_failure_and_is_logged_without_the_key(
    vendor: RunningVendor, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    prompt = Prompt((Asked("hi"),), tools=(ToolSpec("broken", "", {"default": object()}),))
    with caplog.at_level(logging.ERROR):
        heard = await hear(provider_for(vendor, name), prompt)
    assert [type(event) for event in heard.events] == [Failed]
    assert "provider_failed_unforeseen" in caplog.text
    assert KEY not in caplog.text
    assert vendor.exchanges == []


def test_pauses_double_and_end() -> None:
    limits = Limits(first_pause_seconds=1, most_tries=4)
    pauses = [pause_before_next_try(PASSING, tries, limits) for tries in (1, 2, 3)]
    for pause, middle in zip(pauses, (1, 2, 4), strict=True):
        assert pause is not None
        assert middle / 2 <= pause <= middle * 1.5
    assert pause_before_next_try(PASSING, 4, limits) is None


def test_a_pause_the_vendor_asks_for_is_at_least_kept() -> None:
    asked = VendorFailure("", is_worth_another_try=True, retry_after_seconds=7)
    pause = pause_before_next_try(asked, 1, QUICK)
    assert pause is not None
    assert 7 <= pause <= 8


def test_what_does_not_pass_is_not_tried_again() -> None:
    assert pause_before_next_try(VendorFailure("", is_passing=True), 1, QUICK) is None
