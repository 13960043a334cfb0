"""The API answers as its own description says, whatever it is sent: no 500, no answer of another form."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from chat.api.shapes.messages import LONGEST_WAIT
from tests.browser.site import ROOT, Site
from tests.served.conftest import serving, token_of

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# `make check` holds this file to what the server says.
DESCRIPTION = ROOT / "docs" / "openapi.yaml"
whole = schemathesis.openapi.from_path(DESCRIPTION)
brief = schemathesis.openapi.from_path(DESCRIPTION)
brief.config.phases.coverage.enabled = False
LEAST_WAIT = 0.05


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def as_a_file(ctx: Any, value: Any) -> bytes:
    """Whatever is made up for a file's records goes out as bytes."""
    data = getattr(value, "data", value)
    return data if isinstance(data, bytes) else json.dumps(data).encode()


def hunted(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module")
def hunted_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One of its own: nothing of its team is left as it was."""
    with serving(tmp_path_factory.mktemp("hunted")) as site:
        yield site


@pytest.fixture(scope="module")
def known(hunted_site: Site) -> dict[str, str]:
    """Something of the team for each kind of address."""
    return dict(json.loads(hunted_site.run("-m", "tests.served.known")))


@whole.parametrize()
@hunted(4)
def test_an_owner(case: Any, hunted_site: Site, known: dict[str, str]) -> None:
    ask(case, hunted_site, token_of(hunted_site, "alice", "admin"), known)


@pytest.mark.parametrize("name", ["mia", "vera"])
@brief.parametrize()
@hunted(1)
def test_a_member_and_a_viewer(case: Any, hunted_site: Site, known: dict[str, str], name: str) -> None:
    ask(case, hunted_site, token_of(hunted_site, name, "admin"), known)


def ask(case: Any, site: Site, token: str, known: dict[str, str]) -> None:
    name_what_is_there(case, known)
    wait_little(case)
    checks = [*CHECKS, negative_data_rejection] if is_wrong(case, ParameterLocation.BODY) else CHECKS
    case.call_and_validate(base_url=site.url, headers={"Authorization": f"Bearer {token}"}, checks=checks)


def is_wrong(case: Any, where: ParameterLocation) -> bool:
    """Whether this part of the request was made so that it breaks the description."""
    part = case.meta.components.get(where)
    return part is not None and part.mode.is_negative


def wait_little(case: Any) -> None:
    """A wait that is allowed is made short."""
    with contextlib.suppress(KeyError, TypeError, ValueError):
        if LEAST_WAIT < float(case.query["wait"]) <= LONGEST_WAIT:
            case.query["wait"] = LEAST_WAIT


def name_what_is_there(case: Any, known: dict[str, str]) -> None:
    """In three cases of four: what names nothing is only ever not found."""
    words = case.path.split("/")
    for name, value in (case.path_parameters or {}).items():
        noun = words[words.index(f"{{{name}}}") - 1]
        found = known.get(words[-1]) or known.get(noun)
        if found and zlib.crc32(str(value).encode()) % 4 and not is_wrong(case, ParameterLocation.PATH):
            case.path_parameters[name] = found
