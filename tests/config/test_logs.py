"""The logs: one line an event, for people or for machines, and never a secret."""

import json
import logging
import logging.config
from collections.abc import Iterator

import pytest
import structlog

from config.logs import HIDDEN, hide_secrets, logging_settings


@pytest.fixture(autouse=True)
def _restored_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def use(log_format: str) -> None:
    logging.config.dictConfig(logging_settings(log_format=log_format, level="INFO"))


@pytest.mark.parametrize("log_format", ["console", "json"])
@pytest.mark.parametrize(
    "name", ["password", "new_password", "SECRET", "api_key", "apikey", "Authorization", "cookie", "token"]
)
def test_a_value_with_a_secrets_name_is_hidden(
    capsys: pytest.CaptureFixture[str], log_format: str, name: str
) -> None:
    use(log_format)
    structlog.get_logger("holdfast").info("saved", **{name: "hunter2", "conversation": "team:general"})
    line = capsys.readouterr().err
    assert "hunter2" not in line
    assert HIDDEN in line
    assert "team:general" in line


@pytest.mark.parametrize("log_format", ["console", "json"])
@pytest.mark.parametrize("password", ["hunter2", "hunter2@hunter2", "x:hunter2"])
def test_a_password_inside_an_address_is_hidden(
    capsys: pytest.CaptureFixture[str], log_format: str, password: str
) -> None:
    use(log_format)
    logging.getLogger("django.db").warning("lost %s", f"postgres://alice:{password}@db.example/team")
    line = capsys.readouterr().err
    assert "hunter2" not in line
    assert f"postgres://alice:{HIDDEN}@db.example/team" in line


@pytest.mark.parametrize("log_format", ["console", "json"])
def test_a_password_inside_a_traceback_is_hidden(capsys: pytest.CaptureFixture[str], log_format: str) -> None:
    use(log_format)
    try:
        raise ConnectionError("postgres://alice:" + "hunter" + "2@db.example/team")
    except ConnectionError:
        logging.getLogger("holdfast").exception("no database")
    shown = capsys.readouterr().err
    assert "hunter2" not in shown
    assert f"alice:{HIDDEN}@db.example" in shown


def test_an_address_without_a_password_stays_as_it_is() -> None:
    event = {"event": "at http://localhost:8000/ for a@example.org, postgres://alice@db/team"}
    assert hide_secrets(None, "info", dict(event)) == event


def test_json_is_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    use("json")
    logging.getLogger("holdfast").info("first\nsecond")
    structlog.get_logger("holdfast").warning("third", seq=3)
    first, third = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert (first["event"], first["level"], first["logger"]) == ("first\nsecond", "info", "holdfast")
    assert (third["event"], third["level"], third["seq"]) == ("third", "warning", 3)


def test_djangos_own_lines_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    use("console")
    logging.getLogger("django.request").error("once only")
    assert capsys.readouterr().err.count("once only") == 1


def test_a_lower_level_stays_silent(capsys: pytest.CaptureFixture[str]) -> None:
    use("console")
    logging.getLogger("holdfast").debug("a detail")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("log_format", ["console", "json"])
@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/invitations/0bXk1mQw7Zp3Jt9Vh5Ry2Ld8Ng6Cs4Fa/", f"/invitations/{HIDDEN}/"),
        ("/password/MQ/cx7lk2-0bXk1mQw7Zp3Jt9Vh5Ry2Ld8/", f"/password/MQ/{HIDDEN}/"),
        ("/workspaces/kelp/invitations/", "/workspaces/kelp/invitations/"),
    ],
)
def test_a_link_that_lets_somebody_in_is_hidden(
    capsys: pytest.CaptureFixture[str], log_format: str, path: str, shown: str
) -> None:
    use(log_format)
    logging.getLogger("django.request").warning("%s: %s", "Gone", path)
    line = capsys.readouterr().err
    assert f"Gone: {shown}" in line
    assert ("0bXk1m" in line) == ("0bXk1m" in shown)
