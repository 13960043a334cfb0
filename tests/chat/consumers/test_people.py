"""Who is there, who writes, and whose list is told of what."""

from __future__ import annotations

from chat.database_threads import write
from sessions_app.models import (
    Conversation,
    Membership,
    Role,
    Workspace,
)
from sessions_app.services.conversations import start_conversation
from tests.chat.live import Live
from tests.chat.sockets import Frame, tab_of


async def test_people_see_who_is_there_and_who_writes(live: Live) -> None:
    async with tab_of(live.cast.alice) as alice:
        await alice.subscribe(live.cast.conversation)
        async with tab_of(live.cast.mia) as mia:
            await mia.subscribe(live.cast.conversation)
            await alice.wait_for(lambda frame: _names(frame) == ["alice", "mia"])
            await mia.send("typing", conversation=str(live.cast.conversation.public_id))
            typing = await alice.wait_for(lambda frame: frame["type"] == "typing")
            assert typing["person"]["name"] == "mia"
        await alice.wait_for(lambda frame: _names(frame) == ["alice"])


async def test_the_list_is_told_of_changes_elsewhere_in_ones_own_teams_only(live: Live) -> None:
    other = await write(_somebody_elses, live)
    async with tab_of(live.cast.mia) as tab:
        await live.say("echo theirs", by=live.cast.bob, to=other)
        await live.say("echo ours")
        feed = await tab.wait_for(lambda frame: frame["type"] == "feed")
        assert feed["conversation"] == str(live.cast.conversation.public_id)


def _names(frame: Frame) -> list[str]:
    return [person["name"] for person in frame["people"]] if frame["type"] == "presence" else []


def _somebody_elses(live: Live) -> Conversation:
    team = Workspace.objects.create(name="Other", slug="other")
    Membership.objects.create(workspace=team, user=live.cast.bob, role=Role.OWNER)
    return start_conversation(team, by=live.cast.bob, key="their:own")
