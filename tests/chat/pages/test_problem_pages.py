"""What a person sees where there is no page: what happened, what is safe, and a way out."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.views import defaults


def expect_problem(answer: Any, status: int, words: str) -> None:
    html = answer.content.decode()
    assert answer.status_code == status
    assert words in html
    assert "Nothing was changed" in html or "what was saved is safe" in html
    assert '<a class="button" href="/">' in html


@pytest.mark.django_db
def test_an_address_that_leads_nowhere(client: Client) -> None:
    expect_problem(client.get("/nowhere/"), 404, "Nothing is here")


@pytest.mark.django_db
def test_a_form_from_elsewhere() -> None:
    answer = Client(enforce_csrf_checks=True).post("/login/", {"username": "alice"})
    expect_problem(answer, 403, "This page was too old")


def test_a_defect_of_ours_is_told_without_asking_the_database() -> None:
    expect_problem(defaults.server_error(RequestFactory().get("/")), 500, "Something went wrong here")


@pytest.mark.django_db
def test_what_is_not_understood_or_not_allowed() -> None:
    request = RequestFactory().get("/")
    expect_problem(defaults.bad_request(request, ValueError()), 400, "This was not understood")
    expect_problem(defaults.permission_denied(request, PermissionError()), 403, "You may not do this")
