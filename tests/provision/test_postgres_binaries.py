"""PostgreSQL's programs are found where they are, and only where they are complete."""

import subprocess
from pathlib import Path

import pytest

from tests.provision import postgres_binaries as module
from tests.provision.commands import CannotProvide
from tests.provision.postgres_binaries import NEEDED, is_complete, postgres_binaries, system_folders


def test_the_programs_are_found_and_run() -> None:
    folder = postgres_binaries()
    for program in NEEDED:
        shown = subprocess.run(
            [str(folder / program), "--version"], capture_output=True, text=True, check=True
        )
        assert "PostgreSQL" in shown.stdout


def test_a_folder_that_lacks_one_program_is_passed_over(tmp_path: Path) -> None:
    for program in NEEDED:
        (tmp_path / program).touch()
    assert is_complete(tmp_path)
    (tmp_path / NEEDED[-1]).unlink()
    assert not is_complete(tmp_path)


def test_programs_on_the_path_come_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for program in NEEDED:
        (tmp_path / program).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert next(system_folders()) == tmp_path.resolve()


def test_a_machine_without_them_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NEEDED", ("no-such-program",))
    monkeypatch.setattr(module, "apt_can_install", lambda: False)
    with pytest.raises(CannotProvide, match="install it with your system's package manager"):
        postgres_binaries()
