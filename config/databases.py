"""Turns DATABASE_URL into Django's description of a database."""

from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

SQLITE = "django.db.backends.sqlite3"
POSTGRESQL = "django.db.backends.postgresql"
BUSY_SECONDS = 20

# FULL: a commit is on the disk before anybody sees it, also when the power goes.
# IMMEDIATE: a transaction waits for the write lock when it begins, not in the middle, where it would fail.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": BUSY_SECONDS,
    "init_command": (
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=FULL;"
        f"PRAGMA busy_timeout={BUSY_SECONDS * 1000};"
        "PRAGMA temp_store=MEMORY"
    ),
}


# Whoever waits for a row is told after a while that the database is busy, as on SQLite. A process that sleeps in
# the middle of a transaction loses it: else everybody would wait for that process to wake up.
POSTGRESQL_LIMITS = {"lock_timeout": "5s", "idle_in_transaction_session_timeout": "60s"}


def database(url: str, *, default_file: Path) -> dict[str, Any]:
    """The database at `url`, or the SQLite file where it is empty; other engines are refused."""
    if not url:
        return sqlite(str(default_file))
    scheme = url.partition("://")[0].lower()
    match scheme:
        case "sqlite":
            return sqlite(sqlite_file(url))
        case "postgres" | "postgresql":
            return postgresql(url)
        case _:
            # What comes before "://" is no secret; without it the value may be a password, so it stays out.
            instead = f", not with {scheme}://" if "://" in url else ""
            raise ImproperlyConfigured(f"DATABASE_URL must begin with postgres:// or sqlite:///{instead}.")


def sqlite(name: str) -> dict[str, Any]:
    return {"ENGINE": SQLITE, "NAME": name, "OPTIONS": dict(SQLITE_OPTIONS)}


def sqlite_file(url: str) -> str:
    name = str(environ.Env.db_url_config(url)["NAME"]) if url.lower().startswith("sqlite:///") else ""
    if name in {"", ":memory:"}:
        raise ImproperlyConfigured(
            "DATABASE_URL must name a file, as in sqlite:////var/lib/holdfast/holdfast.sqlite3."
        )
    return name


def postgresql(url: str) -> dict[str, Any]:
    try:
        parsed: dict[str, Any] = environ.Env.db_url_config(url)
    except ValueError:
        # The parser's own words may repeat a part of the password: neither they nor their traceback are kept.
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read; write special characters in the password as %2F, %3F, %23 or %40, "
            "and a port from 1 to 65535."
        ) from None
    if not parsed["NAME"]:
        raise ImproperlyConfigured(
            "DATABASE_URL must name a database, as in postgres://user@host:5432/holdfast."
        )
    limits = " ".join(f"-c {name}={value}" for name, value in POSTGRESQL_LIMITS.items())
    options = {"options": limits, **parsed.get("OPTIONS", {})}
    # Under ASGI every request has its own thread: a connection kept open by one would never be used again.
    kept = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
    return {**parsed, "ENGINE": POSTGRESQL, "OPTIONS": options, **kept}
