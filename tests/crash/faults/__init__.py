"""What can be done to a server from inside, by name: be killed at a point, be held up, run out of room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.crash.faults.kills import KILLS
from tests.crash.faults.limits import LIMITS
from tests.crash.faults.tools import TOOLS

FAULTS: dict[str, Callable[[Any], None]] = {**KILLS, **LIMITS, **TOOLS}
