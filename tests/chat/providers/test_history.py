"""A history is put right before a vendor can refuse it."""

import pytest

from chat.events import Asked, Replied, Returned, Text, ToolCall
from chat.providers.history import NO_RESULT, arguments_of, arguments_text, prepared, with_every_result

CALL, OTHER = ToolCall("1", "look", "{}"), ToolCall("2", "look", "{}")
RESULT = Returned("1", "look", "seen")


def test_a_whole_history_is_left_as_it_is() -> None:
    history = (Asked("hi"), Replied((Text("hm"), CALL)), RESULT, Replied((Text("so"),)), Asked("ok"))
    assert tuple(with_every_result(history)) == history


@pytest.mark.parametrize("after", [(), (Asked("go on"),), (Replied((Text("so"),)),)])
def test_a_call_without_a_result_gets_an_unknown_one(after: tuple[Asked | Replied, ...]) -> None:
    history = (Replied((CALL, OTHER)), RESULT, *after)
    unknown = Returned("2", "look", NO_RESULT, is_error=True)
    assert tuple(with_every_result(history)) == (Replied((CALL, OTHER)), RESULT, unknown, *after)


def test_a_result_without_its_call_is_told_instead() -> None:
    assert list(with_every_result((RESULT,))) == [Asked("(The tool look gave back: seen)")]


def test_a_second_result_for_one_call_is_told_instead() -> None:
    *_, last = with_every_result((Replied((CALL,)), RESULT, RESULT))
    assert isinstance(last, Asked)


def test_names_stand_in_front_of_what_several_people_said() -> None:
    said = prepared((Asked("hi", name="alice"), Asked("hello", name="bob"), Asked("go on")))
    assert list(said) == [Asked("alice: hi"), Asked("bob: hello"), Asked("go on")]


def test_one_person_alone_is_not_named() -> None:
    said = prepared(
        (Asked("hi", name="alice"), Replied((Text("hello"),)), Asked("so?", name="alice"), Asked("go on"))
    )
    assert [message.text for message in said if isinstance(message, Asked)] == ["hi", "so?", "go on"]


@pytest.mark.parametrize(
    ("written", "understood", "sent"),
    [
        ('{"a": 1}', {"a": 1}, '{"a": 1}'),
        ("", {}, "{}"),
        ("[1]", {"unreadable": "[1]"}, '{"unreadable": "[1]"}'),
        ('{"a": ', {"unreadable": '{"a": '}, '{"unreadable": "{\\"a\\": "}'),
        ("[" * 100_000, {"unreadable": "[" * 100_000}, '{"unreadable": "' + "[" * 100_000 + '"}'),
    ],
)
def test_arguments_are_always_an_object(written: str, understood: dict[str, object], sent: str) -> None:
    call = ToolCall("1", "look", written)
    assert arguments_of(call) == understood
    assert arguments_text(call) == sent
