"""System checks: settings that would open a door are refused before anything is served."""

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error


def check_allowed_hosts(app_configs: Sequence[AppConfig] | None, **_: object) -> list[CheckMessage]:
    """A wildcard switches off the check of a WebSocket's origin, so any site could speak for its visitors."""
    if settings.DEBUG or "*" not in settings.ALLOWED_HOSTS:
        return []
    return [
        Error(
            "HOLDFAST_ALLOWED_HOSTS may not contain '*': any website could then use a visitor's login.",
            hint="List the names people type into their browser, such as chat.example.org.",
            id="holdfast.E001",
        )
    ]
