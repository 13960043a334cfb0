"""The demo agent's own texts, one Markdown file each, and which of them answers a question."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
# A text answers the questions that hold the beginning of one of its words.
TOPICS = {
    "durability": ("los", "crash", "kill", "restart", "power", "safe", "durab", "save", "disk", "surviv"),
    "reset": ("reset", "archiv", "undo", "restor", "delet", "remov", "clear", "bring"),
    "checkpoints": ("checkpoint", "fork", "branch", "version", "regenerat", "edit", "compact"),
    "agents": ("agent", "model", "key", "openai", "anthropic", "claude", "ollama", "provider", "smollm"),
    "team": ("team", "people", "invit", "role", "member", "permission", "viewer", "colleague", "private"),
}
MOST_READ_CHARACTERS = 4_000


def answer_to(question: str) -> str:
    """The text that shares most words with the question; a welcome where none does."""
    words = re.findall(r"\w+", question[:MOST_READ_CHARACTERS].lower())
    shared = {name: sum(word.startswith(beginnings) for word in words) for name, beginnings in TOPICS.items()}
    best = max(shared, key=lambda name: shared[name])
    return text_named(best if shared[best] else "welcome")


@cache
def text_named(name: str) -> str:
    """A text by its file's name; `long` is all topics after one another."""
    if name == "long":
        return "\n\n".join(text_named(part) for part in ("welcome", *TOPICS, "markdown", "code"))
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()


REASONING = text_named("reasoning")
