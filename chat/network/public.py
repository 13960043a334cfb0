"""Which addresses belong to the public internet, and which hide another address inside."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Of IPv6 only this part is given out for the public internet; everything else is refused unasked.
GLOBAL_IPV6 = IPv6Network("2000::/3")

SPECIAL: tuple[Network, ...] = tuple(
    ip_network(written)
    for written in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # shared by customers of one carrier
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays from IPv6
        "192.168.0.0/16",
        "198.18.0.0/15",  # measurements
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        "2001::/23",  # Teredo and other protocols
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
    )
)

# What tells a machine in a cloud its own secrets; no list of allowed networks reaches these.
METADATA: frozenset[Address] = frozenset(
    ip_address(written)
    for written in (
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
)

MAPPED = IPv6Network("::ffff:0:0/96")
TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("::ffff:0:0:0/96"))


def reached(address: Address) -> Address:
    """The address that a connection to this one ends at, as far as it can be read from it."""
    if isinstance(address, IPv6Address):
        plain = IPv6Address(int(address))  # without the name of an interface
        if plain in MAPPED or any(plain in network for network in TRANSLATED):
            return IPv4Address(int(plain) & 0xFFFF_FFFF)
        return plain
    return address


def is_public(address: Address) -> bool:
    """Expects what `reached` gives. Everything that is not surely public is not."""
    if address in METADATA:
        return False
    if isinstance(address, IPv6Address) and (address not in GLOBAL_IPV6 or _hides_ipv4(address)):
        return False
    return not any(address in network for network in SPECIAL)


def _hides_ipv4(address: IPv6Address) -> bool:
    """ISATAP: the lower half names an IPv4 address of the local network."""
    return (int(address) >> 32) & 0xFDFF_FFFF == 0x0000_5EFE
