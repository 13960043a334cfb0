"""A small team to look around with: people, two agents and one conversation, made by the same services as any."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Permission

from sessions_app.canonical import canonical_json
from sessions_app.models import (
    Agent,
    Conversation,
    EventKind,
    Membership,
    Role,
    Turn,
    TurnState,
    User,
    Workspace,
)
from sessions_app.services.conversations import start_conversation
from sessions_app.services.ending import finish_turn
from sessions_app.services.journal import Append, append_batch
from sessions_app.services.transactions import one_transaction
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn

SLUG = "demo"
OWNER = "alice"
OPERATOR = "olga"
PEOPLE = (
    (OWNER, "Alice", Role.OWNER),
    ("mia", "Mia", Role.MEMBER),
    ("vera", "Vera", Role.VIEWER),
)
AGENTS: tuple[dict[str, Any], ...] = (
    {
        "name": "Demo",
        "handle": "demo",
        "provider": "demo",
        "description": "A scripted agent that needs no network and no key.",
    },
    {
        "name": "SmolLM2 (on this machine)",
        "handle": "smollm2",
        "provider": "local",
        "description": "A real language model that runs here, without network or key. It is very small: "
        "it writes fluently and is often wrong.",
        "context_limit": 2048,
        "most_output_tokens": 512,
        "tools": [],
    },
)
QUESTION = "What happens to our work if the server dies while you are writing?"
ANSWER: tuple[tuple[EventKind, dict[str, object]], ...] = (
    (EventKind.REASONING, {"text": "They ask about durability. Let me look at what is kept first."}),
    (EventKind.TOOL_CALL, {"id": "call-1", "name": "list_checkpoints", "arguments": "{}"}),
    (
        EventKind.TOOL_RESULT,
        {"id": "call-1", "status": "ok", "output": "No checkpoint yet: nothing was reset.", "duration_ms": 3},
    ),
    (
        EventKind.TEXT,
        {
            "text": "Nothing you have seen is lost.\n\n"
            "- Every word is **committed before it is shown**, this one too.\n"
            "- Resetting or editing *moves a pointer*; the old session stays, and one click brings it back.\n"
            "- The database itself refuses to change or delete what was said.\n"
        },
    ),
)


def create_demo_team(*, password: str) -> Workspace:
    """The demo team; where it exists already it is left as it is, whatever people have done with it."""
    existing = Workspace.objects.filter(slug=SLUG).first()
    return existing or _create(password)


@one_transaction
def _create(password: str) -> Workspace:
    """All or nothing: a first start that is interrupted leaves no half of a team."""
    team = Workspace.objects.create(name="Demo team", slug=SLUG)
    for username, name, role in PEOPLE:
        person = _person(username, name, password)
        Membership.objects.create(workspace=team, user=person, role=role)
    operator = _person(OPERATOR, "Olga", password, is_staff=True)
    operator.user_permissions.add(
        *Permission.objects.filter(content_type__app_label="sessions_app", codename="operate")
    )
    demo, _ = [Agent.objects.create(workspace=team, **agent) for agent in AGENTS]
    owner = User.objects.get(username=OWNER)
    conversation = start_conversation(team, by=owner, key="team:general", title="General", agent=demo)
    _exchange(conversation, User.objects.get(username="mia"))
    return team


def _person(username: str, name: str, password: str, *, is_staff: bool = False) -> User:
    return User.objects.create_user(username, password=password, display_name=name, is_staff=is_staff)


def _exchange(conversation: Conversation, asks: User) -> None:
    turn = post_message(conversation, by=asks, text=QUESTION, client_id="demo-1").turn
    assert isinstance(turn, Turn)
    lease = claim_turn(turn, owner="create_demo")
    append_batch([Append(lease, [(kind, canonical_json(payload)) for kind, payload in ANSWER])])
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
