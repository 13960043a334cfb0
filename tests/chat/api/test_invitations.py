"""Invitations through the API: the link is in one answer and in no other."""

from __future__ import annotations

import re

from django.core import mail
from django.test import Client

from chat.database_threads import read, write
from chat.models import Scope
from sessions_app.models import Invitation
from sessions_app.services.invitations import accept_invitation
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.live import Live

PATH = "workspaces/kelp/invitations"


async def test_one_is_made_listed_used_and_revoked(live: Live, alice: Caller) -> None:
    made = await alice.post(PATH, {"role": "viewer", "days": 3, "uses": 2})
    assert (made.status, made.json["role"], made.json["most_uses"], made.json["was_sent"]) == (
        201,
        "viewer",
        2,
        False,
    )
    link = re.fullmatch(r"http://testserver/invitations/([\w-]{32})/", made.json["link"])
    assert link is not None
    await write(accept_invitation, link[1], by=live.cast.bob)
    [listed] = (await alice.get(PATH)).json["items"]
    assert (listed["id"], listed["uses"], listed["invited_by"]["username"]) == (made.json["id"], 1, "alice")
    assert link[1] not in str(listed)
    for _ in range(2):
        assert (await alice.call("DELETE", f"{PATH}/{listed['id']}")).status == 204
    assert (await alice.get(PATH)).json["items"] == []
    assert (await read(Client().get, f"/invitations/{link[1]}/")).status_code == 410


async def test_one_by_mail_is_sent(live: Live, alice: Caller) -> None:
    made = await alice.post(PATH, {"email": "ben@example.org"})
    assert (made.json["was_sent"], made.json["most_uses"], made.json["role"]) == (True, 1, "member")
    assert made.json["link"] in mail.outbox[-1].body


async def test_strangers_find_nothing_and_members_are_refused(live: Live, alice: Caller) -> None:
    made = await alice.post(PATH, {})
    one = f"{PATH}/{made.json['id']}"
    for user, expected in ((live.cast.bob, 404), (live.cast.mia, 403), (live.cast.vera, 403)):
        caller = await caller_of(user)
        answers = [await caller.get(PATH), await caller.post(PATH, {}), await caller.call("DELETE", one)]
        assert {answer.status for answer in answers} == {expected}
    assert (await (await caller_of(live.cast.alice, Scope.CONTROL)).post(PATH, {})).status == 403
    narrow = await caller_of(live.cast.alice, conversation=live.cast.conversation)
    assert {(await narrow.post(PATH, {})).status, (await narrow.call("DELETE", one)).status} == {403}
    assert await read(Invitation.objects.filter(revoked_at=None).count) == 1


async def test_nonsense_is_named(live: Live, alice: Caller) -> None:
    for body in (
        {"role": "owner"},
        {"days": 31},
        {"days": 0},
        {"uses": 0},
        {"email": "nobody"},
        {"email": "a@b.example\nBcc: c@d.example"},
        {"email": 3},
    ):
        answered = await alice.post(PATH, body)
        assert (answered.status, answered.json["code"]) == (400, "invalid"), body
    assert not await read(Invitation.objects.exists)
