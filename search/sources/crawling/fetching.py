"""One request and its answer, within limits; no cookies, no redirects, no sign-in, no proxy of the environment."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Self
from urllib.parse import urlsplit, urlunsplit

import httpx

from search.sources.crawling.answers import Answer
from search.sources.crawling.guard import Forbidden, Guard, Unknown
from search.sources.crawling.plan import AGENT, Limits

_TIMEOUTS = httpx.Timeout(connect=15, read=30, write=15, pool=None)
_ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,text/markdown;q=0.9,*/*;q=0.5"

#: From status and headers to how many bytes of the body are wanted; 0 leaves it unread.
Wanted = Callable[[Answer], int]


class NotFetched(Exception):
    """No answer, or one that is not taken; the words are read after the address. `later` may help."""

    def __init__(self, why: str, *, later: bool) -> None:
        super().__init__(why)
        self.later = later


class Fetcher:
    """Asks for addresses over connections that are kept; closed by `async with`."""

    def __init__(self, guard: Guard, limits: Limits) -> None:
        self._guard = guard
        self._limits = limits
        self._agent = AGENT
        self._transport: httpx.AsyncHTTPTransport | None = None

    async def __aenter__(self) -> Self:
        context = await asyncio.to_thread(_certificates)
        self._agent = f"{AGENT}/{await asyncio.to_thread(version, AGENT)}"
        at_once = httpx.Limits(max_connections=self._limits.at_once, max_keepalive_connections=self._limits.at_once)
        self._transport = httpx.AsyncHTTPTransport(verify=context, limits=at_once, trust_env=False)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._transport is not None:
            await self._transport.aclose()

    async def get(self, address: str, *, wanted: Wanted, headers: Mapping[str, str] | None = None) -> Answer:
        """Return the answer, with as much of its body as is wanted; raise `NotFetched`."""
        try:
            async with asyncio.timeout(self._limits.page_seconds):
                return await self._get(address, wanted=wanted, headers=headers or {})
        except TimeoutError as error:
            raise NotFetched(f"takes longer than {self._limits.page_seconds:.0f} seconds", later=True) from error
        except (Forbidden, Unknown) as error:
            raise NotFetched(str(error), later=isinstance(error, Unknown)) from error
        except httpx.InvalidURL as error:
            raise NotFetched("is no address that can be asked for", later=False) from error
        except httpx.DecodingError as error:
            raise NotFetched("is packed in a way that cannot be unpacked", later=False) from error
        except httpx.TransportError as error:
            raise NotFetched(_told(error), later=not _is_about_trust(error)) from error

    async def _get(self, address: str, *, wanted: Wanted, headers: Mapping[str, str]) -> Answer:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        *others, last = await self._guard.addresses(host, port)
        for ip in others:
            try:
                return await self._ask(address, ip, wanted=wanted, headers=headers)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._ask(address, last, wanted=wanted, headers=headers)

    async def _ask(self, address: str, ip: str, *, wanted: Wanted, headers: Mapping[str, str]) -> Answer:
        """Ask the host at the address that was judged; its name goes into the request and the certificate's check."""
        if self._transport is None:
            raise RuntimeError("the fetcher is not open")
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
        where = parts._replace(netloc=(f"[{ip}]" if ":" in ip else ip) + port)
        request = httpx.Request(
            "GET",
            urlunsplit(where),
            headers={
                "host": parts.netloc,
                "user-agent": self._agent,
                "accept": _ACCEPT,
                "accept-encoding": "gzip, deflate",
                **headers,
            },
            extensions={"timeout": _TIMEOUTS.as_dict(), "sni_hostname": parts.hostname},
        )
        response = await self._transport.handle_async_request(request)
        response.request = request
        try:
            return await self._taken(address, response, wanted=wanted)
        finally:
            await response.aclose()

    async def _taken(self, address: str, response: httpx.Response, *, wanted: Wanted) -> Answer:
        answer = Answer(address=address, status=response.status_code, headers=dict(response.headers))
        most = wanted(answer)
        if not most:
            return answer
        stated = response.headers.get("content-length", "")
        if stated.isdecimal() and int(stated) > most:
            raise NotFetched(_too_large(most), later=False)
        content = bytearray()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > most:
                raise NotFetched(_too_large(most), later=False)
        return Answer(address=address, status=answer.status, headers=answer.headers, content=bytes(content))


def _too_large(most: int) -> str:
    return f"is larger than {most / 1_000_000:g} MB"


def _certificates() -> ssl.SSLContext:
    """Return the trust in certificates: those that come with httpx, and the machine's own (a company's CA)."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


def _is_about_trust(error: httpx.TransportError) -> bool:
    return "CERTIFICATE_VERIFY_FAILED" in str(error)


def _told(error: httpx.TransportError) -> str:
    if _is_about_trust(error):
        return "has a certificate that this machine does not trust"
    if isinstance(error, httpx.TimeoutException):
        return "does not answer in time"
    if isinstance(error, httpx.ConnectError):
        return "cannot be reached"
    return "breaks off its answer"
