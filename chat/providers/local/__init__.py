"""A very small language model that runs on this machine, in a process of its own."""

from chat.providers.local.chatml import CONTEXT_TOKENS
from chat.providers.local.provider import LocalProvider

__all__ = ["CONTEXT_TOKENS", "LocalProvider"]
