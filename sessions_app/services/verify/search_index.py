"""Checks that the search index holds what its marks say, and nothing of what is gone. It may lag behind."""

from __future__ import annotations

from sessions_app.services.search.engines import TABLE
from sessions_app.services.verify.findings import Findings
from sessions_app.services.verify.view import View

REMEDY = "manage.py reindex builds it anew"

_MARKED = """
SELECT (SELECT coalesce(sum(seal_number), 0) FROM holdfast_indexed_session)
     + (SELECT count(*) FROM holdfast_indexed_title WHERE title IS NOT NULL)"""
_AHEAD = """
SELECT count(*) FROM holdfast_indexed_session i
WHERE NOT EXISTS (
    SELECT 1 FROM holdfast_session s WHERE s.id = i.session_id AND s.sealed_count >= i.seal_number)"""
_LEFT_OVER = f"""
SELECT count(*) FROM {TABLE} e
WHERE NOT EXISTS (SELECT 1 FROM holdfast_message m WHERE m.id = e.{{id}} AND m.sealed_seq IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM holdfast_conversation c WHERE c.id = -e.{{id}})"""


def check_search_index(view: View, found: Findings) -> None:
    own_id = "rowid" if view.connection.vendor == "sqlite" else "id"
    for says, sql in (
        ("{} marks are ahead of their sessions", _AHEAD),
        ("{} entries are of messages or conversations that do not exist", _LEFT_OVER.format(id=own_id)),
    ):
        count = _number(view, sql)
        if count:
            found.add("search", "index", f"{says.format(count)}; {REMEDY}")
    marked, held = _number(view, _MARKED), _number(view, f"SELECT count(*) FROM {TABLE}")
    if marked != held:
        found.add("search", "index", f"it has {held} entries where {marked} are marked; {REMEDY}")


def _number(view: View, sql: str) -> int:
    [(number,)] = view.rows(sql)
    return int(number)
