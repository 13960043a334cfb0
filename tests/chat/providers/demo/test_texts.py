from __future__ import annotations

import re

import pytest

from chat.providers.demo.texts import FOLDER, TOPICS, answer_to, text_named
from chat.providers.demo.wishes import read_wish


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Hello", "welcome"),
        ("", "welcome"),
        ("What if the server crashes? Is anything lost?", "durability"),
        ("How do I restore an archived session?", "reset"),
        ("What is a checkpoint?", "checkpoints"),
        ("Which models are there?", "agents"),
        ("Who may invite people to my team?", "team"),
    ],
)
def test_a_question_is_answered_by_the_text_on_its_subject(question: str, name: str) -> None:
    assert answer_to(question) == text_named(name)


def test_every_text_is_there_and_fits_its_name() -> None:
    names = {path.stem for path in FOLDER.glob("*.md")}
    assert names == {*TOPICS, "welcome", "help", "markdown", "code", "refuse", "tools", "reasoning"}


def test_every_directive_that_help_names_is_understood() -> None:
    named = re.findall("`([^`]+)`", text_named("help"))
    assert len(named) > 15
    for directive in named:
        assert directive == "0/s" or read_wish(directive) is not None, directive
