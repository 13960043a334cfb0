"""Guards in PostgreSQL's words: a function and a trigger each, and what only this engine needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from django.db.backends.base.base import BaseDatabaseWrapper

from sessions_app.guards.guard import PREFIX, Guard

# Once a statement, not once a row: a batch of a thousand events is checked by one query.
_DENSE_BATCH_FUNCTION = f"""CREATE FUNCTION {PREFIX}event_dense() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
IF EXISTS (
    SELECT 1 FROM added a GROUP BY a.session_id
    HAVING max(a.seq) - min(a.seq) + 1 <> count(*) OR (min(a.seq) > 1 AND NOT EXISTS (
        SELECT 1 FROM holdfast_event e WHERE e.session_id = a.session_id AND e.seq = min(a.seq) - 1)))
THEN RAISE EXCEPTION 'holdfast_event: seq must follow the last one of its session'
    USING ERRCODE = 'integrity_constraint_violation'; END IF;
RETURN NULL;
END $$"""

_DENSE_BATCH_TRIGGER = (
    f"CREATE TRIGGER {PREFIX}event_dense AFTER INSERT ON holdfast_event REFERENCING NEW TABLE AS added "
    f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}event_dense()"
)

_NO_TRUNCATE_FUNCTION = f"""CREATE FUNCTION {PREFIX}no_truncate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
RAISE EXCEPTION 'holdfast: history is never truncated' USING ERRCODE = 'integrity_constraint_violation';
END $$"""

_OUR_FUNCTIONS = """
SELECT proname, concat_ws(' ', prosrc, proconfig) FROM pg_proc
WHERE proname LIKE %s AND pronamespace = current_schema()::regnamespace"""

_TRIGGERS_ON_OUR_TABLES = """
SELECT t.tgname, c.relname, CASE t.tgenabled WHEN 'O' THEN pg_get_triggerdef(t.oid, true) ELSE 'disabled' END
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relname LIKE %s AND c.relnamespace = current_schema()::regnamespace"""


def statements(
    connection: BaseDatabaseWrapper, guards: Sequence[Guard], tables: Sequence[str]
) -> Iterator[str]:
    """What installs them."""
    schema = _schema(connection)
    for guard in guards:
        yield _in_schema(schema, _function(guard))
        yield _trigger(guard)
    yield _in_schema(schema, _DENSE_BATCH_FUNCTION)
    yield _DENSE_BATCH_TRIGGER
    yield _NO_TRUNCATE_FUNCTION
    yield from (_no_truncate_trigger(table) for table in tables)


def installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Name → definition of every trigger on our tables and of every function named like ours."""
    functions = {f"{name}()": body for name, body in _found(connection, _OUR_FUNCTIONS, PREFIX)}
    triggers = _found(connection, _TRIGGERS_ON_OUR_TABLES, "holdfast")
    return functions | {name: sql for name, _, sql in triggers}


def removal(connection: BaseDatabaseWrapper) -> list[str]:
    triggers = _found(connection, _TRIGGERS_ON_OUR_TABLES, "holdfast")
    functions = _found(connection, _OUR_FUNCTIONS, PREFIX)
    return [
        *(f'DROP TRIGGER "{name}" ON "{table}"' for name, table, _ in triggers),
        *(f'DROP FUNCTION "{name}"()' for name, _ in functions),
    ]


def _found(connection: BaseDatabaseWrapper, query: str, prefix: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, [prefix + "%"])
        return list(cursor.fetchall())


def _schema(connection: BaseDatabaseWrapper) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        [(schema,)] = cursor.fetchall()
        return str(schema)


def _in_schema(schema: str, sql: str) -> str:
    """PostgreSQL looks for a bare name among temporary tables first: anybody could put a permit there.
    (SQLite looks only in the trigger's own database.)"""
    return re.sub(r"\b(FROM|JOIN) (holdfast_\w+)", rf'\1 "{schema}".\2', sql)


def _function(guard: Guard) -> str:
    row = "OLD" if guard.before == "DELETE" else "NEW"
    return (
        f"CREATE FUNCTION {guard.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\n"
        f"IF {guard.violated} THEN RAISE EXCEPTION '{guard.says}' "
        f"USING ERRCODE = 'integrity_constraint_violation'; END IF;\nRETURN {row};\nEND $$"
    )


def _trigger(guard: Guard) -> str:
    return (
        f"CREATE TRIGGER {guard.name} BEFORE {guard.before} ON {guard.table} "
        f"FOR EACH ROW EXECUTE FUNCTION {guard.name}()"
    )


def _no_truncate_trigger(table: str) -> str:
    return (
        f"CREATE TRIGGER {PREFIX}no_truncate_{table.removeprefix('holdfast_')} BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}no_truncate()"
    )
