"""Reads an address in any of the spellings that a system's resolver understands."""

from __future__ import annotations

import re
import socket
import unicodedata
from ipaddress import IPv4Address, ip_address

from chat.network.public import Address

NUMBER = r"(?:0[xX][0-9a-fA-F]*|[0-9]+)"
# One to four numbers, each decimal, octal or hexadecimal; the last fills what the others leave.
OLD_FORM = re.compile(rf"{NUMBER}(?:\.{NUMBER}){{0,3}}")
MOST_CHARACTERS = 255


def spelled_address(host: str) -> Address | None:
    """The address that a host is written as, and None for a name."""
    plain = plain_host(host)
    try:
        return ip_address(plain)
    except ValueError:
        pass
    if len(plain) > MOST_CHARACTERS or not OLD_FORM.fullmatch(plain):
        return None
    try:
        return IPv4Address(socket.inet_aton(plain))
    except OSError:
        return None


def plain_host(host: str) -> str:
    """Small letters of the usual width, without brackets, surrounding blanks and the dot at a name's end."""
    usual = unicodedata.normalize("NFKC", host).replace("。", ".").strip().lower()
    if usual.startswith("[") and usual.endswith("]"):
        usual = usual[1:-1]
    return usual.rstrip(".")
