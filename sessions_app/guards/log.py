"""Events, messages and turns: what was said is never changed, what ended stays ended."""

from sessions_app.guards.guard import OWN_CONVERSATION, Guard, immutable, not_replaced, unless_purged

EVENTS = (
    # Events: dense, unique, never changed.
    Guard(
        "event_dense",
        "holdfast_event",
        "INSERT",
        "NEW.seq <> 1 + coalesce("
        "(SELECT max(e.seq) FROM holdfast_event e WHERE e.session_id = NEW.session_id), 0)",
        "holdfast_event: seq must follow the last one of its session",
        engine="sqlite",
    ),
    # Without a key of one column the table has a hidden one, and REPLACE can name it. Where it is not named
    # it reads as -1 here, which no row has.
    Guard(
        "event_not_replaced",
        "holdfast_event",
        "INSERT",
        "EXISTS (SELECT 1 FROM holdfast_event o WHERE o.rowid = NEW.rowid)",
        "holdfast_event: an existing row is never replaced",
        engine="sqlite",
    ),
    Guard("event_fixed", "holdfast_event", "UPDATE", "1 = 1", "holdfast_event: an event is never changed"),
    unless_purged("holdfast_event", OWN_CONVERSATION),
)

MESSAGES = (
    # Messages: never changed once sealed, and never moved while open.
    Guard(
        "message_sealed",
        "holdfast_message",
        "UPDATE",
        "OLD.sealed_seq IS NOT NULL",
        "holdfast_message: a sealed message is never changed",
    ),
    immutable(
        "holdfast_message",
        "id public_id conversation_id session_id role author_id agent_id client_id supersedes_id continues_id "
        "first_seq posted_at",
        "holdfast_message: what a message is never changes",
    ),
    unless_purged("holdfast_message", "OLD.conversation_id"),
    not_replaced(
        "holdfast_message",
        "public_id",
        "session_id first_seq",
        "session_id sealed_seq",
        "conversation_id author_id client_id",
        "session_id supersedes_id",
        "session_id continues_id",
    ),
    Guard(
        "message_not_overwritten",
        "holdfast_message",
        "UPDATE",
        "EXISTS (SELECT 1 FROM holdfast_message o WHERE o.id <> NEW.id AND o.session_id = NEW.session_id"
        " AND o.sealed_seq = NEW.sealed_seq)",
        "holdfast_message: an existing row is never replaced",
        engine="sqlite",
    ),
)

TURNS = (
    # Turns: an end is final, an epoch never goes back, one runs at a time.
    Guard(
        "turn_final",
        "holdfast_turn",
        "UPDATE",
        "NEW.epoch < OLD.epoch OR NEW.resumes < OLD.resumes"
        " OR (OLD.state NOT IN ('queued', 'running') AND NEW.state <> OLD.state)"
        " OR (OLD.state <> 'queued' AND NEW.state = 'queued')"
        " OR (OLD.reply_id IS NOT NULL AND NEW.reply_id IS DISTINCT FROM OLD.reply_id)",
        "holdfast_turn: an ended turn stays ended and an epoch never goes back",
    ),
    Guard(
        "turn_alone",
        "holdfast_turn",
        "UPDATE",
        "EXISTS (SELECT 1 FROM holdfast_turn o WHERE o.id <> NEW.id AND ("
        "(NEW.state = 'running' AND o.state = 'running' AND o.session_id = NEW.session_id)"
        " OR o.reply_id = NEW.reply_id))",
        "holdfast_turn: one turn runs at a time in a session",
        engine="sqlite",
    ),
    immutable(
        "holdfast_turn",
        "id public_id session_id question_id agent_id supersedes_id continues_id queued_at",
        "holdfast_turn: what a turn is never changes",
    ),
    unless_purged("holdfast_turn", OWN_CONVERSATION),
    not_replaced(
        "holdfast_turn",
        "public_id",
        "reply_id",
        "session_id state='running'",
        "session_id supersedes_id state!='withdrawn'",
        "session_id continues_id state!='withdrawn'",
    ),
)
