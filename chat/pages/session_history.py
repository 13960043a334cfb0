"""The history drawer: a conversation's sessions, checkpoints and audit entries, told and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from chat.pages.doors import asks, person, visible_conversation
from chat.pages.lanes import Piece, drawn
from chat.pages.notices import access_words
from sessions_app.models import Action, CheckpointKind
from sessions_app.services.access import Act, may
from sessions_app.services.audit_check import verify_conversation_chain
from sessions_app.services.timeline import Moment, timeline

WORDS = {
    Action.START: "{by} started the conversation",
    Action.RESET: "{by} started session {new}",
    Action.RESTORE_SESSION: "{by} brought session {new} back",
    Action.RESTORE_CHECKPOINT: "{by} went back to a checkpoint, in session {new}",
    Action.FORK: "{by} went on from an earlier point, in session {new}",
    Action.UNDO: "{by} undid that: session {new} is back",
    Action.ARCHIVE: "{by} archived the conversation",
    Action.UNARCHIVE: "{by} took the conversation out of the archive",
    Action.DELETE: "{by} deleted the conversation",
    Action.UNDELETE: "{by} restored the conversation",
    Action.EXPORT_CONVERSATION: "{by} exported the conversation",
    Action.IMPORT_CONVERSATION: "{by} imported the conversation",
    Action.CHANGE_OPENNESS: "{by} {access}",
    Action.GRANT_ACCESS: "{by} {access}",
    Action.REVOKE_ACCESS: "{by} {access}",
    Action.OPEN_TRANSCRIPT: "{by}, an operator, read a transcript",
    Action.RELEASE_TURN: "{by}, an operator, released an answer that hung",
}
CHECKPOINT_WORDS = {
    CheckpointKind.MANUAL: "{by} took a checkpoint",
    CheckpointKind.COMPACTION: "What the agent is sent was summarised",
    CheckpointKind.IMPORT: "Imported",
}


@dataclass(frozen=True)
class Told:
    """A moment in words and drawn."""

    moment: Moment
    piece: Piece
    words: str
    reason: str
    through: str


@asks
def session_history(request: HttpRequest, public_id: UUID) -> HttpResponse:
    conversation = visible_conversation(request, public_id)
    told = timeline(conversation, before=request.GET.get("before", ""))
    context = {
        "conversation": conversation,
        "active": conversation.active_session,
        "told": [
            _told(moment, piece)
            for moment, piece in zip(
                told.moments, drawn(told.moments, conversation.active_session), strict=True
            )
        ],
        "older": told.older,
        "is_first_page": "before" not in request.GET,
        "chain": verify_conversation_chain(conversation),
        "can_control": may(person(request), conversation, Act.CONTROL) and not conversation.is_archived,
    }
    return render(request, "chat/_history.html", context)


def _told(moment: Moment, piece: Piece) -> Told:
    if (entry := moment.entry) is None:
        return _told_checkpoint(moment, piece)
    told = entry.told
    words = WORDS.get(Action(entry.action), "{by} did something").format(
        by=told["actor_name"],
        new=moment.new.number if moment.new else "",
        access=access_words(told["changed"]) if "changed" in told else "",
    )
    return Told(moment, piece, words, told.get("reason", ""), entry.trigger)


def _told_checkpoint(moment: Moment, piece: Piece) -> Told:
    assert moment.checkpoint is not None
    taken_by = moment.checkpoint.taken_by
    words = CHECKPOINT_WORDS.get(CheckpointKind(moment.checkpoint.kind), "").format(
        by=taken_by.name if taken_by else "Holdfast"
    )
    return Told(moment, piece, words, "", "")
