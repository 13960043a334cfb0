"""The settings and their documents say the same."""

import re
import subprocess
import sys
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROW = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)
READ = re.compile(r'env\.\w+\(\s*"([A-Z_]+)"')


def read_variables() -> set[str]:
    files = ("settings.py", "account_settings.py", "account_rules.py")
    return {name for file in files for name in READ.findall((ROOT / "config" / file).read_text())}


def test_every_variable_is_explained_and_nothing_else() -> None:
    explained = ROW.findall((ROOT / "docs" / "configuration.md").read_text())
    assert sorted(explained) == sorted(read_variables())
    assert "HOLDFAST_DATA_DIR" in explained


def test_the_production_example_uses_known_variables_and_holds_no_secret() -> None:
    lines = (ROOT / "docs" / "production.env.example").read_text().splitlines()
    names = {line.partition("=")[0] for line in lines if line and not line.startswith("#")}
    assert names
    assert names <= read_variables()
    assert "HOLDFAST_SECRET_KEY" not in names


def test_the_production_example_passes_djangos_own_checks(tmp_path: Path) -> None:
    example = ROOT / "docs" / "production.env.example"
    finished = subprocess.run(
        [
            "sh", "-c",
            'set -a && . "$1" && HOLDFAST_DATA_DIR="$2" && '
            'exec "$3" manage.py check --deploy --fail-level WARNING',
            "sh", example, tmp_path, sys.executable,
        ],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert finished.returncode == 0, finished.stderr
