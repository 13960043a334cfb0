"""What a page shows for a moment stays: a slow machine may look for it late."""

from __future__ import annotations

import re
from pathlib import Path

MODULES = Path(__file__).resolve().parents[2] / "static" / "js"
LASTS = re.compile(r"^const \w+_LASTS = ([\d_]+);$", re.MULTILINE)

SCRIPT = """(() => {
  const passing = new Set([%s]);
  const later = window.setTimeout;
  window.setTimeout = (call, wait, ...rest) => later(call, passing.has(wait) ? 3_600_000 : wait, ...rest);
})();"""


def lingering_script() -> str:
    """To be run before a page's own: the times that modules name `…_LASTS` last for an hour."""
    found = (LASTS.findall(module.read_text(encoding="utf-8")) for module in MODULES.rglob("*.js"))
    times = sorted({time for times in found for time in times})
    assert times
    return SCRIPT % ", ".join(times)
