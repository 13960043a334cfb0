"""Static files are answered with what protects a file, and without what only a page needs."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from config.static_middleware import StaticFilesMiddleware


@pytest.fixture
def middleware(settings: Settings, tmp_path: Path) -> StaticFilesMiddleware:
    (tmp_path / "small.css").write_text("body { color: red }")
    settings.STATIC_ROOT = tmp_path
    return StaticFilesMiddleware(lambda request: HttpResponse(f"page {request.path}"))


def asked(
    middleware: StaticFilesMiddleware, path: str, headers: dict[str, str] | None = None
) -> HttpResponse:
    request: HttpRequest = RequestFactory().get(path, headers=headers)
    answer = middleware(request)
    assert isinstance(answer, HttpResponse)
    return answer


def test_other_sites_may_not_use_a_file(middleware: StaticFilesMiddleware) -> None:
    answer = asked(middleware, "/static/small.css")
    assert answer.content == b"body { color: red }"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in answer
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "Permissions-Policy" not in answer


def test_a_file_that_has_not_changed_is_not_sent_again(middleware: StaticFilesMiddleware) -> None:
    tag = asked(middleware, "/static/small.css")["ETag"]
    again = asked(middleware, "/static/small.css", {"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_everything_else_is_passed_on(middleware: StaticFilesMiddleware) -> None:
    assert asked(middleware, "/login/").content == b"page /login/"
