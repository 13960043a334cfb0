from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import pytest
from django.core import serializers
from pytest_django import Settings

from sessions_app.errors import AddressNotAllowed, HandleTaken, Invalid, KeyUnreadable, NotAllowed
from sessions_app.models import Agent, AuditEntry, Membership, Role, User, Workspace
from sessions_app.services.agent_fields import Catalogue
from sessions_app.services.agents import agent_key, change_agent, create_agent
from sessions_app.services.audit import Origin
from sessions_app.services.verify import verify

SECRET = "sk-kelp-4711"


@dataclass(frozen=True)
class Needs:
    title: str
    needs_address: bool = False
    needs_key: bool = False
    needs_model: bool = False
    default_address: str = ""


CATALOGUE = Catalogue(
    providers={
        "demo": Needs("Demo"),
        "vendor": Needs("Vendor", needs_key=True, needs_model=True, default_address="https://vendor.example"),
        "server": Needs("Server", needs_address=True),
    },
    tools=("time", "calculator"),
    why_refused=lambda address: "Not there." if "private" in address else None,
)
VENDOR: dict[str, Any] = {"name": "Vee", "handle": "vee", "provider": "vendor", "model": "large"}


@pytest.fixture
def vee(team: Workspace, alice: User) -> Agent:
    return create_agent(team, by=alice, catalogue=CATALOGUE, key=SECRET, **VENDOR)


def test_an_agent_has_what_was_given_and_sensible_limits(team: Workspace, alice: User) -> None:
    agent = create_agent(
        team, by=alice, catalogue=CATALOGUE, name="  Kelp \n bot ", handle="kelp", provider="demo"
    )
    agent.refresh_from_db()
    assert (agent.name, agent.context_limit, agent.tools) == ("Kelp bot", 8192, None)
    assert (agent.after_interruption, agent.is_active, agent_key(agent)) == ("continue", True, "")


def test_a_key_is_stored_encrypted_and_comes_out_for_the_runner(vee: Agent) -> None:
    stored = Agent.objects.get(pk=vee.pk)
    assert stored.has_key
    assert SECRET not in stored.encrypted_key
    assert agent_key(stored) == SECRET
    assert stored.address == "https://vendor.example"


def test_a_key_is_in_no_audit_entry_no_repr_no_export_and_no_log(
    vee: Agent, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, logger="sessions_app"):
        change_agent(vee, by=alice, catalogue=CATALOGUE, key=f"{SECRET}-2")
    shown = [repr(vee), str(vee.__dict__), serializers.serialize("json", [vee]), caplog.text]
    shown += AuditEntry.objects.values_list("facts", flat=True)
    assert not [text for text in shown if SECRET in text]


def test_a_key_is_replaced_cleared_and_left_alone(vee: Agent, alice: User) -> None:
    vee = change_agent(vee, by=alice, catalogue=CATALOGUE, key="sk-other")
    assert agent_key(change_agent(vee, by=alice, catalogue=CATALOGUE, description="x")) == "sk-other"
    change_agent(vee, by=alice, catalogue=CATALOGUE, provider="demo", key="")
    assert not Agent.objects.get(pk=vee.pk).has_key
    told = [entry.told.get("key") for entry in AuditEntry.objects.order_by("number")]
    assert told == [None, "replaced", None, "cleared"]


def test_a_key_that_was_encrypted_elsewhere_is_refused_by_name(vee: Agent, settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = ["a" * 43 + "="]
    with pytest.raises(KeyUnreadable):
        agent_key(vee)


@pytest.mark.parametrize("change", [{"address": "https://thief.example"}, {"provider": "server"}])
def test_a_key_does_not_go_to_another_address(vee: Agent, alice: User, change: Any) -> None:
    with pytest.raises(Invalid, match="key belongs to the old address"):
        change_agent(vee, by=alice, catalogue=CATALOGUE, **change)
    assert Agent.objects.get(pk=vee.pk).address == "https://vendor.example"
    moved = change_agent(vee, by=alice, catalogue=CATALOGUE, key=SECRET, **change)
    assert agent_key(moved) == SECRET


def test_a_change_is_audited_with_both_values_and_none_is_not(
    vee: Agent, team: Workspace, alice: User, origin: Origin
) -> None:
    change_agent(vee, by=alice, catalogue=CATALOGUE, origin=origin, model="small", is_active=False)
    change_agent(vee, by=alice, catalogue=CATALOGUE, origin=origin, model="small")
    created, changed = AuditEntry.objects.order_by("number")
    assert (created.action, created.told["settings"]["model"], created.told["has_key"]) == (
        "create_agent", "large", True,
    )  # fmt: skip
    assert changed.told["changed"] == {
        "model": {"from": "large", "to": "small"}, "is_active": {"from": True, "to": False},
    }  # fmt: skip
    assert (changed.workspace_id, changed.actor_id, changed.told["agent"]["handle"]) == (
        team.pk, alice.pk, "vee",
    )  # fmt: skip
    assert AuditEntry.objects.visible_to(alice).count() == 2
    assert verify().is_clean
    assert verify(workspace=team).is_clean


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("name", " ", "A name has 1 to 60"),
        ("name", "x" * 61, "A name has 1 to 60"),
        ("handle", "Vee", "after the @"),
        ("handle", "", "after the @"),
        ("handle", "vee\n", "after the @"),
        ("provider", "unheard-of", "There is no provider “unheard-of”; choose from demo, vendor, server"),
        ("model", "", "needs the name of a model"),
        ("model", "x" * 201, "A model's name"),
        ("description", "x" * 2001, "A description"),
        ("system_prompt", "x" * 32_001, "A system prompt"),
        ("address", "ftp://vendor.example", "An address looks like"),
        ("address", "https://user:password@vendor.example", "An address looks like"),
        ("address", "https://vendor.example/?key=1", "An address looks like"),
        ("address", "https://vendor.example:99999", "An address looks like"),
        ("address", "https://[", "An address looks like"),
        ("address", "https://", "An address looks like"),
        ("address", "https://a b", "An address looks like"),
        ("context_limit", 511, "A context limit is a whole number from 512"),
        ("context_limit", True, "A context limit is a whole number"),
        ("context_limit", "8192", "A context limit is a whole number"),
        ("context_limit", 10**20, "A context limit is a whole number"),
        ("most_output_tokens", 0, "The most tokens of an answer"),
        ("most_output_tokens", 8192, "shorter than the context limit"),
        ("after_interruption", "panic", "can continue or ask"),
        ("tools", ["time", "rm"], "There is no tool called rm"),
        ("tools", "time", "a list of their names"),
        ("tools", [["time"]], "a list of their names"),
        ("is_active", "yes", "Yes or no"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    vee: Agent, alice: User, field: Any, value: Any, says: str
) -> None:
    before = Agent.objects.values().get(pk=vee.pk)
    with pytest.raises(Invalid, match=says):
        change_agent(vee, by=alice, catalogue=CATALOGUE, key=SECRET, **{field: value})
    assert Agent.objects.values().get(pk=vee.pk) == before
    assert AuditEntry.objects.count() == 1


@pytest.mark.parametrize("key", ["two words", "sk-é", "sk\nx: y", "x" * 1001])
def test_a_key_that_no_request_could_carry_is_refused_and_not_repeated(
    team: Workspace, alice: User, key: str
) -> None:
    with pytest.raises(Invalid, match="A key has at most") as refusal:
        create_agent(team, by=alice, catalogue=CATALOGUE, key=key, **VENDOR)
    assert key not in str(refusal.value)


def test_what_a_provider_needs_must_be_there(team: Workspace, alice: User) -> None:
    with pytest.raises(Invalid, match="Vendor needs a key"):
        create_agent(team, by=alice, catalogue=CATALOGUE, **VENDOR)
    with pytest.raises(Invalid, match="Server needs an address"):
        create_agent(team, by=alice, catalogue=CATALOGUE, **{**VENDOR, "provider": "server"})
    with pytest.raises(Invalid, match="needs a name and a handle"):
        create_agent(team, by=alice, catalogue=CATALOGUE, provider="demo")
    assert not Agent.objects.exists()


def test_a_handle_is_one_agents_in_a_workspace(vee: Agent, alice: User) -> None:
    other = Workspace.objects.create(name="Other", slug="other")
    Membership.objects.create(workspace=other, user=alice, role=Role.OWNER)
    create_agent(other, by=alice, catalogue=CATALOGUE, key=SECRET, **VENDOR)
    with pytest.raises(HandleTaken):
        create_agent(vee.workspace, by=alice, catalogue=CATALOGUE, key=SECRET, **VENDOR)
    second = create_agent(vee.workspace, by=alice, catalogue=CATALOGUE, name="D", handle="d", provider="demo")
    with pytest.raises(HandleTaken):
        change_agent(second, by=alice, catalogue=CATALOGUE, handle="vee")


def test_members_viewers_and_strangers_manage_no_agents(vee: Agent, mia: User, vera: User, bob: User) -> None:
    for person in (mia, vera, bob):
        with pytest.raises(NotAllowed):
            change_agent(vee, by=person, catalogue=CATALOGUE, name="Mine")
        with pytest.raises(NotAllowed):
            create_agent(vee.workspace, by=person, catalogue=CATALOGUE, name="M", handle="m", provider="demo")
    assert Agent.objects.get().name == "Vee"


def test_an_address_where_the_server_may_not_ask_is_refused_when_it_is_entered(
    team: Workspace, alice: User, vee: Agent
) -> None:
    private = "http://private.example/v1"
    with pytest.raises(AddressNotAllowed, match="Not there"):
        create_agent(
            team, by=alice, catalogue=CATALOGUE, name="S", handle="s", provider="server", address=private
        )
    with pytest.raises(AddressNotAllowed):
        change_agent(vee, by=alice, catalogue=CATALOGUE, key=SECRET, address=private)
    vee.refresh_from_db()
    assert vee.address == "https://vendor.example"


def test_an_agent_whose_address_is_no_longer_allowed_can_be_switched_off(vee: Agent, alice: User) -> None:
    Agent.objects.filter(pk=vee.pk).update(address="http://private.example/v1")
    assert not change_agent(vee, by=alice, catalogue=CATALOGUE, is_active=False).is_active
