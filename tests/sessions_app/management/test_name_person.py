"""An operator at the shell gives a private conversation back to somebody."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from sessions_app.models import Action, AuditEntry, Conversation, Openness, Trigger, User
from sessions_app.services.access import Act, may
from sessions_app.services.sharing import change_openness


def test_who_is_named_controls_it_and_the_chain_says_so(
    conversation: Conversation, alice: User, mia: User
) -> None:
    change_openness(conversation, by=alice, openness=Openness.PRIVATE)
    said = StringIO()
    for _ in range(2):
        call_command("name_person", "team:general", "mia", stdout=said)
    assert said.getvalue() == "mia may control sessions in team:general.\n" * 2
    assert may(mia, conversation, Act.SHARE)
    entry = AuditEntry.objects.get(action=Action.GRANT_ACCESS, trigger=Trigger.COMMAND)
    assert entry.told["changed"]["person"]["name"] == "mia"


def test_what_cannot_be_is_refused_in_a_sentence(conversation: Conversation, bob: User, vera: User) -> None:
    for words, says in (
        (("team:nowhere", "vera"), "no conversation"),
        (("team:general", "nobody"), "nobody called"),
        (("team:general", "bob"), "active members"),
        (("team:general", "vera"), "viewer of the workspace"),
    ):
        with pytest.raises(CommandError, match=says):
            call_command("name_person", *words)
