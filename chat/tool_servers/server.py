"""Where a tool server is asked, and with which key."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Server:
    address: str
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        return urlsplit(self.address).hostname or ""
