"""Says what an import would do: as facts for programs, as sentences for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sessions_app.services.transfer.importing import Plan

COUNTED = {
    "session": "sessions",
    "message": "messages",
    "event": "events",
    "turn": "turns",
    "checkpoint": "checkpoints",
    "entry": "audit entries",
}
DORMANT = "comes as a name alone, with which nobody can sign in"
SILENT = "comes switched off, without a key; choose another to answer"


def plan_facts(plan: Plan) -> dict[str, Any]:
    contents = plan.contents
    told = contents.conversation
    return {
        "conversation": {name: told[name] for name in ("id", "key", "title")},
        "instance": contents.instance,
        "counts": {words.replace(" ", "_"): contents.counts[name] for name, words in COUNTED.items()},
        "people": _named(contents.people, plan.people),
        "agents": _named(contents.agents, plan.agents),
        "is_here": plan.here is not None,
        "conflict": plan.conflict or None,
    }


def plan_sentences(plan: Plan) -> Iterator[str]:
    facts = plan_facts(plan)
    counts = ", ".join(_counted(plan.contents.counts[name], words) for name, words in COUNTED.items())
    yield f"“{facts['conversation']['title']}” ({facts['conversation']['key']}): {counts}."
    for noun, otherwise in (("people", DORMANT), ("agents", SILENT)):
        for row in facts[noun]:
            yield f"{row['name']} is known here." if row["is_known"] else f"{row['name']} {otherwise}."
    if plan.here is not None:
        yield "This conversation is here already, just so."
    if plan.conflict:
        yield plan.conflict


def _counted(count: int, words: str) -> str:
    one = words.replace("entries", "entry").removesuffix("s")
    return f"{count:,} {one if count == 1 else words}"


def _named(records: dict[str, dict[str, Any]], known: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {"id": public_id, "name": record["name"], "is_known": public_id in known}
        for public_id, record in records.items()
    ]
