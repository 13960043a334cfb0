"""Makes the first owner of a team, who chooses a password through a link that works once."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.text import slugify

from sessions_app.errors import Invalid
from sessions_app.models import Membership, Role, SecurityEvent, User, Workspace
from sessions_app.services.security_events import record_security_event
from sessions_app.services.transactions import one_transaction


@one_transaction
def create_owner(username: str, *, email: str, workspace_name: str) -> User:
    """Somebody new who owns the team of that name, made where there is none. A name that is taken is refused."""
    owner = User(username=username, email=email)
    owner.set_unusable_password()
    try:
        owner.full_clean()
    except ValidationError as error:
        raise Invalid(f"{' '.join(error.messages)} Nothing was made.") from error
    slug = slugify(workspace_name)[:60]
    if not slug:
        raise Invalid("A workspace needs a name with letters or digits; nothing was made.")
    owner.save(force_insert=True)
    team, _ = Workspace.objects.get_or_create(slug=slug, defaults={"name": workspace_name[:100]})
    Membership.objects.create(workspace=team, user=owner, role=Role.OWNER)
    record_security_event(SecurityEvent.OWNER_CREATED, by=None, workspace=team, about=username)
    return owner
