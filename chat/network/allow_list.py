"""The private hosts and networks that the operator of this server has named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_network

from chat.network.public import METADATA, Address, Network
from chat.network.spelling import plain_host

THIS_MACHINE = "localhost"
LOOPBACK = ("127.0.0.0/8", "::1/128")


@dataclass(frozen=True)
class AllowList:
    names: frozenset[str] = frozenset()
    networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, entries: Iterable[str]) -> AllowList:
        """Networks, addresses and names; `localhost` also stands for this machine's own addresses."""
        names, networks = set(), []
        for entry in map(plain_host, entries):
            try:
                networks.append(ip_network(entry, strict=False))
            except ValueError:
                names.add(entry)
        if THIS_MACHINE in names:
            networks += map(ip_network, LOOPBACK)
        return cls(frozenset(names), tuple(networks))

    def allows(self, host: str, address: Address) -> bool:
        if address in METADATA:
            return False
        return plain_host(host) in self.names or any(address in network for network in self.networks)

    def may_allow_name(self, host: str) -> bool:
        """Whether a name could stand for something allowed; only asking what it stands for can tell."""
        return bool(self.networks) or plain_host(host) in self.names
