"""Owns the socket the server listens on, and the address a person types to reach it."""

import errno
import socket

EVERY_INTERFACE = {"", "0.0.0.0", "::"}
LOOPBACK = {"127.0.0.1", "::1"}
LAST_PORT = 65_535


class CannotListen(Exception):
    """The address cannot be listened on; the message says why."""


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; bound before anything is announced, so the address that is printed works."""
    if not 0 <= port <= LAST_PORT:
        raise CannotListen(f"Port {port} does not exist; choose one from 1024 to {LAST_PORT}.")
    try:
        family, _, _, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family, backlog=1024)
    except OSError as error:
        raise CannotListen(reason(error, host, port)) from error


def reason(error: OSError, host: str, port: int) -> str:
    if isinstance(error, socket.gaierror):
        return f"{host} is not a name or address of this machine."
    match error.errno:
        case errno.EADDRINUSE:
            another = port + 1 if port < LAST_PORT else port - 1
            return f"Port {port} is in use by another program; choose another, as in: make run PORT={another}"
        case errno.EACCES:
            return f"Port {port} may only be opened by an administrator; choose one above 1023."
        case errno.EADDRNOTAVAIL:
            return f"{host} is not an address of this machine."
        case _:
            return f"Port {port} on {host} cannot be opened: {error.strerror}."


def address(host: str, listener: socket.socket) -> str:
    """The address to type into a browser on this machine."""
    # Not every machine's localhost means ::1 as well.
    here = "::1" if listener.family == socket.AF_INET6 else "localhost"
    name = here if host in EVERY_INTERFACE | LOOPBACK else host
    shown = f"[{name}]" if ":" in name else name
    return f"http://{shown}:{listener.getsockname()[1]}/"


def endpoint(listener: socket.socket) -> str:
    """The socket in the words of Twisted, which takes it over and closes it."""
    return f"fd:fileno={listener.detach()}"
