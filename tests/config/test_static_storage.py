"""Static files: collected under hashed names, and modules that import each other by those names."""

import json
import posixpath
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

PAGE = "js/page.js"
SOCKET = "js/models/socket.js"
SOURCES = {
    PAGE: (
        'import { Socket } from "./models/socket.js";\n'
        'import "./models/start.js";\n'
        'const later = () => import("./models/start.js");\n'
    ),
    "js/again.js": 'export { Socket } from "./models/socket.js";\n',
    SOCKET: "export class Socket {}\n",
    "js/models/start.js": "document.title;\n",
    "css/main.css": '@import url("base.css");\n',
    "css/base.css": "body { margin: 0 }\n",
}


@pytest.fixture
def site(settings: Settings, tmp_path: Path) -> Path:
    """The folder into which the site's own files are collected as in production."""
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "config.static_storage.StaticStorage"},
    }
    return tmp_path / "collected"


@pytest.fixture
def collected(site: Path, settings: Settings, tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        write(tmp_path / "source" / name, text)
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    collect()
    return site


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def collect() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)


def hashed(collected: Path, name: str) -> str:
    return manifest(collected)[name]


def manifest(collected: Path) -> dict[str, str]:
    paths: dict[str, str] = json.loads((collected / "staticfiles.json").read_text())["paths"]
    return paths


@pytest.mark.parametrize(
    ("module", "imports"),
    [(PAGE, [SOCKET, "js/models/start.js", "js/models/start.js"]), ("js/again.js", [SOCKET])],
)
def test_a_module_imports_the_hashed_names_of_others(
    collected: Path, module: str, imports: list[str]
) -> None:
    text = (collected / hashed(collected, module)).read_text()
    found = re.findall(r'"\./([^"]+)"', text)
    assert [f"js/{name}" for name in found] == [hashed(collected, name) for name in imports]
    assert all(re.search(r"\.[0-9a-f]{12}\.js$", name) for name in found)


def test_a_changed_module_changes_the_name_of_those_that_import_it(collected: Path) -> None:
    before = hashed(collected, PAGE)
    (collected.parent / "source" / SOCKET).write_text("export class Socket { close() {} }\n")
    collect()
    assert hashed(collected, PAGE) != before


def test_a_style_sheet_imports_the_hashed_name_of_another(collected: Path) -> None:
    text = (collected / hashed(collected, "css/main.css")).read_text()
    assert hashed(collected, "css/base.css").removeprefix("css/") in text
    assert '"base.css"' not in text


def test_whatever_the_site_imports_has_been_collected_under_that_name(site: Path) -> None:
    """Django rewrites some forms twice or not at all, and says nothing: the browser would get a 404."""
    collect()
    names = set(manifest(site).values())
    imported = [found for name in sorted(names) for found in imports_of(site, name)]
    assert imported
    assert [name for name in imported if name not in names] == []


def imports_of(folder: Path, name: str) -> list[str]:
    """What one of our own files imports, as paths below the collected folder."""
    pattern = {".js": r'["\'](\.{1,2}/[^"\']+\.js)["\']', ".css": r'url\(["\']?([^"\'):]+)["\']?\)'}.get(
        Path(name).suffix
    )
    if pattern is None or name.startswith("admin/"):
        return []
    found = re.findall(pattern, (folder / name).read_text())
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in found]
