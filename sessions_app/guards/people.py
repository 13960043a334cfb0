"""Memberships: a workspace that has an owner is never left without one."""

from sessions_app.guards.guard import Guard, immutable, not_replaced

TABLE = "holdfast_membership"
SAYS = f"{TABLE}: a workspace is never left without an owner"
_ANOTHER_OWNER = (
    f"EXISTS (SELECT 1 FROM {TABLE} o"
    " WHERE o.workspace_id = OLD.workspace_id AND o.role = 'owner' AND o.id <> OLD.id{locked})"
)


def _kept(before: str, ends: str, *, engine: str, locked: str = "") -> Guard:
    name = "membership_owner_stays" if before == "DELETE" else "membership_owner_kept"
    violated = f"OLD.role = 'owner'{ends} AND NOT {_ANOTHER_OWNER.format(locked=locked)}"
    return Guard(name, TABLE, before, violated, SAYS, engine=engine)


def _either_way(*, engine: str, locked: str = "") -> tuple[Guard, Guard]:
    return (
        _kept("UPDATE", " AND NEW.role <> 'owner'", engine=engine, locked=locked),
        _kept("DELETE", "", engine=engine, locked=locked),
    )


MEMBERSHIPS = (
    *_either_way(engine="sqlite"),
    # Two who demote each other at once would each still see the other's row as it was. To lock that row waits
    # for the other transaction and looks again; SQLite has one writer at a time.
    *_either_way(engine="postgresql", locked=" FOR UPDATE"),
    immutable(TABLE, "id workspace_id user_id joined_at", f"{TABLE}: whose place it is never changes"),
    not_replaced(TABLE, "workspace_id user_id"),
)
