"""The API's description for programs, and a page to try it out, from files of this server alone."""

from __future__ import annotations

from functools import cache

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, set_response_etag
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The same text as docs/openapi.yaml; it changes with the server's version alone."""
    headers = {"Cache-Control": "no-cache"}
    response = HttpResponse(schema_text(), content_type="application/yaml", headers=headers)
    set_response_etag(response)
    return get_conditional_response(request, etag=response["ETag"], response=response) or response


@cache
def schema_text() -> bytes:
    found = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    text: bytes = OpenApiYamlRenderer().render(found)  # type: ignore[no-untyped-call]
    return text


@require_safe
@ensure_csrf_cookie
@csp_update({"img-src": "data:"})  # its own icons
def page(request: HttpRequest) -> HttpResponse:
    return render(request, "chat/api_docs.html")
