"""Everything that verify must notice, as statements that change it and the findings they must lead to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tampering:
    """Statements, and the findings they must lead to: check → words of the first one that says it."""

    name: str
    statements: tuple[str, ...]
    findings: dict[str, str]


def on(name: str, *statements: str, **findings: str) -> Tampering:
    return Tampering(name, statements, {check.replace("_", " "): says for check, says in findings.items()})


def message(change: str, which: str = "reply") -> str:
    return f"UPDATE holdfast_message SET {change} WHERE id = {{{which}}}"


def session(change: str, which: str = "s3") -> str:
    return f"UPDATE holdfast_session SET {change} WHERE id = {{{which}}}"


def turn(change: str, which: str) -> str:
    return f"UPDATE holdfast_turn SET {change} WHERE id = {{{which}}}"


def event(change: str, where: str) -> str:
    return f"UPDATE holdfast_event SET {change} WHERE {where}"


def checkpoint(change: str) -> str:
    return f"UPDATE holdfast_checkpoint SET {change} WHERE id = {{checkpoint}}"


def entry(change: str, which: str = "entry") -> str:
    return f"UPDATE holdfast_audit_entry SET {change} WHERE id = {{{which}}}"


CHAIN = "(SELECT chain FROM holdfast_audit_entry WHERE id = {entry})"
ITS_CHAIN = f"name = {CHAIN}"

TAMPERINGS = [
    # The log
    on(
        "an event is deleted",
        "DELETE FROM holdfast_event WHERE session_id = {s1} AND kind = 'settings_changed'",
        log="is missing",
    ),
    on("the end of the log is cut off", session("last_seq = last_seq + 2", "s2"), log="the session says 4"),
    on(
        "an event is not JSON any more",
        event("payload = '{{'", "kind = 'settings_changed'"),
        event="cannot be read",
    ),
    # Messages against their events
    on(
        "a message is changed",
        message("content = replace(content, 'fourth', 'fifth')"),
        projection="the digest agrees with its events",
    ),
    on(
        "an event of a message is changed",
        event("payload = replace(payload, 'fourth', 'fifth')", "message_id = {reply}"),
        projection="the digest agrees with the message",
    ),
    on(
        "a message and its event are changed to the same",
        message("content = replace(content, 'fourth', 'fifth')"),
        event("payload = replace(payload, 'fourth', 'fifth')", "message_id = {reply}"),
        digest="does not follow",
    ),
    on("a message begins elsewhere", message("first_seq = 1"), message="begins with event 1"),
    on(
        "a message is in two conversations",
        message("conversation_id = {other}"),
        message="another conversation",
    ),
    on(
        "a message without an event is slipped in",
        "INSERT INTO holdfast_message (public_id, conversation_id, session_id, role, author_id, first_seq,"
        " content, digest, posted_at) SELECT '00000000000000000000000000000001', conversation_id, session_id,"
        " role, author_id, 1, '', '', posted_at FROM holdfast_message WHERE id = {question}",
        message="has no event",
    ),
    on(
        "an event belongs to a message elsewhere",
        event("message_id = {reply}", "session_id = {s1} AND seq = 1"),
        message="belongs to no message",
    ),
    # Seals
    on("a seal names another event", message("sealed_seq = 1"), seal="the message says 1"),
    on(
        "a seal is taken off",
        message("sealed_seq = NULL, seal_number = NULL, content = '', digest = ''"),
        seal="the message says None",
    ),
    on("a seal has another number", message("seal_number = 77"), seal="the message says 77"),
    on(
        "an open message is sealed without an event",
        message("sealed_seq = 1, seal_number = 77, content = 'x', digest = 'x'", "open"),
        seal="does not seal it",
    ),
    on("the session counts other seals", session("sealed_count = 77", "s2"), seal="counts 77"),
    on(
        "a question is sealed as an answer is",
        event("kind = 'sealed'", "message_id = {question}"),
        seal="cannot seal a message of this role",
        projection="the digest agrees with the message",
        turn="does not tell that it was asked for",
    ),
    # Digests
    on("a digest is changed", message("digest = 'feed'"), digest="names another digest"),
    on(
        "a message has another author",
        message("author_id = {stranger}", "question"),
        digest="does not follow",
    ),
    on("the head of the digests is changed", session("head_digest = 'feed'"), digest="last sealed message"),
    # Open messages and turns
    on(
        "a turn is ended in silence",
        turn("state = 'stopped', lease_until = NULL, ended_at = queued_at", "running"),
        turn="does not tell of its end",
        open="no running turn writes it",
    ),
    on("an ended turn has another end", turn("state = 'failed'", "done"), turn="the turn says failed"),
    on(
        "a turn has another reply",
        turn("reply_id = {waiting_question}", "done"),
        turn="starts it with another reply",
    ),
    on(
        "the end of a turn belongs to no message",
        event("message_id = NULL", "message_id = {reply} AND kind = 'turn_ended'"),
        turn="ends it with another reply",
        projection="the digest agrees with the message",
    ),
    on(
        "a running turn is queued again",
        turn("state = 'queued', lease_until = NULL", "running"),
        turn="the log tells that it was started",
        open="no running turn writes it",
    ),
    on("a turn is deleted", "DELETE FROM holdfast_turn WHERE id = {done}", turn="does not exist"),
    on(
        "a turn is slipped in",
        "INSERT INTO holdfast_turn (public_id, session_id, agent_id, question_id, state, reason, owner,"
        " epoch, resumes, context_digest, queued_at) SELECT '00000000000000000000000000000001', session_id,"
        " agent_id, question_id, 'queued', '', '', 0, 0, '', queued_at FROM holdfast_turn WHERE id = {done}",
        turn="does not tell that it was asked for",
    ),
    on(
        "two turns run at once",
        "DROP INDEX one_running_turn_per_session",
        turn("state = 'running', reply_id = {waiting_question}, lease_until = queued_at", "waiting"),
        turn="2 turns run at once",
    ),
    # Checkpoints and forks
    on(
        "a checkpoint has another digest",
        checkpoint("digest = 'feed'"),
        checkpoint="its digest is not that of the session",
    ),
    on(
        "a checkpoint has another count", checkpoint("message_count = 77"), checkpoint="it counts 77 messages"
    ),
    on("a checkpoint points beyond the end", checkpoint("seq = 777"), checkpoint="it points at event 777"),
    on(
        "a fork has another digest",
        session("base_digest = 'feed'"),
        fork="its digest",
        digest="does not follow",
    ),
    on("a fork has another count", session("base_count = 77"), fork="it counts 77 messages"),
    on("a fork begins elsewhere", session("parent_seq = 1"), fork="at event 1"),
    on(
        "a fork has a parent in another conversation",
        session("parent_id = {other_session}, parent_seq = 1"),
        fork="it cannot descend",
    ),
    on(
        "a session without a parent inherits",
        session("base_count = 77", "s2"),
        fork="it has no parent",
        checkpoint="not 77",
    ),
    # Pointers
    on("no session is active", session("archived_at = started_at"), active="0 active sessions"),
    on(
        "two sessions are active",
        "DROP INDEX one_active_session",
        session("archived_at = NULL", "s1"),
        active="2 active sessions",
    ),
    on(
        "the pointer is moved",
        "UPDATE holdfast_conversation SET active_session_id = {s1} WHERE id = {conversation}",
        active="another session",
        pointer="newest move",
    ),
    on(
        "the pointer stands on an old entry",
        "UPDATE holdfast_conversation SET active_entry_id = (SELECT min(id) FROM holdfast_audit_entry)"
        " WHERE id = {conversation}",
        pointer="newest move",
    ),
    # Moves and their events
    on(
        "a move is told otherwise",
        event("payload = replace(payload, 'reset', 'fork')", "kind = 'made_active'"),
        move="does not tell what audit entry",
    ),
    on(
        "a move is told that never was",
        event("kind = 'made_active'", "kind = 'compacted'"),
        move="has no audit entry",
    ),
    on(
        "a move is not told where it came from",
        event("kind = 'settings_changed'", "kind = 'archived' AND session_id = {s1}"),
        move="has no event archived",
    ),
    on(
        "a move is not told where it went",
        event("kind = 'settings_changed'", "kind = 'made_active' AND session_id = {s3}"),
        move="has no event made_active",
    ),
    # The audit log
    on(
        "an entry says something else",
        entry("facts = replace(facts, 'halfway', 'start')"),
        audit="does not follow from what it says",
    ),
    on("an entry is not JSON any more", entry("facts = '{{'", "purge_entry"), audit="cannot be read"),
    on("an entry was made by another", entry("actor_id = {stranger}"), audit="another actor"),
    on("an entry is given to another team", entry("workspace_id = 77"), audit="another workspace"),
    on(
        "a purge is recorded that nobody did",
        "UPDATE holdfast_audit_entry SET action = 'purge' WHERE action = 'archive'",
        audit="records a purge, and its conversation is still there",
    ),
    on(
        "an entry in the middle is deleted",
        "DELETE FROM holdfast_audit_entry WHERE action = 'archive'",
        audit="entry 4 is missing",
    ),
    on(
        "the newest entry is deleted",
        "DELETE FROM holdfast_audit_entry WHERE action = 'unarchive'",
        audit="not the head it remembers",
    ),
    on(
        "a whole chain is deleted",
        "DELETE FROM holdfast_audit_entry WHERE chain IN"
        " (SELECT chain FROM holdfast_audit_entry WHERE action = 'purge')",
        audit="its 2 entries are missing",
    ),
    on(
        "the link between two entries is changed",
        entry("previous = 'feed'"),
        audit="does not follow from the one",
    ),
    on(
        "a chain has another length",
        f"UPDATE holdfast_audit_chain SET length = 77 WHERE {ITS_CHAIN}",
        audit="not the head",
    ),
    on(
        "a chain has another head",
        f"UPDATE holdfast_audit_chain SET head = 'feed' WHERE {ITS_CHAIN}",
        audit="not the head",
    ),
    on(
        "a conversation is deleted without a purge",
        "DELETE FROM holdfast_event WHERE session_id = {other_session}",
        "DELETE FROM holdfast_session WHERE id = {other_session}",
        "DELETE FROM holdfast_conversation WHERE id = {other}",
        audit="no purge is recorded",
    ),
    # The database
    on(
        "a permit is left behind",
        "INSERT INTO holdfast_purge_permit (conversation_id, entry_id, outlives_id)"
        " VALUES ({conversation}, {purge_entry}, 0)",
        permit="was left behind",
        foreign_keys="holdfast_audit_entry",
    ),
    on(
        "a row points at nothing",
        "UPDATE holdfast_conversation SET agent_id = 777777 WHERE id = {other}",
        foreign_keys="holdfast_agent",
    ),
]
