"""Who this process is, and which processes of this machine are dead: a lock that only a living process holds."""

from __future__ import annotations

import fcntl
import os
import re
import socket
import uuid
from pathlib import Path
from typing import IO

from django.conf import settings

FOLDER = "run"
SUFFIX = ".lock"


def run_folder() -> Path:
    return Path(settings.DATA_DIR) / FOLDER


class Owner:
    """Holds `run/<name>.lock` for as long as the process lives. The kernel lets go of it when the process ends,
    however it ends; unlike a pid, the name is never used again."""

    def __init__(self) -> None:
        host = re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname())[:40]
        self.name = f"{host}-{os.getpid()}-{uuid.uuid4().hex[:12]}"
        folder = run_folder()
        folder.mkdir(parents=True, exist_ok=True)
        # Locked before it has its name: nobody ever finds it free while this process lives.
        draft = folder / f".{self.name}"
        self._file = draft.open("w", encoding="ascii")
        fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        draft.rename(folder / f"{self.name}{SUFFIX}")

    def release(self) -> None:
        """At a clean end. The file stays until somebody has seen that nothing of ours is left to settle: a turn
        we could not let go of is taken up at once, instead of when its lease runs out."""
        self._file.close()


def dead_owners() -> set[str]:
    """Owners on this machine whose lock is free. One without a file is not known here: its lease decides."""
    return {path.name.removesuffix(SUFFIX) for path in run_folder().glob(f"*{SUFFIX}") if _is_free(path)}


def forget_owners(names: set[str]) -> None:
    """Removes the files of dead owners, when nothing of theirs is left to settle."""
    for name in names:
        (run_folder() / f"{name}{SUFFIX}").unlink(missing_ok=True)


def _is_free(path: Path) -> bool:
    try:
        with path.open("r+", encoding="ascii") as file:
            return _can_lock(file)
    except FileNotFoundError:
        return False


def _can_lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
