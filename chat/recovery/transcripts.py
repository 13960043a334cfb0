"""A session's transcript for operators: rendered and sanitised as on the page, and every look is audited."""

from __future__ import annotations

from uuid import UUID

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from chat.pages.conversation import transcript_context
from chat.pages.windows import window
from chat.recovery.operators import for_operators, who
from sessions_app.models import Session
from sessions_app.services.oversight import record_opening


@require_safe
@for_operators
def transcript(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = Session.objects.select_related("conversation__workspace", "conversation__active_session")
    session = get_object_or_404(found, public_id=public_id)
    view = window(session, request.GET)
    record_opening(session, **who(request))
    context = {
        **admin.site.each_context(request),
        **transcript_context(view),
        "title": f"Session {session.number} of {session.conversation.key}",
        "session": view.session,
        "conversation": session.conversation,
        "first_message": view.messages[0] if view.messages else None,
        "last_message": view.messages[-1] if view.messages else None,
    }
    return render(request, "admin/recovery/transcript.html", context)
