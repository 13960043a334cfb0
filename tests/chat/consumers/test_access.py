"""Who gets in through the socket, what they may do there, and how they are shown out."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from chat import wire
from chat.database_threads import read, write
from sessions_app.models import (
    Membership,
    Message,
    Turn,
    User,
)
from sessions_app.services.transcript import Posted
from tests.chat.live import Live, eventually
from tests.chat.sockets import Tab, message_to, tab_of


async def test_a_stranger_finds_nothing_by_any_id_and_writes_no_row(live: Live) -> None:
    posted = await live.say("tokens 9 at 0/s; hang after 5")
    reply = await eventually(lambda: _reply_of(live, posted))
    before = await read(_counts)
    ids = {
        "session": str(live.cast.conversation.active_session.public_id),
        "conversation": str(live.cast.conversation.public_id),
        "turn": str(posted.turn.public_id) if posted.turn else "",
        "message": str(reply.public_id),
    }
    async with tab_of(live.cast.bob) as tab:
        frames = [
            await tab.ask("subscribe", session=ids["session"], after=0),
            await tab.ask("post", conversation=ids["conversation"], session=None, client_id="1", text="hi"),
            await tab.ask("stop", turn=ids["turn"]),
            await tab.ask("withdraw", turn=ids["turn"]),
            await tab.ask("continue", message=ids["message"]),
            await tab.ask("regenerate", message=ids["message"]),
        ]
        await tab.send("typing", conversation=ids["conversation"])
        assert {frame["code"] for frame in frames} == {"not_found"}
        assert await tab.is_silent(0.3)
    assert (await live.turn_of(posted)).is_running
    after = await read(_counts)
    assert (after["messages"], after["turns"]) == (before["messages"], before["turns"])


async def test_a_viewer_may_follow_and_may_not_write(live: Live) -> None:
    posted = await live.say("tokens 9 at 0/s; hang after 5")
    async with tab_of(live.cast.vera) as tab:
        assert (await tab.subscribe(live.cast.conversation))["role"] == "viewer"
        assert posted.turn is not None
        for frame in (
            await tab.ask("post", **message_to(live.cast.conversation, "hello")),
            await tab.ask("stop", turn=str(posted.turn.public_id)),
        ):
            assert (frame["type"], frame["code"]) == ("error", "not_allowed")


async def test_who_is_removed_while_a_reply_streams_is_cut_off(live: Live) -> None:
    await live.say("tokens 50000 at 100/s")
    async with tab_of(live.cast.mia) as tab:
        await tab.subscribe(live.cast.conversation)
        await tab.wait_for(lambda frame: tab.text)
        await write(Membership.objects.filter(user=live.cast.mia).delete)
        tab.acknowledges = False
        assert await tab.closed() == wire.ACCESS_LOST
        assert await tab.is_silent(0.5)


async def test_who_is_deactivated_can_do_nothing_more_at_once(live: Live) -> None:
    async with tab_of(live.cast.mia) as tab:
        await write(User.objects.filter(pk=live.cast.mia.pk).update, is_active=False)
        error = await tab.ask("post", **message_to(live.cast.conversation, "hello"))
        assert error["code"] == "not_found"
        assert await tab.closed() == wire.NOT_SIGNED_IN


async def test_a_changed_password_ends_what_was_opened_with_the_old_one(live: Live) -> None:
    await live.say("tokens 50000 at 100/s")
    async with tab_of(live.cast.mia) as tab:
        await tab.subscribe(live.cast.conversation)
        await tab.wait_for(lambda frame: tab.text)
        await write(_change_password, live.cast.mia.pk)
        tab.acknowledges = False
        assert await tab.closed() == wire.NOT_SIGNED_IN
        assert await tab.is_silent(0.5)


async def test_nobody_comes_in_without_a_login(live: Live) -> None:
    tab = Tab(AnonymousUser())
    await tab.open()
    assert await tab.closed() == wire.NOT_SIGNED_IN
    assert tab.frames == []
    await tab.close()


async def test_a_page_of_another_version_is_told_to_reload(live: Live) -> None:
    tab = Tab(live.cast.alice, subprotocols=("holdfast.0",))
    await tab.open()
    assert await tab.closed() == wire.OTHER_PROTOCOL
    await tab.close()


def _change_password(user_id: int) -> None:
    user = User.objects.get(pk=user_id)
    user.set_password("another kelp forest")
    user.save(update_fields=["password"])


def _counts() -> dict[str, int]:
    return {"messages": Message.objects.count(), "turns": Turn.objects.count()}


async def _reply_of(live: Live, posted: Posted) -> Message | None:
    return (await live.turn_of(posted)).reply
