"""Attacks on what vouches for history: checkpoints, the audit log, the heads of its chains, tool listings."""

from tests.sessions_app.guards.attack import NEW_ID, REPLACE, Attack, copied, on_postgresql, on_sqlite
from tests.sessions_app.guards.on_sessions import entry

CHECKPOINT = "holdfast_checkpoint"
ENTRY = "holdfast_audit_entry"
CHAIN = "holdfast_audit_chain"
LISTING = "holdfast_tool_listing"


def replacing_checkpoint(**changed: str) -> str:
    return copied(CHECKPOINT, "id = {checkpoint}", into=REPLACE, **{"public_id": NEW_ID} | changed)


ON_CHECKPOINTS = (
    Attack("move a checkpoint", "checkpoint_fixed", f"UPDATE {CHECKPOINT} SET seq = 1"),
    Attack("rename a checkpoint", "checkpoint_fixed", f"UPDATE {CHECKPOINT} SET name = 'x'"),
    Attack("delete a checkpoint", "holdfast_checkpoint_kept", f"DELETE FROM {CHECKPOINT}"),
    on_sqlite("replace by id", "holdfast_checkpoint_not_replaced", replacing_checkpoint(id="id")),
    on_sqlite(
        "replace by public id",
        "holdfast_checkpoint_not_replaced",
        replacing_checkpoint(public_id="public_id"),
    ),
)

ON_THE_AUDIT_LOG = (
    Attack("change an entry", "audit_fixed", f"UPDATE {ENTRY} SET facts = '\"x\"' WHERE id = {{entry}}"),
    Attack("change an actor", "audit_fixed", f"UPDATE {ENTRY} SET actor_id = NULL"),
    Attack("delete an entry", "audit_kept", f"DELETE FROM {ENTRY} WHERE id = {{entry}}"),
    Attack("delete every entry", "audit_kept", f"DELETE FROM {ENTRY}"),
    Attack("be where nothing is", "holdfast_audit_entry_somewhere", entry(id="0")),
    Attack("leave a number out", "audit_dense", entry(number="number + 2")),
    Attack("begin a chain at two", "audit_dense", entry(chain="'forged'", number="2")),
    on_postgresql("use a number twice", "audit_dense", entry(number="number")),
    on_sqlite(
        "replace an entry by id",
        "holdfast_audit_entry_not_replaced",
        entry(id="{first_entry}").replace("INSERT INTO", REPLACE),
    ),
    on_sqlite(
        "replace an entry by its key",
        "holdfast_audit_entry_not_replaced",
        entry(idempotency_key="idempotency_key").replace("INSERT INTO", REPLACE),
    ),
    Attack("shorten a chain", "chain_grows", f"UPDATE {CHAIN} SET length = length - 1"),
    Attack("rename a chain", "chain_grows", f"UPDATE {CHAIN} SET name = 'x' WHERE id = {{chain_id}}"),
    Attack("renumber a chain", "chain_grows", f"UPDATE {CHAIN} SET id = 900 WHERE id = {{chain_id}}"),
    Attack("delete a chain", "chain_kept", f"DELETE FROM {CHAIN} WHERE id = {{chain_id}}"),
    on_sqlite(
        "replace a chain by id",
        "holdfast_audit_chain_not_replaced",
        copied(CHAIN, "id = {chain_id}", into=REPLACE, id="id", name="'x'", length="0"),
    ),
    on_sqlite(
        "replace a chain by name",
        "holdfast_audit_chain_not_replaced",
        copied(CHAIN, "id = {chain_id}", into=REPLACE, length="0"),
    ),
)

ON_TOOL_LISTINGS = (
    Attack("say something else of a tool", "listing_fixed", f"UPDATE {LISTING} SET tools = '[]'"),
    Attack("give it to another server", "listing_fixed", f"UPDATE {LISTING} SET server_id = 900"),
    Attack("forget a listing", "listing_kept", f"DELETE FROM {LISTING}"),
    on_sqlite(
        "replace a listing by id",
        "holdfast_tool_listing_not_replaced",
        copied(LISTING, "id = {listing}", into=REPLACE, id="id", public_id=NEW_ID),
    ),
    on_sqlite(
        "replace a listing by public id",
        "holdfast_tool_listing_not_replaced",
        copied(LISTING, "id = {listing}", into=REPLACE, public_id="public_id"),
    ),
)

ATTACKS = (*ON_CHECKPOINTS, *ON_THE_AUDIT_LOG, *ON_TOOL_LISTINGS)
