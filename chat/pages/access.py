"""Who can see this conversation, in one look; and for those who may say so, the means to change it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from chat.broadcast.announcing import announce, announce_access
from chat.origins import origin_of
from chat.pages.doors import Fields, acts, asks, person, visible_conversation
from chat.pages.transcript import tint_of
from sessions_app.models import MANAGERS, Conversation, Level, Membership, Openness, User
from sessions_app.services.access import Act, allows, standing_in
from sessions_app.services.audience import Participant, audience, people_near
from sessions_app.services.sharing import change_openness, grant_access, revoke_access

OPENNESS = {
    Openness.OPEN: ("Open", "Everybody in the workspace, as far as their role goes."),
    Openness.RESTRICTED: ("Restricted", "Named people, and the owners and admins of the workspace."),
    Openness.PRIVATE: ("Private", "Named people alone. Owners and admins of the workspace do not see it."),
}


@dataclass(frozen=True)
class Row:
    """Somebody in the list: how far they reach, and why. `choices` are the levels they can be named to."""

    user: User
    tint: int
    level: str
    why: str
    named: Level | None
    choices: list[Level]
    can_leave: bool


@asks
def access(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = visible_conversation(request, public_id)
    people = audience(found)
    context = {
        "conversation": found,
        "may_share": allows(standing_in(person(request), found), Act.SHARE),
        "opennesses": [(value, *OPENNESS[Openness(value)]) for value in Openness.values],
        "chosen": OPENNESS[Openness(found.openness)],
        "rows": [_row(found, each, person(request)) for each in people],
        "others": _others(found, people),
        "levels": list(Level),
    }
    return render(request, "chat/_access.html", context)


@acts
def openness(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = visible_conversation(request, public_id)
    wanted = Fields(request).text("openness")
    change_openness(found, by=person(request), openness=wanted, origin=origin_of(request))
    return _changed(request, found)


@acts
def grants(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Names somebody, or changes how far they reach; without a level they are no longer named."""
    found, fields = visible_conversation(request, public_id), Fields(request)
    user = get_object_or_404(people_near(found), public_id=fields.optional_id("person"))
    by, origin = person(request), origin_of(request)
    if level := fields.text("level"):
        grant_access(found, by=by, to=user, level=level, origin=origin)
    else:
        revoke_access(found, by=by, of=user, origin=origin)
    return _changed(request, found)


def _changed(request: HttpRequest, conversation: Conversation) -> HttpResponse:
    """The page asks anew for what it shows: whoever took themselves out is told nothing more."""
    announce(conversation)
    announce_access(conversation.workspace)
    return HttpResponse(status=204)


def _row(conversation: Conversation, each: Participant, reader: User) -> Row:
    """Naming an owner or admin says nothing where they are let in anyway; a viewer is named to view alone."""
    is_kept = each.role in MANAGERS and conversation.openness != Openness.PRIVATE
    choices = [] if is_kept or each.role is None else list(Level)
    return Row(
        user=each.user,
        tint=tint_of(each.user),
        level=each.level.label if each.level else "sees nothing",
        why=_why(conversation, each),
        named=each.named,
        choices=choices if each.role != "viewer" else choices[:1],
        can_leave=each.user == reader and each.named is not None and not conversation.is_open,
    )


def _why(conversation: Conversation, each: Participant) -> str:
    reasons = ["started it"] if each.is_starter else []
    if each.role is None:
        return ", ".join([*reasons, "named, but no longer in the workspace"])
    if each.role in MANAGERS or conversation.is_open:
        reasons.append(f"{each.role} of the workspace")
    if each.named is not None:
        reasons.append(f"named by {each.named_by.name}" if each.named_by else "named by an operator")
    return ", ".join(reasons)


def _others(conversation: Conversation, people: list[Participant]) -> list[User]:
    """Whom one could name: members who are not named yet."""
    named = {each.user.pk for each in people if each.named}
    members = Membership.objects.filter(workspace=conversation.workspace_id, user__is_active=True)
    found = members.exclude(user__in=named).select_related("user").order_by("user__username")
    return [member.user for member in found]
