"""What is refused when an address is entered: the whole corpus, and nothing that is public."""

from __future__ import annotations

import pytest

from chat.network.vetting import why_refused
from tests.chat.network.allowing import allowing
from tests.chat.network.corpus import LOOPBACK, METADATA, PRIVATE, PUBLIC, REFUSED


def test_the_corpus_is_large_and_has_no_doubles() -> None:
    assert len(set(REFUSED)) == len(REFUSED) >= 60


@pytest.mark.parametrize("url", REFUSED)
def test_a_private_address_is_refused_in_every_spelling(url: str) -> None:
    with allowing():
        assert why_refused(url)


@pytest.mark.parametrize("url", PUBLIC)
def test_a_public_address_is_not_refused(url: str) -> None:
    with allowing():
        assert why_refused(url) is None


def test_the_refusal_names_the_setting() -> None:
    with allowing():
        assert "HOLDFAST_ALLOW_PRIVATE_PROVIDERS=localhost" in str(why_refused("http://localhost:11434/v1"))


@pytest.mark.parametrize("url", [url for url in LOOPBACK if "://0" not in url and "[::]" not in url])
def test_localhost_stands_for_this_machine_under_all_its_names(url: str) -> None:
    with allowing("localhost"):
        assert why_refused(url) is None


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("10.0.0.0/8", "http://10.1.2.3/"),
        ("10.1.2.3", "http://167838211/"),
        ("192.168.1.0/24", "http://[::ffff:192.168.1.9]/"),
        ("fd00::/8", "http://[fd12::1]/"),
        ("[::1]", "http://[::1]:8080/"),
        ("Printer.local", "http://printer.LOCAL./"),
    ],
)
def test_what_the_operator_names_is_allowed(entry: str, url: str) -> None:
    with allowing(entry):
        assert why_refused(url) is None


@pytest.mark.parametrize("url", ["http://192.168.0.1/", "http://[fd00::1]/", "http://10.0.0.1/"])
def test_what_the_operator_does_not_name_stays_refused(url: str) -> None:
    with allowing("localhost", "10.1.0.0/16"):
        assert why_refused(url)


@pytest.mark.parametrize("url", METADATA)
def test_a_clouds_secrets_are_refused_whatever_is_allowed(url: str) -> None:
    with allowing("0.0.0.0/0", "::/0"):
        assert "never asked" in str(why_refused(url))


def test_the_rest_of_the_private_corpus_can_be_allowed() -> None:
    with allowing("0.0.0.0/0", "::/0"):
        assert not [url for url in PRIVATE if why_refused(url)]
