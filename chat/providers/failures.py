"""What can go wrong between us and a vendor, each in one sentence for people."""

from __future__ import annotations

import errno

import aiohttp

from chat.events import Failed


class VendorFailure(Exception):
    """Ends a vendor's answer; its sentence is shown to people and holds no secret.

    `is_passing` says that it may be gone later, `is_worth_another_try` that it may be gone in a moment.
    """

    def __init__(
        self,
        sentence: str,
        *,
        is_passing: bool = False,
        is_worth_another_try: bool = False,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.is_passing = is_passing or is_worth_another_try
        self.is_worth_another_try = is_worth_another_try
        self.retry_after_seconds = retry_after_seconds

    def as_event(self) -> Failed:
        return Failed(self.sentence, self.is_passing, self.retry_after_seconds)


def unreachable(host: str, error: aiohttp.ClientError) -> VendorFailure:
    """Why there is no connection, or none any more, before the vendor has answered."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return VendorFailure(
                f"There is no server called {host}, or this machine cannot find it.", is_passing=True
            )
        case aiohttp.ClientSSLError():
            return VendorFailure(f"{host} could not show a valid certificate, so nothing was sent to it.")
        case aiohttp.ClientConnectorError(os_error=OSError(errno=errno.ECONNREFUSED)):
            return VendorFailure(
                f"Nothing answers at {host}; is the server running?", is_worth_another_try=True
            )
        case aiohttp.ClientConnectorError():
            return VendorFailure(f"{host} cannot be reached from this machine.", is_worth_another_try=True)
        case aiohttp.ClientResponseError():
            return VendorFailure(f"{host} did not answer in the language of the web; check the address.")
        case _:
            return VendorFailure(f"{host} hung up without an answer.", is_worth_another_try=True)


def no_connection_in_time(host: str, seconds: float) -> VendorFailure:
    return VendorFailure(
        f"{host} did not take the connection within {seconds:g} seconds.", is_worth_another_try=True
    )


def no_answer_in_time(host: str, seconds: float) -> VendorFailure:
    return VendorFailure(
        f"{host} took the question but gave no answer within {seconds:g} seconds.", is_passing=True
    )


def no_word_in_time(host: str, seconds: float) -> VendorFailure:
    return VendorFailure(
        f"{host} began its answer but said no word for {seconds:g} seconds.", is_passing=True
    )


def fell_silent(host: str, seconds: float) -> VendorFailure:
    return VendorFailure(
        f"{host} fell silent in the middle of its answer: nothing came for {seconds:g} seconds.",
        is_passing=True,
    )


def cut_off(host: str) -> VendorFailure:
    return VendorFailure(
        f"The connection to {host} broke off before the answer was complete.", is_worth_another_try=True
    )


def too_long(host: str) -> VendorFailure:
    return VendorFailure(f"{host} sent a line far too long to be part of an answer, so the answer ends here.")


def unreadable(host: str) -> VendorFailure:
    return VendorFailure(f"{host} sent something that cannot be read, so the answer ends before it.")


def web_page(host: str) -> VendorFailure:
    return VendorFailure(f"{host} answered with a web page instead of a model's answer; check the address.")


def not_a_stream(host: str) -> VendorFailure:
    return VendorFailure(f"{host} answered with something other than a stream of events; check the address.")


def gave_up(host: str, quote: str, *, is_passing: bool = False) -> VendorFailure:
    """`quote` ends the sentence: the vendor's own words after a colon, or only a full stop."""
    return VendorFailure(f"{host} gave up its answer{quote}", is_worth_another_try=is_passing)


def ended_early(host: str, quote: str) -> VendorFailure:
    return VendorFailure(f"{host} broke off its answer{quote}", is_passing=True)


def unforeseen() -> VendorFailure:
    return VendorFailure("Something unforeseen went wrong with this answer; the server's log says what.")
