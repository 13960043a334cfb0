"""Tokens through the API: one with a limit reaches only those with the same limit."""

from __future__ import annotations

from chat.database_threads import read, write
from chat.models import ApiToken
from chat.tokens import create_token
from tests.chat.api.conftest import Caller, caller_of
from tests.chat.live import Live


async def names(caller: Caller) -> set[str]:
    return {row["name"] for row in (await caller.get("tokens")).json["items"]}


async def test_a_limited_token_lists_and_revokes_only_within_its_limit(live: Live, alice: Caller) -> None:
    conversation, owner = live.cast.conversation, live.cast.alice
    workspace = live.cast.team
    wide, _ = await write(create_token, owner, name="wide")
    inside, _ = await write(
        create_token, owner, name="inside", workspace=workspace, conversation=conversation
    )
    in_workspace = await caller_of(owner, workspace=workspace)
    in_conversation = await caller_of(owner, workspace=workspace, conversation=conversation)
    assert await names(in_workspace) == {"inside", "test"}
    assert await names(in_conversation) == {"inside", "test"}
    assert await names(alice) == {"wide", "inside", "test"}
    for caller in (in_workspace, in_conversation):
        assert (await caller.call("DELETE", f"tokens/{wide.public_id}")).status == 404
    assert await read(ApiToken.objects.filter(pk=wide.pk).exists)
    assert (await in_conversation.call("DELETE", f"tokens/{inside.public_id}")).status == 204
    assert (await alice.call("DELETE", f"tokens/{wide.public_id}")).status == 204


async def test_nobody_revokes_the_token_of_another(live: Live, alice: Caller) -> None:
    mia = await caller_of(live.cast.mia)
    row, _ = await write(create_token, live.cast.alice, name="of alice")
    assert await names(mia) == {"test"}
    assert (await mia.call("DELETE", f"tokens/{row.public_id}")).status == 404
