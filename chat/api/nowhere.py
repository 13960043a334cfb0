"""Addresses below the API's that name nothing: a problem like any other, and no page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from chat.api.problems import problem_response


@csrf_exempt
def nowhere(request: HttpRequest) -> HttpResponse:
    sentence = "The API has no such address; /api/v1/docs lists those it has. None ends with a slash."
    return problem_response(404, "not_found", sentence)
