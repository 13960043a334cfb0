"""What people set of an agent: fields that are checked alone, then together, and put on its row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol, TypedDict

from sessions_app.encryption import encrypt
from sessions_app.errors import AddressNotAllowed
from sessions_app.models import Agent
from sessions_app.services.agent_checks import CHECKS, checked_key, refuse


class ProviderNeeds(Protocol):
    """What an agent must say for its provider to work."""

    @property
    def title(self) -> str: ...
    @property
    def needs_address(self) -> bool: ...
    @property
    def needs_key(self) -> bool: ...
    @property
    def needs_model(self) -> bool: ...
    @property
    def default_address(self) -> str: ...


@dataclass(frozen=True)
class Catalogue:
    """The providers and tools there are; the caller knows them, durable state does not.

    `why_refused` says what is wrong with an address where this server may not ask.
    """

    providers: Mapping[str, ProviderNeeds]
    tools: Collection[str] = ()
    why_refused: Callable[[str], str | None] = lambda address: None


class AgentFields(TypedDict, total=False):
    """What people set; what is left out stays as it is, or has its default."""

    name: str
    handle: str
    description: str
    provider: str
    model: str
    address: str
    system_prompt: str
    context_limit: int
    most_output_tokens: int
    can_continue: bool
    after_interruption: str
    tools: list[str] | None
    is_active: bool


def set_fields(agent: Agent, fields: AgentFields, *, key: str | None, catalogue: Catalogue) -> None:
    """Puts checked values on the row, unsaved. `key` replaces the agent's key, "" clears it, None leaves it."""
    old = (agent.provider, agent.address)
    for name, value in fields.items():
        setattr(agent, name, CHECKS[name](value))
    needs = _needs(agent, catalogue)
    agent.address = agent.address or needs.default_address
    if key is not None:
        agent.encrypted_key = encrypt(checked_key(key)) if key.strip() else ""
    elif agent.has_key and old != (agent.provider, agent.address):
        # Otherwise who may change the address could have the key sent to a server of their own.
        refuse("The key belongs to the old address. Enter it again, or clear it;")
    if agent.address and old != (agent.provider, agent.address):
        _check_address(agent, catalogue)
    _check_needs(agent, needs)
    _check_tools(agent, catalogue)
    if agent.most_output_tokens >= agent.context_limit:
        refuse("The longest answer must be shorter than the context limit, which holds the question too;")


def _needs(agent: Agent, catalogue: Catalogue) -> ProviderNeeds:
    if agent.provider not in catalogue.providers:
        refuse(f"There is no provider “{agent.provider}”; choose from {', '.join(catalogue.providers)};")
    return catalogue.providers[agent.provider]


def _check_address(agent: Agent, catalogue: Catalogue) -> None:
    """Only of a new one: an agent whose address is no longer allowed can still be switched off."""
    if sentence := catalogue.why_refused(agent.address):
        raise AddressNotAllowed(f"{sentence} Nothing was changed.")


def _check_needs(agent: Agent, needs: ProviderNeeds) -> None:
    if not agent.name or not agent.handle:
        refuse("An agent needs a name and a handle;")
    for is_needed, has, noun in (
        (needs.needs_model, agent.model, "the name of a model"),
        (needs.needs_address, agent.address, "an address"),
        (needs.needs_key, agent.has_key, "a key"),
    ):
        if is_needed and not has:
            refuse(f"The provider {needs.title} needs {noun};")


def _check_tools(agent: Agent, catalogue: Catalogue) -> None:
    if unknown := set(agent.tools or ()) - set(catalogue.tools):
        refuse(f"There is no tool called {', '.join(sorted(unknown))};")
