"""A token made at a shell: printed once, good for what was asked, and refused in a sentence."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import CommandError, call_command

from chat.api.authentication import BearerToken
from chat.models import ApiToken
from sessions_app.models import Conversation, User
from tests.chat.recovery.cast import alice, conversation, olga

__all__ = ["alice", "conversation", "olga"]


def made(*words: str) -> str:
    said = io.StringIO()
    call_command("create_token", *words, stdout=said)
    return said.getvalue()


def test_the_token_stands_alone_on_the_last_line_and_is_not_kept(alice: User) -> None:
    said = made("alice", "--name", "nightly", "--scope", "write", "--days", "7")
    token, row = said.splitlines()[-1], ApiToken.objects.get()
    assert (row.user, row.name, row.scope) == (alice, "nightly", "write")
    assert row.expiry is not None
    assert (row.expiry - row.created).days in (6, 7)
    assert token.startswith(row.prefix)
    assert token not in str(list(ApiToken.objects.values()))


def test_the_token_opens_the_api(alice: User) -> None:
    token = made("alice", "--name", "script").splitlines()[-1]
    user, row = BearerToken().authenticate_credentials(token.encode())
    assert (user, row.name) == (alice, "script")


def test_json_tells_what_it_is_good_for(conversation: Conversation) -> None:
    words = ["--workspace", "demo", "--conversation", "team:general", "--json"]
    told = json.loads(made("alice", "--name", "bot", *words))
    row = ApiToken.objects.get()
    assert told["token"].startswith(told["prefix"])
    assert (told["id"], told["scope"]) == (str(row.public_id), "read")
    assert told["workspace"] == str(conversation.workspace.public_id)
    assert told["conversation"] == str(conversation.public_id)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nobody"], "nobody called nobody"),
        (["alice", "--workspace", "elsewhere"], "in no workspace called elsewhere"),
        (["bob", "--workspace", "demo"], "in no workspace called demo"),
        (["bob", "--conversation", "team:general"], "bob cannot see the conversation team:general"),
        (["alice", "--conversation", "team:nothing"], "no conversation team:nothing"),
        (["alice", "--scope", "everything"], "invalid choice: 'everything'"),
        (["alice", "--days", "0"], "1 to 3650 days"),
        (["alice", "--name", " "], "needs a name"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(alice: User, words: list[str], sentence: str) -> None:
    User.objects.create_user("bob")
    named = words if "--name" in words else [*words, "--name", "script"]
    with pytest.raises(CommandError, match=sentence):
        made(*named)
    assert not ApiToken.objects.exists()


def test_somebody_who_may_not_log_in_gets_none(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    with pytest.raises(CommandError, match="nobody called alice"):
        made("alice", "--name", "script")
