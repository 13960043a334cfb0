"""What the addresses of the walk name, made anew for each row, and what is sent to them. All of it is alice's."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chat.models import ApiToken
from chat.tokens import create_token
from sessions_app.models import (
    Agent,
    Conversation,
    Invitation,
    Membership,
    Role,
    Session,
    ToolServer,
    Trigger,
    Turn,
    TurnState,
    User,
    Workspace,
)
from sessions_app.services.audit import Origin
from sessions_app.services.confirmation import confirmation_for
from sessions_app.services.conversations import start_conversation
from sessions_app.services.ending import finish_turn
from sessions_app.services.invitations import invite
from sessions_app.services.reset import reset_conversation
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn
from tests.chat.api.roles.expectations import Row
from tests.chat.live import Cast
from tests.sessions_app.acting import append_texts
from tests.sessions_app.services.transfer.acting import exported

# Rows that need a turn in another state than completed; None is one that waits.
TURNS = {"stop": None, "withdraw": None, "continue": TurnState.INTERRUPTED}


@dataclass
class Things:
    """A conversation that was reset once, so that there is something to restore and to undo."""

    conversation: Conversation
    old: Session
    entry: int
    turn: Turn
    agent: Agent
    token: ApiToken
    ben: User
    invitation: Invitation
    server: ToolServer
    file: str

    def address(self, row: Row) -> str:
        """The row's path with what it names filled in: the first noun below /api/v1/ says of what an id is."""
        named = {
            "agents": self.agent.public_id,
            "sessions": self.conversation.active_session.public_id,
            "messages": self.turn.question.public_id,
            "turns": self.turn.public_id,
            "tokens": self.token.public_id,
            "workspaces": self.invitation.public_id,
            "tool-servers": self.server.public_id,
        }
        return row.path.format(
            conversation=self.conversation.public_id,
            slug=self.conversation.workspace.slug,
            public_id=named.get(row.path.removeprefix("/api/v1/").split("/")[0]),
            model=self.agent.handle,
            person_id=self.ben.public_id,
        )


# What is sent so that somebody who may do it succeeds; a row that is not here sends nothing.
BODIES: dict[str, Callable[[Things, User], dict[str, Any] | str]] = {
    "POST /api/v1/workspaces": lambda it, by: {"name": "New"},
    "PATCH /api/v1/workspaces/{slug}": lambda it, by: {"name": "Kelp forest"},
    "PATCH /api/v1/workspaces/{slug}/members/{person_id}": lambda it, by: {"role": "viewer"},
    "PUT /api/v1/workspaces/{slug}/ownership": lambda it, by: {"person": str(it.ben.public_id)},
    "POST /api/v1/workspaces/{slug}/invitations": lambda it, by: {},
    "POST /api/v1/agents": lambda it, by: {
        "workspace": "kelp", "name": "New", "handle": secrets.token_hex(4), "provider": "demo",
    },
    "PATCH /api/v1/agents/{public_id}": lambda it, by: {"description": secrets.token_hex(4)},
    "POST /api/v1/tool-servers": lambda it, by: {
        "workspace": "kelp", "name": secrets.token_hex(4), "address": "https://tools.example/mcp",
    },
    "PATCH /api/v1/tool-servers/{public_id}": lambda it, by: {"trusts_hints": True},
    "POST /api/v1/conversations": lambda it, by: {"workspace": "kelp"},
    "PATCH /api/v1/conversations/{conversation}": lambda it, by: {"title": "Another"},
    "PATCH /api/v1/conversations/{conversation}/settings": lambda it, by: {"system_prompt": "Be kind."},
    "PATCH /api/v1/conversations/{conversation}/access": lambda it, by: {"openness": "restricted"},
    "PUT /api/v1/conversations/{conversation}/access/{person_id}": lambda it, by: {"level": "view"},
    "POST /api/v1/conversations/{conversation}/messages": lambda it, by: {"text": "echo hello"},
    "POST /api/v1/conversations/{conversation}/checkpoints": lambda it, by: {"name": "Decision"},
    "POST /api/v1/conversations/{conversation}/resets": lambda it, by: {
        "confirmation": confirmation_for(it.conversation.active_session, by=by),
        "expected_session": str(it.conversation.active_session.public_id),
    },
    "POST /api/v1/conversations/{conversation}/restores": lambda it, by: {"session": str(it.old.public_id)},
    "POST /api/v1/conversations/{conversation}/undos": lambda it, by: {"entry": it.entry},
    "POST /api/v1/conversations/{conversation}/exports": lambda it, by: {"form": "jsonl"},
    "POST /api/v1/imports": lambda it, by: it.file,
    "POST /api/v1/messages/{public_id}/edits": lambda it, by: {"text": "echo better"},
    "POST /api/v1/messages/{public_id}/forks": lambda it, by: {},
    "POST /api/v1/tokens": lambda it, by: {"name": "another", "workspace": "kelp"},
    "POST /v1/chat/completions": lambda it, by: {
        "model": "demo", "stream": True, "messages": [{"role": "user", "content": "echo hello"}],
    },
}  # fmt: skip


def state_for(row: Row) -> TurnState | None:
    return TURNS.get(row.path.split("/")[-1], TurnState.COMPLETED)


def make_things(cast: Cast, state: TurnState | None) -> Things:
    key = f"walk:{secrets.token_hex(4)}"
    ben = everybody_in(cast.team)
    begun = start_conversation(cast.team, by=cast.alice, key=key, title="Hidden kelp", agent=cast.agent)
    old = begun.active_session
    answered(begun, cast.alice, TurnState.COMPLETED)
    entry = reset_conversation(begun, by=cast.alice, expected_session=old, origin=Origin(Trigger.REST))
    turn = answered(begun, cast.alice, state)
    whole = Conversation.objects.select_related("workspace", "active_session").get(pk=begun.pk)
    return Things(
        whole,
        old,
        entry.number,
        turn,
        cast.agent,
        _token_of(cast.alice),
        ben,
        _invitation_of(cast),
        _server_of(cast),
        file=exported(whole).decode() if state else "",
    )


def _invitation_of(cast: Cast) -> Invitation:
    """One that is pending; a workspace has only so many."""
    pending = Invitation.objects.pending().filter(workspace=cast.team).first()
    return pending or invite(cast.team, by=cast.alice)[0]


def everybody_in(team: Workspace) -> User:
    """Whoever was removed or promoted in the row before is what they were, the owner first; ben is the one whom
    things are done to."""
    ben, _ = User.objects.get_or_create(username="ben")
    roles = {
        "alice": Role.OWNER,
        "ada": Role.ADMIN,
        "mia": Role.MEMBER,
        "vera": Role.VIEWER,
        "ben": Role.MEMBER,
    }
    for name, role in roles.items():
        Membership.objects.update_or_create(
            workspace=team, user=User.objects.get(username=name), defaults={"role": role}
        )
    return ben


def _token_of(user: User) -> ApiToken:
    return ApiToken.objects.filter(name="walked").first() or create_token(user, name="walked")[0]


def _server_of(cast: Cast) -> ToolServer:
    """Nothing answers there, which is a refusal of its own: 409."""
    found = ToolServer.objects.filter(name="walked").first()
    address = "http://127.0.0.1:9/mcp"
    return found or ToolServer.objects.create(workspace=cast.team, name="walked", address=address)


def answered(conversation: Conversation, by: User, state: TurnState | None) -> Turn:
    """The turn of a message, ended as wished or not begun."""
    turn = post_message(conversation, by=by, text="What does kelp do?", client_id=secrets.token_hex(8)).turn
    assert turn is not None
    if state is not None:
        lease = claim_turn(turn, owner="walk")
        append_texts(lease, "It holds on.")
        finish_turn(turn, state, epoch=lease.epoch)
    return turn
