"""`manage.py serve`: a real process, asked from outside."""

import contextlib
import re
import signal
import sqlite3
import subprocess
import urllib.request
from http.client import HTTPResponse

import pytest

from chat.listening import listen
from tests.chat.management.conftest import WAIT_SECONDS, Manage


def address_of(process: subprocess.Popen[str]) -> str:
    """The address it prints, which works from that moment on."""
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.fullmatch(r"Holdfast is at (http://(?:localhost|\[::1\]):\d+/)\n", line)
    assert found, line or process.communicate(timeout=WAIT_SECONDS)
    return found[1]


def get(url: str) -> HTTPResponse:
    response: HTTPResponse = urllib.request.urlopen(url, timeout=10)
    return response


def end(process: subprocess.Popen[str], how: signal.Signals) -> tuple[int, str]:
    process.send_signal(how)
    _, problems = process.communicate(timeout=WAIT_SECONDS)
    return process.returncode, problems


def refusal(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    shown, problems = process.communicate(timeout=WAIT_SECONDS)
    assert shown == ""
    return process.returncode, problems.splitlines()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "0.0.0.0"])
def test_it_prints_its_address_and_answers_there(ready_site: Manage, host: str) -> None:
    process = ready_site("serve", "--host", host, "--port", "0")
    with get(f"{address_of(process)}login/") as response:
        assert response.status == 200
        assert "Log in · Holdfast" in response.read().decode()
    assert end(process, signal.SIGTERM) == (0, "")


def test_it_serves_the_style_sheet_for_a_year(ready_site: Manage) -> None:
    process = ready_site("serve", "--port", "0")
    url = address_of(process)
    with get(f"{url}login/") as page:
        found = re.search(r'href="/(static/css/main\.[0-9a-f]{12}\.css)"', page.read().decode())
    assert found
    with get(url + found[1]) as response:
        assert response.headers["Content-Type"].startswith("text/css")
        assert "immutable" in response.headers["Cache-Control"]
        assert b"@import" in response.read()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order_and_frees_the_port(ready_site: Manage, how: signal.Signals) -> None:
    process = ready_site("serve", "--port", "0")
    port = int(address_of(process).rstrip("/").rpartition(":")[2])
    assert end(process, how) == (0, "")
    listen("127.0.0.1", port).close()


def test_a_port_in_use_is_refused_with_one_sentence(ready_site: Manage) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        code, lines = refusal(ready_site("serve", "--port", str(port)))
    assert code == 1
    assert len(lines) == 1
    assert f"Port {port} is in use by another program" in lines[0]


def test_a_host_that_is_not_listed_is_mentioned(ready_site: Manage, site: dict[str, str]) -> None:
    site["HOLDFAST_ALLOWED_HOSTS"] = "chat.example.org"
    process = ready_site("serve", "--port", "0")
    address_of(process)
    assert end(process, signal.SIGTERM) == (0, "HOLDFAST_ALLOWED_HOSTS does not list localhost yet.\n")


def test_without_collected_files_it_does_not_start(manage: Manage) -> None:
    code, lines = refusal(manage("serve", "--port", "0"))
    assert code == 1
    assert len(lines) == 1
    assert "collectstatic" in lines[0]


def test_a_wrong_setting_is_refused_with_one_sentence(manage: Manage, site: dict[str, str]) -> None:
    site["HOLDFAST_DEBUG"] = "perhaps"
    code, lines = refusal(manage("serve", "--port", "0"))
    assert (code, lines) == (1, ["HOLDFAST_DEBUG must be true or false, not 'perhaps'."])


@pytest.mark.parametrize("command", ["migrate", "create_demo", "serve"])
def test_a_database_out_of_reach_is_one_sentence(
    ready_site: Manage, site: dict[str, str], command: str
) -> None:
    site["DATABASE_URL"] = "postgres://nobody:secret-word@127.0.0.1:1/nothing"
    code, lines = refusal(ready_site(command))
    assert code == 1
    assert len(lines) == 1
    assert "The database cannot be" in lines[0]
    assert "secret-word" not in lines[0]


def test_a_wildcard_among_the_hosts_is_refused(manage: Manage, site: dict[str, str]) -> None:
    site["HOLDFAST_ALLOWED_HOSTS"] = "*"
    code, lines = refusal(manage("serve", "--port", "0"))
    assert code == 1
    assert "holdfast.E001" in "\n".join(lines)


def test_a_key_in_the_environment_adds_its_agent_when_it_starts(
    ready_site: Manage, site: dict[str, str]
) -> None:
    ready_site("create_demo").communicate(timeout=WAIT_SECONDS)
    site["OPENAI_BASE_URL"] = "http://localhost:1/v1"
    site["HOLDFAST_ALLOW_PRIVATE_PROVIDERS"] = "localhost"
    address_of(ready_site("serve", "--port", "0"))
    with contextlib.closing(sqlite3.connect(f"{site['HOLDFAST_DATA_DIR']}/holdfast.sqlite3")) as database:
        handles = [handle for (handle,) in database.execute("SELECT handle FROM holdfast_agent ORDER BY 1")]
    assert handles == ["demo", "openai", "smollm2"]


def test_a_private_address_in_the_environment_names_the_setting_and_does_not_keep_it_from_serving(
    ready_site: Manage, site: dict[str, str]
) -> None:
    ready_site("create_demo").communicate(timeout=WAIT_SECONDS)
    site["OPENAI_BASE_URL"] = "http://localhost:11434/v1"
    process = ready_site("serve", "--port", "0")
    address_of(process)
    code, problems = end(process, signal.SIGTERM)
    assert code == 0
    assert "HOLDFAST_ALLOW_PRIVATE_PROVIDERS=localhost" in problems
