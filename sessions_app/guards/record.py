"""The audit log, the permits to purge, and what tool servers have shown: it stays on record."""

from sessions_app.guards.guard import Guard, not_at_nowhere, not_replaced

# As with a move: the entry comes after the one the conversation stands on, so that none can serve twice.
_PURGE_UNDER_WAY = """EXISTS (
    SELECT 1 FROM holdfast_audit_entry e JOIN holdfast_conversation c ON c.id = e.conversation_id
    JOIN holdfast_audit_entry p ON p.id = c.active_entry_id
    WHERE e.id = NEW.entry_id AND e.action = 'purge' AND e.conversation_id = NEW.conversation_id
      AND e.chain = p.chain AND e.number > p.number)"""

AUDIT_LOG = (
    # The audit log: dense, never changed, never deleted, not even by purge.
    Guard(
        "audit_dense",
        "holdfast_audit_entry",
        "INSERT",
        "NEW.number <> 1 + coalesce("
        "(SELECT max(e.number) FROM holdfast_audit_entry e WHERE e.chain = NEW.chain), 0)",
        "holdfast_audit_entry: an entry follows the last one of its chain",
    ),
    not_at_nowhere("holdfast_audit_entry"),
    Guard(
        "audit_fixed", "holdfast_audit_entry", "UPDATE", "1 = 1", "holdfast_audit_entry: it is never changed"
    ),
    Guard(
        "audit_kept", "holdfast_audit_entry", "DELETE", "1 = 1", "holdfast_audit_entry: it is never deleted"
    ),
    not_replaced("holdfast_audit_entry", "chain number", "chain idempotency_key"),
    Guard(
        "chain_grows",
        "holdfast_audit_chain",
        "UPDATE",
        "NEW.length < OLD.length OR NEW.name <> OLD.name OR NEW.id <> OLD.id",
        "holdfast_audit_chain: a chain only grows",
    ),
    Guard(
        "chain_kept", "holdfast_audit_chain", "DELETE", "1 = 1", "holdfast_audit_chain: it is never deleted"
    ),
    not_replaced("holdfast_audit_chain", "name"),
)

PERMITS = (
    # A permit to purge names the audit entry of that purge, and serves for all of that conversation or nothing.
    Guard(
        "permit_audited",
        "holdfast_purge_permit",
        "INSERT",
        "NOT " + _PURGE_UNDER_WAY,
        "holdfast_purge_permit: a purge is audited first",
    ),
    Guard(
        "permit_fixed",
        "holdfast_purge_permit",
        "UPDATE",
        "1 = 1",
        "holdfast_purge_permit: it is never changed",
    ),
    Guard(
        "permit_used_up",
        "holdfast_purge_permit",
        "DELETE",
        "EXISTS (SELECT 1 FROM holdfast_conversation c WHERE c.id = OLD.conversation_id)",
        "holdfast_purge_permit: a purge leaves nothing of its conversation",
    ),
    not_replaced("holdfast_purge_permit", "conversation_id"),
)

TOOL_LISTINGS = (
    # The log names the listings that a reply was begun with, and the prompt is made again from them.
    Guard(
        "listing_fixed",
        "holdfast_tool_listing",
        "UPDATE",
        "1 = 1",
        "holdfast_tool_listing: it is never changed",
    ),
    Guard(
        "listing_kept",
        "holdfast_tool_listing",
        "DELETE",
        "1 = 1",
        "holdfast_tool_listing: it is never deleted",
    ),
    not_replaced("holdfast_tool_listing", "public_id"),
)
