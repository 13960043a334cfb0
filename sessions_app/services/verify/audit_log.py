"""Checks the audit log: numbered without a hole, chained by digests, whole to its head, true to its plain ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery

from sessions_app.models import Action, AuditChain, AuditEntry, Conversation, Session, User
from sessions_app.services.audit import entry_digest
from sessions_app.services.verify.findings import Findings, missing
from sessions_app.services.verify.view import CHUNK, View

# Which plain id stands beside which public id in the facts.
PLAIN_IDS = ("conversation", "old_session", "new_session", "actor")


def check_audit_log(view: View, found: Findings, counts: Counter[str]) -> None:
    for chain, entries in groupby(_entries(view), lambda entry: entry.chain):
        _Chain(chain, found).check(entries, counts)
    if view.workspace_id is None:
        _check_lost_chains(view, found)


def check_chain(view: View, chain: str, found: Findings, counts: Counter[str]) -> None:
    """One chain alone, in one query: what is added meanwhile is mistaken for nothing."""
    _Chain(chain, found).check(_entries(view, chain), counts)


class _Chain:
    """One chain from its first entry to its head."""

    def __init__(self, name: str, found: Findings) -> None:
        self._name, self._found = name, found

    def check(self, entries: Iterator[Any], counts: Counter[str]) -> None:
        number, digest, entry = 0, "", None
        for entry in entries:
            counts["audit entries"] += 1
            if entry.number != number + 1:
                self._say(missing("entry", number + 1, entry.number - 1))
            elif entry.previous != digest:
                self._say(f"entry {entry.number} does not follow from the one before")
            self._check_entry(entry)
            if entry.action == Action.PURGE and entry.found_conversation:
                self._say(f"entry {entry.number} records a purge, and its conversation is still there")
            number, digest = entry.number, entry.digest
        if entry is None:
            self._say("it has no entry")
            return
        if (entry.chain_length, entry.chain_head) != (number, digest):
            self._say(f"the chain ends at entry {number}, which is not the head it remembers")
        if entry.conversation_id and not entry.found_conversation and entry.action != Action.PURGE:
            self._say("its conversation is gone, and no purge is recorded")

    def _check_entry(self, entry: Any) -> None:
        try:
            is_sound, facts = entry_digest(entry) == entry.digest, entry.told
            wrong = [name for name in PLAIN_IDS if not _is_true_to(entry, name, facts.get(name))]
        except (ValueError, AttributeError) as error:
            self._say(f"entry {entry.number} cannot be read: {error}")
            return
        if not is_sound:
            self._say(f"the digest of entry {entry.number} does not follow from what it says")
        if entry.found_workspace not in (None, entry.workspace_id):
            wrong.append("workspace")
        if wrong:
            self._say(f"entry {entry.number} names another {', '.join(wrong)} than its facts")

    def _say(self, says: str) -> None:
        self._found.add("audit", self._name, says)


def _is_true_to(entry: Any, name: str, told: Any) -> bool:
    """Whether the row a plain id names has the public id that the facts tell; a purged row cannot be asked."""
    told = told["id"] if isinstance(told, dict) else told
    if getattr(entry, f"{name}_id") is None:
        return told is None
    row = getattr(entry, f"found_{name}")
    is_purged = row is None and entry.found_conversation is None
    return told is not None and (is_purged or str(row) == told)


def _entries(view: View, only: str | None = None) -> Iterator[AuditEntry]:
    """Every entry with what it points at, as far as that is still there."""
    using = view.connection.alias

    def one(rows: QuerySet[Any], plain_id: str, wanted: str = "public_id") -> Subquery:
        return Subquery(rows.using(using).filter(pk=OuterRef(plain_id)).values(wanted))

    chain = AuditChain.objects.using(using).filter(name=OuterRef("chain"))
    entries = view.audit_entries().annotate(
        found_workspace=one(Conversation.objects.all(), "conversation_id", "workspace_id"),
        found_conversation=one(Conversation.objects.all(), "conversation_id"),
        found_old_session=one(Session.objects.all(), "old_session_id"),
        found_new_session=one(Session.objects.all(), "new_session_id"),
        found_actor=one(User.objects.all(), "actor_id"),
        chain_length=Subquery(chain.values("length")),
        chain_head=Subquery(chain.values("head")),
    )
    if only is not None:
        return iter(entries.filter(chain=only).order_by("number"))
    return entries.order_by(F("chain"), "number").iterator(CHUNK)


def _check_lost_chains(view: View, found: Findings) -> None:
    for name, length in view.rows(
        "SELECT c.name, c.length FROM holdfast_audit_chain c WHERE c.length > 0"
        " AND NOT EXISTS (SELECT 1 FROM holdfast_audit_entry e WHERE e.chain = c.name)"
    ):
        found.add("audit", name, f"its {length} entries are missing")
