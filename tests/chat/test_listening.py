"""The listening socket: bound before it is announced, or refused with a sentence."""

import errno
import os
import re
import socket

import pytest

from chat.listening import CannotListen, address, endpoint, listen, reason


def test_a_free_port_is_taken_and_accepts_at_once() -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert port != 0
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            assert address("127.0.0.1", listener) == f"http://localhost:{port}/"


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("", "localhost"),
        ("0.0.0.0", "localhost"),
        ("chat.example.org", "chat.example.org"),
        ("fe80::2", "[fe80::2]"),
    ],
)
def test_the_address_is_one_a_person_can_type(host: str, shown: str) -> None:
    with listen("127.0.0.1", 0) as listener:
        assert address(host, listener) == f"http://{shown}:{listener.getsockname()[1]}/"


@pytest.mark.parametrize("host", ["::", "::1"])
def test_an_address_of_the_sixth_version_is_shown_as_one(host: str) -> None:
    with listen(host, 0) as listener:
        port = listener.getsockname()[1]
        assert address(host, listener) == f"http://[::1]:{port}/"
        with socket.create_connection(("::1", port), timeout=5):
            pass


def test_a_port_in_use_is_refused_and_another_is_named() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(CannotListen, match=f"^Port {port} is in use .* PORT={port + 1}$"):
            listen("127.0.0.1", port)


def test_a_port_can_be_taken_again_at_once() -> None:
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            first.accept()[0].close()
    with listen("127.0.0.1", port) as second:
        assert second.getsockname()[1] == port


@pytest.mark.parametrize("port", [-1, 65_536, 70_000])
def test_a_port_that_does_not_exist_is_refused(port: int) -> None:
    with pytest.raises(CannotListen, match=f"^Port {port} does not exist"):
        listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "192.0.2.1"])
def test_a_host_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(CannotListen, match=rf"^{re.escape(host)} is not .* of this machine\.$"):
        listen(host, 0)


@pytest.mark.parametrize("code", [errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL, errno.EMFILE])
def test_every_reason_is_one_sentence(code: int) -> None:
    sentence = reason(OSError(code, os.strerror(code)), "127.0.0.1", 65_535)
    assert re.match(r"(Port 65535|127\.0\.0\.1) ", sentence)
    assert "65536" not in sentence
    assert len(sentence.splitlines()) == 1


def test_the_descriptor_is_handed_over_with_the_endpoint() -> None:
    listener = listen("127.0.0.1", 0)
    found = re.fullmatch(r"fd:fileno=(\d+)", endpoint(listener))
    assert found
    assert listener.fileno() == -1
    with socket.socket(fileno=int(found[1])) as taken:
        assert taken.getsockname()[0] == "127.0.0.1"
