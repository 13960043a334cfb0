"""How the page's modules are written: what a reader, the cache and the policy rely on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "static"
MODULES = sorted((STATIC / "js").rglob("*.js"))
SHEETS = sorted((STATIC / "css").glob("*.css"))


def name(path: Path) -> str:
    return str(path.relative_to(STATIC))


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_only_one_function_turns_text_into_elements(module: Path) -> None:
    found = re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", module.read_text())
    assert found == (["innerHTML"] if module.name == "dom.js" else [])


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_imports_are_relative_and_whole(module: Path) -> None:
    for line in module.read_text().splitlines():
        if line.startswith(("import ", "} from ")):
            assert re.search(r'from "\.{1,2}/[\w./]+\.js";$', line), line


@pytest.mark.parametrize("module", MODULES, ids=name)
def test_a_model_knows_no_page_but_the_one_that_mounts(module: Path) -> None:
    if module.parent.name == "models" and module.name != "behaviors.js":
        assert not re.search(r"\bdocument\b", module.read_text())


@pytest.mark.parametrize("sheet", SHEETS, ids=name)
def test_colours_are_tokens_and_nothing_is_forced(sheet: Path) -> None:
    text = sheet.read_text()
    assert "!important" not in text
    if sheet.name != "tokens.css":
        assert not re.search(r"#[0-9a-f]{3,8}\b|\brgb\(|\bhsl\(", text)
