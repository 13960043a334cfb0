"""Problem details (RFC 9457): the one form in which the API says what is wrong and what to do about it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse

from sessions_app.canonical import canonical_json

MEDIA_TYPE = "application/problem+json"


def problem(status: int, code: str, detail: str, **members: Any) -> dict[str, Any]:
    """`code` is stable for programs, `detail` is a sentence for people."""
    return {
        "type": f"urn:holdfast:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        **members,
    }


def problem_response(status: int, code: str, detail: str, **members: Any) -> HttpResponse:
    """The same as an answer, where no resource has been found yet."""
    body = canonical_json(problem(status, code, detail, **members))
    return HttpResponse(body, status=status, content_type=MEDIA_TYPE)
