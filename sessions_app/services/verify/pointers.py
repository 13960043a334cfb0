"""Checks that every conversation has one active session, which its pointer and its newest move name."""

from __future__ import annotations

from collections import Counter

from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.view import View

_POINTERS = """
SELECT w.slug, c.key, c.id, c.active_session_id, e.conversation_id, e.new_session_id, e.number,
    (SELECT count(*) FROM holdfast_session s WHERE s.conversation_id = c.id AND s.archived_at IS NULL),
    (SELECT min(s.id) FROM holdfast_session s WHERE s.conversation_id = c.id AND s.archived_at IS NULL),
    (SELECT max(m.number) FROM holdfast_audit_entry m
        WHERE m.conversation_id = c.id AND m.new_session_id IS NOT NULL)
FROM holdfast_conversation c
LEFT JOIN holdfast_workspace w ON w.id = c.workspace_id
LEFT JOIN holdfast_audit_entry e ON e.id = c.active_entry_id
{scope}"""


def check_pointers(view: View, found: Findings, counts: Counter[str]) -> None:
    scope, parameters = ("", []) if view.workspace_id is None else ("WHERE w.id = %s", [view.workspace_id])
    for row in view.rows(_POINTERS.format(scope=scope), *parameters):
        slug, key, own_id, pointer, entry_of, entry_to, number, active_count, active, newest = row
        counts["conversations"] += 1
        where = f"{slug}/{key}"
        if active_count != 1:
            found.add("active", where, f"it has {active_count} active sessions instead of one")
        elif active != pointer:
            found.add("active", where, "its pointer names another session than the active one")
        if (entry_of, entry_to, number) != (own_id, pointer, newest):
            found.add("pointer", where, "its pointer does not stand on the audit entry of its newest move")
