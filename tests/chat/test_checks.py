"""holdfast.E001: a wildcard among the hosts stops everything but a developer's own site."""

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings


def found() -> list[str | None]:
    return [message.id for message in run_checks() if message.id == "holdfast.E001"]


@pytest.mark.parametrize("hosts", [["*"], ["chat.example.org", "*"]])
def test_a_wildcard_is_refused(settings: Settings, hosts: list[str]) -> None:
    settings.DEBUG = False
    settings.ALLOWED_HOSTS = hosts
    assert found() == ["holdfast.E001"]


def test_every_command_that_checks_stops_and_says_what_to_do(settings: Settings) -> None:
    settings.DEBUG = False
    settings.ALLOWED_HOSTS = ["*"]
    with pytest.raises(SystemCheckError, match="HOLDFAST_ALLOWED_HOSTS may not contain") as refusal:
        call_command("check")
    assert "chat.example.org" in str(refusal.value)


@pytest.mark.parametrize("hosts", [["chat.example.org"], [".example.org"], []])
def test_names_are_accepted(settings: Settings, hosts: list[str]) -> None:
    settings.DEBUG = False
    settings.ALLOWED_HOSTS = hosts
    assert found() == []


def test_a_developer_may_use_the_wildcard(settings: Settings) -> None:
    settings.DEBUG = True
    settings.ALLOWED_HOSTS = ["*"]
    assert found() == []
