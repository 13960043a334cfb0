"""Attacks on turns: revive an ended one, lower an epoch, run two at once, delete or replace one."""

from tests.sessions_app.guards.attack import NEW_ID, REPLACE, Attack, copied, on_sqlite

TABLE = "holdfast_turn"
ENDED = "id = {ended}"
ALONE = "id = {other_turn}"
RUNNING = "id = {running}"
QUEUED = "id = {queued}"


def replacing(where: str = ENDED, **changed: str) -> str:
    return copied(TABLE, where, into=REPLACE, **{"public_id": NEW_ID, "reply_id": "NULL"} | changed)


ATTACKS = (
    Attack("lower an epoch", "turn_final", f"UPDATE {TABLE} SET epoch = epoch - 1 WHERE {RUNNING}"),
    Attack(
        "forget a resumption",
        "turn_final",
        f"UPDATE {TABLE} SET resumes = 0 WHERE {RUNNING}",
        first=(f"UPDATE {TABLE} SET resumes = 1 WHERE {RUNNING}",),
    ),
    *(
        Attack(f"make an ended turn {state}", "turn_final", f"UPDATE {TABLE} SET {changed} WHERE {ALONE}")
        for state, changed in {
            "run": "state = 'running', ended_at = NULL, lease_until = queued_at",
            "wait": "state = 'queued', ended_at = NULL",
            "fail": "state = 'failed'",
            "be withdrawn": "state = 'withdrawn'",
        }.items()
    ),
    Attack(
        "queue a running turn again", "turn_final", f"UPDATE {TABLE} SET state = 'queued' WHERE {RUNNING}"
    ),
    Attack("take a reply away", "turn_final", f"UPDATE {TABLE} SET reply_id = NULL WHERE {ENDED}"),
    on_sqlite(
        "run in place of the running one",
        "turn_alone",
        f"UPDATE OR REPLACE {TABLE} SET state = 'running', lease_until = queued_at,"
        f" reply_id = {{sealed}} WHERE {QUEUED}",
    ),
    on_sqlite(
        "take another turn's reply",
        "turn_alone",
        f"UPDATE OR REPLACE {TABLE} SET reply_id = {{reply}} WHERE {QUEUED}",
    ),
    *(
        Attack(
            f"change {column}", "holdfast_turn_fixed", f"UPDATE {TABLE} SET {column} = {value} WHERE {QUEUED}"
        )
        for column, value in {
            "id": "900",
            "public_id": NEW_ID,
            "session_id": "{archived}",
            "question_id": "{sealed}",
            "agent_id": "900",
            "supersedes_id": "{sealed}",
            "continues_id": "{sealed}",
            "queued_at": "(SELECT t.queued_at FROM holdfast_turn t WHERE t.id = {ended})",
        }.items()
    ),
    Attack("delete an ended turn", "holdfast_turn_kept", f"DELETE FROM {TABLE} WHERE {ENDED}"),
    Attack("delete a queued turn", "holdfast_turn_kept", f"DELETE FROM {TABLE} WHERE {QUEUED}"),
    on_sqlite("replace by id", "holdfast_turn_not_replaced", replacing(id="id")),
    on_sqlite("replace by public id", "holdfast_turn_not_replaced", replacing(public_id="public_id")),
    on_sqlite("replace by reply", "holdfast_turn_not_replaced", replacing(reply_id="reply_id")),
    on_sqlite(
        "replace the running one", "holdfast_turn_not_replaced", replacing(RUNNING, reply_id="{sealed}")
    ),
    on_sqlite("replace a regeneration", "holdfast_turn_not_replaced", replacing("id = {second}")),
    on_sqlite(
        "replace a continuation",
        "holdfast_turn_not_replaced",
        replacing(continues_id="{reply}"),
        first=(copied(TABLE, ENDED, public_id="'{another_id}'", reply_id="NULL", continues_id="{reply}"),),
    ),
)
