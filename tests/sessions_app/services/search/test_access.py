"""Nothing of a conversation that somebody may not see is found: no passage, no title, no place on a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection

from sessions_app.models import (
    Agent,
    Conversation,
    IndexedSession,
    Level,
    Openness,
    Role,
    User,
    Workspace,
)
from sessions_app.services.conversations import start_conversation
from sessions_app.services.search import Found, engines, search, upkeep
from sessions_app.services.search.query import read_query
from sessions_app.services.search.upkeep import catch_up
from sessions_app.services.sharing import change_openness, grant_access, revoke_access
from sessions_app.services.transcript import post_message
from sessions_app.services.verify import verify
from tests.sessions_app.conftest import member_of

Write = Callable[..., Conversation]


@pytest.fixture
def write(team: Workspace, mia: User, echo: Agent) -> Write:
    """mia starts a conversation and says the same in it three times."""

    def start(openness: str, title: str = "Kelp prices") -> Conversation:
        conversation = start_conversation(team, by=mia, title=title, openness=openness)
        for number in range(3):
            post_message(conversation, by=mia, text=f"kelp number {number}", client_id=str(number))
        return conversation

    return start


def counts(user: User, **kinds: object) -> tuple[int, int]:
    """How many messages and titles somebody finds, whatever time a search itself would leave for indexing."""
    catch_up()
    found: Found = search("kelp", by=user, **kinds)  # type: ignore[arg-type]
    return len(found.messages), len(found.titles)


def test_who_may_see_a_conversation_finds_it_and_nobody_else(
    write: Write, team: Workspace, alice: User, mia: User, vera: User, bob: User
) -> None:
    people = (mia, alice, vera, bob)
    conversation = write(Openness.PRIVATE)
    expected = {
        Openness.PRIVATE: [(3, 1), (0, 0), (0, 0), (0, 0)],
        Openness.RESTRICTED: [(3, 1), (3, 1), (0, 0), (0, 0)],
        Openness.OPEN: [(3, 1), (3, 1), (3, 1), (0, 0)],
    }
    for openness in (*expected, *expected):
        change_openness(conversation, by=mia, openness=openness)
        catch_up()
        assert [counts(user) for user in people] == expected[Openness(openness)], openness
        assert [counts(user, workspace=team) for user in people] == expected[Openness(openness)]
        within = [(messages, 0) for messages, _ in expected[Openness(openness)]]
        assert [counts(user, conversation=conversation) for user in people] == within
        assert verify().is_clean


def test_who_is_named_finds_it_from_then_on_and_afterwards_no_more(
    write: Write, mia: User, vera: User
) -> None:
    conversation = write(Openness.PRIVATE)
    assert counts(vera) == (0, 0)
    grant_access(conversation, by=mia, to=vera, level=Level.VIEW)
    assert counts(vera) == (3, 1)
    revoke_access(conversation, by=mia, of=vera)
    assert counts(vera) == (0, 0)


def test_what_is_closed_takes_no_place_on_a_page_and_ends_none_while_the_index_lags(
    write: Write, alice: User, vera: User
) -> None:
    """vera's pages are the ones she would have if the closed conversation were not there."""
    below, closed, above = write(Openness.OPEN), write(Openness.OPEN), write(Openness.OPEN)
    catch_up()
    change_openness(closed, by=alice, openness=Openness.PRIVATE)
    IndexedSession.objects.filter(session_id=closed.active_session_id).update(openness=Openness.PRIVATE)
    pages, before = list[list[int]](), ""
    while not pages or before:
        found = search("kelp", by=vera, before=before, limit=2)
        pages.append([hit.message.conversation_id for hit in found.messages])
        before = found.more_before
    assert pages == [[above.pk, above.pk], [above.pk, below.pk], [below.pk, below.pk]]
    assert len(search("kelp", by=vera).titles) == 2


def test_somebody_named_in_very_many_finds_what_they_are_named_in_and_nothing_else(
    write: Write, mia: User, team: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    adam = member_of(team, "adam", Role.ADMIN)
    monkeypatch.setattr("sessions_app.services.search.MOST_NAMED", 1)
    for conversation in (write(Openness.PRIVATE), write(Openness.RESTRICTED)):
        grant_access(conversation, by=mia, to=adam, level=Level.VIEW)
    write(Openness.PRIVATE)
    assert counts(adam) == (6, 2)
    assert counts(mia) == (9, 3)


def test_a_long_history_moves_in_steps_and_the_index_is_whole_after_each(
    write: Write, mia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "BATCH_BACK", 2)
    conversation = write(Openness.OPEN)
    catch_up()
    change_openness(conversation, by=mia, openness=Openness.PRIVATE)
    seen = []
    for _ in upkeep.index_in_steps():
        seen.append(IndexedSession.objects.values_list("openness", "seal_number").get())
        assert verify().is_clean
    assert seen == [("open", 3), ("open", 1), ("private", 0), ("private", 3)]


def test_the_index_itself_no_longer_says_that_it_is_open(write: Write, mia: User, team: Workspace) -> None:
    """So that what others may not see is not even read in their searches."""
    conversation = write(Openness.OPEN)
    scopes = [engines.workspace_scope(team.pk)]
    index = engines.engine(connection)
    for openness, count in ((Openness.OPEN, 3), (Openness.PRIVATE, 0)):
        change_openness(conversation, by=mia, openness=openness)
        catch_up()
        assert len(index.find(read_query("kelp"), scopes, above=0, below=2**62, limit=9)) == count
