"""Keeps the index up to date, after the fact: sealing and renaming know nothing of it and cannot fail by it.

Every session has a mark up to which it is indexed. Words are cut outside of a transaction; inside, the mark
moves by compare and set and the entries are written. A purge takes the marks first: who comes later finds none,
and writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from sessions_app.models import Conversation, IndexedSession, IndexedTitle, Message, Session
from sessions_app.services.folding import text_of
from sessions_app.services.search.engines import Entry, conversation_scope, engine, workspace_scope
from sessions_app.services.search.words import cut, words_of
from sessions_app.services.transactions import one_transaction

BATCH_MESSAGES = 50
BATCH_CHARACTERS = 500_000


def catch_up(*, seconds: float | None = None) -> int:
    """Afterwards all that was sealed or renamed before is in the index, or as much as `seconds` allow; gives
    the number of new entries. Several processes may do this at once."""
    until = None if seconds is None else time.monotonic() + seconds
    count = 0
    for added in _batches():
        count += added
        if until is not None and time.monotonic() > until:
            break
    return count


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


def _batches() -> Iterator[int]:
    """Indexes a batch at each step, and says how many entries it had."""
    for conversation in list(_renamed()):
        yield _index_title(conversation)
    for session in list(_behind()):
        yield from _index_session(session)


def _behind() -> Iterator[Session]:
    mark = IndexedSession.objects.filter(session_id=OuterRef("pk")).values("seal_number")
    sessions = Session.objects.annotate(done=Coalesce(Subquery(mark), 0))
    return (
        sessions.filter(sealed_count__gt=F("done")).select_related("conversation").order_by("pk").iterator()
    )


def _renamed() -> Iterator[Conversation]:
    mark = IndexedTitle.objects.filter(conversation_id=OuterRef("pk")).values("title")
    conversations = Conversation.objects.annotate(indexed=Subquery(mark))
    return conversations.filter(Q(indexed=None) | ~Q(title=F("indexed"))).order_by("pk").iterator()


def _index_title(conversation: Conversation) -> int:
    before = IndexedTitle.objects.filter(conversation_id=conversation.pk).first()
    if before is None and not _begin_title(conversation):
        return 0
    return _store_title(conversation, before.title if before else None)


@one_transaction
def _begin_title(conversation: Conversation) -> bool:
    """The mark, under the lock that a purge takes first; none where the conversation is gone."""
    if not Conversation.objects.select_for_update(no_key=True).filter(pk=conversation.pk).exists():
        return False
    IndexedTitle.objects.get_or_create(conversation_id=conversation.pk)
    return True


@one_transaction
def _store_title(conversation: Conversation, before: str | None) -> int:
    marks = IndexedTitle.objects.filter(conversation_id=conversation.pk, title=before)
    if not marks.update(title=conversation.title):
        return 0
    engine(connection).put([_entry(-conversation.pk, conversation.title, conversation)])
    return 1


def _index_session(session: Session) -> Iterator[int]:
    mark = IndexedSession.objects.filter(session_id=session.pk).first()
    if mark is None and not _begin_session(session):
        return
    mark = mark or IndexedSession(session_id=session.pk)
    while batch := _read(session, mark):
        yield _store(mark, batch)
        mark = batch.up_to


@one_transaction
def _begin_session(session: Session) -> bool:
    if not Session.objects.select_for_update(no_key=True).filter(pk=session.pk).exists():
        return False
    IndexedSession.objects.get_or_create(session_id=session.pk)
    return True


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
        mark = IndexedSession(session.pk, message.seal_number, message.sealed_seq)
        characters += len(message.content)
        if characters > BATCH_CHARACTERS:
            break
    return _Batch(entries, mark) if entries else None


@one_transaction
def _store(mark: IndexedSession, batch: _Batch) -> int:
    marks = IndexedSession.objects.filter(session_id=mark.session_id, seal_number=mark.seal_number)
    if not marks.update(seal_number=batch.up_to.seal_number, sealed_seq=batch.up_to.sealed_seq):
        return 0  # another process was first, or the conversation was purged
    engine(connection).put(batch.entries)
    return len(batch.entries)


def _entry(number: int, text: str, conversation: Conversation) -> Entry:
    scopes = [workspace_scope(conversation.workspace_id), conversation_scope(conversation.pk)]
    return Entry(number, [word.said for word in words_of(cut(text))], scopes)
