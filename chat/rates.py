"""How often people may do things, through whichever door: one table, counted in this process for each person and
each address. What comes too fast changes nothing, and is told how long to wait."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv6Address, ip_address

from django.conf import settings

from chat.buckets import Buckets

# An address may stand for a whole office, or for everybody where a proxy does not tell who came.
PEOPLE_AN_ADDRESS = 20
# Whoever has one IPv6 address has its whole network.
IPV6_NETWORK_BITS = 64


@dataclass(frozen=True)
class Pace:
    """So many at once, and after that so many a minute."""

    what: str
    at_once: int
    a_minute: int


class Rate(Enum):
    """What is counted apart from everything else."""

    SEND = Pace("messages sent or edited, answers asked for anew, summaries", 300, 300)
    MOVE = Pace("resets, restores, undos and forks", 60, 60)
    INVITE = Pace("invitations made", 60, 20)
    EXPORT = Pace("exports", 60, 30)
    IMPORT = Pace("imports", 60, 30)
    SEARCH = Pace("searches", 300, 300)
    CONNECT = Pace("sockets opened", 600, 600)
    CHANGE = Pace("whatever else a page changes: titles, drafts, members, conversations", 600, 600)


people, addresses = Buckets(), Buckets()


def count(rate: Rate, *, person: int | None, address: str) -> None:
    """Counts one more, or refuses it. The person comes first: what they are refused costs their neighbours
    nothing. Who is nobody yet is counted by address alone."""
    share = settings.RATE_PERCENT / 100
    at_once, a_second = rate.value.at_once * share, rate.value.a_minute * share / 60
    if person is not None:
        people.take(f"{rate.name} {person}", burst=max(1, int(at_once)), a_second=a_second)
    addresses.take(
        f"{rate.name} {counted_as(address)}",
        burst=max(1, int(at_once * PEOPLE_AN_ADDRESS)),
        a_second=a_second * PEOPLE_AN_ADDRESS,
    )


def counted_as(address: str) -> str:
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{int(found) >> (128 - IPV6_NETWORK_BITS):x}::/{IPV6_NETWORK_BITS}"
