"""One consistent view of a database, read in streams: it blocks no writer and holds little in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, Model, OuterRef, QuerySet

from sessions_app.models import AuditEntry, Checkpoint, Conversation, Message, Session, Turn

CHUNK = 2000
OWN_FIELDS = (
    "public_id",
    "conversation",
    "session",
    "role",
    "client_id",
    "first_seq",
    "sealed_seq",
    "seal_number",
    "content",
    "digest",
    "posted_at",
)
LINKS = ("author", "agent", "supersedes", "continues")

Row = tuple[Any, ...]
Progress = Callable[[int, int], None]
M = TypeVar("M", bound=Model)

_EVENTS = """
SELECT e.session_id, e.seq, e.kind, e.message_id, e.payload FROM holdfast_event e
{scope} ORDER BY e.session_id, e.seq"""

# Correlated, here and in `_scoped`, so that SQLite walks the table's own index and sorts nothing.
_EVENT_SCOPE = """
WHERE EXISTS (SELECT 1 FROM holdfast_session s JOIN holdfast_conversation c ON c.id = s.conversation_id
WHERE s.id = e.session_id AND c.workspace_id = %s)"""


@dataclass(frozen=True)
class View:
    """The rows of one database, or of one workspace in it."""

    connection: BaseDatabaseWrapper
    workspace_id: int | None = None
    progress: Progress | None = None

    def rows(self, sql: str, *parameters: Any) -> Iterator[Row]:
        with self.connection.chunked_cursor() as cursor:
            cursor.execute(sql, parameters or None)
            while rows := cursor.fetchmany(CHUNK):
                yield from rows

    def events(self) -> Iterator[Row]:
        """(session id, seq, kind, message id, payload) of every event, session by session."""
        total = sum(self.sessions().values_list("last_seq", flat=True).iterator(CHUNK))
        scope, parameters = ("", []) if self.workspace_id is None else (_EVENT_SCOPE, [self.workspace_id])
        for done, row in enumerate(self.rows(_EVENTS.format(scope=scope), *parameters)):
            if self.progress is not None and done % CHUNK == 0:
                self.progress(done, total)
            yield row

    def sessions(self) -> QuerySet[Session]:
        return self._scoped(Session.objects.all(), "conversation")

    def messages(self) -> QuerySet[Message]:
        """With all that a digest covers; of the rows they point at only the ids."""
        messages = self._scoped(Message.objects.all(), "conversation").select_related(*LINKS)
        return messages.only(*OWN_FIELDS, *LINKS, *(f"{link}__public_id" for link in LINKS))

    def turns(self) -> QuerySet[Turn]:
        return self._scoped(Turn.objects.all(), "session__conversation")

    def checkpoints(self) -> QuerySet[Checkpoint]:
        return self._scoped(Checkpoint.objects.all(), "session__conversation")

    def audit_entries(self) -> QuerySet[AuditEntry]:
        entries = AuditEntry.objects.using(self.connection.alias)
        return entries if self.workspace_id is None else entries.filter(workspace_id=self.workspace_id)

    def _scoped(self, rows: QuerySet[M], conversation: str) -> QuerySet[M]:
        rows = rows.using(self.connection.alias)
        if self.workspace_id is None:
            return rows
        own = Conversation.objects.filter(pk=OuterRef(conversation), workspace_id=self.workspace_id)
        return rows.filter(Exists(own))


@contextlib.contextmanager
def consistent_view(
    using: str, workspace_id: int | None = None, progress: Progress | None = None
) -> Iterator[View]:
    """Everything read inside was true at one instant; inside a transaction of the caller's it is that one's."""
    connection = connections[using]
    with _snapshot(connection):
        yield View(connection, workspace_id, progress)


@contextlib.contextmanager
def _snapshot(connection: BaseDatabaseWrapper) -> Iterator[None]:
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        # Not `atomic()`: that would begin IMMEDIATE and make every writer wait.
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            connection.close()
    else:
        with transaction.atomic(using=connection.alias):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
