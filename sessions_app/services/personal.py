"""What one person keeps about a conversation, on every device: how far they have read, and an unsent draft."""

from __future__ import annotations

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid
from sessions_app.models import Conversation, PersonalState, Session, User
from sessions_app.services.access import Act, require
from sessions_app.services.transactions import one_transaction

# Longer than a message may be: a draft that must still be shortened is kept as well.
LONGEST_DRAFT_BYTES = 256 * 1024


def personal_state(conversation: Conversation, user: User) -> PersonalState:
    """What is kept, or an unsaved row that says nothing is."""
    found = PersonalState.objects.filter(conversation=conversation, user=user).first()
    return found or PersonalState(conversation=conversation, user=user)


@one_transaction
def mark_read(session: Session, *, by: User, seq: int) -> PersonalState:
    """Afterwards the person has read up to `seq`; a marker never goes back within a session."""
    require(by, session.conversation, Act.READ)
    state = _own_state(session.conversation, by)
    seq = min(seq, session.last_seq)
    if state.read_session_id != session.pk or seq > state.read_seq:
        state.read_session, state.read_seq = session, seq
        state.save(update_fields=["read_session", "read_seq"])
    return state


@one_transaction
def keep_draft(conversation: Conversation, *, by: User, text: str) -> PersonalState:
    """Keeps what has not been sent yet; nothing ever sends it but the person."""
    require(by, conversation, Act.WRITE)
    text = clean_text(text)
    if len(text.encode()) > LONGEST_DRAFT_BYTES:
        raise Invalid("The draft is too long to be kept on the server; this browser keeps it.")
    state = _own_state(conversation, by)
    if state.draft != text:
        state.draft = text
        state.save(update_fields=["draft"])
    return state


def _own_state(conversation: Conversation, user: User) -> PersonalState:
    state, _ = PersonalState.objects.get_or_create(conversation=conversation, user=user)
    return state
