from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from sessions_app.models import Agent, AuditEntry, User, Workspace
from sessions_app.services.agents import agent_key

SECRET = "sk-kelp-4711"
LIST = "admin:sessions_app_agent_changelist"
ADD = "admin:sessions_app_agent_add"
CHANGE = "admin:sessions_app_agent_change"


def filled(**given: Any) -> dict[str, Any]:
    return {
        "workspace": Workspace.objects.get().pk,
        "name": "Claude",
        "handle": "claude",
        "provider": "anthropic",
        "model": "tiny",
        "key": SECRET,
        "context_limit": 8192,
        "most_output_tokens": 1024,
        "after_interruption": "continue",
        "is_active": "on",
        "has_every_tool": "on",
        **given,
    }


def change(operator: Client, agent: Agent, **given: Any) -> HttpResponse:
    address = reverse(CHANGE, args=[agent.pk])
    answer = operator.post(address, filled(**{"key": "", **given}))
    assert isinstance(answer, HttpResponse)
    return answer


@pytest.fixture
def claude(operator: Client) -> Agent:
    assert operator.post(reverse(ADD), filled()).status_code == 302
    return Agent.objects.get(handle="claude")


def test_an_operator_adds_an_agent_through_the_service(claude: Agent, olga: User) -> None:
    assert (claude.provider, agent_key(claude), claude.most_output_tokens) == ("anthropic", SECRET, 1024)
    entry = AuditEntry.objects.get(action="create_agent")
    assert (entry.trigger, entry.actor_id) == ("admin", olga.pk)


def test_the_key_is_on_no_page(operator: Client, claude: Agent) -> None:
    for address in (reverse(LIST), reverse(CHANGE, args=[claude.pk]), reverse(ADD)):
        page = operator.get(address)
        assert page.status_code == 200
        assert SECRET not in page.content.decode()
        assert claude.encrypted_key not in page.content.decode()


def test_a_refused_form_does_not_give_the_key_back(operator: Client) -> None:
    page = operator.post(reverse(ADD), filled(address="nowhere"))
    assert page.status_code == 200
    assert "An address looks like" in page.content.decode()
    assert SECRET not in page.content.decode()
    assert not Agent.objects.filter(handle="claude").exists()


def test_an_empty_key_leaves_it_a_new_one_replaces_it(operator: Client, claude: Agent) -> None:
    assert change(operator, claude, name="Renamed").status_code == 302
    claude.refresh_from_db()
    assert (claude.name, agent_key(claude)) == ("Renamed", SECRET)
    change(operator, claude, key="sk-new")
    claude.refresh_from_db()
    assert agent_key(claude) == "sk-new"


def test_the_key_is_forgotten_on_request(operator: Client, claude: Agent) -> None:
    assert "needs a key" in change(operator, claude, clear_key="on").content.decode()
    change(operator, claude, provider="demo", model="", address="", clear_key="on")
    claude.refresh_from_db()
    assert not claude.has_key


def test_tools_are_every_one_or_the_chosen_ones(operator: Client, claude: Agent) -> None:
    for chosen in (["time"], []):
        change(operator, claude, has_every_tool="", tools=chosen)
        assert Agent.objects.get(pk=claude.pk).tools == chosen
        page = operator.get(reverse(CHANGE, args=[claude.pk])).content.decode()
        assert page.count("checked") == len(chosen) + 1  # and that it is active
    change(operator, claude)
    assert Agent.objects.get(pk=claude.pk).tools is None


def test_a_taken_handle_is_refused_with_a_sentence(operator: Client, claude: Agent) -> None:
    assert "already exists" in operator.post(reverse(ADD), filled()).content.decode()
    assert change(operator, claude, handle="demo").status_code == 302
    assert "has this handle" in operator.get(reverse(CHANGE, args=[claude.pk])).content.decode()
    assert list(Agent.objects.filter(handle="claude")) == [claude]


def test_nobody_deletes_an_agent_here(operator: Client, claude: Agent) -> None:
    address = reverse("admin:sessions_app_agent_delete", args=[claude.pk])
    assert operator.post(address, {"post": "yes"}).status_code == 403
    assert Agent.objects.filter(pk=claude.pk).exists()


def test_staff_without_the_permission_and_owners_see_nothing(client: Client, olga: User) -> None:
    for person in (User.objects.create_user("sam", is_staff=True), User.objects.get(username="alice")):
        client.force_login(person)
        assert client.get(reverse(LIST)).status_code in (302, 403)
        assert client.post(reverse(ADD), filled()).status_code in (302, 403)
    assert not Agent.objects.filter(handle="claude").exists()
