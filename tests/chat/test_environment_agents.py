from __future__ import annotations

from typing import Any

import pytest
from pytest_django import Settings

from chat.catalogue import CATALOGUE
from chat.environment_agents import add_environment_agents
from config.environment_agents import environment_agents
from sessions_app.errors import StartupRefused
from sessions_app.models import Agent, Workspace
from sessions_app.services.agents import agent_key, change_agent
from sessions_app.services.demo_team import create_demo_team
from tests.chat.network.allowing import allowing

pytestmark = pytest.mark.django_db


def fail(sentence: str) -> None:
    raise AssertionError(sentence)


def asked_for(**given: str) -> list[dict[str, Any]]:
    nothing = dict.fromkeys(
        ("openai_key", "openai_address", "openai_model", "anthropic_key", "anthropic_model"), ""
    )
    return environment_agents(**{**nothing, **given})


@pytest.fixture
def team() -> Workspace:
    return create_demo_team(password="correct horse")


def handles(team: Workspace) -> list[str]:
    return list(team.agents.order_by("handle").values_list("handle", flat=True))


def test_without_variables_nobody_is_added(team: Workspace, settings: Settings) -> None:
    settings.ENVIRONMENT_AGENTS = asked_for(openai_model="x", anthropic_model="y")
    assert add_environment_agents(tell=fail) == []
    assert handles(team) == ["demo", "smollm2"]


def test_each_key_adds_its_agent_to_the_first_workspace(team: Workspace, settings: Settings) -> None:
    Workspace.objects.create(name="Second", slug="second")
    settings.ENVIRONMENT_AGENTS = asked_for(openai_key="sk-o", anthropic_key="sk-a", anthropic_model="tiny")
    openai, claude = add_environment_agents(tell=fail)
    assert handles(team) == ["claude", "demo", "openai", "smollm2"]
    assert (openai.provider, openai.address, agent_key(openai)) == (
        "openai_compatible", "https://api.openai.com/v1", "sk-o",
    )  # fmt: skip
    assert (claude.provider, claude.model, agent_key(claude)) == ("anthropic", "tiny", "sk-a")


def test_an_address_alone_is_enough(team: Workspace, settings: Settings) -> None:
    settings.ENVIRONMENT_AGENTS = asked_for(openai_address="http://localhost:11434/v1", openai_model="qwen3")
    [agent] = add_environment_agents(tell=fail)
    assert (agent.name, agent.address, agent.has_key) == ("qwen3", "http://localhost:11434/v1", False)


def test_a_later_start_adds_nothing_even_when_people_changed_the_agent(
    team: Workspace, settings: Settings
) -> None:
    settings.ENVIRONMENT_AGENTS = asked_for(openai_key="sk-o")
    [agent] = add_environment_agents(tell=fail)
    change_agent(agent, by=None, catalogue=CATALOGUE, handle="ours", is_active=False)
    assert add_environment_agents(tell=fail) == []
    assert handles(team) == ["demo", "ours", "smollm2"]


def test_an_agent_made_by_hand_is_left_as_it_is(team: Workspace, settings: Settings) -> None:
    Agent.objects.create(workspace=team, name="Ours", handle="openai", provider="demo")
    settings.ENVIRONMENT_AGENTS = asked_for(openai_key="sk-o")
    assert add_environment_agents(tell=fail) == []
    assert Agent.objects.get(handle="openai").provider == "demo"


def test_without_a_workspace_nothing_happens(settings: Settings) -> None:
    settings.ENVIRONMENT_AGENTS = asked_for(openai_key="sk-o")
    assert add_environment_agents(tell=fail) == []


def test_a_value_that_cannot_be_used_names_its_variables_and_no_secret(
    team: Workspace, settings: Settings
) -> None:
    settings.ENVIRONMENT_AGENTS = asked_for(openai_key="sk-o", openai_address="localhost:11434")
    with pytest.raises(StartupRefused, match="OPENAI_BASE_URL and OPENAI_MODEL cannot be added") as refusal:
        add_environment_agents(tell=fail)
    assert "sk-o" not in str(refusal.value)


def test_a_private_address_that_is_not_allowed_leaves_the_agent_out_until_it_is(
    team: Workspace, settings: Settings
) -> None:
    settings.ENVIRONMENT_AGENTS = asked_for(openai_address="http://localhost:11434/v1")
    told: list[str] = []
    with allowing():
        assert add_environment_agents(tell=told.append) == []
    [sentence] = told
    assert "OPENAI_BASE_URL" in sentence
    assert "HOLDFAST_ALLOW_PRIVATE_PROVIDERS=localhost" in sentence
    assert [agent.handle for agent in add_environment_agents(tell=fail)] == ["openai"]
