"""What a guard is, and the kinds that several tables need."""

from __future__ import annotations

from dataclasses import dataclass

PREFIX = "hf_"
OWN_CONVERSATION = "(SELECT s.conversation_id FROM holdfast_session s WHERE s.id = OLD.session_id)"


@dataclass(frozen=True)
class Guard:
    name: str
    table: str
    before: str
    violated: str
    says: str
    engine: str = "both"


def unless_purged(table: str, conversation_id: str) -> Guard:
    return Guard(
        f"{table}_kept",
        table,
        "DELETE",
        f"NOT EXISTS (SELECT 1 FROM holdfast_purge_permit p WHERE p.conversation_id = {conversation_id})",
        f"{table}: history is never deleted",
    )


def immutable(table: str, columns: str, says: str) -> Guard:
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in columns.split())
    return Guard(f"{table}_fixed", table, "UPDATE", changed, says)


def not_at_nowhere(table: str) -> Guard:
    """What points at 0 cannot be committed because no row is there. SQLite can be told to ignore a check."""
    return Guard(f"{table}_somewhere", table, "INSERT", "NEW.id = 0", f"{table}: no row is ever at 0")


def not_replaced(table: str, *unique: str) -> Guard:
    """REPLACE deletes the row it conflicts with and fires no delete trigger, so every key is asked first."""
    same = " OR ".join(
        "(" + " AND ".join(_same(part) for part in columns.split()) + ")" for columns in ("id", *unique)
    )
    return Guard(
        f"{table}_not_replaced",
        table,
        "INSERT",
        f"EXISTS (SELECT 1 FROM {table} o WHERE {same})",
        f"{table}: an existing row is never replaced",
        engine="sqlite",
    )


def _same(part: str) -> str:
    """`column` asks for the same value; `column=value` and `column!=value` for what a partial index holds."""
    if "!=" in part:
        column, _, value = part.partition("!=")
        return f"o.{column} <> {value} AND NEW.{column} <> {value}"
    column, _, value = part.partition("=")
    if not value:
        return f"o.{column} = NEW.{column}"
    if value == "NULL":
        return f"o.{column} IS NULL AND NEW.{column} IS NULL"
    return f"o.{column} = {value} AND NEW.{column} = {value}"
