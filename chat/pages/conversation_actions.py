"""What people change about a conversation: its title, agent and prompt, and what each keeps for themselves."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from chat.broadcast.announcing import announce
from chat.origins import origin_of
from chat.pages.context import context_size
from chat.pages.doors import (
    Fields,
    acts,
    asks,
    person,
    visible_conversation,
    visible_session,
)
from sessions_app.errors import Invalid
from sessions_app.models import Agent, Answers, Conversation
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.conversations import (
    archive_conversation,
    change_settings,
    pin_conversation,
    rename_conversation,
    unarchive_conversation,
)
from sessions_app.services.personal import keep_draft, mark_read


@acts
def title(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = visible_conversation(request, public_id)
    renamed = rename_conversation(found, by=person(request), title=Fields(request).text("title"))
    announce(renamed)
    return JsonResponse({"title": renamed.title})


@acts
def settings(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Changes what is sent and leaves the rest; everybody sees it in the transcript."""
    found, fields = visible_conversation(request, public_id), Fields(request)
    changed = change_settings(
        found,
        by=person(request),
        agent=_agent(found, fields.optional_text("agent")),
        system_prompt=fields.optional_text("system_prompt"),
        answers=_answers(fields.optional_text("answers")),
    )
    announce(changed)
    return JsonResponse({"agent": changed.agent.name if changed.agent else None, "answers": changed.answers})


def _agent(conversation: Conversation, handle: str | None) -> Agent | None:
    if handle is None:
        return None
    return get_object_or_404(Agent, workspace=conversation.workspace_id, handle=handle)


def _answers(text: str | None) -> Answers | None:
    if text is not None and text not in Answers.values:
        raise Invalid("An agent answers “always” or when “mentioned”; nothing was changed.")
    return Answers(text) if text is not None else None


@acts
def pin(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found, pinned = visible_conversation(request, public_id), Fields(request).flag("pinned")
    pin_conversation(found, by=person(request), pinned=pinned)
    return JsonResponse({"pinned": pinned})


@acts
def archive(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found, archived = visible_conversation(request, public_id), Fields(request).flag("archived")
    service = archive_conversation if archived else unarchive_conversation
    changed = service(found, by=person(request), origin=origin_of(request))
    announce(changed)
    return JsonResponse({"archived": changed.is_archived})


@acts
def checkpoints(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = visible_conversation(request, public_id)
    taken = take_checkpoint(found, by=person(request), name=Fields(request).text("name"))
    return JsonResponse({"checkpoint": taken.public_id, "name": taken.name, "seq": taken.seq}, status=201)


@acts
def draft(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = visible_conversation(request, public_id)
    keep_draft(found, by=person(request), text=Fields(request).text("text"))
    return HttpResponse(status=204)


@acts
def read(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """How far this person has read in a session."""
    session = visible_session(request, public_id)
    mark_read(session, by=person(request), seq=Fields(request).number("seq"))
    return HttpResponse(status=204)


@asks
def context(request: HttpRequest, public_id: UUID) -> HttpResponse:
    size = context_size(visible_conversation(request, public_id))
    if size is None:
        return JsonResponse({})
    figures = {"used": size.used, "limit": size.limit, "percent": size.percent}
    return JsonResponse({**figures, "is_near_compaction": size.is_near_compaction})
