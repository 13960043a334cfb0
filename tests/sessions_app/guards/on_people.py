"""Attacks on who is in a workspace: take its last owner away, or give somebody's place to another."""

from tests.sessions_app.guards.attack import REPLACE, Attack, copied, on_sqlite

TABLE = "holdfast_membership"
THE_OWNER, THE_MEMBER = "id = {owner}", "id = {member}"


def replacing(**changed: str) -> str:
    return copied(TABLE, THE_OWNER, into=REPLACE, role="'member'", **changed)


ATTACKS = (
    *(
        Attack(
            f"make the last owner {role}",
            "membership_owner_kept",
            f"UPDATE {TABLE} SET role = '{role}' WHERE {THE_OWNER}",
        )
        for role in ("admin", "member", "viewer")
    ),
    Attack("demote everybody at once", "membership_owner_kept", f"UPDATE {TABLE} SET role = 'viewer'"),
    Attack(
        "demote two owners at once",
        "membership_owner_kept",
        f"UPDATE {TABLE} SET role = 'member'",
        first=(f"UPDATE {TABLE} SET role = 'owner' WHERE {THE_MEMBER}",),
    ),
    Attack("remove the last owner", "membership_owner_stays", f"DELETE FROM {TABLE} WHERE {THE_OWNER}"),
    Attack("remove everybody", "membership_owner_stays", f"DELETE FROM {TABLE}"),
    *(
        Attack(
            f"change {column}",
            "holdfast_membership_fixed",
            f"UPDATE {TABLE} SET {column} = {value} WHERE {THE_MEMBER}",
        )
        for column, value in {
            "id": "900",
            "workspace_id": "900",
            "user_id": "{stranger}",
            "joined_at": "(SELECT e.at FROM holdfast_audit_entry e WHERE e.id = {entry})",
        }.items()
    ),
    on_sqlite("replace by id", "holdfast_membership_not_replaced", replacing(id="id", user_id="{stranger}")),
    on_sqlite("replace by person", "holdfast_membership_not_replaced", replacing()),
)
