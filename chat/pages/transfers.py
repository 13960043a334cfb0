"""A conversation as a file, and such a file as a conversation: the pages' own doors for both."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from chat.broadcast.announcing import announce
from chat.broadcast.standings import Asked, standings
from chat.buckets import TooFast
from chat.database_threads import write
from chat.downloads import download
from chat.origins import origin_of
from chat.pages.doors import acts_as, count_one, person, told_to_wait, visible_conversation, visible_workspace
from chat.pages.home import shell_context
from chat.rates import Rate
from chat.uploads import body_as_file
from sessions_app.errors import HoldfastError, Invalid
from sessions_app.models import Conversation
from sessions_app.services.access import Act, may_in_workspace
from sessions_app.services.transfer.forms import Form, open_form
from sessions_app.services.transfer.importing import import_conversation, plan_import
from sessions_app.services.transfer.telling import DORMANT, SILENT, plan_facts


@require_POST
async def exports(request: HttpRequest, public_id: UUID) -> HttpResponseBase:
    """On a thread of the database's, where a long conversation keeps no page waiting."""
    return await write(_export, request, public_id)


def _export(request: HttpRequest, public_id: UUID) -> HttpResponseBase:
    if not request.user.is_authenticated:
        return redirect_to_login(reverse("conversation", args=[public_id]))
    found = visible_conversation(request, public_id)
    try:
        count_one(request, Rate.EXPORT)
        form = _form(request.POST.get("form", ""))
        pieces = open_form(found, form=form, by=person(request), origin=origin_of(request))
    except HoldfastError as error:
        context = {"problem": str(error), "conversation": found}
        status = 429 if isinstance(error, TooFast) else 409
        return told_to_wait(render(request, "chat/not_exported.html", context, status=status), error)
    return download(found, form, pieces, stands=_standing(request, found))


def _form(name: str) -> Form:
    if name not in Form.values:
        raise Invalid("A conversation is exported as markdown, json or jsonl; nothing was exported.")
    return Form(name)


def _standing(request: HttpRequest, conversation: Conversation) -> Callable[[], bool]:
    """Whether the person is still signed in and may still see it: a long file is asked for again and again."""
    user = person(request)
    asked = Asked(user.pk, request.session.session_key, conversation.pk, user.get_session_auth_hash())

    def stands() -> bool:
        [found] = standings([asked])
        return found.lost is None

    return stands


@never_cache
@require_safe
@login_required
def import_page(request: HttpRequest, slug: str) -> HttpResponse:
    workspace = visible_workspace(request, slug)
    may_import = may_in_workspace(person(request), workspace.pk, Act.MANAGE)
    return render(
        request, "chat/import.html", {**shell_context(request, workspace), "may_import": may_import}
    )


@require_POST
async def imports(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The file is the body itself; with `?dry_run=1` the answer is what would come of it."""
    return await write(_import, request, slug)


@acts_as(Rate.IMPORT)
def _import(request: HttpRequest, slug: str) -> HttpResponse:
    workspace, user = visible_workspace(request, slug), person(request)
    with body_as_file(request) as file:
        if request.GET.get("dry_run") == "1":
            plan = plan_import(file, workspace=workspace, by=user)
            context = {**plan_facts(plan), "here": plan.here, "dormant": DORMANT, "silent": SILENT}
            return render(request, "chat/_import_plan.html", context)
        found = import_conversation(file, workspace=workspace, by=user, origin=origin_of(request))
    if found.is_new:
        announce(found.conversation)
    return JsonResponse({"next": reverse("conversation", args=[found.conversation.public_id])})
