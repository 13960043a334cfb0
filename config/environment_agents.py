"""Which agents the environment asks for: one for each vendor that it holds a key or an address of."""

from typing import Any

OPENAI_ADDRESS = "https://api.openai.com/v1"
OPENAI_MODEL = "gpt-5.4-mini"
ANTHROPIC_MODEL = "claude-sonnet-5-5"


def environment_agents(
    *, openai_key: str, openai_address: str, openai_model: str, anthropic_key: str, anthropic_model: str
) -> list[dict[str, Any]]:
    """`variables` says where an agent comes from, `key` is its key, `fields` is the rest of it."""
    agents = []
    if openai_key or openai_address:
        agents.append(_openai(openai_key, openai_address or OPENAI_ADDRESS, openai_model or OPENAI_MODEL))
    if anthropic_key:
        agents.append(_anthropic(anthropic_key, anthropic_model or ANTHROPIC_MODEL))
    return agents


def _openai(key: str, address: str, model: str) -> dict[str, Any]:
    is_their_own = address.rstrip("/") == OPENAI_ADDRESS
    return {
        "variables": "OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL",
        "key": key,
        "fields": {
            "name": "OpenAI" if is_their_own else model[:60],
            "handle": "openai",
            "provider": "openai_compatible",
            "model": model,
            "address": address,
            # What else speaks this protocol is often a small model at home.
            "context_limit": 128_000 if is_their_own else 8_192,
        },
    }


def _anthropic(key: str, model: str) -> dict[str, Any]:
    return {
        "variables": "ANTHROPIC_API_KEY and ANTHROPIC_MODEL",
        "key": key,
        "fields": {
            "name": "Claude",
            "handle": "claude",
            "provider": "anthropic",
            "model": model,
            "context_limit": 200_000,
        },
    }
