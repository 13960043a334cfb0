"""Sessions, conversations and checkpoints: a log only grows, and a pointer moves only by a new, matching entry."""

from sessions_app.guards.guard import (
    OWN_CONVERSATION,
    Guard,
    immutable,
    not_at_nowhere,
    not_replaced,
    unless_purged,
)

# An entry that comes after the one the conversation stands on, in the same chain: a move that is under way.
_MOVE_UNDER_WAY = """EXISTS (
    SELECT 1 FROM holdfast_audit_entry e JOIN holdfast_conversation c ON c.id = e.conversation_id
    WHERE e.conversation_id = NEW.conversation_id AND {session} = NEW.id AND e.new_session_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM holdfast_audit_entry p
          WHERE p.id = c.active_entry_id AND (p.chain <> e.chain OR p.number >= e.number)))"""

_POINTER_MATCHES_ENTRY = """EXISTS (
    SELECT 1 FROM holdfast_audit_entry e JOIN holdfast_session s ON s.id = e.new_session_id
    WHERE e.id = NEW.active_entry_id AND e.conversation_id = NEW.id
      AND coalesce(e.old_session_id, 0) = OLD.active_session_id
      AND e.new_session_id = NEW.active_session_id
      AND s.conversation_id = NEW.id AND s.archived_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM holdfast_audit_entry p
          WHERE p.id = OLD.active_entry_id AND (p.chain <> e.chain OR p.number >= e.number)))"""

SESSIONS = (
    # Sessions: the log only grows, and only a move under way archives or activates one.
    immutable(
        "holdfast_session",
        "id public_id conversation_id number parent_id parent_seq base_digest base_count started_at",
        "holdfast_session: what a session is never changes",
    ),
    Guard(
        "session_grows",
        "holdfast_session",
        "UPDATE",
        "NEW.last_seq < OLD.last_seq OR NEW.sealed_count < OLD.sealed_count OR "
        "(NEW.last_seq > OLD.last_seq AND NOT EXISTS (SELECT 1 FROM holdfast_event e "
        "WHERE e.session_id = NEW.id AND e.seq = NEW.last_seq))",
        "holdfast_session: last_seq follows the log and never goes back",
    ),
    Guard(
        "session_born_archived",
        "holdfast_session",
        "INSERT",
        "NEW.archived_at IS NULL",
        "holdfast_session: only a pointer move makes a session active",
    ),
    Guard(
        "session_archived_by_move",
        "holdfast_session",
        "UPDATE OF archived_at",
        "OLD.archived_at IS NULL AND NEW.archived_at IS NOT NULL AND NOT "
        + _MOVE_UNDER_WAY.format(session="e.old_session_id"),
        "holdfast_session: only a pointer move archives the active session",
    ),
    Guard(
        "session_activated_by_move",
        "holdfast_session",
        "UPDATE OF archived_at",
        "OLD.archived_at IS NOT NULL AND NEW.archived_at IS NULL AND ("
        "EXISTS (SELECT 1 FROM holdfast_session o WHERE o.conversation_id = NEW.conversation_id "
        "AND o.archived_at IS NULL AND o.id <> NEW.id) OR NOT "
        + _MOVE_UNDER_WAY.format(session="e.new_session_id")
        + ")",
        "holdfast_session: only a pointer move makes a session active",
    ),
    not_at_nowhere("holdfast_session"),
    unless_purged("holdfast_session", "OLD.conversation_id"),
    not_replaced(
        "holdfast_session", "public_id", "conversation_id number", "conversation_id archived_at=NULL"
    ),
)

CONVERSATIONS = (
    # Conversations: the pointer moves only with a new, matching audit entry.
    Guard(
        "conversation_begins_nowhere",
        "holdfast_conversation",
        "INSERT",
        "NEW.active_session_id <> 0 OR NEW.active_entry_id <> 0",
        "holdfast_conversation: the first session comes by a pointer move too",
    ),
    Guard(
        "conversation_pointer",
        "holdfast_conversation",
        "UPDATE",
        "(NEW.active_session_id <> OLD.active_session_id OR NEW.active_entry_id <> OLD.active_entry_id) "
        "AND NOT " + _POINTER_MATCHES_ENTRY,
        "holdfast_conversation: the active session changes only with a new, matching audit entry",
    ),
    immutable(
        "holdfast_conversation",
        "id public_id workspace_id key started_at",
        "holdfast_conversation: what a conversation is never changes",
    ),
    unless_purged("holdfast_conversation", "OLD.id"),
    not_replaced("holdfast_conversation", "public_id", "workspace_id key"),
)

CHECKPOINTS = (
    # Checkpoints never change.
    Guard(
        "checkpoint_fixed",
        "holdfast_checkpoint",
        "UPDATE",
        "1 = 1",
        "holdfast_checkpoint: it is never changed",
    ),
    unless_purged("holdfast_checkpoint", OWN_CONVERSATION),
    not_replaced("holdfast_checkpoint", "public_id"),
)
