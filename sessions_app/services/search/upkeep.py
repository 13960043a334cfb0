"""Keeps the index up to date, after the fact: sealing and renaming know nothing of it and cannot fail by it.

Every session has a mark up to which it is indexed, and under which openness. Words are cut outside of a
transaction; inside, the mark moves by compare and set and the entries are written. Where the openness is another
meanwhile, the mark goes back to the beginning first. A purge takes the marks first: who comes later finds none,
and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from sessions_app.models import Conversation, IndexedSession, IndexedTitle, Message, Session
from sessions_app.services.folding import text_of
from sessions_app.services.search.engines import Entry, conversation_scope, engine, workspace_scope
from sessions_app.services.search.words import cut, words_of
from sessions_app.services.transactions import one_transaction

BATCH_MESSAGES = 50
BATCH_CHARACTERS = 500_000
BATCH_BACK = 500


def catch_up(*, seconds: float | None = None) -> int:
    """Afterwards all that was sealed or renamed before is in the index, or as much as `seconds` allow; gives
    the number of new entries. Several processes may do this at once."""
    until = None if seconds is None else time.monotonic() + seconds
    count = 0
    for added in index_in_steps():
        count += added
        if until is not None and time.monotonic() > until:
            break
    return count


def index_in_steps() -> Iterator[int]:
    """The same in steps, for somebody who does something else in between; each says how many entries it had."""
    for conversation in list(_renamed()):
        yield _index_title(conversation)
    for session in list(_behind()):
        yield from _index_session(session)


def rebuild() -> int:
    """The index anew from what is sealed; searches find what is in it again so far."""
    _begin_anew()
    return catch_up()


def forget(conversation: Conversation) -> None:
    """Takes a conversation out, inside the transaction of its purge, while its messages are still there."""
    sessions = Session.objects.filter(conversation=conversation).values("pk")
    IndexedSession.objects.filter(session_id__in=sessions).delete()
    IndexedTitle.objects.filter(conversation_id=conversation.pk).delete()
    index = engine(connection)
    index.remove("SELECT id FROM holdfast_message WHERE conversation_id = %s", [conversation.pk])
    index.remove("%s", [-conversation.pk])


@one_transaction
def _begin_anew() -> None:
    IndexedSession.objects.all().delete()
    IndexedTitle.objects.all().delete()
    index = engine(connection)
    index.drop()
    index.create()


def _behind() -> Iterator[Session]:
    mark = IndexedSession.objects.filter(session_id=OuterRef("pk"))
    is_moved = Exists(mark.exclude(openness=OuterRef("conversation__openness")))
    sessions = Session.objects.annotate(done=Coalesce(Subquery(mark.values("seal_number")), 0))
    found = sessions.filter(Q(sealed_count__gt=F("done")) | is_moved)
    return found.select_related("conversation").order_by("pk").iterator()


def _renamed() -> Iterator[Conversation]:
    mark = IndexedTitle.objects.filter(conversation_id=OuterRef("pk"))
    as_it_is = mark.filter(title=OuterRef("title"), openness=OuterRef("openness"))
    return Conversation.objects.filter(~Exists(as_it_is)).order_by("pk").iterator()


def _index_title(conversation: Conversation) -> int:
    before = IndexedTitle.objects.filter(conversation_id=conversation.pk).first()
    if before is None and not _begin_title(conversation):
        return 0
    return _store_title(conversation, before or IndexedTitle(conversation_id=conversation.pk))


@one_transaction
def _begin_title(conversation: Conversation) -> bool:
    """The mark, under the lock that a purge takes first; none where the conversation is gone."""
    if not Conversation.objects.select_for_update(no_key=True).filter(pk=conversation.pk).exists():
        return False
    IndexedTitle.objects.get_or_create(conversation_id=conversation.pk)
    return True


@one_transaction
def _store_title(conversation: Conversation, before: IndexedTitle) -> int:
    marks = IndexedTitle.objects.filter(
        conversation_id=conversation.pk, title=before.title, openness=before.openness
    )
    if not marks.update(title=conversation.title, openness=conversation.openness):
        return 0
    engine(connection).put([_entry(-conversation.pk, conversation.title, conversation)])
    return 1


def _index_session(session: Session) -> Iterator[int]:
    mark = IndexedSession.objects.filter(session_id=session.pk).first()
    if mark is None and not _begin_session(session):
        return
    mark = mark or IndexedSession(session_id=session.pk, openness=session.conversation.openness)
    while mark.openness != session.conversation.openness:
        back = _take_back(session, mark)
        if back is None:
            return
        mark = back
        yield 0
    while batch := _read(session, mark):
        yield _store(mark, batch)
        mark = batch.up_to


@one_transaction
def _begin_session(session: Session) -> bool:
    if not Session.objects.select_for_update(no_key=True).filter(pk=session.pk).exists():
        return False
    begun = {"openness": session.conversation.openness}
    IndexedSession.objects.get_or_create(session_id=session.pk, defaults=begun)
    return True


@one_transaction
def _take_back(session: Session, mark: IndexedSession) -> IndexedSession | None:
    """The newest entries out again, and the mark before them: at the beginning it takes on the new openness. In
    steps, so that a long history keeps nobody waiting."""
    sealed = Message.objects.filter(session=session, sealed_seq__lte=mark.sealed_seq).order_by("-sealed_seq")
    before = sealed[BATCH_BACK : BATCH_BACK + 1].first()
    seq = (before.sealed_seq if before else None) or 0
    openness = mark.openness if before else session.conversation.openness
    back = IndexedSession(session.pk, (before.seal_number if before else None) or 0, seq, openness)
    if not _move(mark, back):
        return None
    ids = "SELECT id FROM holdfast_message WHERE session_id = %s AND sealed_seq > %s AND sealed_seq <= %s"
    engine(connection).remove(ids, [session.pk, seq, mark.sealed_seq])
    return back


def _move(mark: IndexedSession, to: IndexedSession) -> bool:
    """Not where another process was first, or the conversation was purged."""
    marks = IndexedSession.objects.filter(
        session_id=mark.session_id, seal_number=mark.seal_number, openness=mark.openness
    )
    return bool(marks.update(seal_number=to.seal_number, sealed_seq=to.sealed_seq, openness=to.openness))


@dataclass(frozen=True)
class _Batch:
    entries: list[Entry]
    up_to: IndexedSession


def _read(session: Session, mark: IndexedSession) -> _Batch | None:
    """The next sealed messages, cut into words; fewer where they are long."""
    messages = Message.objects.filter(session=session, sealed_seq__gt=mark.sealed_seq).order_by("sealed_seq")
    entries: list[Entry] = []
    characters = 0
    for message in messages[:BATCH_MESSAGES].iterator(chunk_size=10):
        entries.append(_entry(message.pk, text_of(message.folded), session.conversation))
        assert message.seal_number is not None
        assert message.sealed_seq is not None
        mark = IndexedSession(session.pk, message.seal_number, message.sealed_seq, mark.openness)
        characters += len(message.content)
        if characters > BATCH_CHARACTERS:
            break
    return _Batch(entries, mark) if entries else None


@one_transaction
def _store(mark: IndexedSession, batch: _Batch) -> int:
    if not _move(mark, batch.up_to):
        return 0
    engine(connection).put(batch.entries)
    return len(batch.entries)


def _entry(number: int, text: str, conversation: Conversation) -> Entry:
    within = workspace_scope(conversation.workspace_id, conversation.openness)
    scopes = [within, conversation_scope(conversation.pk)]
    return Entry(number, [word.said for word in words_of(cut(text))], scopes)
