"""One request and its answer, within limits; no cookies, no redirects, no sign-in, no proxy of the environment."""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from importlib.metadata import version
from typing import Self
from urllib.parse import urlsplit, urlunsplit

import httpx

from search.sources.crawling.fetching.encodings import MoreThanWanted, Undecodable, Unpacking
from search.sources.crawling.fetching.guard import ConnectionForbidden, ConnectionGuard, HostUnknown
from search.sources.crawling.plan import AGENT, CrawlLimits

HTML = frozenset({"text/html", "application/xhtml+xml"})
TEXT = frozenset({"text/plain", "text/markdown", "text/x-markdown"})
FILE_TYPES: Mapping[str, str] = {
    "application/pdf": ".pdf",
    "application/x-pdf": ".pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.ms-word.document.macroenabled.12": ".docm",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.ms-excel.sheet.macroenabled.12": ".xlsm",
}
#: Types that say nothing; the bytes tell.
VAGUE = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-download"})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_DIGITS = 18
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class SiteResponse:
    """One response; `headers` have lower-case names. `content` is empty where it was not wanted."""

    address: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def content_type(self) -> str:
        """Return the media type in lower case, or ""."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str:
        """Return the encoding that the server names, or ""."""
        message = Message()
        message["content-type"] = self.headers.get("content-type", "")
        return message.get_content_charset("")

    @property
    def is_redirect(self) -> bool:
        """Say whether it leads elsewhere."""
        return self.status in _REDIRECTS and "location" in self.headers

    @property
    def is_for_later(self) -> bool:
        """Say whether asking again may help."""
        return self.status in _LATER

    @property
    def said(self) -> str:
        """Return the status in words."""
        try:
            return f"answers {self.status} ({HTTPStatus(self.status).phrase})"
        except ValueError:
            return f"answers {self.status}"

    def retry_after_s(self, now: datetime) -> float | None:
        """Return for how many seconds the server wants to be left alone, or None when it does not say."""
        value = self.headers.get("retry-after", "").strip()
        if value.isdecimal() and len(value) < 10:
            return float(value)
        try:
            at = parsedate_to_datetime(value)
            return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())
        except (ValueError, OverflowError):  # no date, or one of a zone or year beyond all
            return None


_TIMEOUTS = httpx.Timeout(connect=15, read=30, write=15, pool=None)
_ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,text/markdown;q=0.9,*/*;q=0.5"

#: From status and headers to how many bytes of the body are wanted; 0 leaves it unread.
Wanted = Callable[[SiteResponse], int]


class NotFetched(Exception):
    """No answer, or one that is not taken; the words are read after the address. `later` may help."""

    def __init__(self, why: str, *, later: bool) -> None:
        super().__init__(why)
        self.later = later


class Fetcher:
    """Asks for addresses over connections that are kept; closed by `async with`."""

    def __init__(self, guard: ConnectionGuard, limits: CrawlLimits) -> None:
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

    async def get(self, address: str, *, wanted: Wanted, headers: Mapping[str, str] | None = None) -> SiteResponse:
        """Return the answer, with as much of its body as is wanted; raise `NotFetched`."""
        try:
            async with asyncio.timeout(self._limits.page_seconds):
                return await self._get(address, wanted=wanted, headers=headers or {})
        except TimeoutError as error:
            raise NotFetched(f"takes longer than {self._limits.page_seconds:.0f} seconds", later=True) from error
        except (ConnectionForbidden, HostUnknown) as error:
            raise NotFetched(str(error), later=isinstance(error, HostUnknown)) from error
        except httpx.InvalidURL as error:
            raise NotFetched("is no address that can be asked for", later=False) from error
        except Undecodable as error:
            raise NotFetched("is packed in a way that cannot be unpacked", later=False) from error
        except httpx.TransportError as error:
            raise NotFetched(_told(error), later=not _is_about_trust(error)) from error

    async def _get(self, address: str, *, wanted: Wanted, headers: Mapping[str, str]) -> SiteResponse:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        *others, last = await self._guard.addresses(host, port)
        for ip in others:
            try:
                return await self._ask(address, ip, wanted=wanted, headers=headers)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._ask(address, last, wanted=wanted, headers=headers)

    async def _ask(self, address: str, ip: str, *, wanted: Wanted, headers: Mapping[str, str]) -> SiteResponse:
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

    async def _taken(self, address: str, response: httpx.Response, *, wanted: Wanted) -> SiteResponse:
        answer = SiteResponse(address=address, status=response.status_code, headers=dict(response.headers))
        most = wanted(answer)
        if not most:
            return answer
        stated = response.headers.get("content-length", "")
        if stated.isdecimal() and (len(stated) > _DIGITS or int(stated) > most):
            raise NotFetched(_too_large(most), later=False)
        content = bytearray()
        unpacking = Unpacking(response.headers.get("content-encoding", ""), most=most)
        try:
            async for packed in response.aiter_raw():
                for piece in unpacking.take(packed):
                    content += piece
                    await asyncio.sleep(0)  # a small piece may hold megabytes, and others wait
            unpacking.end()
        except MoreThanWanted as error:
            raise NotFetched(_too_large(most), later=False) from error
        return SiteResponse(address=address, status=answer.status, headers=answer.headers, content=bytes(content))


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
