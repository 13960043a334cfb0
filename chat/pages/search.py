"""Finds conversations and messages, as a page of its own and inside the search dialog."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from chat.pages.doors import count_one, person, refusal, refusal_status, told_to_wait, visible_workspace
from chat.pages.home import shell_context
from chat.rates import Rate
from sessions_app.errors import HoldfastError
from sessions_app.models import Conversation, Session, Workspace
from sessions_app.services.history import is_part_of
from sessions_app.services.search import Found, FoundMessage, search

MOST_CHARACTERS = 200


@dataclass(frozen=True)
class Hit:
    """A message that was found, and the session in which it is best read."""

    found: FoundMessage
    session: Session

    @property
    def address(self) -> str:
        message, conversation = self.found.message, self.found.message.conversation
        is_present = self.session.pk == conversation.active_session_id
        page = (
            reverse("conversation", args=[conversation.public_id])
            if is_present
            else reverse("session", args=[self.session.public_id])
        )
        return f"{page}?around={message.public_id}#message-{message.public_id}"

    @property
    def is_archived(self) -> bool:
        conversation = self.found.message.conversation
        return conversation.is_archived or self.session.pk != conversation.active_session_id


@require_safe
@login_required
def search_page(request: HttpRequest, slug: str) -> HttpResponse:
    """A script gets the results alone, a link the whole page."""
    workspace, words = visible_workspace(request, slug), request.GET.get("q", "").strip()[:MOST_CHARACTERS]
    is_part = bool(request.headers.get("Holdfast-Part"))
    try:
        found = _find(request, workspace, words)
    except HoldfastError as error:
        return refusal(error) if is_part else _refused(request, workspace, words, error)
    context = {"words": words, "found": found, "hits": [_hit(message) for message in found.messages]}
    if is_part:
        return render(request, "chat/_search_results.html", context)
    return render(request, "chat/search.html", {**shell_context(request, workspace), **context})


def _refused(request: HttpRequest, workspace: Workspace, words: str, error: HoldfastError) -> HttpResponse:
    """The page with what was typed, and what is wrong with it."""
    context = {**shell_context(request, workspace), "words": words, "problem": str(error)}
    return told_to_wait(render(request, "chat/search.html", context, status=refusal_status(error)), error)


def _find(request: HttpRequest, workspace: Workspace, words: str) -> Found:
    if words:
        count_one(request, Rate.SEARCH)
    user, before = person(request), request.GET.get("before", "")
    conversation = None
    if request.GET.get("in"):
        visible = Conversation.objects.visible_to(user).filter(workspace=workspace)
        conversation = get_object_or_404(visible, public_id=_uuid(request.GET["in"]))
    return search(words, by=user, workspace=workspace, conversation=conversation, before=before)


def _hit(found: FoundMessage) -> Hit:
    """What the present session shows is read there, even where a fork inherited it."""
    message = found.message
    present = message.conversation.active_session
    return Hit(found, present if is_part_of(present, message) else message.session)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
