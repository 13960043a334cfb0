"""The benchmark runs and prints its tables; how fast anything is, no test says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench", *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("history_length", ["What the length of a history costs", "restore_checkpoint", "snapshot"]),
        ("append", ["What a journal commit costs", "bare inserts", "100 events, 10 turns"]),
        ("verify", ["What verify costs", "peak memory", "10,000"]),
        ("export", ["What an export costs", "export as markdown", "check of a file", "1,000"]),
        ("search", ["What a search costs in 1,000 messages", "a rare word", "p95"]),
        ("rest", ["What the API costs", "a post, bare", "a page of 50, the API beside a bare view"]),
        (
            "live",
            ["without journal", "20 ms a commit", "before p95 passes 1 s", "5 tool calls", "5 tool_result"],
        ),
        ("memory", ["Memory of the server", "10/10"]),
    ],
)
def test_a_quick_run_prints_a_table_with_targets_and_a_summary(part: str, expected: list[str]) -> None:
    finished = bench(part, "--quick")
    assert finished.returncode == 0, finished.stderr
    for words in [*expected, "target", "≤"]:
        assert words in finished.stdout
    assert " targets met in " in finished.stdout.splitlines()[-1]


def test_it_leaves_the_developers_own_site_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOLDFAST_DATA_DIR", str(tmp_path / "site"))
    assert bench("append", "--quick").returncode == 0
    assert not (tmp_path / "site").exists()


def test_an_unknown_part_is_named() -> None:
    finished = bench("speed")
    assert finished.returncode == 2
    assert "no such part: speed" in finished.stderr
