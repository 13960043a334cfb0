"""Refuses addresses that reach into a private network, when they are entered and again when they are used."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from chat.network.allow_list import AllowList
from chat.network.public import METADATA, Address, is_public, reached
from chat.network.spelling import plain_host, spelled_address

SETTING = "HOLDFAST_ALLOW_PRIVATE_PROVIDERS"
# Names that a machine or its local network answers for itself.
LOCAL_NAMES = ("localhost", "localdomain", "local", "internal", "intranet", "lan", "home", "arpa")
CAN_BE_ALLOWED = (
    "{host} is in a private network, where this server asks nobody unless its operator allows it: "
    f"{SETTING}={{host}} in the server's environment does."
)
NEVER_ALLOWED = "{host} is where a cloud tells a machine its own secrets, and is never asked."

_allowed = AllowList()


class AddressRefused(Exception):
    """The sentence names the host as it was written, and not what it stands for."""

    def __init__(self, host: str, *, can_be_allowed: bool = True) -> None:
        super().__init__((CAN_BE_ALLOWED if can_be_allowed else NEVER_ALLOWED).format(host=host))


def install(allowed: AllowList) -> None:
    """From now on these private hosts may be asked, and no others."""
    global _allowed
    _allowed = allowed


def installed() -> AllowList:
    return _allowed


def check_connection(host: str, address: Address) -> None:
    """Refuses to connect to the address that stands behind the host."""
    end = reached(address)
    if not is_public(end) and not _allowed.allows(host, end):
        raise AddressRefused(host, can_be_allowed=end not in METADATA)


def check_host(host: str) -> None:
    """Refuses a host that is itself written as an address, in whatever spelling."""
    address = spelled_address(host)
    if address is not None:
        check_connection(host, address)


def why_refused(url: str) -> str | None:
    """What can be told against an address when it is entered, without asking anybody what its name stands for."""
    host = urlsplit(url).hostname or ""
    try:
        check_host(host)
        if spelled_address(host) is None and _is_local_name(host) and not _allowed.may_allow_name(host):
            raise AddressRefused(host)
    except AddressRefused as refusal:
        return str(refusal)
    return None


def check_answer(host: str, written: list[str]) -> None:
    """Every address that a name stands for must be allowed: one private one among them refuses the name."""
    for address in written:
        check_connection(host, ip_address(address))


def _is_local_name(host: str) -> bool:
    _, dot, last = plain_host(host).rpartition(".")
    return not dot or last in LOCAL_NAMES
