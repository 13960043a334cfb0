"""What the addresses of this door share: tokens alone open it, and it says no in OpenAI's own form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.response import Response

from chat.api.authentication import BearerToken
from chat.api.base import Resource
from chat.api.errors import answer_error
from sessions_app.errors import Invalid

TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


class Unsupported(Invalid):
    """Names the parameter that cannot be used."""

    code = "unsupported_parameter"

    def __init__(self, sentence: str, param: str) -> None:
        super().__init__(sentence, param=param)


class Door(Resource):
    authentication_classes = (BearerToken,)  # type: ignore[assignment]
    schema = None  # docs/api.md describes it, and OpenAI's own description is the rest

    def get_exception_handler(self) -> Callable[..., Any]:
        return _answer_error


def error_body(status: int, code: str, sentence: str, param: str | None = None) -> dict[str, Any]:
    kind = "server_error" if status >= 500 else TYPES.get(status, "invalid_request_error")
    return {"error": {"message": sentence, "type": kind, "code": code, "param": param}}


@csrf_exempt
def nowhere(request: HttpRequest) -> JsonResponse:
    sentence = "Only /v1/models and /v1/chat/completions are here; docs/api.md describes the rest of the API."
    return JsonResponse(error_body(404, "not_found", sentence), status=404)


def _answer_error(error: Exception, context: Mapping[str, Any]) -> Response:
    response = answer_error(error, context)
    told = response.data
    fields = [one["field"] for one in told.get("errors", ())]
    param = told.get("facts", {}).get("param") or (fields[0] if fields else None)
    response.data = error_body(response.status_code, told["code"], told["detail"], param)
    response.content_type = "application/json"
    if response.status_code == 409:
        response["x-should-retry"] = "false"  # the official clients would try again, and be refused again
    return response
