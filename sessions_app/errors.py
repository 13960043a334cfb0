"""Everything a service can refuse, by name. Each says what is wrong and what is safe, in one sentence."""

from __future__ import annotations


class HoldfastError(Exception):
    """A refusal. `code` is stable for programs, the text is for people; nothing was changed."""

    code = "refused"
    sentence = "This was refused; nothing was changed."

    def __init__(self, sentence: str = "", **facts: object) -> None:
        self.facts = facts
        super().__init__(sentence or self.sentence)


class NotAllowed(HoldfastError):
    code = "not_allowed"
    sentence = "Your role does not allow this; nothing was changed."


class NotFound(HoldfastError):
    code = "not_found"
    sentence = "This does not exist, or no longer; nothing was changed."


class Invalid(HoldfastError):
    code = "invalid"
    sentence = "This value cannot be used; nothing was changed."


class AddressNotAllowed(Invalid):
    code = "address_not_allowed"
    sentence = "This server may not ask at this address; nothing was changed."


class MessageEmpty(Invalid):
    code = "message_empty"
    sentence = "The message has no text; nothing was sent."


class MessageTooLong(Invalid):
    code = "message_too_long"
    sentence = "The message is longer than 64 KiB; nothing was sent and your draft is kept."


class CommandInMessage(Invalid):
    code = "command_in_message"
    sentence = (
        "A message cannot start a new session, so this one was not sent. "
        "Use “New session” in the conversation's menu (or POST to its resets)."
    )


class Conflict(HoldfastError):
    code = "conflict"
    sentence = "Somebody else was first; nothing was changed. Look again and repeat if you still want it."


class ClientIdReused(Conflict):
    code = "client_id_reused"
    sentence = (
        "This client id was already used for another text; the first one is kept and this was not sent."
    )


class KeyReused(Conflict):
    code = "idempotency_key_reused"
    sentence = "This idempotency key was already used for another action; nothing was changed."


class KeyTaken(Conflict):
    code = "key_taken"
    sentence = "A conversation with this key exists already; nothing was changed."


class HandleTaken(Conflict):
    code = "handle_taken"
    sentence = "Another agent of this workspace has this handle; nothing was changed."


class NameTaken(Conflict):
    code = "name_taken"
    sentence = "Another tool server of this workspace has this name; nothing was changed."


class LastOwner(Conflict):
    code = "last_owner"
    sentence = (
        "A workspace is never without an owner who can sign in. Make somebody else an owner first; "
        "nothing was changed."
    )


class InvitationClosed(Conflict):
    code = "invitation_closed"
    sentence = "This invitation no longer lets anybody in; nothing was changed. Ask for a new one."


class ToolServerFailed(Conflict):
    code = "tool_server_failed"
    sentence = "The tool server did not answer as one; its tools stay as they were last seen."


class SessionChanged(Conflict):
    code = "session_changed"
    sentence = (
        "The conversation moved to another session meanwhile; nothing was changed, and what you wrote is kept. "
        "Look again and repeat if you still want it."
    )


class ConversationArchived(Conflict):
    code = "conversation_archived"
    sentence = "This conversation is archived. Take it out of the archive first; nothing was changed."


class ConversationDeleted(Conflict):
    code = "conversation_deleted"
    sentence = "This conversation was deleted. Restore it from “Recently deleted” first; nothing was changed."


class AlreadyActive(Conflict):
    code = "already_active"
    sentence = "This session is the active one already; nothing was changed."


class NobodyControls(Conflict):
    code = "nobody_controls"
    sentence = (
        "Nobody else may control this private conversation, so it would be left to nobody. "
        "Name somebody who may control it first; nothing was changed."
    )


class NothingToUndo(Conflict):
    code = "nothing_to_undo"
    sentence = (
        "The conversation has moved on since then, so this can no longer be undone; nothing was changed."
    )


class TurnRunning(Conflict):
    code = "turn_running"
    sentence = "The agent is still answering. Stop it or wait for it; nothing was changed."


class TurnUnavailable(Conflict):
    code = "turn_unavailable"
    sentence = "This turn cannot be taken: it has ended, has another owner, or waits behind another turn."


class TurnNotQueued(Conflict):
    code = "turn_not_queued"
    sentence = (
        "The agent has begun to answer this message, so it can no longer be withdrawn. You can stop it."
    )


class ReplyNotLast(Conflict):
    code = "reply_not_last"
    sentence = "Only the last reply can be regenerated in place; fork before an earlier one instead."


class StaleEpoch(Conflict):
    code = "stale_epoch"
    sentence = "Another process owns this turn now; this write was refused and nothing was changed."


class ConfirmationMismatch(Invalid):
    code = "confirmation_mismatch"
    sentence = "The typed confirmation does not match the conversation's key; nothing was deleted."


class ConfirmationInvalid(Invalid):
    code = "confirmation_invalid"
    sentence = (
        "This confirmation was given to somebody else or for something else; nothing was changed. "
        "Look at what would be archived and confirm that."
    )


class ConfirmationExpired(Conflict):
    code = "confirmation_expired"
    sentence = (
        "This confirmation is older than five minutes, so nothing was changed. "
        "Look again at what would be archived, and confirm it if you still want it."
    )


class KeyUnreadable(HoldfastError):
    code = "key_unreadable"
    sentence = (
        "This agent's key cannot be decrypted: it was saved under an encryption key that this server does not "
        "have. Put the old one back (HOLDFAST_ENCRYPTION_KEYS), or enter the agent's key again."
    )


class ServerKeyUnreadable(KeyUnreadable):
    code = "server_key_unreadable"
    sentence = (
        "This tool server's key cannot be decrypted: it was saved under an encryption key that is not here "
        "any more. Put the old one back (HOLDFAST_ENCRYPTION_KEYS), or enter the tool server's key again."
    )


class StartupRefused(HoldfastError):
    code = "startup_refused"
    sentence = "Holdfast does not start on this database."


class BackupRefused(HoldfastError):
    code = "backup_refused"
    sentence = "The backup was refused; nothing was overwritten."


class DatabaseBusy(HoldfastError):
    code = "database_busy"
    sentence = "The database is busy; nothing was changed. Try again in a moment."


class OutcomeUnknown(DatabaseBusy):
    code = "outcome_unknown"
    sentence = (
        "The database went away while this was being saved, so it may be saved or not. "
        "Look again; to repeat it with the same client id or idempotency key is safe."
    )


class ImportRefused(Invalid):
    code = "import_refused"
    sentence = "This file cannot be imported; nothing was imported."


class ImportConflict(Conflict):
    code = "import_conflict"
    sentence = "This conversation is here already, and has become another one; nothing was imported."
