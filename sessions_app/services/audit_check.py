"""Verifies audit chains on request: that of one conversation, or several that somebody looks at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from sessions_app.models import Conversation
from sessions_app.services.audit import chain_of
from sessions_app.services.verify.audit_log import check_chain
from sessions_app.services.verify.findings import Finding, Findings
from sessions_app.services.verify.view import View


@dataclass(frozen=True)
class ChainReport:
    """How many chains and entries were read, and what is wrong with them."""

    chains: int
    entries: int
    findings: tuple[Finding, ...]

    @property
    def is_sound(self) -> bool:
        return not self.findings


def verify_conversation_chain(conversation: Conversation) -> ChainReport:
    """Every link of the conversation's audit chain, from its first entry to the head it remembers."""
    return verify_chains([chain_of(conversation)])


def verify_chains(names: Iterable[str]) -> ChainReport:
    found, counts, chains = Findings(), Counter[str](), sorted(set(names))
    for name in chains:
        check_chain(View(connection), name, found, counts)
    return ChainReport(len(chains), counts["audit entries"], tuple(found.kept))
