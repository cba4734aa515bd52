"""Files from elsewhere, over HTTP: from hosts that are known, and never more bytes than were asked for."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urljoin, urlsplit

import httpx

from adapters.outbound.tls import certificates
from adapters.port import TooLarge, Unavailable, Undeliverable

#: Real seconds for one file; somebody waits for what is said about it.
WITHIN_S = 30.0
CONNECT_WITHIN_S = 5.0
#: Seconds after which a host that failed is asked again.
AGAIN_S = 15.0
_REDIRECTS = 3
_LOOPBACK = frozenset({"127.0.0.1", "localhost"})


@dataclass(frozen=True)
class Downloaded:
    """What came, and what the other side calls it."""

    content: bytes
    media_type: str


class Downloads:
    """One platform's files. `allowed` says which addresses may be asked; `headers` go to those alone."""

    def __init__(self, *, allowed: Callable[[str], bool], within_s: float = WITHIN_S) -> None:
        self._allowed = allowed
        self._within_s = within_s
        self._client = httpx.AsyncClient(
            verify=certificates(),
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=CONNECT_WITHIN_S),
            # One person's file must not be asked for with what a host said to somebody else.
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get(self, url: str, *, at_most: int, headers: Mapping[str, str] | None = None) -> Downloaded:
        """Return a file; raise `Unavailable` (come back), `TooLarge`, or `Undeliverable` (it cannot be had)."""
        try:
            async with asyncio.timeout(self._within_s):
                return await self._followed(url, at_most=at_most, headers=headers or {})
        except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as error:
            raise Unavailable(f"a file cannot be fetched: {type(error).__name__}", retry_after_s=AGAIN_S) from error

    async def _followed(self, url: str, *, at_most: int, headers: Mapping[str, str]) -> Downloaded:
        for _ in range(_REDIRECTS + 1):
            if not self._allowed(url):
                raise Undeliverable("no file is fetched from a host that is none of the platform's")
            async with self._client.stream("GET", url, headers=dict(headers)) as response:
                if not response.has_redirect_location:
                    return await _read(response, at_most=at_most)
                url = urljoin(url, response.headers["Location"])
        raise Undeliverable("a file is passed on and on")


def is_address(url: str, *, host: Callable[[str], bool], further: frozenset[str] = frozenset()) -> bool:
    """Return whether an address is one of these hosts, over TLS. `further` hosts of this machine may do without."""
    try:
        parts = urlsplit(url)
        name, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return False
    if parts.username is not None or parts.password is not None:
        return False
    if name in further or f"{name}:{port}" in further:
        return parts.scheme == "https" or (parts.scheme == "http" and name in _LOOPBACK)
    return parts.scheme == "https" and port in {None, 443} and host(name)


async def _read(response: httpx.Response, *, at_most: int) -> Downloaded:
    status = response.status_code
    if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise Unavailable(f"a file cannot be fetched now: HTTP {status}", retry_after_s=AGAIN_S)
    if status != HTTPStatus.OK:
        raise Undeliverable(f"a file is not handed out: HTTP {status}")
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > at_most:
            raise TooLarge(f"a file has more than {at_most} bytes")
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return Downloaded(bytes(content), media_type)
