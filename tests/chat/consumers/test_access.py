"""Who gets in through the socket, what they may do there, and how they are shown out."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from chat import wire
from chat.broadcast.announcing import announce_access
from chat.database_threads import read, write
from sessions_app.models import Conversation, Level, Membership, Message, Openness, Turn, User
from sessions_app.services.sharing import change_openness, grant_access, revoke_access
from sessions_app.services.transcript import Posted
from tests.chat.live import Live, eventually
from tests.chat.sockets import Frame, Tab, message_to, tab_of


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
        assert await shown_out(tab) == "not_a_member"
        assert await tab.is_silent(0.5)


async def test_who_is_no_longer_named_is_cut_off_and_the_others_go_on(live: Live) -> None:
    """With the announcement it takes no time to notice; without it, a few seconds."""
    conversation, cast = live.cast.conversation, live.cast
    await write(change_openness, conversation, by=cast.alice, openness=Openness.PRIVATE)
    await live.say("tokens 50000 at 100/s")
    for is_told in (True, False):
        await write(grant_access, conversation, by=cast.alice, to=cast.mia, level=Level.VIEW)
        async with tab_of(cast.mia) as tab, tab_of(cast.alice) as other:
            for each in (tab, other):
                await each.subscribe(conversation)
                await until_it_grows(each)
            await write(revoke_access, conversation, by=cast.alice, of=cast.mia)
            if is_told:
                announce_access()
            tab.acknowledges = False
            assert await shown_out(tab) == "not_visible"
            assert await tab.is_silent(0.5)
            await until_it_grows(other)
            assert (await subscribed(cast.mia, conversation))["code"] == "not_found"


async def test_who_is_lowered_is_told_and_refused_at_once(live: Live) -> None:
    conversation, cast = live.cast.conversation, live.cast
    async with tab_of(cast.mia) as tab:
        assert (await tab.subscribe(conversation))["level"] == "control"
        await write(grant_access, conversation, by=cast.alice, to=cast.mia, level=Level.VIEW)
        error = await tab.ask("post", **message_to(conversation, "hello"))
        assert error["code"] == "not_allowed"
        told = await tab.wait_for(lambda frame: frame["type"] == "standing")
        assert (told["conversation"], told["level"]) == (str(conversation.public_id), "view")
        await write(grant_access, conversation, by=cast.alice, to=cast.mia, level=Level.WRITE)
        assert (await tab.wait_for(lambda frame: frame["type"] == "standing"))["level"] == "write"
        assert (await tab.ask("post", **message_to(conversation, "hello")))["type"] == "posted"


async def test_what_happens_in_what_is_closed_is_told_to_those_who_see_it_alone(live: Live) -> None:
    conversation, cast = live.cast.conversation, live.cast
    await write(change_openness, conversation, by=cast.alice, openness=Openness.PRIVATE)
    closed = await read(Conversation.objects.select_related("workspace").get)
    async with tab_of(cast.mia) as tab, tab_of(cast.alice) as other:
        await live.say("echo nothing", to=closed)
        await other.wait_for(lambda frame: frame["type"] == "feed")
        await write(announce_access, cast.team)
        told = await tab.wait_for(lambda frame: frame["type"] == "feed")
        assert told["conversation"] is None
        assert not [frame for frame in tab.frames if frame.get("conversation")]


async def test_who_is_deactivated_can_do_nothing_more_at_once(live: Live) -> None:
    async with tab_of(live.cast.mia) as tab:
        await write(User.objects.filter(pk=live.cast.mia.pk).update, is_active=False)
        error = await tab.ask("post", **message_to(live.cast.conversation, "hello"))
        assert error["code"] == "not_found"
        assert await shown_out(tab) == "deactivated"


async def test_a_changed_password_ends_what_was_opened_with_the_old_one(live: Live) -> None:
    await live.say("tokens 50000 at 100/s")
    async with tab_of(live.cast.mia) as tab:
        await tab.subscribe(live.cast.conversation)
        await tab.wait_for(lambda frame: tab.text)
        await write(_change_password, live.cast.mia.pk)
        tab.acknowledges = False
        assert await shown_out(tab) == "password_changed"
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


async def shown_out(tab: Tab) -> str:
    """The reason in the last frame, when it is closed."""
    assert await tab.closed() == wire.ACCESS_LOST
    assert tab.frames[-1]["type"] == "access_lost"
    assert tab.frames[-1]["sentence"]
    return str(tab.frames[-1]["why"])


async def until_it_grows(tab: Tab) -> None:
    seen = len(tab.text)
    await tab.wait_for(lambda frame: len(tab.text) > seen)


async def subscribed(user: User, conversation: Conversation) -> Frame:
    async with tab_of(user) as tab:
        return await tab.subscribe(conversation)


def _change_password(user_id: int) -> None:
    user = User.objects.get(pk=user_id)
    user.set_password("another kelp forest")
    user.save(update_fields=["password"])


def _counts() -> dict[str, int]:
    return {"messages": Message.objects.count(), "turns": Turn.objects.count()}


async def _reply_of(live: Live, posted: Posted) -> Message | None:
    return (await live.turn_of(posted)).reply
