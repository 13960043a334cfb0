"""Signing out somewhere ends what is open there: sockets and streams ask the login session all the time."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.test import Client

from chat.broadcast.standings import Asked, Lost, standings
from chat.database_threads import read, write
from sessions_app.models import User
from tests.chat.accounts.conftest import PASSWORD, sign_in
from tests.chat.consumers.test_access import shown_out
from tests.chat.live import Live
from tests.chat.sockets import Tab


async def test_sign_out_everywhere_cuts_off_a_reply_that_streams(live: Live) -> None:
    here, there = await write(signed_in, live.cast.mia), await write(signed_in, live.cast.mia)
    await live.say("tokens 50000 at 100/s")
    tab = await tab_in(here, live.cast.mia)
    await tab.subscribe(live.cast.conversation)
    await tab.wait_for(lambda frame: tab.text)
    await write(there.post, "/account/sign-outs/")
    tab.acknowledges = False
    assert await shown_out(tab) == Lost.SIGNED_OUT
    assert await tab.is_silent(0.5)
    await tab.close()


async def test_signing_out_one_device_leaves_the_others_open(live: Live) -> None:
    here, there = await write(signed_in, live.cast.mia), await write(signed_in, live.cast.mia)
    row = await read(UserSession.objects.get, session_key=key_of(there))
    ended, kept = await tab_in(there, live.cast.mia), await tab_in(here, live.cast.mia)
    await write(here.post, f"/account/sessions/{row.pk}/sign-outs/")
    assert await shown_out(ended) == Lost.SIGNED_OUT
    assert (await kept.subscribe(live.cast.conversation))["type"] == "subscribed"
    await ended.close()
    await kept.close()


async def test_a_stream_of_events_stands_only_while_its_login_session_does(live: Live) -> None:
    here = await write(signed_in, live.cast.mia)
    asked = Asked(live.cast.mia.pk, key_of(here), live.cast.conversation.pk)
    assert (await read(standings, [asked]))[0].lost is None
    await write(here.post, "/logout/")
    assert (await read(standings, [asked]))[0].lost is Lost.SIGNED_OUT


def signed_in(user: User) -> Client:
    if not user.has_usable_password() or not user.check_password(PASSWORD):
        user.set_password(PASSWORD)
        user.save(update_fields=["password"])
    client = Client()
    sign_in(client, user.username)
    return client


def key_of(client: Client) -> str:
    return str(client.cookies["sessionid"].value)


async def tab_in(client: Client, user: User) -> Tab:
    """An open tab of a browser that is signed in."""
    tab = Tab(user)
    tab._socket.scope["session"] = client.session
    await tab.open()
    await tab.wait_for(lambda frame: frame["type"] == "hello")
    return tab
