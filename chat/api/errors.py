"""Translates every refusal and every mishap to a problem, in one place; a script never meets a page of HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from chat.api.authentication import Forged
from chat.api.problems import MEDIA_TYPE, problem
from chat.buckets import TooFast
from sessions_app.errors import Conflict, DatabaseBusy, HoldfastError, Invalid, NotAllowed, NotFound

STATUS = (
    (NotAllowed, 403),
    (Invalid, 400),
    (Conflict, 409),
    (NotFound, 404),
    (TooFast, 429),
    (DatabaseBusy, 503),
)
CODES = {
    400: ("invalid", "The request cannot be read; nothing was changed."),
    401: (
        "not_signed_in",
        "Send a token of yours as “Authorization: Bearer …”, or sign in; nothing was done.",
    ),
    403: ("not_allowed", "You may not do this; nothing was changed."),
    404: ("not_found", "There is nothing here by this name that you may see."),
    405: ("method_not_allowed", "This address knows no such method; the Allow header names those it knows."),
    406: ("not_acceptable", "This address cannot answer in the form you ask for."),
    415: ("media_type_unknown", "Send JSON, with “Content-Type: application/json”; nothing was changed."),
}
BUSY = "The database is busy; nothing was changed. Try again in a moment."
BROKE = "Something went wrong on the server. What was saved is safe; try again."
RETRY_SECONDS = 2

log = structlog.get_logger(__name__)


class TooLarge(exceptions.APIException):
    status_code = 413
    default_code = "too_large"


class OutOfScope(exceptions.PermissionDenied):
    default_code = "insufficient_scope"
    default_detail = "This token may not do this: its scope does not include it. Nothing was changed."


OWN = (Forged, OutOfScope, TooLarge)


def answer_error(error: Exception, context: Mapping[str, Any]) -> Response:
    """The handler of every resource."""
    match error:
        case HoldfastError():
            return _refusal(error)
        case exceptions.ValidationError():
            return _validation(error)
        case exceptions.APIException():
            return _library(error)
        case Http404():
            return answer(404, *CODES[404])
        case PermissionDenied():
            return answer(403, *CODES[403])
        case DatabaseError():
            log.warning("api_database", error=str(error))
            return _later(answer(503, "database_busy", BUSY))
    log.error("api_broke", exc_info=error)
    return answer(500, "server_error", BROKE)


def answer(status: int, code: str, detail: str, **members: Any) -> Response:
    return Response(problem(status, code, detail, **members), status=status, content_type=MEDIA_TYPE)


def _refusal(error: HoldfastError) -> Response:
    status = next((number for kind, number in STATUS if isinstance(error, kind)), 400)
    facts = {"facts": error.facts} if error.facts else {}
    response = answer(status, error.code, str(error), **facts)
    if isinstance(error, TooFast):
        return _later(response, error.wait_seconds)
    return _later(response) if status == 503 else response


def _later(response: Response, seconds: int = RETRY_SECONDS) -> Response:
    response["Retry-After"] = str(seconds)
    return response


def _validation(error: exceptions.ValidationError) -> Response:
    found = [{"field": field, "detail": sentence} for field, sentence in _fields(error.detail)]
    named = ", ".join(dict.fromkeys(f"“{one['field']}”" for one in found))
    sentence = f"Look at {named}: {found[0]['detail']} Nothing was changed."
    return answer(400, "invalid", sentence, errors=found)


def _fields(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every complaint with the field it is about, however deep it lies."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            below = path if name == "non_field_errors" else f"{path}.{name}".lstrip(".")
            yield from _fields(inner, below)
    elif isinstance(detail, (list, tuple)):
        for inner in detail:
            yield from _fields(inner, path)
    else:
        yield path or "body", str(detail)


def _library(error: exceptions.APIException) -> Response:
    """What Django REST framework refuses by itself, in our words; what we raised with a code, in its own."""
    status = error.status_code
    code, sentence = CODES.get(status, ("refused", str(error.detail)))
    if isinstance(error, OWN):
        code, sentence = error.default_code, str(error.detail)
    response = answer(status, code, sentence)
    if header := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = header
    return response
