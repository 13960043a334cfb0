"""Releases a turn that hangs: its owner is fenced off, and whoever looks next goes on with it or ends it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from chat.broadcast.announcing import announce
from chat.recovery.operators import for_operators, who
from sessions_app.models import Turn
from sessions_app.services.oversight import release_turn


@require_http_methods(["GET", "HEAD", "POST"])
@for_operators
def release(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = Turn.objects.select_related("session__conversation__workspace", "agent", "asked_by")
    turn = get_object_or_404(found, public_id=public_id)
    if request.method == "POST":
        epoch = request.POST.get("epoch", "")
        release_turn(
            turn,
            epoch=int(epoch) if epoch.isascii() and epoch.isdigit() and len(epoch) < 10 else -1,
            reason=request.POST.get("reason", ""),
            **who(request),
        )
        announce(turn.session.conversation)
        messages.success(
            request,
            "The turn was released: it goes on in another process, or ends as interrupted, in seconds.",
        )
        return HttpResponseRedirect(reverse("admin:recovery"))
    context = {
        **admin.site.each_context(request),
        "title": "Release this turn?",
        "turn": turn,
        "now": timezone.now(),
    }
    return render(request, "admin/recovery/release.html", context)
