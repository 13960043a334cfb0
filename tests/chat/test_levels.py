"""Who may do what in a closed conversation, through every door, as the tables in docs/security.md say."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from chat.database_threads import read, write
from chat.models import Scope
from sessions_app.models import Conversation, Grant, Membership, Openness, Role, Turn, User
from sessions_app.services.access import ALLOWED, NEEDS, Act
from sessions_app.services.levels import reaches
from sessions_app.services.role_table import NOBODY, NOT_NAMED, standings
from sessions_app.services.search import search
from sessions_app.services.search.upkeep import catch_up
from sessions_app.services.sharing import change_openness
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.api.roles.test_walk import everything
from tests.chat.live import Live
from tests.chat.sockets import Frame, Tab

LEVELS = dict(standings())
# By name: what they are in the workspace, and what they are named to. alice owns the workspace and started it.
PEOPLE = {
    "bob": (NOBODY, NOT_NAMED),
    "mia": ("member", NOT_NAMED),
    "adam": ("admin", NOT_NAMED),
    "gone": (NOBODY, "control"),
    "vera": ("viewer", "control"),
    "nina": ("member", "view"),
    "will": ("member", "write"),
    "cora": ("member", "control"),
}


@dataclass(frozen=True)
class Place:
    """What the doors are asked about."""

    conversation: Conversation
    turn: Turn

    @property
    def page(self) -> str:
        return f"/conversations/{self.conversation.public_id}/"

    @property
    def rest(self) -> str:
        return f"conversations/{self.conversation.public_id}"

    @property
    def session(self) -> str:
        return str(self.conversation.active_session.public_id)


@dataclass(frozen=True)
class Action:
    """One thing to do, by the doors it can be done through: an address and what is sent there, or a frame."""

    act: Act
    page: Callable[[Place], tuple[str, Any]] | None = None
    rest: Callable[[Place], tuple[str, str, Any]] | None = None
    socket: Callable[[Place], Frame] | None = None
    headers: Callable[[Place], dict[str, str]] = field(default=lambda place: {})


def new() -> str:
    return uuid.uuid4().hex


def message() -> dict[str, str]:
    return {"text": "hello", "client_id": new()}


ACTIONS = {
    "read": Action(
        Act.READ,
        lambda it: (it.page, None),
        lambda it: ("GET", it.rest, None),
        lambda it: {"type": "subscribe", "session": it.session, "after": 0},
    ),
    "replay the log": Action(
        Act.READ,
        lambda it: (f"/sessions/{it.session}/events?after=0", None),
        lambda it: ("GET", f"sessions/{it.session}/events", None),
    ),
    "follow as a stream": Action(
        Act.READ,
        rest=lambda it: ("GET", f"sessions/{it.session}/events?until_turn={it.turn.public_id}", None),
        headers=lambda it: {"Accept": "text/event-stream"},
    ),
    "look at the history": Action(
        Act.READ, lambda it: (f"{it.page}history/", None), lambda it: ("GET", f"{it.rest}/audit", None)
    ),
    "see who can see it": Action(
        Act.READ, lambda it: (f"{it.page}access/", None), lambda it: ("GET", f"{it.rest}/access", None)
    ),
    "export": Action(Act.READ, rest=lambda it: ("GET", f"{it.rest}/messages", None)),
    "pin": Action(
        Act.READ,
        lambda it: (f"{it.page}pin/", {"pinned": True}),
        lambda it: ("PUT", f"{it.rest}/pin", None),
    ),
    "post": Action(
        Act.WRITE,
        lambda it: (f"{it.page}messages/", message()),
        lambda it: ("POST", f"{it.rest}/messages", {"text": "hello"}),
        lambda it: {
            "type": "post",
            "conversation": str(it.conversation.public_id),
            "session": None,
            **message(),
        },
    ),
    "ask as a client of OpenAI": Action(
        Act.WRITE,
        rest=lambda it: (
            "POST",
            "/v1/chat/completions",
            {"model": "demo", "stream": True, "messages": [{"role": "user", "content": "echo hello"}]},
        ),
        headers=lambda it: {"Holdfast-Conversation": str(it.conversation.public_id)},
    ),
    "stop": Action(
        Act.WRITE,
        lambda it: (f"/turns/{it.turn.public_id}/stop/", {}),
        lambda it: ("POST", f"turns/{it.turn.public_id}/stop", None),
        lambda it: {"type": "stop", "turn": str(it.turn.public_id)},
    ),
    "keep a draft": Action(Act.WRITE, lambda it: (f"{it.page}draft/", {"text": "not yet"})),
    "rename": Action(
        Act.WRITE,
        lambda it: (f"{it.page}title/", {"title": "Kelp"}),
        lambda it: ("PATCH", it.rest, {"title": "Kelp"}),
    ),
    "take a checkpoint": Action(
        Act.CONTROL,
        lambda it: (f"{it.page}checkpoints/", {"name": "here"}),
        lambda it: ("POST", f"{it.rest}/checkpoints", {"name": "here"}),
    ),
    "look at what a reset would archive": Action(
        Act.CONTROL, rest=lambda it: ("GET", f"{it.rest}/resets/preview", None)
    ),
    "take it out of the archive": Action(
        Act.CONTROL,
        lambda it: (f"{it.page}archive/", {"archived": False}),
        lambda it: ("DELETE", f"{it.rest}/archive", None),
    ),
    "share": Action(
        Act.SHARE,
        lambda it: (f"{it.page}openness/", {"openness": it.conversation.openness}),
        lambda it: ("PATCH", f"{it.rest}/access", {"openness": it.conversation.openness}),
    ),
}


@dataclass
class Visitor:
    """Somebody at every door."""

    user: User
    browser: Client
    script: Caller
    tab: Tab

    async def answers(self, action: Action, place: Place) -> dict[str, str]:
        found = {}
        if action.page is not None:
            found["page"] = await write(self._page, *action.page(place))
        if action.rest is not None:
            found["rest"] = await self._rest(*action.rest(place), action.headers(place))
        if action.socket is not None:
            frame = await self.tab.ask(**_asked(action.socket(place)))
            found["socket"] = frame["code"] if frame["type"] == "error" else "yes"
        return found

    def _page(self, path: str, sent: Any) -> str:
        if sent is None:
            return _word(self.browser.get(path).status_code)
        return _word(self.browser.post(path, json.dumps(sent), "application/json").status_code)

    async def _rest(self, method: str, path: str, sent: Any, headers: dict[str, str]) -> str:
        address = path if path.startswith("/") else f"/api/v1/{path}"
        response = await self.script.fetch(address, method, sent, **headers)
        response.close()
        return _word(response.status_code)


def _asked(frame: Frame) -> dict[str, Any]:
    return {"kind": frame.pop("type"), **frame}


def _word(status: int) -> str:
    return {404: "not_found", 403: "not_allowed"}.get(status, "yes" if status < 400 else str(status))


def expected(name: str, openness: str, act: Act) -> str:
    """From the tables that docs/security.md shows."""
    role, named = PEOPLE[name]
    level = LEVELS[role, named][list(Openness.values).index(openness)]
    if level == NOT_NAMED:
        return "not_found"
    return "yes" if role in ALLOWED[act] and reaches(level, NEEDS[act]) else "not_allowed"


@pytest.mark.parametrize("openness", [Openness.RESTRICTED, Openness.PRIVATE])
async def test_every_door_answers_everybody_as_the_tables_say(live: Live, openness: str) -> None:
    await live.ended(await live.say("echo kelp"))
    people = await write(close, live, openness)
    place = await read(placed, live)
    visitors = {name: await visitor(user) for name, user in people.items()}
    wrong: list[str] = []
    before = await read(everything)
    for wanted in ("not_found", "not_allowed"):
        wrong += await walk(visitors, place, wanted)
    assert await read(everything) == before, "a refusal has written something"
    wrong += await walk(visitors, place, "yes")
    for one in visitors.values():
        await one.tab.close()
    assert not wrong, "\n".join(wrong)


async def walk(visitors: dict[str, Visitor], place: Place, wanted: str) -> list[str]:
    """What is answered otherwise than it should be, among all that should be answered so."""
    wrong = []
    for what, action in ACTIONS.items():
        for name, one in visitors.items():
            if expected(name, place.conversation.openness, action.act) == wanted:
                answers = await one.answers(action, place)
                wrong += [
                    f"{name}: {what}: {door}: {got}, not {wanted}"
                    for door, got in answers.items()
                    if got != wanted
                ]
    return wrong


@pytest.mark.parametrize("openness", [Openness.RESTRICTED, Openness.PRIVATE])
async def test_no_list_and_no_search_names_what_somebody_may_not_see(live: Live, openness: str) -> None:
    await live.ended(await live.say("echo kelp"))
    people = await write(close, live, openness)
    await write(catch_up)
    secret = str(live.cast.conversation.public_id)
    for name, user in people.items():
        sees = expected(name, openness, Act.READ) == "yes"
        browser, script = Client(), await caller_of(user, Scope.READ)
        await write(browser.force_login, user)
        for path in ("/workspaces/kelp/conversations/", "/workspaces/kelp/search/?q=kelp"):
            told = (await write(browser.get, path)).content.decode()
            assert (name, path, secret in told or "General" in told) == (name, path, sees)
        for path in ("conversations", "search?q=kelp"):
            assert (name, path, secret in json.dumps((await script.get(path)).json)) == (name, path, sees)
        found = await read(partial(search, "kelp", by=user))
        assert (name, bool(found.messages), bool(found.more_before)) == (name, sees, False)


async def test_a_token_for_a_conversation_that_came_out_of_sight_opens_nothing(live: Live) -> None:
    script = await caller_of(live.cast.mia, conversation=live.cast.conversation)
    assert (await script.get("conversations/team:general")).status == 200
    await write(change_openness, live.cast.conversation, by=live.cast.alice, openness=Openness.PRIVATE)
    assert (await script.get("conversations/team:general")).status == 404
    for path in ("workspaces", "members", "agents", "conversations"):
        assert (await script.get(path)).json["items"] == [], path


def close(live: Live, openness: str) -> dict[str, User]:
    cast, people = live.cast, {}
    for name, (role, named) in PEOPLE.items():
        people[name], _ = User.objects.get_or_create(username=name)
        if role in Role.values:
            Membership.objects.update_or_create(
                workspace=cast.team, user=people[name], defaults={"role": role}
            )
        if named != NOT_NAMED:
            given = {"level": named, "given_by": cast.alice, "given_at": timezone.now()}
            Grant.objects.create(conversation=cast.conversation, user=people[name], **given)
    change_openness(cast.conversation, by=cast.alice, openness=openness)
    return people


def placed(live: Live) -> Place:
    conversation = Conversation.objects.select_related("active_session").get(pk=live.cast.conversation.pk)
    return Place(conversation, Turn.objects.get(session=conversation.active_session_id))


async def visitor(user: User) -> Visitor:
    browser, tab = Client(), Tab(user)
    await write(browser.force_login, user)
    await tab.open()
    await tab.wait_for(lambda frame: frame["type"] == "hello")
    return Visitor(user, browser, await caller_of(user), tab)
