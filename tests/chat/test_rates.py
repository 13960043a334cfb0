"""How often people may do things: through every door that changes something, for each person and each address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse
from pytest_django import Settings

from chat import wire
from chat.api.urls import v1
from chat.buckets import TooFast
from chat.pages.urls import urlpatterns as pages
from chat.rates import PEOPLE_AN_ADDRESS, Rate, count, counted_as
from sessions_app.models import Conversation, Invitation, Message, Session, User
from sessions_app.services.demo_team import create_demo_team
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.live import Live
from tests.chat.pages.test_actions import send
from tests.chat.sockets import Tab, message_to, tab_of

HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture
def stingy(settings: Settings) -> None:
    """One percent: of what is usually 300 at once there are three."""
    settings.RATE_PERCENT = 1


def exhaust(rate: Rate, *, person: int | None, address: str = HERE) -> TooFast:
    """Until it is refused, which must come."""
    while True:
        try:
            count(rate, person=person, address=address)
        except TooFast as refusal:
            return refusal


def test_a_person_is_refused_in_words_and_nobody_else_is(stingy: None) -> None:
    refusal = exhaust(Rate.SEND, person=1)
    assert str(refusal) == "That is faster than allowed; nothing was done. Wait 20 seconds, then do it again."
    count(Rate.SEND, person=2, address=HERE)
    count(Rate.MOVE, person=1, address=HERE)


def test_an_address_is_refused_whoever_asks_and_no_other_is(stingy: None) -> None:
    for person in range(PEOPLE_AN_ADDRESS * Rate.SEND.value.at_once // 100):
        count(Rate.SEND, person=person, address=HERE)
    with pytest.raises(TooFast):
        count(Rate.SEND, person=10_000, address=HERE)
    count(Rate.SEND, person=10_001, address=THERE)


def test_what_a_person_is_refused_costs_their_address_nothing(stingy: None) -> None:
    for _ in range(10 * PEOPLE_AN_ADDRESS):
        exhaust(Rate.SEND, person=1)
    count(Rate.SEND, person=2, address=HERE)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        (HERE, HERE),
        ("", ""),
        ("::ffff:192.0.2.1", HERE),
        ("2001:db8:1:2::1", "20010db800010002::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "20010db800010002::/64"),
    ],
)
def test_a_network_of_ipv6_counts_as_one(address: str, counted: str) -> None:
    assert counted_as(address).zfill(len(counted)) == counted


def test_the_table_is_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs/security.md").read_text(encoding="utf-8")
    for rate in Rate:
        line = f"| {rate.value.what} | {rate.value.at_once} | {rate.value.a_minute} |"
        assert line in text, line


@pytest.fixture
def conversation(db: None) -> Conversation:
    create_demo_team(password="correct horse")
    return Conversation.objects.select_related("active_session", "workspace").get(key="team:general")


@pytest.fixture
def alice(conversation: Conversation, client: Client) -> Client:
    client.force_login(User.objects.get(username="alice"))
    return client


def changing_doors() -> list[tuple[str, Rate]]:
    """Every address of the pages that a script posts to, by its name, and what it is counted as."""
    rated = [(door.name, getattr(door.callback, "rate", None)) for door in walked(pages)]
    return [(str(name), rate) for name, rate in rated if rate is not None]


def walked(patterns: Iterable[Any]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from walked(pattern.url_patterns)
        else:
            yield pattern


def test_the_walk_finds_the_doors_of_the_pages() -> None:
    doors = dict(changing_doors())
    assert (doors["messages"], doors["resets"], doors["draft"]) == (Rate.SEND, Rate.MOVE, Rate.CHANGE)
    assert len(doors) > 20


@pytest.mark.parametrize(("name", "rate"), changing_doors())
def test_every_door_of_the_pages_refuses_what_comes_too_fast(
    alice: Client, conversation: Conversation, stingy: None, name: str, rate: Rate
) -> None:
    person = User.objects.get(username="alice").pk
    exhaust(rate, person=person, address="127.0.0.1")
    response = send(alice, name, conversation)
    assert (response.status_code, response.json()["code"]) == (429, "too_fast")
    assert int(response["Retry-After"]) >= 1
    assert "Wait" in response.json()["sentence"]


def test_a_first_message_that_comes_too_fast_keeps_what_was_written(
    alice: Client, conversation: Conversation, stingy: None
) -> None:
    exhaust(Rate.SEND, person=User.objects.get(username="alice").pk, address="127.0.0.1")
    before = Conversation.objects.count()
    address = reverse("new_conversation", args=[conversation.workspace.slug])
    page = alice.post(address, {"text": "precious words"})
    assert (page.status_code, int(page["Retry-After"]) >= 1) == (429, True)
    assert "faster than allowed" in page.content.decode()
    assert ">precious words</textarea>" in page.content.decode()
    assert Conversation.objects.count() == before


def test_an_invitation_that_comes_too_fast_is_not_made(
    alice: Client, conversation: Conversation, stingy: None
) -> None:
    exhaust(Rate.INVITE, person=User.objects.get(username="alice").pk, address="127.0.0.1")
    address = reverse("invitations", args=[conversation.workspace.slug])
    page = alice.post(address, {"days": "1", "whom": "one", "role": "member", "email": ""})
    assert (page.status_code, int(page["Retry-After"]) >= 1) == (429, True)
    assert "faster than allowed" in page.content.decode()
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("headers", [{}, {"Holdfast-Part": "1"}])
def test_a_search_that_comes_too_fast_says_so(
    alice: Client, conversation: Conversation, stingy: None, headers: dict[str, str]
) -> None:
    exhaust(Rate.SEARCH, person=User.objects.get(username="alice").pk, address="127.0.0.1")
    address = reverse("search", args=[conversation.workspace.slug])
    found = alice.get(address, {"q": "kelp"}, headers=headers)
    assert (found.status_code, int(found["Retry-After"]) >= 1) == (429, True)
    assert "faster than allowed" in found.content.decode()


def rated_resources() -> list[tuple[str, Rate]]:
    kinds = [(str(door.pattern), getattr(door.callback, "view_class", None)) for door in v1]
    rated = [(path, getattr(kind, "rate", None)) for path, kind in kinds]
    return [(path, rate) for path, rate in rated if rate is not None]


def test_the_walk_finds_the_resources_that_are_counted() -> None:
    found = dict(rated_resources())
    assert found["conversations/<str:conversation>/messages"] is Rate.SEND
    assert found["conversations/<str:conversation>/resets"] is Rate.MOVE
    assert len(found) >= 9


async def refused(caller: Caller, path: str, body: Any = None, method: str = "POST") -> dict[str, Any]:
    answer = await caller.call(method, path, body)
    assert answer.status == 429, (path, answer.json)
    assert int(answer.headers["Retry-After"]) >= 1
    told: dict[str, Any] = answer.json
    return told


async def test_every_counted_resource_refuses_what_comes_too_fast(live: Live, stingy: None) -> None:
    alice, nowhere = live.cast.alice, "00000000-0000-0000-0000-000000000000"
    caller = await caller_of(alice)
    for rate in (Rate.SEND, Rate.MOVE, Rate.INVITE, Rate.EXPORT, Rate.IMPORT, Rate.SEARCH):
        exhaust(rate, person=alice.pk, address="127.0.0.1")
    for path, _ in rated_resources():
        named = path.replace("<str:conversation>", "team:general").replace("<uuid:public_id>", nowhere)
        named = named.replace("<str:slug>", "kelp")
        assert (await refused(caller, named, {}))["code"] == "too_fast"
    assert (await refused(caller, "search?q=x", method="GET"))["code"] == "too_fast"
    body = {"model": "demo", "messages": [{"role": "user", "content": "hello"}]}
    told = await refused(caller, "/v1/chat/completions", body)
    assert told["error"]["type"] == "rate_limit_error"
    assert "Wait" in told["error"]["message"]


async def test_a_message_on_a_socket_that_comes_too_fast_is_refused_and_can_be_sent_later(
    live: Live, stingy: None, settings: Settings
) -> None:
    message = message_to(live.cast.conversation, "echo later")
    exhaust(Rate.SEND, person=live.cast.alice.pk)
    async with tab_of(live.cast.alice) as tab:
        error = await tab.ask("post", **message)
        assert (error["type"], error["code"]) == ("error", "too_fast")
        assert error["facts"]["retry_after_seconds"] > 0
        assert (await tab.ask("ping"))["type"] == "pong"
        settings.RATE_PERCENT = 100_000
        async with tab_of(live.cast.mia) as other:
            assert (await other.ask("post", **message))["is_new"] is True


async def test_sockets_opened_too_fast_are_closed_with_the_code_for_it(live: Live, stingy: None) -> None:
    exhaust(Rate.CONNECT, person=live.cast.alice.pk)
    tab = Tab(live.cast.alice)
    await tab.open()
    assert await tab.closed() == wire.TOO_MANY
    await tab.close()
    async with tab_of(live.cast.mia) as other:
        assert (await other.ask("ping"))["type"] == "pong"


def test_a_reset_that_comes_too_fast_resets_nothing(
    alice: Client, conversation: Conversation, stingy: None
) -> None:
    exhaust(Rate.MOVE, person=User.objects.get(username="alice").pk, address="127.0.0.1")
    before = Session.objects.count(), Message.objects.count()
    assert send(alice, "resets", conversation, confirmation="x").status_code == 429
    assert (Session.objects.count(), Message.objects.count()) == before
