"""Starts conversations and changes what is said about them; never what was said in them."""

from __future__ import annotations

import re
import secrets
from datetime import datetime
from typing import Any

from django.utils import timezone

from sessions_app.canonical import clean_text
from sessions_app.errors import ConversationDeleted, Invalid, KeyTaken
from sessions_app.models import (
    Action,
    Agent,
    Answers,
    Conversation,
    EventKind,
    Grant,
    Level,
    Openness,
    PersonalState,
    User,
    Workspace,
)
from sessions_app.services.access import Act, require, require_in_workspace
from sessions_app.services.audit import COMMAND, Origin, clean_reason, write_entry
from sessions_app.services.log import Fact, append, lock_conversation, lock_session
from sessions_app.services.moves import move_pointer, new_session, refuse_archived
from sessions_app.services.transactions import one_transaction

KEY = re.compile(r"[a-z0-9][a-z0-9._-]*(:[a-z0-9][a-z0-9._-]*)*")
KEY_LENGTH = 120
TITLE_LENGTH = 200
PROMPT_LENGTH = 32_000
UNTITLED = "New conversation"


@one_transaction
def start_conversation(
    workspace: Workspace,
    *,
    by: User | None,
    key: str = "",
    title: str = "",
    agent: Agent | None = None,
    openness: str = Openness.OPEN,
    origin: Origin = COMMAND,
) -> Conversation:
    """A conversation with its first session, active by the first entry of its audit chain. Who starts one that
    is closed is named in it."""
    # Of two who want the same key at once the second is told, not the database's error.
    workspace = Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)
    require_in_workspace(by, workspace.pk, Act.WRITE)
    key, now = key or f"chat:{secrets.token_hex(4)}", timezone.now()
    _require_key(workspace, key)
    _require_agent(workspace.pk, agent)
    openness = known_openness(openness)
    conversation = Conversation.objects.create(
        workspace=workspace,
        key=key,
        title=_clean_title(title) if title else UNTITLED,
        title_is_manual=bool(title),
        agent=agent,
        active_session_id=Conversation.NOWHERE,
        active_entry_id=Conversation.NOWHERE,
        started_by=by,
        started_at=now,
        touched_at=now,
        openness=openness,
    )
    if by is not None and not conversation.is_open:
        Grant.objects.create(
            conversation=conversation, user=by, level=Level.CONTROL, given_by=by, given_at=now
        )
    first = new_session(conversation, by=by, at=now)
    facts = {} if conversation.is_open else {"openness": openness}
    move_pointer(conversation, Action.START, to=first, by=by, origin=origin, at=now, **facts)
    return conversation


@one_transaction
def rename_conversation(conversation: Conversation, *, by: User | None, title: str) -> Conversation:
    """A title a person chose; nothing automatic replaces it afterwards."""
    conversation = lock_for_change(conversation, by, Act.WRITE)
    return _retitle(conversation, _clean_title(title), by=by, is_manual=True)


@one_transaction
def title_automatically(conversation: Conversation, *, title: str) -> Conversation:
    """The agent's proposal for a title; one that a person chose is kept instead."""
    conversation = lock_conversation(conversation)
    if conversation.title_is_manual:
        return conversation
    return _retitle(conversation, _clean_title(title), by=None, is_manual=False)


@one_transaction
def change_settings(
    conversation: Conversation,
    *,
    by: User | None,
    agent: Agent | None = None,
    system_prompt: str | None = None,
    answers: Answers | None = None,
) -> Conversation:
    """Changes what is given and leaves the rest; the log tells everybody what changed."""
    conversation = lock_for_change(conversation, by, Act.WRITE)
    changed: dict[str, Any] = {}
    if agent is not None:
        _require_agent(conversation.workspace_id, agent)
        conversation.agent = agent
        changed["agent"] = {"id": str(agent.public_id), "name": agent.name}
    if system_prompt is not None:
        changed["system_prompt"] = conversation.system_prompt = _clean_prompt(system_prompt)
    if answers is not None:
        conversation.answers = Answers(answers)
        changed["answers"] = str(conversation.answers)
    if changed:
        conversation.save(update_fields=["agent", "system_prompt", "answers"])
        log_settings(conversation, changed, by=by, at=timezone.now())
    return conversation


@one_transaction
def pin_conversation(conversation: Conversation, *, by: User, pinned: bool) -> PersonalState:
    """Pins for this person alone."""
    conversation = lock_for(conversation, by, Act.READ)
    state, _ = PersonalState.objects.get_or_create(conversation=conversation, user=by)
    if pinned != (state.pinned_at is not None):
        state.pinned_at = timezone.now() if pinned else None
        state.save(update_fields=["pinned_at"])
    return state


@one_transaction
def archive_conversation(
    conversation: Conversation, *, by: User | None, origin: Origin = COMMAND, reason: str = ""
) -> Conversation:
    """Takes it out of the list; its sessions stay as they are. Twice is once."""
    conversation = lock_for(conversation, by, Act.CONTROL)
    if conversation.is_archived:
        return conversation
    return _set_archived(conversation, timezone.now(), Action.ARCHIVE, by=by, origin=origin, reason=reason)


@one_transaction
def unarchive_conversation(
    conversation: Conversation, *, by: User | None, origin: Origin = COMMAND, reason: str = ""
) -> Conversation:
    conversation = lock_for(conversation, by, Act.CONTROL)
    if not conversation.is_archived:
        return conversation
    if conversation.is_deleted:
        raise ConversationDeleted
    return _set_archived(conversation, None, Action.UNARCHIVE, by=by, origin=origin, reason=reason)


def lock_for_change(conversation: Conversation, by: User | None, act: Act) -> Conversation:
    """The locked row, for somebody who may, if it is not archived."""
    conversation = lock_for(conversation, by, act)
    refuse_archived(conversation)
    return conversation


def lock_for(conversation: Conversation, by: User | None, act: Act) -> Conversation:
    """The locked row, for somebody who may; archived or not."""
    conversation = lock_conversation(conversation)
    require(by, conversation, act)
    return conversation


def known_openness(text: str) -> Openness:
    if text not in Openness.values:
        raise Invalid("A conversation is open, restricted or private; nothing was changed.")
    return Openness(text)


def _require_key(workspace: Workspace, key: str) -> None:
    if len(key) > KEY_LENGTH or not KEY.fullmatch(key):
        raise Invalid(
            "A key is made of small letters, digits, dots and dashes, with colons between its parts, "
            "such as team:general; nothing was changed."
        )
    if Conversation.objects.filter(workspace=workspace, key=key).exists():
        raise KeyTaken


def _require_agent(workspace_id: int, agent: Agent | None) -> None:
    if agent is not None and (agent.workspace_id != workspace_id or not agent.is_active):
        raise Invalid("This agent does not work in this workspace; nothing was changed.")


def _clean_title(title: str) -> str:
    title = " ".join(clean_text(title).split())
    if not title or len(title) > TITLE_LENGTH:
        raise Invalid(f"A title has 1 to {TITLE_LENGTH} characters; nothing was changed.")
    return title


def _clean_prompt(prompt: str) -> str:
    prompt = clean_text(prompt)
    if len(prompt) > PROMPT_LENGTH:
        raise Invalid(f"A system prompt has at most {PROMPT_LENGTH} characters; nothing was changed.")
    return prompt


def _retitle(conversation: Conversation, title: str, *, by: User | None, is_manual: bool) -> Conversation:
    conversation.title, conversation.title_is_manual = title, is_manual
    conversation.save(update_fields=["title", "title_is_manual"])
    log_settings(conversation, {"title": title}, by=by, at=timezone.now())
    return conversation


def log_settings(
    conversation: Conversation, changed: dict[str, Any], *, by: User | None, at: datetime
) -> None:
    session = lock_session(conversation.active_session_id)
    who = {"by": str(by.public_id) if by else None, "by_name": by.name if by else ""}
    append(session, Fact(EventKind.SETTINGS_CHANGED, {"changed": changed, **who}), at=at)


def _set_archived(
    conversation: Conversation,
    at: datetime | None,
    action: Action,
    *,
    by: User | None,
    origin: Origin,
    reason: str,
) -> Conversation:
    conversation.archived_at, conversation.archived_by = at, by if at else None
    conversation.save(update_fields=["archived_at", "archived_by"])
    write_entry(conversation, action, by=by, origin=origin, at=timezone.now(), reason=clean_reason(reason))
    return conversation
