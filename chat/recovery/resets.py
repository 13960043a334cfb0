"""The admin's reset: a page that says what would be archived, then one confirmed POST."""

from __future__ import annotations

from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from chat.recovery.operators import for_operators, operator, tell_move, who
from sessions_app.models import Conversation
from sessions_app.services.confirmed_reset import reset_as_confirmed, what_would_be_archived


@require_http_methods(["GET", "HEAD", "POST"])
@for_operators
def reset(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = Conversation.objects.select_related("active_session", "workspace")
    conversation = get_object_or_404(found, public_id=public_id)
    if request.method == "POST":
        entry = reset_as_confirmed(
            conversation,
            confirmation=request.POST.get("confirmation", ""),
            reason=request.POST.get("reason", ""),
            **who(request),
        )
        tell_move(request, entry)
        return HttpResponseRedirect(reverse("admin:sessions_app_conversation_changelist"))
    context = {
        **admin.site.each_context(request),
        "title": "Start a new session?",
        "conversation": conversation,
        "preview": what_would_be_archived(conversation, by=operator(request)),
    }
    return render(request, "admin/recovery/reset.html", context)
