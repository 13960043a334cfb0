from __future__ import annotations

import json

import pytest

from chat.turns.tools import (
    ARGUMENT_CHARACTERS,
    CALLS_PER_TURN,
    OUTPUT_CHARACTERS,
    TOOLS,
    ToolContext,
    call_tool,
    idempotent_names,
    specs,
)
from chat.turns.tools.base import tool
from sessions_app.errors import Invalid
from sessions_app.models import Conversation, Session

NOWHERE = ToolContext(Conversation(), Session())


def test_every_tool_says_what_it_is_and_has_limits() -> None:
    assert set(TOOLS) == {"time", "calculator", "search_history", "list_checkpoints"}
    assert idempotent_names() == set(TOOLS)
    assert CALLS_PER_TURN > 0
    for each in TOOLS.values():
        assert each.description.endswith(".")
        assert each.seconds > 0


def test_a_model_is_told_of_all_or_of_the_chosen_ones() -> None:
    assert [spec.name for spec in specs(None)] == list(TOOLS)
    assert [spec.name for spec in specs(["calculator", "gone"])] == ["calculator"]
    assert specs([]) == ()


def test_the_parameters_are_derived_from_the_signature() -> None:
    [spec] = specs(["search_history"])
    assert json.loads(json.dumps(spec.parameters)) == {
        "type": "object",
        "properties": {
            "query": {
                "type": "string", "description": "Words that must all be there; a phrase in quotes.",
                "minLength": 1, "maxLength": 1000,
            },
            "limit": {
                "type": "integer", "description": "How many messages at most; 10 if left out.",
                "minimum": 1, "maximum": 50,
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("rm", "{}", "There is no tool called “rm”; there is time, calculator"),
        ("x" * 10_000, "{}", "There is no tool called"),
        ("time", "{", "not valid JSON"),
        ("time", '{"zone": NaN}', "not valid JSON"),
        ("time", "[" * 10_000, "not valid JSON"),
        ("time", f'{{"zone": {"1" * 10_000}}}', "not valid JSON"),
        ("time", "[]", "must be a JSON object"),
        ("time", '"UTC"', "must be a JSON object"),
        ("time", '{"zone": 7}', "“zone” must be text."),
        ("time", f'{{"zone": "{"x" * 61}"}}', "“zone” must have at most 60 characters."),
        ("time", '{"place": "Berlin"}', "There is no parameter “place”; there is zone."),
        ("time", "x" * (ARGUMENT_CHARACTERS + 1), "longer than 20,000 characters"),
        ("list_checkpoints", '{"all": true}', "there is none"),
        ("calculator", "{}", "“expression” is missing: text is needed."),
        ("calculator", '{"expression": null}', "“expression” is missing"),
        ("search_history", '{"query": "x", "limit": 1.5}', "“limit” must be a whole number."),
        ("search_history", '{"query": "x", "limit": true}', "“limit” must be a whole number."),
        ("search_history", '{"query": "x", "limit": 51}', "“limit” must have 1 to 50 as its value."),
        ("search_history", '{"query": "x", "limit": 1e300}', "“limit” must have 1 to 50"),
    ],
)
def test_a_wrong_call_is_answered_with_a_sentence(name: str, arguments: str, says: str) -> None:
    outcome = call_tool(name, arguments, NOWHERE)
    assert outcome.status == "error"
    assert says in outcome.output


@pytest.mark.parametrize("arguments", ["", "{}", '{"zone": null}', ' {"zone": "UTC"} '])
def test_what_models_write_for_nothing_counts_as_nothing(arguments: str) -> None:
    assert call_tool("time", arguments, NOWHERE).status == "ok"


def answering(monkeypatch: pytest.MonkeyPatch, output: str | Exception) -> None:
    """A tool that says this, or raises it."""

    def answer(context: ToolContext) -> str:
        if isinstance(output, Exception):
            raise output
        return output

    made = tool("answer", "Answers.", answer, is_idempotent=False, seconds=1)
    monkeypatch.setitem(TOOLS, "answer", made)


@pytest.mark.parametrize("length", [OUTPUT_CHARACTERS + 1, 50_000_000])
def test_a_long_output_is_cut_with_a_mark(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    answering(monkeypatch, "é" * length)
    outcome = call_tool("answer", "", NOWHERE)
    assert len(outcome.output) <= OUTPUT_CHARACTERS
    kept = outcome.output.count("é")
    assert outcome.output.endswith(f"\n[Cut here: {length - kept:,} more characters.]")


def test_an_output_of_the_longest_length_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "x" * OUTPUT_CHARACTERS)
    assert call_tool("answer", "", NOWHERE).output == "x" * OUTPUT_CHARACTERS


def test_an_output_is_text_that_every_database_can_store(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "a\x00b\ud800")
    assert call_tool("answer", "", NOWHERE).output == "a␀b\ufffd"


def test_a_tool_that_breaks_is_answered_for_and_keeps_its_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, RuntimeError("password hunter2"))
    outcome = call_tool("answer", "", NOWHERE)
    assert outcome.status == "error"
    assert "hunter2" not in outcome.output
    answering(monkeypatch, Invalid("No such kelp."))
    assert call_tool("answer", "", NOWHERE).output == "No such kelp."
