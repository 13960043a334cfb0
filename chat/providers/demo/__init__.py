"""The demo agent: scripted, deterministic and without a network; what one writes to it steers it."""

from chat.providers.demo.provider import DemoProvider
from chat.providers.demo.rounds import expected_text

__all__ = ["DemoProvider", "expected_text"]
