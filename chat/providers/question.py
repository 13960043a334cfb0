"""One request to a vendor, and the refusal of an address or a key that can be none."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from yarl import URL

from chat.providers.base import ProviderSettings
from chat.providers.failures import VendorFailure


@dataclass(frozen=True)
class Question:
    """Neither its repr nor its host holds a secret."""

    url: URL = field(repr=False)
    model: str
    body: bytes = field(repr=False)
    headers: dict[str, str] = field(repr=False)
    key: str = field(default="", repr=False)

    @property
    def host(self) -> str:
        """The server as people know it, without what an address may hide in its other parts."""
        return shown_host(self.url)


def make_question(
    settings: ProviderSettings, url: URL, body: dict[str, object], headers: dict[str, str]
) -> Question:
    """The request that carries this body; vendors are asked not to compress, which would hold tokens back."""
    headers = {
        "Content-Type": "application/json",
        "Accept": "text/event-stream",
        "Accept-Encoding": "identity",
        "User-Agent": "Holdfast",
        **headers,
    }
    return Question(url, settings.model, json.dumps(body).encode(), headers, settings.key.strip())


def endpoint(address: str, path: str) -> URL:
    """The address with the vendor's path at its end, whether or not people gave it too."""
    try:
        url = URL(address.strip())
    except ValueError:
        raise bad_address() from None
    if url.scheme not in {"http", "https"} or not url.host or url.user or url.password:
        raise bad_address()
    whole = url.path.rstrip("/")
    return url.with_path(whole if whole.endswith(path) else whole + path, keep_query=True)


def bad_address() -> VendorFailure:
    """The address is not repeated: it may hold a password."""
    return VendorFailure(
        "The agent's address is none that can be asked; it begins with http:// or https:// and holds no password."
    )


def checked_key(settings: ProviderSettings) -> str:
    """The key, if it can be sent at all."""
    key = settings.key.strip()
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise VendorFailure("The agent's key holds characters that no key has; enter it again.")
    return key


def shown_host(url: URL) -> str:
    return f"{url.host}:{url.explicit_port}" if url.explicit_port else f"{url.host}"
