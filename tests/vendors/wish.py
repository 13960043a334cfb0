"""What a request asks of the vendor, told in the name of its model: `scripted?rate=50&fault=cut_mid_json`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import parse_qs, urlencode

DEFAULT_TEXT = "Holdfast hält — jedes Wort.\nZeile zwei: 持つ, 🙂 and an ending."
STAMP = "@now@"  # becomes the time at the moment of sending
PIECES = re.compile(r"\s*\S+|\s+")


class Fault(StrEnum):
    """The faults of a vendor, by when they come: instead of an answer, in its stream, or in how it is written."""

    NONE = ""

    HANG_BEFORE_HEADERS = "hang_before_headers"
    HANG_UP = "hang_up"
    TOO_MANY = "too_many"
    NO_CREDIT = "no_credit"
    SERVER_ERROR = "server_error"
    UNAVAILABLE = "unavailable"
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    NO_MODEL = "no_model"
    BAD_REQUEST = "bad_request"
    REDIRECT = "redirect"
    HTML = "html"
    HTML_AS_TEXT = "html_as_text"
    JSON_ERROR = "json_error"
    JSON_ANSWER = "json_answer"

    HANG_BEFORE_FIRST_TOKEN = "hang_before_first_token"
    PINGS_BEFORE_FIRST_TOKEN = "pings_before_first_token"
    HANG_MID_TOKEN = "hang_mid_token"
    CUT = "cut"
    CUT_MID_UTF8 = "cut_mid_utf8"
    CUT_MID_JSON = "cut_mid_json"
    ENDS_WITHOUT_REASON = "ends_without_reason"
    MALFORMED_JSON = "malformed_json"
    MALFORMED_LINE = "malformed_line"
    LONG_LINE = "long_line"
    ERROR_IN_STREAM = "error_in_stream"
    OVERLOADED = "overloaded"

    HANG_AFTER_REASON = "hang_after_reason"
    NO_END_MARK = "no_end_mark"
    LATE_END = "late_end"
    DUPLICATED = "duplicated"
    ONE_BYTE = "one_byte"
    EMPTY_DELTAS = "empty_deltas"
    CRLF = "crlf"
    CR = "cr"
    COMMENTS = "comments"
    BYTE_ORDER_MARK = "byte_order_mark"
    MANY_DATA_LINES = "many_data_lines"


@dataclass(frozen=True)
class Wish:
    """`after` text pieces have been sent whole when the fault comes; `times` is how often it comes, 0 for always.

    `rate` is in pieces a second, 0 for all at once. With `tokens` the text is that many numbered words, and with
    `stamped` each piece is the sender's `time.monotonic_ns()`, to measure by.
    """

    fault: Fault = Fault.NONE
    after: int = 3
    times: int = 0
    rate: float = 0
    text: str = DEFAULT_TEXT
    tokens: int = 0
    stamped: bool = False
    reasoning: str = ""
    calls: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    retry_after: str = ""
    stop: str = ""

    def whole_text(self) -> str:
        return " ".join(f"word{number}" for number in range(self.tokens)) if self.tokens else self.text

    def pieces(self, prefix: str = "") -> Iterator[str]:
        """The text in pieces; after a prefix of it that was said before, only the rest."""
        if self.stamped:
            yield from itertools.repeat(f"{STAMP} ", self.tokens)
        else:
            yield from PIECES.findall(self.whole_text().removeprefix(prefix))

    @classmethod
    def of(cls, model: str) -> Wish:
        _, _, query = model.partition("?")
        given = parse_qs(query, keep_blank_values=True, strict_parsing=bool(query))
        last = {name: values[-1] for name, values in given.items()}
        return cls(
            fault=Fault(last.get("fault", "")),
            after=int(last.get("after", 3)),
            times=int(last.get("times", 0)),
            rate=float(last.get("rate", 0)),
            text=last.get("text", DEFAULT_TEXT),
            tokens=int(last.get("tokens", 0)),
            stamped="stamped" in last,
            reasoning=last.get("reasoning", ""),
            calls=tuple(given.get("call", ())),
            arguments=tuple(given.get("arguments", ())),
            retry_after=last.get("retry_after", ""),
            stop=last.get("stop", ""),
        )


def model_name(**wishes: object) -> str:
    """The model to name for these wishes; `call` and `arguments` may be lists."""
    return "scripted?" + urlencode(wishes, doseq=True)
