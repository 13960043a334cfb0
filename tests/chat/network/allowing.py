"""Lets a test decide which private hosts may be asked, and puts back what was allowed before."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from chat.network import vetting
from chat.network.allow_list import AllowList


@contextlib.contextmanager
def allowing(*entries: str) -> Iterator[None]:
    before = vetting.installed()
    vetting.install(AllowList.of(entries))
    try:
        yield
    finally:
        vetting.install(before)
