"""Sets up logging: lines for people or JSON for machines, and never a secret."""

import re
from collections.abc import MutableMapping
from typing import Any

import structlog

SECRET_NAMES = re.compile(r"password|secret|token|api_?key|authorization|cookie|credential", re.IGNORECASE)
SECRET_IN_URL = re.compile(r"(?<=://)([^/\s:@]*):[^/\s]+(?=@)")  # up to the last @: a password may hold one
# Whoever has such a link is let in, and Django logs the paths of what it refuses.
SECRET_IN_PATH = re.compile(r"(?<=/)(invitations|password/[^/\s]+)/(?!\[)[\w-]{16,}")
HIDDEN = "[hidden]"

EventDict = MutableMapping[str, Any]


def hide_secrets(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Replaces what carries a secret's name, passwords inside addresses, and links that let somebody in."""
    for name, value in event.items():
        if SECRET_NAMES.search(name):
            event[name] = HIDDEN
        elif isinstance(value, str):
            value = SECRET_IN_URL.sub(rf"\1:{HIDDEN}", value)
            event[name] = SECRET_IN_PATH.sub(rf"\1/{HIDDEN}", value)
    return event


SHARED_PROCESSORS: list[structlog.typing.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def configure_structlog() -> None:
    structlog.configure(
        processors=[*SHARED_PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def logging_settings(*, log_format: str, level: str) -> dict[str, Any]:
    """Django's LOGGING: everything goes to standard error through one formatter."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "holdfast": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED_PROCESSORS,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *(json_lines() if log_format == "json" else console_lines()),
                ],
            }
        },
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "holdfast"}},
        "root": {"handlers": ["console"], "level": level},
        # Django's own handlers would print the same line a second time.
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "daphne": {"level": "WARNING"},
            # What a tool server does wrong is told as the result of its call; the SDK would log it too, at length.
            "httpx": {"level": "WARNING"},
            "mcp": {"level": "CRITICAL"},
        },
    }


def json_lines() -> list[structlog.typing.Processor]:
    return [structlog.processors.format_exc_info, hide_secrets, structlog.processors.JSONRenderer()]


def console_lines() -> list[structlog.typing.Processor]:
    return [structlog.processors.format_exc_info, hide_secrets, structlog.dev.ConsoleRenderer(colors=False)]
