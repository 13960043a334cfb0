"""Reads the environment, and refuses nonsense with a sentence that names the variable."""

import os
import re
from collections.abc import Sequence
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.kept_keys import is_encryption_key

YES = {"true", "yes", "on", "1"}
NO = {"false", "no", "off", "0"}
MAXIMUM_DIGITS = 20
HOST_NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")


def text(name: str, default: str = "") -> str:
    """The variable without surrounding blanks; one that is empty counts as not set."""
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value not in YES | NO:
        raise ImproperlyConfigured(f"{name} must be true or false, not '{text(name)}'.")
    return value in YES


def number(name: str, *, default: int, minimum: int, maximum: int) -> int:
    value = text(name)
    if not value:
        return default
    # The length first: Python refuses to read a number of thousands of digits.
    plain = value.isascii() and value.isdigit() and len(value) <= MAXIMUM_DIGITS
    if not plain or not minimum <= int(value) <= maximum:
        raise ImproperlyConfigured(
            f"{name} must be a whole number from {minimum} to {maximum}, not '{value[:MAXIMUM_DIGITS]}'."
        )
    return int(value)


def choice(name: str, options: Sequence[str], *, default: str) -> str:
    value = text(name, default).lower()
    if value not in options:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(options)}, not '{text(name)}'.")
    return value


def words(name: str, *, default: Sequence[str] = ()) -> list[str]:
    """A list written with commas."""
    value = text(name)
    if not value:
        return list(default)
    return [word.strip() for word in value.split(",") if word.strip()]


def hosts(name: str, *, default: Sequence[str]) -> list[str]:
    """Host names as a browser sends them, without scheme, port or path."""
    values = words(name, default=default)
    for value in values:
        if "/" in value or (":" in value and not (value.startswith("[") and value.endswith("]"))):
            raise ImproperlyConfigured(
                f"{name} takes host names such as chat.example.org, without scheme or port, not '{value}'."
            )
    return values


def hosts_and_networks(name: str) -> list[str]:
    """Host names, addresses and networks, without scheme, port or path."""
    values = words(name)
    for value in values:
        if not is_network(value) and not HOST_NAME.fullmatch(value):
            raise ImproperlyConfigured(
                f"{name} takes hosts and networks such as localhost, ollama.lan, 10.0.0.7 or 10.0.0.0/8, "
                f"without scheme or port, not '{value.rpartition('@')[2]}'."
            )
    return values


def is_network(value: str) -> bool:
    try:
        ip_network(value.strip("[]"), strict=False)
    except ValueError:
        return False
    return True


def origins(name: str) -> list[str]:
    """Origins: a scheme and a host, and a port where it is not the usual one."""
    values = words(name)
    for value in values:
        if not is_origin(value):
            # The part before an "@" may hold a password.
            raise ImproperlyConfigured(
                f"{name} takes origins such as https://chat.example.org, not '{value.rpartition('@')[2]}'."
            )
    return values


def is_origin(value: str) -> bool:
    try:
        parts = urlsplit(value)
        host, port = parts.hostname, parts.port
    except ValueError:
        return False
    shown = f"[{host}]" if ":" in (host or "") else host
    exact = f"{parts.scheme}://{shown}" + (f":{port}" if port is not None else "")
    return parts.scheme in {"http", "https"} and bool(host) and value.lower() == exact


def folder(name: str, *, default: Path) -> Path:
    """An absolute path to a folder, which need not exist yet."""
    path = Path(text(name, str(default))).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise ImproperlyConfigured(f"{name} must be a folder, and {path} is a file.")
    return path


def secret(name: str, *, minimum_length: int) -> str | None:
    """A secret, or None when it is not set; the refusal never repeats the value."""
    value = text(name)
    if not value:
        return None
    if len(value) < minimum_length:
        raise ImproperlyConfigured(f"{name} must have at least {minimum_length} characters.")
    return value


def encryption_keys(name: str) -> list[str]:
    """Keys written with commas, the newest first; a refusal never repeats one."""
    keys = words(name)
    if not all(is_encryption_key(key) for key in keys):
        raise ImproperlyConfigured(
            f"{name} takes keys of 32 bytes in URL-safe base64, with commas between them and the newest first."
        )
    return keys
