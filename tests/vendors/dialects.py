"""The two protocols the server speaks, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from tests.vendors import anthropic_rules, anthropic_wire, openai_rules, openai_wire
from tests.vendors.pieces import JSON, Piece
from tests.vendors.wish import Fault, Wish


class MakeErrorPiece(Protocol):
    def __call__(self, *, is_overloaded: bool) -> Piece: ...


@dataclass(frozen=True)
class Dialect:
    pieces: Callable[[JSON, Wish], Iterator[Piece]]
    whole: Callable[[JSON, Wish], JSON]
    refused: Callable[[JSON], str]
    error_body: Callable[[str, str, str | None], JSON]
    error_piece: MakeErrorPiece
    empty_piece: Callable[[JSON], Piece]
    key_header: str


OPENAI = Dialect(
    openai_wire.pieces,
    openai_wire.whole,
    openai_rules.refused,
    openai_wire.error_body,
    openai_wire.error_piece,
    openai_wire.empty_piece,
    key_header="Authorization",
)
ANTHROPIC = Dialect(
    anthropic_wire.pieces,
    anthropic_wire.whole,
    anthropic_rules.refused,
    anthropic_wire.error_body,
    anthropic_wire.error_piece,
    anthropic_wire.empty_piece,
    key_header="x-api-key",
)


@dataclass(frozen=True)
class Refusal:
    """An answer with an error status; `{key}` in the message is the key that was sent, as careless servers do."""

    status: int
    kind: str
    message: str
    code: str | None = None


REFUSALS: Mapping[Fault, Refusal] = {
    Fault.TOO_MANY: Refusal(429, "rate_limit_error", "Rate limit reached.", "rate_limit_exceeded"),
    Fault.NO_CREDIT: Refusal(429, "billing_error", "You exceeded your quota.", "insufficient_quota"),
    Fault.SERVER_ERROR: Refusal(500, "api_error", "The server had an error for {key}."),
    Fault.UNAVAILABLE: Refusal(503, "overloaded_error", "Overloaded."),
    Fault.UNAUTHORIZED: Refusal(401, "authentication_error", "Incorrect key: {key}.", "invalid_api_key"),
    Fault.FORBIDDEN: Refusal(403, "permission_error", "The key {key} may not."),
    Fault.NO_MODEL: Refusal(404, "not_found_error", "The model does not exist.", "model_not_found"),
    Fault.BAD_REQUEST: Refusal(400, "invalid_request_error", "Too long\x00\u202e by far. " + "x" * 1000),
}
