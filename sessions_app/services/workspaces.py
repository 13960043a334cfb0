"""Creates workspaces and renames them; each has an owner from its first moment."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.utils.text import slugify

from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid, NotAllowed
from sessions_app.models import Membership, Role, SecurityEvent, User, Workspace
from sessions_app.services.access import Act, require_in_workspace
from sessions_app.services.audit import COMMAND, Origin
from sessions_app.services.security_events import record_security_event
from sessions_app.services.transactions import one_transaction

NAME_LENGTH = 100
SLUG_LENGTH = 50
MOST_OWNED = 100
STAFF = "staff"


@one_transaction
def create_workspace(name: str, *, by: User, origin: Origin = COMMAND) -> Workspace:
    """A workspace of that name, owned by who made it. Its slug is made from the name, and is unlike any other."""
    name = _clean_name(name)
    # Of two of one person's at once the second is counted too.
    by = User.objects.select_for_update(no_key=True).get(pk=by.pk)
    if not may_create(by):
        raise NotAllowed("On this site only its staff creates workspaces; nothing was made.")
    if Membership.objects.filter(user=by, role=Role.OWNER).count() >= MOST_OWNED:
        raise Invalid(f"You own {MOST_OWNED} workspaces already; nothing was made.")
    workspace = Workspace.objects.create(name=name, slug=_free_slug(name))
    Membership.objects.create(workspace=workspace, user=by, role=Role.OWNER)
    record_security_event(
        SecurityEvent.WORKSPACE_CREATED, by=by, workspace=workspace, about=name, origin=origin
    )
    return workspace


@one_transaction
def rename_workspace(
    workspace: Workspace, *, by: User | None, name: str, origin: Origin = COMMAND
) -> Workspace:
    """Its slug stays, and with it every address that people have kept."""
    workspace, name = lock_workspace(workspace), _clean_name(name)
    require_in_workspace(by, workspace.pk, Act.MEMBERS)
    if workspace.name != name:
        about, workspace.name = f"{workspace.name} → {name}", name
        workspace.save(update_fields=["name"])
        record_security_event(
            SecurityEvent.WORKSPACE_RENAMED, by=by, workspace=workspace, about=about, origin=origin
        )
    return workspace


def may_create(user: User) -> bool:
    return user.is_active and (settings.WORKSPACE_CREATION != STAFF or user.is_staff)


def lock_workspace(workspace: Workspace) -> Workspace:
    """The locked row: who is in it, and as what, changes one after the other."""
    return Workspace.objects.select_for_update(no_key=True).get(pk=workspace.pk)


def _clean_name(name: str) -> str:
    name = " ".join(clean_text(name).split())
    if not name or len(name) > NAME_LENGTH:
        raise Invalid(f"A workspace has a name of 1 to {NAME_LENGTH} characters; nothing was changed.")
    return name


def _free_slug(name: str) -> str:
    """The plain one where it is free. A name in a script without a Latin form has only the random end."""
    plain = slugify(name)[:SLUG_LENGTH].strip("-")
    if plain and not Workspace.objects.filter(slug=plain).exists():
        return plain
    return f"{plain or 'team'}-{secrets.token_hex(4)}"
