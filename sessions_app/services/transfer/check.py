"""Checks a whole file before anything of it is written: what passes here is what `verify` finds in order."""

from __future__ import annotations

from collections import Counter
from typing import IO

from sessions_app.canonical import canonical_json
from sessions_app.errors import ImportRefused
from sessions_app.models import Action, AuditEntry, Conversation, MessageRole, Workspace
from sessions_app.services.audit import chain_of, entry_digest
from sessions_app.services.conversations import KEY
from sessions_app.services.transfer.fields import moment
from sessions_app.services.transfer.ids import Ids
from sessions_app.services.transfer.lanes import Rows
from sessions_app.services.transfer.records import Record
from sessions_app.services.transfer.scan import Contents, Scan
from sessions_app.services.transfer.source import Source
from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.sessions import Walk

MOST_SHOWN = 3
MOST_SESSIONS = 10_000
PEOPLE = ("author", "asked_by", "ended_by", "started_by", "archived_by", "taken_by")


def check(file: IO[bytes], workspace: Workspace, ids: Ids) -> Contents:
    """What the file holds, or the reason for which nothing is taken from it."""
    contents = Scan(Source(file), ids).read()
    if not contents.conversation or not contents.sessions or not contents.moves:
        _refuse("It holds no conversation with its first session")
    rows = Rows(contents, workspace)
    _check_conversation(contents)
    _check_sessions(contents)
    _check_moves(contents)
    _check_chain(contents, rows.conversation)
    _check_names(contents, ids)
    found = Findings()
    lanes = rows.lanes()
    for number in sorted(rows.sessions):
        Walk(rows.sessions[number], lanes, found, Counter()).walk()
    if found.count:
        shown = "; ".join(map(str, found.kept[:MOST_SHOWN]))
        _refuse(f"It contradicts itself. {shown}")
    return contents


def _check_conversation(contents: Contents) -> None:
    conversation = contents.conversation
    if not KEY.fullmatch(conversation["key"]):
        _refuse("Its key is none that a conversation can have")
    if conversation["deleted_at"] and not conversation["archived_at"]:
        _refuse("What is deleted is archived, and this is not")
    _require_named(contents, conversation)


def _check_sessions(contents: Contents) -> None:
    numbers = list(contents.sessions)
    if len(numbers) > MOST_SESSIONS:
        _refuse(f"It has more than {MOST_SESSIONS} sessions")
    if numbers != list(range(1, contents.counts["session"] + 1)):
        _refuse("Its sessions are not numbered 1, 2, 3 and so on")
    for record in contents.sessions.values():
        parent, seq = record["parent"], record["parent_seq"]
        if (parent is None) != (seq is None) or (parent is not None and parent not in contents.sessions):
            _refuse(f"Session {record['number']} forks from a session that is not in it")
        _require_named(contents, record)
    _check_places(contents)


def _check_places(contents: Contents) -> None:
    for record in contents.checkpoints:
        if record["session"] not in contents.sessions:
            _refuse(f"The checkpoint {record['id']} is in a session that is not in it")
        _require_named(contents, record)
    for _, number in contents.stretches:
        if number and number not in contents.sessions:
            _refuse(f"It holds the log of a session {number} that is not in it")


def _check_moves(contents: Contents) -> None:
    """The pointer goes from session to session without a gap, and the sessions say so themselves."""
    stands, left = None, {}
    for move in contents.moves:
        if move.old != stands or (move.old is None) != (move.action == Action.START):
            _refuse(f"Audit entry {move.number} moves the pointer from where it does not stand")
        if move.old is not None:
            left[move.old] = (move.at, move.reason)
        stands = move.new
    for record in contents.sessions.values():
        archived = None if record["id"] == stands else left.get(record["id"], ())
        told = (record["archived_at"], record["archived_reason"])
        if told != (archived or (None, "")) or archived == ():
            _refuse(f"Session {record['number']} was not archived as it says")


def _check_chain(contents: Contents, conversation: Conversation) -> None:
    number, digest, chain = 0, "", chain_of(conversation)
    sessions = {record["id"] for record in contents.sessions.values()}
    for record in contents.stretch("entry"):
        entry = entry_of(record, chain)
        if (entry.number, entry.previous) != (number + 1, digest) or entry_digest(entry) != entry.digest:
            _refuse(f"Audit entry {entry.number} does not follow from the one before")
        facts = record["facts"]
        links = [facts[end]["id"] for end in ("old_session", "new_session") if facts[end]]
        is_own = facts["conversation"] == str(conversation.public_id) and facts["key"] == conversation.key
        if not is_own or not sessions.issuperset(links):
            _refuse(f"Audit entry {entry.number} is about something else")
        if facts["actor"] is not None and facts["actor"] not in contents.people:
            _refuse(f"Audit entry {entry.number} names a person who is not in it")
        number, digest = entry.number, entry.digest


def entry_of(record: Record, chain: str) -> AuditEntry:
    """As far as its digest covers it."""
    same = ("number", "action", "trigger", "idempotency_key", "previous", "digest")
    return AuditEntry(
        chain=chain,
        at=moment(record["at"]),
        facts=canonical_json(record["facts"]),
        **{name: record[name] for name in same},
    )


def _check_names(contents: Contents, ids: Ids) -> None:
    """Whatever a message or a turn points at is in the file, and in a session whose history it can be in."""
    for number in contents.sessions:
        for message in contents.stretch("message", number):
            is_person = message["role"] == MessageRole.PERSON
            if (message["author"] is None) == is_person or (message["agent"] is None) != is_person:
                _refuse(f"Message {message['id']} has no author that fits")
            if message["client_id"] is not None and not is_person:
                _refuse(f"Message {message['id']} has a client id, and is no person's")
            _require_named(contents, message)
            _require_known(contents, message, ("supersedes", "continues"), ids)
        for turn in contents.stretch("turn", number):
            _require_named(contents, turn)
            _require_known(contents, turn, ("question", "reply", "supersedes", "continues"), ids)
            if turn["reply"] is not None and not ids.add(turn["reply"] + " answered", "reply", number):
                _refuse(f"Turn {turn['id']} has a reply that is another turn's too")


def _require_known(contents: Contents, record: Record, names: tuple[str, ...], ids: Ids) -> None:
    for name in names:
        wanted = record[name]
        if wanted is not None and not _descends(
            contents, record["session"], ids.session_of(wanted, "message")
        ):
            _refuse(f"The {record['record']} {record['id']} points at a message that is not in its history")


def _descends(contents: Contents, session: int | None, ancestor: int | None) -> bool:
    """Whether one session is the other, or forks from it over however many; a parent always comes before."""
    while session is not None and ancestor is not None and session > ancestor:
        session = contents.sessions[session]["parent"]
    return session == ancestor and session is not None


def _require_named(contents: Contents, record: Record) -> None:
    agent = record.get("agent")
    is_known = all(record.get(name) is None or record[name] in contents.people for name in PEOPLE)
    if not is_known or (agent is not None and agent not in contents.agents):
        _refuse(f"The {record['record']} {record['id']} names somebody who is not in it")


def _refuse(says: str) -> None:
    raise ImportRefused(f"This file cannot be imported. {says}; nothing was imported.")
