"""Makes, checks and revokes the tokens of scripts; the token itself is shown once and never kept."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.utils import timezone
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from chat.models import ApiToken, Scope
from sessions_app.canonical import clean_text
from sessions_app.errors import Invalid, NotAllowed
from sessions_app.models import Conversation, SecurityEvent, User, Workspace
from sessions_app.services.audit import COMMAND, Origin
from sessions_app.services.security_events import record_security_event
from sessions_app.services.transactions import one_transaction

NAME_LENGTH = 100
MOST_DAYS = 3650
USUAL_DAYS = 90
MOST_TOKENS = 100


@one_transaction
def create_token(
    user: User,
    *,
    name: str,
    scope: Scope = Scope.READ,
    days: int | None = USUAL_DAYS,
    workspace: Workspace | None = None,
    conversation: Conversation | None = None,
    with_token: ApiToken | None = None,
    origin: Origin = COMMAND,
) -> tuple[ApiToken, str]:
    """The row and the token, which nobody can read again. One made with another token opens nothing that the
    other does not."""
    name = clean_text(name).strip()
    if not name or len(name) > NAME_LENGTH:
        raise Invalid(f"A token needs a name of 1 to {NAME_LENGTH} characters; nothing was made.")
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise Invalid(f"A token is good for 1 to {MOST_DAYS} days; nothing was made.")
    if ApiToken.objects.visible_to(user).count() >= MOST_TOKENS:
        raise Invalid(f"You have {MOST_TOKENS} tokens already; revoke one first. Nothing was made.")
    only_workspace = workspace.public_id if workspace else None
    only_conversation = conversation.public_id if conversation else None
    _require_within(with_token, scope, only_workspace, only_conversation)
    digest, token = get_digest_token()
    row = ApiToken.objects.create(
        user=user,
        digest=digest,
        token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH],
        expiry=timezone.now() + timedelta(days=days) if days is not None else None,
        name=name,
        scope=scope,
        only_workspace=only_workspace,
        only_conversation=only_conversation,
    )
    record_security_event(SecurityEvent.TOKEN_MADE, by=user, about=name, origin=origin)
    return row, token


@one_transaction
def revoke_token(token: ApiToken, *, by: User | None = None, origin: Origin = COMMAND) -> None:
    """From the next request on it opens nothing."""
    count, _ = ApiToken.objects.filter(pk=token.pk).delete()
    if count:
        record_security_event(SecurityEvent.TOKEN_REVOKED, by=by, about=token.name, origin=origin)


@one_transaction
def note_use(token: ApiToken) -> None:
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=timezone.now())


def is_good(token: ApiToken) -> bool:
    return token.expiry is None or token.expiry > timezone.now()


def _require_within(
    maker: ApiToken | None, scope: Scope, workspace: UUID | None, conversation: UUID | None
) -> None:
    if maker is None:
        return
    is_within = (
        maker.may(scope)
        and maker.only_workspace in (None, workspace)
        and maker.only_conversation in (None, conversation)
    )
    if not is_within:
        raise NotAllowed("A token cannot make one that opens more than itself; nothing was made.")
