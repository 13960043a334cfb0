from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection

from sessions_app.models import Conversation, IndexedSession, IndexedTitle, User
from sessions_app.services.audit import Origin
from sessions_app.services.purge import purge_conversation
from sessions_app.services.search import search, upkeep
from sessions_app.services.search.upkeep import catch_up
from sessions_app.services.verify import verify
from tests.sessions_app.conftest import Exchange, Say


def run(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def entries() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM holdfast_search")
        return int(cursor.fetchone()[0])


def findings() -> list[str]:
    return [finding.says for finding in verify().findings if finding.check == "search"]


def test_each_message_and_title_is_indexed_once(exchange: Exchange) -> None:
    exchange()
    exchange()
    assert catch_up() == 5
    assert catch_up() == 0
    assert entries() == 5


def test_a_long_session_is_indexed_in_batches(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "BATCH_MESSAGES", 3)
    for number in range(10):
        say(f"kelp {number}")
    assert catch_up() == 11
    assert IndexedSession.objects.get().seal_number == 10


def test_long_messages_make_small_batches(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "BATCH_CHARACTERS", 10)
    for number in range(3):
        say(f"kelp and more {number}")
    assert catch_up() == 4


def test_it_stops_when_its_time_is_over_and_goes_on_later(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "BATCH_MESSAGES", 1)
    for _ in range(5):
        say()
    counts = [catch_up(seconds=0) for _ in range(7)]
    assert counts == [1, 1, 1, 1, 1, 1, 0]


def test_two_who_index_the_same_write_it_once(
    conversation: Conversation, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("kelp")
    original = upkeep._read

    def interrupted(*arguments: object) -> object:
        monkeypatch.setattr(upkeep, "_read", original)
        batch = original(*arguments)  # type: ignore[arg-type]
        catch_up()
        return batch

    monkeypatch.setattr(upkeep, "_read", interrupted)
    catch_up()
    assert entries() == 2
    assert findings() == []


def test_a_purge_leaves_nothing_in_the_index(
    conversation: Conversation, say: Say, alice: User, origin: Origin
) -> None:
    say("kelp")
    search("kelp", by=alice)
    assert entries() == 2
    purge_conversation(conversation, by=alice, confirmation=conversation.key, origin=origin)
    assert (entries(), IndexedSession.objects.count(), IndexedTitle.objects.count()) == (0, 0, 0)
    assert verify().is_clean


@pytest.mark.parametrize("was_indexed_before", [False, True])
def test_who_read_before_a_purge_writes_nothing_after_it(
    conversation: Conversation,
    say: Say,
    alice: User,
    origin: Origin,
    monkeypatch: pytest.MonkeyPatch,
    was_indexed_before: bool,
) -> None:
    say("kelp")
    if was_indexed_before:
        catch_up()
        say("more kelp")
    original = upkeep._read

    def interrupted(*arguments: object) -> object:
        batch = original(*arguments)  # type: ignore[arg-type]
        if Conversation.objects.exists():
            purge_conversation(conversation, by=alice, confirmation=conversation.key, origin=origin)
        return batch

    monkeypatch.setattr(upkeep, "_read", interrupted)
    catch_up()
    assert (entries(), IndexedSession.objects.count(), IndexedTitle.objects.count()) == (0, 0, 0)


def test_reindex_builds_it_anew(exchange: Exchange, alice: User, capsys: pytest.CaptureFixture[str]) -> None:
    exchange("kelp?", "kelp!")
    catch_up()
    run("DELETE FROM holdfast_search")
    assert search("kelp", by=alice).messages == ()
    call_command("reindex")
    assert "The index has 3 entries, built in " in capsys.readouterr().out
    assert len(search("kelp", by=alice).messages) == 2


def test_an_index_that_lags_behind_is_in_order(exchange: Exchange) -> None:
    exchange()
    assert verify().is_clean
    catch_up()
    exchange()
    assert verify().is_clean


def test_a_lost_entry_is_a_finding(exchange: Exchange) -> None:
    exchange()
    catch_up()
    run("DELETE FROM holdfast_search")
    assert findings() == ["it has 0 entries where 3 are marked; manage.py reindex builds it anew"]


def test_an_entry_of_nothing_is_a_finding(exchange: Exchange) -> None:
    exchange()
    catch_up()
    run("UPDATE holdfast_indexed_session SET seal_number = 3")
    own_id = "rowid" if connection.vendor == "sqlite" else "id"
    run(f"INSERT INTO holdfast_search ({own_id}, words) VALUES (4711, 'kelp')")
    says = "manage.py reindex builds it anew"
    assert findings() == [
        f"1 marks are ahead of their sessions; {says}",
        f"1 entries are of messages or conversations that do not exist; {says}",
    ]
    call_command("reindex")
    assert verify().is_clean
