"""The cast: alice owns, ada manages, mia is a member, vera may only view, bob is a stranger; the agent is Echo."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from sessions_app.models import Agent, Conversation, Membership, Message, Role, Trigger, User, Workspace
from sessions_app.services.audit import Origin
from sessions_app.services.conversations import start_conversation
from sessions_app.services.transcript import Posted, post_message
from tests.sessions_app.acting import answer_turn

PAGE = Origin(Trigger.PAGE, address="192.0.2.1", client="test")


@pytest.fixture
def origin() -> Origin:
    return PAGE


@pytest.fixture
def team(db: None) -> Workspace:
    return Workspace.objects.create(name="Kelp", slug="kelp")


def member_of(team: Workspace, name: str, role: Role) -> User:
    user = User.objects.create_user(name, password="correct horse")
    Membership.objects.create(workspace=team, user=user, role=role)
    return user


@pytest.fixture
def alice(team: Workspace) -> User:
    return member_of(team, "alice", Role.OWNER)


@pytest.fixture
def ada(team: Workspace) -> User:
    return member_of(team, "ada", Role.ADMIN)


@pytest.fixture
def mia(team: Workspace) -> User:
    return member_of(team, "mia", Role.MEMBER)


@pytest.fixture
def vera(team: Workspace) -> User:
    return member_of(team, "vera", Role.VIEWER)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", password="correct horse")


@pytest.fixture
def echo(team: Workspace) -> Agent:
    return Agent.objects.create(workspace=team, name="Echo", handle="echo", provider="demo")


@pytest.fixture
def conversation(team: Workspace, alice: User, echo: Agent) -> Conversation:
    return start_conversation(team, by=alice, key="team:general", title="General", agent=echo, origin=PAGE)


Say = Callable[..., Posted]


@pytest.fixture
def say(conversation: Conversation, alice: User) -> Say:
    """alice writes a message."""

    def post(text: str = "hello", *, by: User = alice, client_id: str = "") -> Posted:
        return post_message(conversation, by=by, text=text, client_id=client_id or uuid.uuid4().hex)

    return post


Exchange = Callable[..., Message]


@pytest.fixture
def exchange(say: Say) -> Exchange:
    """alice asks and the agent answers; gives the sealed reply."""

    def ask(question: str = "hello", answer: str = "hello yourself") -> Message:
        turn = say(question).turn
        assert turn is not None
        return answer_turn(turn, answer)

    return ask
