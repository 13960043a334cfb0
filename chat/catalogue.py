"""All that an agent can be made of in this version: its provider, its tools and where it asks."""

from chat.network.vetting import why_refused
from chat.providers.registry import PROVIDERS
from chat.turns.tools import TOOLS
from sessions_app.services.agent_fields import Catalogue

CATALOGUE = Catalogue(providers=PROVIDERS, tools=TOOLS, why_refused=why_refused)
