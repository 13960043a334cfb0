"""A server that asks no tool server pays nothing for what asking one takes."""

from __future__ import annotations

import subprocess
import sys

from tests.crash.sites import ROOT

SERVING = """
import sys
import config.asgi, chat.serving, chat.turns.tools, chat.looking, chat.pages.urls, chat.api.urls, chat.admin
print([name for name in ("mcp", "httpx", "pydantic", "jsonschema") if name in sys.modules])
"""


def test_the_sdk_is_imported_when_it_is_first_needed() -> None:
    command = [sys.executable, "-c", SERVING]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert finished.stdout.strip() == "[]"
