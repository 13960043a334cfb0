"""Every address and method of the API, asked by everybody: each gets what the table says; no refusal writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.urls import URLPattern, URLResolver

from chat.api import urls
from chat.api.nowhere import nowhere
from chat.api.openai import base as openai
from chat.database_threads import read, write
from chat.models import Scope
from sessions_app.models import Membership, Role, User, Workspace
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.api.roles.expectations import Row, rows
from tests.chat.api.roles.things import BODIES, Things, make_things, state_for
from tests.chat.live import Cast, make_cast

METHODS = ("get", "post", "put", "patch", "delete")
SECRETS = ("kelp", "walk:", "team:general", "Hidden")
HOW = """
tests/chat/api/roles/expectations.py has no line for:

{missing}

Add one to its TABLE: the method, the path, the scope a token needs, and the status for each caller. If it needs a
body, add one to BODIES in things.py; if it names something new, make that in make_things and name it in address().
"""


def endpoints(patterns: Any = urls.urlpatterns, before: str = "/") -> Iterator[tuple[str, Any]]:
    """Every address of the API, written as in the table, and its view; those that name nothing are left out."""
    for pattern in patterns:
        path = before + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from endpoints(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and pattern.callback not in (nowhere, openai.nowhere):
            yield path, pattern.callback


def methods_of(view: Any) -> list[str]:
    """A function is a page, and is only read."""
    kind = getattr(view, "view_class", None)
    return ["GET"] if kind is None else [name.upper() for name in METHODS if hasattr(kind, name)]


def test_every_address_and_method_is_in_the_table_once() -> None:
    there = [f"{method} {path}" for path, view in endpoints() for method in methods_of(view)]
    told = [row.name for row in rows()]
    missing = [name for name in there if name not in told]
    assert not missing, HOW.format(missing="\n".join(missing))
    assert sorted(told) == sorted(there)


class Walkers:
    """Everybody who walks, each with a token of the scope that is asked for."""

    def __init__(self, cast: Cast, people: dict[str, User], reef: Workspace) -> None:
        self.cast, self.people, self._reef = cast, people, reef
        self._callers: dict[tuple[str, Scope], Caller] = {}
        self._things: dict[Any, Things] = {}

    async def caller(self, name: str, row: Row) -> Caller:
        scope = row.scope or Scope.READ
        if name == "small":
            scope = list(Scope)[max(0, list(Scope).index(scope) - 1)]
        if (name, scope) not in self._callers:
            self._callers[name, scope] = await self._made(name, scope)
        return self._callers[name, scope]

    async def things(self, row: Row, *, anew: bool = False) -> Things:
        """What the row is about; whoever may only look at it can share it."""
        state = state_for(row)
        if anew or state not in self._things:
            self._things[state] = await write(make_things, self.cast, state)
        return self._things[state]

    async def _made(self, name: str, scope: Scope) -> Caller:
        if name == "nobody":
            return Caller(None)
        limits = {"workspace": self._reef} if name == "elsewhere" else {}
        return await caller_of(self.person(name), scope, **limits)

    def person(self, name: str) -> User:
        return self.people.get(name, self.cast.alice)


@pytest.fixture
async def walkers(threads: None) -> Walkers:
    return await write(_walkers)


def _walkers() -> Walkers:
    cast = make_cast()
    ada, reef = User.objects.create_user("ada"), Workspace.objects.create(name="Reef", slug="reef")
    Membership.objects.create(workspace=cast.team, user=ada, role=Role.ADMIN)
    Membership.objects.create(workspace=reef, user=cast.alice, role=Role.OWNER)
    people = {"bob": cast.bob, "vera": cast.vera, "mia": cast.mia, "ada": ada, "alice": cast.alice}
    return Walkers(cast, people, reef)


async def test_who_may_not_is_refused_and_no_row_is_written(walkers: Walkers) -> None:
    wrong: list[str] = []
    for row in rows():
        things = await walkers.things(row)
        refused = [name for name, status in row.statuses.items() if status >= 400]
        for name in refused:
            await walkers.caller(name, row)
        before = await read(everything)
        for name in refused:
            wrong += await asked(walkers, row, name, things)
        if await read(everything) != before:
            wrong.append(f"{row.name} wrote something for one of {', '.join(refused)}, whom it refuses")
    assert not wrong, "\n".join(wrong)


async def test_who_may_is_answered_with_what_is_theirs(walkers: Walkers) -> None:
    wrong: list[str] = []
    for row in rows():
        for name, status in row.statuses.items():
            if status < 400:
                things = await walkers.things(row, anew=not row.is_reading)
                wrong += await asked(walkers, row, name, things)
    assert not wrong, "\n".join(wrong)


async def asked(walkers: Walkers, row: Row, name: str, things: Things) -> list[str]:
    """What is wrong with an answer."""
    body = BODIES[row.name](things, walkers.person(name)) if row.name in BODIES else None
    caller, wanted = await walkers.caller(name, row), row.statuses[name]
    response = await caller.fetch(things.address(row), row.method, body)
    told = "" if response.streaming else response.content.decode()
    response.close()
    wrong = []
    if response.status_code != wanted:
        wrong.append(f"{row.name} as {name}: {response.status_code}, the table says {wanted}. {told[:300]}")
    if wanted >= 400 and "json" not in response.headers["Content-Type"]:
        wrong.append(f"{row.name} as {name}: no problem document")
    if name in ("nobody", "bob", "elsewhere") and row.scope and any(word in told for word in SECRETS):
        wrong.append(f"{row.name} as {name} names what is not theirs: {told[:300]}")
    return wrong


def everything() -> str:
    """Every row of every table of ours; when a token was last used is no change."""
    models = [model for name in ("sessions_app", "chat") for model in apps.get_app_config(name).get_models()]
    held = {model.__name__: list(model._default_manager.order_by("pk").values()) for model in models}
    for row in held["ApiToken"]:
        del row["last_used_at"]
    return json.dumps(held, default=str, sort_keys=True)
