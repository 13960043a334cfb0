"""Opens a second database of the same engine for a while, such as a backup that is to be verified."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


@contextlib.contextmanager
def other_database(name: str, **changed: Any) -> Iterator[str]:
    """The alias under which everything can read it; afterwards it is closed and forgotten."""
    alias = f"other-{secrets.token_hex(4)}"
    connections.settings[alias] = {**connections.settings[DEFAULT_DB_ALIAS], "NAME": name, **changed}
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias]
        del connections.settings[alias]
