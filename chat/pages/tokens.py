"""A person's own tokens for scripts: listed, made and revoked, with the services of the API."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from chat.broadcast.announcing import announce_access
from chat.models import ApiToken, Scope
from chat.pages.doors import count_one, person, refusal_status, told_to_wait, visible_workspace
from chat.pages.home import shell_context
from chat.rates import Rate
from chat.tokens import USUAL_DAYS, create_token, is_good, revoke_token
from sessions_app.errors import HoldfastError, Invalid
from sessions_app.models import Conversation, User, Workspace
from sessions_app.services.conversations import KEY

DAYS = (7, 30, USUAL_DAYS, 365)
FOR_EVER = "never"
ONE, ALL = "workspace", "all"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tokens(request: HttpRequest, slug: str) -> HttpResponse:
    """The answer to the form shows the new token, this once; a refusal keeps what was chosen."""
    workspace = visible_workspace(request, slug)
    made: dict[str, Any] = {}
    if request.method == "POST":
        try:
            row, token = _make(request, workspace)
            made = {"made": row, "token": token}
        except HoldfastError as error:
            made = {"problem": error, "sent": request.POST}
    context = {
        **shell_context(request, workspace),
        "tokens": _rows(person(request)),
        "scopes": Scope.choices,
        "days": [str(number) for number in DAYS],
        "usual_days": str(USUAL_DAYS),
        **made,
    }
    if refused := made.get("problem"):
        page = render(request, "chat/tokens.html", context, status=refusal_status(refused))
        return told_to_wait(page, refused)
    return render(request, "chat/tokens.html", context)


@require_POST
@login_required
def revocations(request: HttpRequest, slug: str, public_id: UUID) -> HttpResponse:
    visible_workspace(request, slug)
    revoke_token(get_object_or_404(ApiToken.objects.visible_to(person(request)), public_id=public_id))
    announce_access()
    return redirect("tokens", slug=slug)


def _make(request: HttpRequest, workspace: Workspace) -> tuple[ApiToken, str]:
    count_one(request, Rate.CHANGE)
    sent, user = request.POST, person(request)
    reach = sent.get("reach", ONE)
    if reach not in (ONE, ALL):
        raise Invalid("A token is good for this workspace or for all of yours; nothing was made.")
    return create_token(
        user,
        name=sent.get("name", ""),
        scope=_scope(sent.get("scope", "")),
        days=_days(sent.get("days", "")),
        workspace=workspace if reach == ONE else None,
        conversation=_conversation(sent.get("conversation", "").strip(), user, workspace),
    )


def _scope(text: str) -> Scope:
    if text not in Scope.values:
        raise Invalid("Choose what the token may do; nothing was made.")
    return Scope(text)


def _days(text: str) -> int | None:
    if text == FOR_EVER:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise Invalid("Choose for how many days the token is good; nothing was made.")
    return int(text)


def _conversation(key: str, user: User, workspace: Workspace) -> Conversation | None:
    if not key:
        return None
    rows = Conversation.objects.visible_to(user).filter(workspace=workspace)
    found = rows.filter(key=key).first() if KEY.fullmatch(key) else None
    if found is None:
        raise Invalid("This workspace has no conversation by this key; nothing was made.")
    return found


def _rows(user: User) -> list[dict[str, Any]]:
    """Limits are told by name where their person may still see what they name."""
    rows = list(ApiToken.objects.visible_to(user).order_by("-created", "-digest"))
    limits = Workspace.objects.visible_to(user).filter(public_id__in=[row.only_workspace for row in rows])
    workspaces = dict(limits.values_list("public_id", "name"))
    kept = Conversation.objects.visible_to(user).filter(public_id__in=[row.only_conversation for row in rows])
    keys = dict(kept.values_list("public_id", "key"))
    return [
        {
            "row": row,
            "is_good": is_good(row),
            "workspace": row.only_workspace and workspaces.get(row.only_workspace, "a workspace you left"),
            "conversation": row.only_conversation and keys.get(row.only_conversation, "one that is gone"),
        }
        for row in rows
    ]
