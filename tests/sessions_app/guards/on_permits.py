"""Attacks by way of purge: a permit that nobody audited, or one used for something else."""

from tests.sessions_app.guards.attack import REPLACE, Attack, copied, on_sqlite
from tests.sessions_app.guards.on_sessions import NEWEST_ENTRY, STAND_ON_IT, entry

TABLE = "holdfast_purge_permit"
PURGE = {
    "action": "'purge'",
    "number": "number + 1",
    "idempotency_key": "NULL",
    "old_session_id": "NULL",
    "new_session_id": "NULL",
}


def purge_of(conversation: str) -> str:
    """The audit entry of a purge, next in its conversation's chain."""
    stands = f"id = (SELECT active_entry_id FROM holdfast_conversation WHERE id = {conversation})"
    return copied("holdfast_audit_entry", stands, **PURGE)


def permit(
    conversation: str, entry_id: str = NEWEST_ENTRY, *, into: str = "INSERT INTO", row: str = ""
) -> str:
    columns, values = ("id, ", f"{row}, ") if row else ("", "")
    return (
        f"{into} {TABLE} ({columns}conversation_id, entry_id, outlives_id)"
        f" SELECT {values}{conversation}, {entry_id}, 0"
    )


PERMIT_FOR_OTHER = (purge_of("{other}"), permit("{other}"))
THE_PERMIT = f"(SELECT max(id) FROM {TABLE})"

ATTACKS = (
    Attack("permit without an entry", "permit_audited", permit("{conversation}", "900")),
    Attack("permit by an entry of a move", "permit_audited", permit("{conversation}", "{entry}")),
    Attack(
        "permit by another's purge", "permit_audited", permit("{conversation}"), first=(purge_of("{other}"),)
    ),
    Attack(
        "permit by a purge before the last move",
        "permit_audited",
        permit("{conversation}", f"{NEWEST_ENTRY} - 1"),
        tampered=(purge_of("{conversation}"), entry(number="number + 2"), STAND_ON_IT),
    ),
    Attack(
        "permit by a purge in another chain",
        "permit_audited",
        permit("{conversation}"),
        first=tuple(entry(**PURGE | {"chain": "'forged'", "number": number}) for number in "123"),
    ),
    *(
        Attack(
            f"delete from {table} by another's permit",
            f"{table}_kept",
            f"DELETE FROM {table} WHERE {where}",
            first=PERMIT_FOR_OTHER,
        )
        for table, where in {
            "holdfast_event": "session_id = {active}",
            "holdfast_checkpoint": "id = {checkpoint}",
            "holdfast_turn": "id = {queued}",
            "holdfast_message": "id = {sealed}",
            "holdfast_session": "id = {archived}",
            "holdfast_conversation": "id = {conversation}",
        }.items()
    ),
    Attack(
        "turn a permit on another conversation",
        "permit_fixed",
        f"UPDATE {TABLE} SET conversation_id = {{conversation}}",
        first=PERMIT_FOR_OTHER,
    ),
    Attack(
        "give a permit back half used",
        "permit_used_up",
        f"DELETE FROM {TABLE}",
        first=(*PERMIT_FOR_OTHER, "DELETE FROM holdfast_event WHERE session_id = {other_session}"),
    ),
    on_sqlite(
        "replace a permit by id",
        "holdfast_purge_permit_not_replaced",
        permit("{conversation}", into=REPLACE, row=THE_PERMIT),
        first=(*PERMIT_FOR_OTHER, purge_of("{conversation}")),
    ),
    on_sqlite(
        "replace a permit by conversation",
        "holdfast_purge_permit_not_replaced",
        permit("{other}", into=REPLACE),
        first=PERMIT_FOR_OTHER,
    ),
)
