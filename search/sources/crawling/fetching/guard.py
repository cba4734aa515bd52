"""Where connections may go: never into the own network, unless that is what was asked for.

A name is resolved here, and the connection goes to the very address that was judged, so that a name that resolves to
something else a moment later (DNS rebinding) gains nothing.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

#: Networks of IPv6 that stand for IPv4 ones: NAT64 (RFC 6052).
_NAT64 = IPv6Network("64:ff9b::/96")


class ConnectionForbidden(Exception):
    """A host lies in the own network; its words say so, to be read after the host."""


class HostUnknown(Exception):
    """A host has no address."""


class ConnectionGuard:
    """Judges the addresses of hosts. `private` lets everything through."""

    def __init__(self, *, private: bool = False, resolve: Resolve | None = None) -> None:
        self._private = private
        self._resolve = resolve or _resolved
        self._trusted: str = ""

    async def trust(self, host: str, port: int) -> None:
        """Let this host lie in the own network, if it does so now: the operator asked for it by name."""
        if any(not is_public(address) for address in await self._addresses(host, port)):
            self._trusted = host

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Return where a connection may go, best first; raise `ConnectionForbidden` or `HostUnknown`."""
        found = await self._addresses(host, port)
        if self._private or host == self._trusted:
            return found
        if not all(is_public(address) for address in found):
            raise ConnectionForbidden("lies in a private network, which is asked only with --private")
        return found

    async def _addresses(self, host: str, port: int) -> tuple[str, ...]:
        try:
            found = tuple(await self._resolve(host, port))
        except (OSError, UnicodeError) as error:
            raise HostUnknown("has no address (is the name right?)") from error
        if not found:
            raise HostUnknown("has no address (is the name right?)")
        return found


def is_public(address: str) -> bool:
    """Say whether an IP address belongs to the internet at large; what is packed into an IPv6 one counts."""
    ip = ip_address(address.partition("%")[0])
    return all(one.is_global and not one.is_multicast for one in (ip, *_inside(ip)))


def _inside(ip: IPv4Address | IPv6Address) -> tuple[IPv4Address, ...]:
    if isinstance(ip, IPv4Address):
        return ()
    teredo = ip.teredo[1] if ip.teredo else None
    nat64 = IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None
    return tuple(one for one in (ip.ipv4_mapped, ip.sixtofour, teredo, nat64) if one is not None)


async def _resolved(host: str, port: int) -> Sequence[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))
