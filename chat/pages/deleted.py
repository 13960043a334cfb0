"""Deleting conversations, finding them again for 30 days, and the one act that cannot be undone."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from chat.broadcast.announcing import announce
from chat.origins import origin_of
from chat.pages.doors import Fields, acts, person, visible_conversation, visible_workspace
from chat.pages.home import shell_context
from sessions_app.models import Conversation, User
from sessions_app.services.access import Act, allows, standing_in
from sessions_app.services.deletion import (
    LISTED_DAYS,
    delete_conversation,
    recently_deleted,
    undelete_conversation,
)
from sessions_app.services.purge import purge_conversation, what_goes

LISTED = 50


@require_safe
@login_required
def deleted(request: HttpRequest, slug: str) -> HttpResponse:
    workspace = visible_workspace(request, slug)
    found = recently_deleted(workspace, user=person(request))[:LISTED]
    context = {
        **shell_context(request, workspace),
        "rows": [_row(conversation, person(request)) for conversation in found],
        "days": LISTED_DAYS,
    }
    return render(request, "chat/deleted.html", context)


def _row(conversation: Conversation, user: User) -> dict[str, object]:
    standing = standing_in(user, conversation)
    return {
        "conversation": conversation,
        "goes": what_goes(conversation),
        "can_restore": allows(standing, Act.CONTROL),
        "can_purge": allows(standing, Act.PURGE),
    }


@acts
def deletions(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = visible_conversation(request, public_id)
    announce(delete_conversation(found, by=person(request), origin=origin_of(request)))
    return JsonResponse({"next": reverse("deleted", args=[found.workspace.slug])})


@acts
def undeletions(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = visible_conversation(request, public_id)
    announce(undelete_conversation(found, by=person(request), origin=origin_of(request)))
    return JsonResponse({"next": reverse("conversation", args=[found.public_id])})


@acts
def purges(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Deletes for good what was deleted before, when an owner types its key."""
    found, fields = visible_conversation(request, public_id), Fields(request)
    next_page = reverse("deleted", args=[found.workspace.slug])
    purge_conversation(
        found, by=person(request), confirmation=fields.text("confirmation"), origin=origin_of(request)
    )
    announce(found)
    return JsonResponse({"next": next_page})
