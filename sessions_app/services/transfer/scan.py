"""The first reading of a file: every line in its place and of its shape, every id once, the digest of it all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from sessions_app.errors import ImportRefused
from sessions_app.models import EventKind
from sessions_app.services.transfer.ids import Ids
from sessions_app.services.transfer.reading import checked, parsed
from sessions_app.services.transfer.records import Record
from sessions_app.services.transfer.shapes import FORMAT, NAMES, VERSION
from sessions_app.services.transfer.source import TORN, Source

BULK = ("message", "turn", "event")  # session by session
# Who is named by an id may have another name elsewhere: what is the same conversation does not depend on it.
NAMES_ALONE = ("person", "agent")


@dataclass(frozen=True)
class Move:
    """An audit entry that moved the pointer, from one session's id to another's."""

    number: int
    action: str
    old: str | None
    new: str
    at: str
    reason: str

    @classmethod
    def of(cls, entry: Record) -> Move:
        facts = entry["facts"]
        old, new = facts["old_session"], facts["new_session"]
        return cls(
            entry["number"], entry["action"], old and old["id"], new["id"], entry["at"], facts["reason"]
        )


@dataclass
class Contents:
    """What a file holds: its short records themselves, and where in it the long stretches begin."""

    source: Source
    conversation: Record = field(default_factory=dict)
    instance: str = ""
    people: dict[str, Record] = field(default_factory=dict)
    agents: dict[str, Record] = field(default_factory=dict)
    sessions: dict[int, Record] = field(default_factory=dict)
    checkpoints: list[Record] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMES, 0))
    digest: str = ""
    stretches: dict[tuple[str, int], int] = field(default_factory=dict)

    def stretch(self, name: str, session: int = 0) -> Iterator[Record]:
        """The records of one name, of one session where they stand by sessions."""
        begin = self.stretches.get((name, session))
        if begin is None:
            return
        for _, line in self.source.lines(begin):
            record = parsed(line)
            if record["record"] != name or (session and record["session"] != session):
                return
            yield record


class Scan:
    """Reads a file from its first line to its last."""

    def __init__(self, source: Source, ids: Ids) -> None:
        self.contents = Contents(source)
        self._ids, self._place = ids, (-1, 0, 0)
        self._all, self._own, self._count = hashlib.sha256(), hashlib.sha256(), 0
        self._summaries: set[tuple[int, int, str]] = set()

    def read(self) -> Contents:
        number, last = 0, ""
        for number, (at, line) in enumerate(self.contents.source.lines(self.contents.source.begin), 1):
            record = checked(line, number)
            last = record["record"]
            self._move_on(record, number)
            self._digest(last, line)
            self._take(record, at, number)
        if last != "end":
            raise ImportRefused(TORN if number else "The file is empty; nothing was imported.")
        if self._summaries:
            raise ImportRefused("A compaction's checkpoint has no summary behind it; nothing was imported.")
        self.contents.digest = self._own.hexdigest()
        return self.contents

    def _move_on(self, record: Record, number: int) -> None:
        """Every record stands where the export puts it; what stands alone is not repeated."""
        name = record["record"]
        rank = NAMES.index(name)
        place = (NAMES.index("message"), record["session"], rank) if name in BULK else (rank, 0, rank)
        is_second = place == self._place and name in ("header", "conversation", "end")
        if (number == 1) != (name == "header") or place < self._place or is_second:
            refuse(number, f"is a record “{name}”, and none belongs there")
        self._place = place

    def _digest(self, name: str, line: bytes) -> None:
        if name in ("header", "end"):
            return
        self._count += 1
        self._all.update(line + b"\n")
        if name not in NAMES_ALONE:
            self._own.update(line + b"\n")

    def _take(self, record: Record, at: int, number: int) -> None:
        contents, name = self.contents, record["record"]
        contents.counts[name] += 1
        if name in BULK or name == "entry":
            contents.stretches.setdefault((name, record.get("session", 0)), at)
        self._keep(record, number)
        self._know(record, number)

    def _keep(self, record: Record, number: int) -> None:
        contents = self.contents
        match record["record"]:
            case "header":
                require_format(record, number)
                contents.instance = record["instance"]
            case "conversation":
                contents.conversation = record
            case "person":
                contents.people[record["id"]] = record
            case "agent":
                contents.agents[record["id"]] = record
            case "session":
                contents.sessions[record["number"]] = record
            case "checkpoint":
                contents.checkpoints.append(record)
            case "end":
                self._compare(record)

    def _know(self, record: Record, number: int) -> None:
        name = record["record"]
        if "id" in record and not self._ids.add(record["id"], name, record.get("session", 0)):
            refuse(number, f"gives a second {name} the id {record['id']}")
        if name == "checkpoint" and record["kind"] == "compaction":
            self._summaries.add((record["session"], record["seq"] + 1, record["id"]))
        if name == "event" and record["kind"] == EventKind.COMPACTED:
            self._summaries.discard((record["session"], record["seq"], record["payload"]["checkpoint"]))
        if name == "entry" and record["facts"]["new_session"] is not None:
            self.contents.moves.append(Move.of(record))

    def _compare(self, end: Record) -> None:
        if (end["records"], end["sha256"]) != (self._count, self._all.hexdigest()):
            raise ImportRefused(
                "The file is not as it was written: its records do not have the number and the digest that its "
                "last line says; nothing was imported."
            )


def require_format(header: Record, number: int) -> None:
    if (header["format"], header["version"]) != (FORMAT, VERSION):
        refuse(number, f"names another format than {FORMAT} {VERSION}, which this version reads")


def refuse(number: int, says: str) -> None:
    raise ImportRefused(f"Line {number} of the file {says}; nothing was imported.")
