from __future__ import annotations

import re

import pytest

from chat.tool_servers.names import exposed_name

FITS = re.compile(r"[A-Za-z0-9_-]{1,64}")


@pytest.mark.parametrize("name", ["add", "Add-Two_numbers", "a" * 40, "_private", "__init__"])
def test_a_plain_name_stays_behind_the_servers(name: str) -> None:
    assert exposed_name("kelp", name) == f"kelp__{name}"


@pytest.mark.parametrize("name", ["a.b", "a/b", "a b", "größe", "名前", "x" * 200, "a\ud800", "\n"])
def test_any_other_fits_what_vendors_accept(name: str) -> None:
    for server in ("k", "k" * 24):
        exposed = exposed_name(server, name)
        assert FITS.fullmatch(exposed)
        assert exposed.startswith(f"{server}__")


def test_two_names_never_become_one() -> None:
    names = ["a.b", "a/b", "a_b", "a b", "A.b", "x" * 70, "x" * 71, "x" * 200, "é", "è", "ab", "a__b"]
    servers = ["a", "a-b", "a_b", "ab", "b"]
    exposed = {exposed_name(server, name) for server in servers for name in names}
    assert len(exposed) == len(names) * len(servers)
