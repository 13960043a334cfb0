"""The environment: what can be used is read, what cannot is refused with a sentence that names it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env
from config.kept_keys import make_encryption_key

NAME = "HOLDFAST_EXAMPLE"


def number() -> int:
    return env.number(NAME, default=7, minimum=1, maximum=10)


def hosts() -> list[str]:
    return env.hosts(NAME, default=["localhost"])


def hosts_and_networks() -> list[str]:
    return env.hosts_and_networks(NAME)


def origins() -> list[str]:
    return env.origins(NAME)


def flag() -> bool:
    return env.flag(NAME, default=False)


def choice() -> str:
    return env.choice(NAME, ["console", "json"], default="console")


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (flag, "Yes", True),
        (flag, "off", False),
        (number, " 10 ", 10),
        (choice, "JSON", "json"),
        (hosts, "a.example, b.example,", ["a.example", "b.example"]),
        (hosts, "[::1]", ["[::1]"]),
        (hosts_and_networks, "localhost, 10.0.0.0/8, ::1", ["localhost", "10.0.0.0/8", "::1"]),
        (origins, "https://a.example,http://[::1]:8000", ["https://a.example", "http://[::1]:8000"]),
    ],
)
def test_a_good_value_is_read(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], value: str, expected: object
) -> None:
    monkeypatch.setenv(NAME, value)
    assert read() == expected


@pytest.mark.parametrize("blank", ["", "   "])
@pytest.mark.parametrize(
    ("read", "default"),
    [(flag, False), (number, 7), (choice, "console"), (hosts, ["localhost"]), (origins, [])],
)
def test_an_empty_value_counts_as_not_set(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], default: object, blank: str
) -> None:
    monkeypatch.setenv(NAME, blank)
    assert read() == default


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (flag, "perhaps"),
        (number, "0"),
        (number, "11"),
        (number, "-3"),
        (number, "2.5"),
        (number, "٣"),
        (number, "9" * 5000),
        (choice, "xml"),
        (hosts, "https://a.example"),
        (hosts, "a.example:8000"),
        (hosts, "[::1]:8000"),
        (hosts_and_networks, "http://localhost"),
        (hosts_and_networks, "localhost:11434"),
        (hosts_and_networks, "10.0.0.0/33"),
        (hosts_and_networks, "*"),
        (origins, "a.example"),
        (origins, "ftp://a.example"),
        (origins, "https://"),
        (origins, "https://a.example/"),
        (origins, "https://a.example?x"),
        (origins, "https://a.example#x"),
        (origins, "https://a.example:port"),
        (origins, "https://[a.example"),
    ],
)
def test_nonsense_is_refused_with_one_sentence_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], object], value: str
) -> None:
    monkeypatch.setenv(NAME, value)
    with pytest.raises(ImproperlyConfigured) as refusal:
        read()
    sentence = str(refusal.value)
    assert sentence.startswith(f"{NAME} ")
    assert sentence.endswith(".")
    assert len(sentence.splitlines()) == 1
    assert len(sentence) < 200


def test_a_file_where_a_folder_is_needed_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(NAME, str(tmp_path / "file"))
    with pytest.raises(ImproperlyConfigured, match=f"^{NAME} must be a folder"):
        env.folder(NAME, default=tmp_path)


def test_a_folder_is_absolute_and_need_not_exist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(NAME, "not/there")
    assert env.folder(NAME, default=tmp_path) == tmp_path / "not" / "there"


def test_a_short_secret_is_refused_and_never_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "hunter2")
    with pytest.raises(ImproperlyConfigured) as refusal:
        env.secret(NAME, minimum_length=50)
    assert str(refusal.value) == f"{NAME} must have at least 50 characters."


def test_a_secret_is_read_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.secret(NAME, minimum_length=5) is None
    monkeypatch.setenv(NAME, "hunter2")
    assert env.secret(NAME, minimum_length=5) == "hunter2"


def test_a_password_in_an_origin_is_refused_and_never_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, "https://alice:hunter2@a.example")
    with pytest.raises(ImproperlyConfigured, match=f"^{NAME} ") as refusal:
        origins()
    assert "hunter2" not in str(refusal.value)


def test_encryption_keys_are_read_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    newest, oldest = make_encryption_key(), make_encryption_key()
    monkeypatch.setenv(NAME, f"{newest}, {oldest}")
    assert env.encryption_keys(NAME) == [newest, oldest]


@pytest.mark.parametrize("wrong", ["hunter2", "a" * 43, "é" * 44])
def test_an_encryption_key_that_is_none_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    monkeypatch.setenv(NAME, f"{make_encryption_key()},{wrong}")
    with pytest.raises(ImproperlyConfigured, match=NAME) as refusal:
        env.encryption_keys(NAME)
    assert wrong not in str(refusal.value)
