"""What models call the tools of a server: its own name, two underscores, and the tool's."""

from __future__ import annotations

import hashlib
import re

BETWEEN = "__"
MOST_CHARACTERS = 64  # what vendors accept, of letters, digits, dashes and underscores
DIGEST_CHARACTERS = 8


def exposed_name(server: str, remote_name: str) -> str:
    """Always the same for the same two. A tool whose own name cannot stand here has a digest of it at the end, so
    that two of them do not become one."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", remote_name)
    room = MOST_CHARACTERS - len(server) - len(BETWEEN)
    if plain != remote_name or len(plain) > room:
        digest = hashlib.sha256(remote_name.encode(errors="replace")).hexdigest()[:DIGEST_CHARACTERS]
        plain = f"{plain[: room - len(digest) - 1]}_{digest}"
    return f"{server}{BETWEEN}{plain}"
