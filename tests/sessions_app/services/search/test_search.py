from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sessions_app.errors import Invalid
from sessions_app.models import Conversation, Membership, Role, TurnState, User, Workspace
from sessions_app.services.audit import Origin
from sessions_app.services.conversations import archive_conversation, rename_conversation, start_conversation
from sessions_app.services.deletion import delete_conversation, undelete_conversation
from sessions_app.services.ending import finish_turn
from sessions_app.services.reset import reset_conversation
from sessions_app.services.search import Found, search, search_conversation
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn
from tests.sessions_app.acting import append_texts
from tests.sessions_app.conftest import Exchange, Say


def texts(found: Found) -> list[str]:
    return ["".join(segment.text for segment in each.passage) for each in found.messages]


def test_what_people_and_agents_said_is_found_the_newest_first(exchange: Exchange, alice: User) -> None:
    exchange("How much kelp?", "Kelp costs nothing.")
    exchange("And rope?", "Rope costs more.")
    assert texts(search("kelp", by=alice)) == ["Kelp costs nothing.", "How much kelp?"]
    assert texts(search("costs rope", by=alice)) == ["Rope costs more."]
    assert texts(search('"costs nothing"', by=alice)) == ["Kelp costs nothing."]
    assert texts(search('"nothing costs"', by=alice)) == []
    assert texts(search("noth", by=alice)) == ["Kelp costs nothing."]
    assert texts(search('"noth"', by=alice)) == []
    assert texts(search("seaweed", by=alice)) == []


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Grüße aus Köln", "grusse koln"),
        ("日本語の検索", "検索"),
        ("see notes/kelp_2.txt there", "kelp_2.txt"),
        ("🌿 of the sea", "🌿"),
        ("हिन्दी में खोज", "खोज"),
        ("O'Brien's \\ back", "o'brien"),
        ("100% sure", "100%"),
    ],
)
def test_every_script_is_found(say: Say, alice: User, text: str, typed: str) -> None:
    say("something else")
    say(text)
    [found] = search(typed, by=alice).messages
    assert any(segment.is_match for segment in found.passage)


def test_an_open_reply_is_found_when_it_is_sealed(say: Say, alice: User) -> None:
    turn = say("hello").turn
    assert turn is not None
    lease = claim_turn(turn, owner="test-owner")
    append_texts(lease, "fresh ", "kelp")
    assert search("kelp", by=alice).messages == ()
    say("later kelp")
    assert texts(search("kelp", by=alice)) == ["later kelp"]
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
    assert texts(search("kelp", by=alice)) == ["later kelp", "fresh kelp"]


def test_archived_sessions_are_included_and_labelled(
    conversation: Conversation, say: Say, alice: User, origin: Origin
) -> None:
    say("old kelp")
    reset_conversation(conversation, by=alice, expected_session=conversation.active_session, origin=origin)
    say("new kelp")
    new, old = search("kelp", by=alice).messages
    assert (new.is_archived, old.is_archived) == (False, True)
    assert (new.message.session.number, old.message.session.number) == (2, 1)
    archive_conversation(conversation, by=alice)
    assert [each.is_archived for each in search("kelp", by=alice).messages] == [True, True]


def test_a_deleted_conversation_is_not_found_until_it_is_back(
    conversation: Conversation, say: Say, alice: User, origin: Origin
) -> None:
    say("kelp in general")
    delete_conversation(conversation, by=alice, origin=origin)
    assert search("general", by=alice) == Found()
    undelete_conversation(conversation, by=alice, origin=origin)
    found = search("general", by=alice)
    assert (len(found.messages), len(found.titles)) == (1, 1)


def test_only_what_a_person_may_see_is_found(
    conversation: Conversation, say: Say, alice: User, vera: User, bob: User
) -> None:
    say("kelp")
    other = Workspace.objects.create(name="Other", slug="other")
    Membership.objects.create(workspace=other, user=bob, role=Role.OWNER)
    secret = start_conversation(other, by=bob, title="Secret kelp")
    post_message(secret, by=bob, text="secret kelp", client_id="1")
    assert texts(search("kelp", by=vera)) == ["kelp"]
    assert texts(search("kelp", by=bob)) == ["secret kelp"]
    for found in (
        search("secret", by=alice),
        search("kelp", by=alice, conversation=secret),
        search("kelp", by=alice, workspace=other),
        search("kelp", by=bob, conversation=conversation),
    ):
        assert (found.titles, found.messages) == ((), ())
    # What others said takes no place on a page, and is not where the next one begins.
    only = search("kelp", by=alice, limit=1)
    assert (texts(only), only.more_before) == (["kelp"], "")
    bob.is_active = False
    bob.save()
    assert search("kelp", by=bob) == Found()


def test_words_that_look_like_scopes_open_nothing(
    conversation: Conversation, say: Say, alice: User, bob: User
) -> None:
    say("kelp")
    for typed in (f"kelp #w{conversation.workspace_id}", f"#c{conversation.pk}", "kelp) OR (scopes : kelp"):
        assert search(typed, by=bob) == Found()
        assert search(typed, by=alice).messages == ()


def test_a_search_within_a_conversation_stays_there(
    team: Workspace, conversation: Conversation, say: Say, alice: User
) -> None:
    say("kelp here")
    other = start_conversation(team, by=alice, title="Kelp elsewhere")
    post_message(other, by=alice, text="kelp there", client_id="1")
    found = search("kelp", by=alice, conversation=conversation)
    assert (texts(found), found.titles) == (["kelp here"], ())
    assert texts(search("kelp", by=alice, workspace=team)) == ["kelp there", "kelp here"]
    [own] = search_conversation(other, "kelp")
    assert own.message.conversation == other
    assert search_conversation(other, "") == ()


def test_titles_are_found_under_their_present_name(conversation: Conversation, alice: User) -> None:
    [found] = search("general", by=alice).titles
    assert found.conversation == conversation
    assert [segment.is_match for segment in found.passage] == [True]
    rename_conversation(conversation, by=alice, title="Kelp prices")
    assert search("general", by=alice).titles == ()
    assert len(search("kelp pri", by=alice).titles) == 1


def test_pages_follow_each_other_without_gap_or_repeat(say: Say, alice: User) -> None:
    for number in range(7):
        say(f"kelp {number}")
    before, pages = "", list[list[str]]()
    while not pages or before:
        page = search("kelp", by=alice, before=before, limit=3)
        say("kelp meanwhile")
        pages.append(texts(page))
        before = page.more_before
    assert pages == [["kelp 6", "kelp 5", "kelp 4"], ["kelp 3", "kelp 2", "kelp 1"], ["kelp 0"]]


@pytest.mark.parametrize("before", ["kelp", "00000000-0000-0000-0000-000000000000", "\x00"])
def test_a_page_that_does_not_exist_is_refused(say: Say, alice: User, before: str) -> None:
    say("kelp")
    with pytest.raises(Invalid, match="search again"):
        search("kelp", by=alice, before=before)


def test_another_persons_page_is_refused(say: Say, bob: User, alice: User) -> None:
    message = say("kelp").message
    other = Workspace.objects.create(name="Other", slug="other")
    Membership.objects.create(workspace=other, user=bob, role=Role.OWNER)
    with pytest.raises(Invalid):
        search("kelp", by=bob, before=str(message.public_id))


def test_a_person_of_many_workspaces_searches_all_of_them(say: Say, alice: User) -> None:
    say("kelp")
    for number in range(300):
        workspace = Workspace.objects.create(name="W", slug=f"w-{number}")
        Membership.objects.create(workspace=workspace, user=alice, role=Role.MEMBER)
    assert texts(search("kelp", by=alice)) == ["kelp"]


def test_a_very_long_message_is_indexed_up_to_its_limit(exchange: Exchange, alice: User) -> None:
    long = " ".join(f"w{number}" for number in range(60_000))
    exchange("go", f"beginning {long} ending")
    assert len(search("beginning w10000", by=alice).messages) == 1
    assert search("ending", by=alice).messages == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(typed=st.text(max_size=100))
@example(typed='" OR 1=1 --')
@example(typed="kelp AND NOT NEAR(kelp, 5) ^kelp {words} : kelp*")
@example(typed="!kelp & (kelp | <-> kelp:*A")
@example(typed="\x00\ud800'\\")
@example(typed="%s %d %(x)s %%")
@example(typed="k" * 1_000)
@example(typed="🌿" * 900)
def test_no_query_breaks_it(say: Say, alice: User, typed: str) -> None:
    if not search("kelp", by=alice).messages:
        say("kelp")
    search(typed, by=alice)


def test_an_index_that_cannot_be_written_still_finds_what_it_has(say: Say, alice: User) -> None:
    say("kelp")
    assert len(search("kelp", by=alice).messages) == 1
    refuse_further_marks()
    say("more kelp")
    assert len(search("kelp", by=alice).messages) == 1


def refuse_further_marks() -> None:
    table = "holdfast_indexed_session"
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TRIGGER full BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, 'disk full'); END"
            if connection.vendor == "sqlite"
            else f"ALTER TABLE {table} ADD CONSTRAINT disk_full CHECK (seal_number < 2)"
        )
