"""Gives each part a site of its own: an empty folder and an empty database that are removed afterwards."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

from tests.provision.temporary_postgres import temporary_postgres

# As in production: a commit waits for the disk. The tests' own server does not.
POSTGRES_OPTIONS = ("fsync=on", "full_page_writes=on", "max_connections=50")


@contextlib.contextmanager
def temporary_site(*, postgres: bool) -> Iterator[dict[str, str]]:
    """The environment of a process that uses the site; nothing of the developer's own site is in it."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="holdfast-bench-"))
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("HOLDFAST_") and name not in {"DATABASE_URL", "REDIS_URL"}
        }
        environment |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "HOLDFAST_ALLOW_PRIVATE_PROVIDERS": "localhost",
            "HOLDFAST_DATA_DIR": folder,
            "HOLDFAST_LOG_LEVEL": "warning",
        }
        if postgres:
            environment["DATABASE_URL"] = stack.enter_context(temporary_postgres(POSTGRES_OPTIONS)).url
        yield environment
