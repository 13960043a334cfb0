from __future__ import annotations

from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from pytest_django import Settings

from sessions_app.encryption import decrypt, encrypt
from sessions_app.models import Agent, AuditEntry, ToolServer, User, Workspace
from sessions_app.services.agents import agent_key
from sessions_app.services.tool_servers import tool_server_key
from sessions_app.services.verify import verify

SECRET = "sk-kelp-4711"
OLD, NEW, LOST = (Fernet.generate_key().decode() for _ in range(3))


def agent_with_key(team: Workspace, handle: str, *, under: str, settings: Settings) -> Agent:
    settings.ENCRYPTION_KEYS = [under]
    return Agent.objects.create(
        workspace=team, name=handle, handle=handle, provider="demo", encrypted_key=encrypt(SECRET)
    )


def rotated() -> str:
    output = StringIO()
    call_command("rotate_encryption_keys", stdout=output)
    return output.getvalue()


def test_afterwards_the_new_key_alone_is_enough(team: Workspace, settings: Settings) -> None:
    agent = agent_with_key(team, "old", under=OLD, settings=settings)
    Agent.objects.create(workspace=team, name="none", handle="none", provider="demo")
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    assert "first key: 1." in rotated()
    settings.ENCRYPTION_KEYS = [NEW]
    agent.refresh_from_db()
    assert agent_key(agent) == SECRET
    [entry] = AuditEntry.objects.filter(action="rotate_keys")
    assert entry.told["rotated"] == 1
    assert verify().findings == ()


def test_twice_gives_the_same(team: Workspace, settings: Settings) -> None:
    agent = agent_with_key(team, "old", under=OLD, settings=settings)
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    assert rotated() == rotated()
    agent.refresh_from_db()
    assert agent_key(agent) == SECRET


def test_a_key_that_cannot_be_read_is_named_and_left_and_the_others_are_done(
    team: Workspace, settings: Settings
) -> None:
    lost = agent_with_key(team, "lost", under=LOST, settings=settings)
    kept = agent_with_key(team, "kept", under=OLD, settings=settings)
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    with pytest.raises(CommandError, match=r"lost \(Kelp\)"):
        rotated()
    settings.ENCRYPTION_KEYS = [NEW]
    kept.refresh_from_db()
    assert agent_key(kept) == SECRET
    settings.ENCRYPTION_KEYS = [LOST]
    lost.refresh_from_db()
    assert agent_key(lost) == SECRET


def test_the_keys_of_tool_servers_are_encrypted_anew_as_well(team: Workspace, settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = [OLD]
    server = ToolServer.objects.create(
        workspace=team, name="weather", address="https://a.example", encrypted_key=encrypt(SECRET)
    )
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    assert "first key: 1." in rotated()
    settings.ENCRYPTION_KEYS = [NEW]
    server.refresh_from_db()
    assert tool_server_key(server) == SECRET
    settings.ENCRYPTION_KEYS = [LOST]
    with pytest.raises(CommandError, match=r"weather \(Kelp\)"):
        rotated()


def test_second_factors_are_encrypted_anew_as_well_and_a_lost_one_is_named(
    team: Workspace, settings: Settings
) -> None:
    settings.ENCRYPTION_KEYS = [OLD]
    mia, nora = User.objects.create_user("mia"), User.objects.create_user("nora")
    for kind, data in (("totp", {"secret": encrypt(SECRET)}), ("recovery_codes", {"seed": encrypt(SECRET)})):
        Authenticator.objects.create(user=mia, type=kind, data=data)
    settings.ENCRYPTION_KEYS = [LOST]
    Authenticator.objects.create(user=nora, type="totp", data={"secret": encrypt(SECRET)})
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    with pytest.raises(CommandError, match="the second factor of nora"):
        rotated()
    settings.ENCRYPTION_KEYS = [NEW]
    kept = [next(iter(row.data.values())) for row in Authenticator.objects.filter(user=mia)]
    assert [decrypt(secret) for secret in kept] == [SECRET, SECRET]
