"""Sends one request to a source and reads its answer: within a time, up to a size, tried twice where that may help.

No redirect is followed, no cookie kept, no proxy of the environment used, and nothing but the source's own host asked.
"""

import asyncio
import json
import random
import ssl
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, Protocol, TypeVar
from urllib.parse import urlencode

import httpx

from queries.observe.errors import RETRYABLE, FailureKind, ReadFailed
from queries.observe.sources.allowance import may_send_another
from storage.clock import Clock
from storage.ids import JsonObject, JsonValue
from storage.redaction.stored import redact

T = TypeVar("T")

#: The reason of a `Status` by which a recording says that it holds no such answer.
NOT_RECORDED = "NotRecorded"
#: Bytes of an answer that is read whole; of an error, and of what is told of it.
MOST_BYTES = 32_000_000
_MOST_OF_AN_ERROR = 64_000
_LONGEST_DETAIL = 300
_TRIES = 2
_LONGEST_WAIT_S = 2.0
_CONNECTIONS = 12
_PARSED_APART = 200_000  # bytes of JSON above which parsing would hold up the event loop

_KINDS = {
    400: FailureKind.BAD_REQUEST,
    401: FailureKind.UNAUTHORIZED,
    403: FailureKind.FORBIDDEN,
    404: FailureKind.NOT_FOUND,
    405: FailureKind.BAD_REQUEST,
    410: FailureKind.EXPIRED,
    413: FailureKind.BAD_REQUEST,
    422: FailureKind.BAD_REQUEST,
    429: FailureKind.THROTTLED,
}


@dataclass(frozen=True)
class ClientCertificate:
    """A certificate and its key, both PEM."""

    certificate: str
    key: str


@dataclass(frozen=True)
class Presented:
    """What says who we are: headers, and for some clusters a certificate."""

    headers: Mapping[str, str] = field(default_factory=dict)
    certificate: ClientCertificate | None = None


class SourceCredentials(Protocol):
    """Where credentials come from; they may change while we run."""

    async def present(self, *, again: bool = False) -> Presented:
        """Return the credentials; `again` reads them anew, since the last ones were refused. Raise `ReadFailed`."""
        ...


class NoCredentials:
    """Says nothing of who we are."""

    async def present(self, *, again: bool = False) -> Presented:  # noqa: ARG002 - the port's
        """Return nothing."""
        return Presented()


@dataclass(frozen=True)
class Endpoint:
    """Where a source is."""

    url: str  # without a slash at the end; may have a path
    ca: str = ""  # certificate authority as PEM; "" for those of the system
    server_name: str = ""  # name in its certificate, when it is not the host of the address


@dataclass(frozen=True)
class Outgoing:
    """One request. `path` begins with a slash and has its segments quoted already."""

    path: str
    query: tuple[tuple[str, str], ...] = ()
    method: str = "GET"
    json: JsonObject | None = None
    form: tuple[tuple[str, str], ...] = ()
    words: str = ""  # what is told of it, when that is not the path

    @property
    def told(self) -> str:
        """Return the request as evidence and errors name it."""
        if self.words:
            return self.words
        return f"{self.method} {self.path}" + (f"?{urlencode(self.query)}" if self.query else "")


class TooMuch(Exception):
    """An answer is longer than it may be."""


class HttpAsker:
    """Asks one source over connections that are kept. Nothing connects before the first request."""

    def __init__(
        self,
        endpoint: Endpoint,
        credentials: SourceCredentials,
        clock: Clock,
        *,
        timeout_s: float = 4.0,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.credentials = credentials
        self._clock = clock
        self._timeout_s = timeout_s
        self._given = transport
        self._transport: httpx.AsyncBaseTransport | None = None
        self._certificate: ClientCertificate | None = None
        self._connecting = asyncio.Lock()

    async def json(self, outgoing: Outgoing) -> tuple[JsonObject, bytes]:
        """Return an answer that is a JSON object, and its bytes; raise `ReadFailed`."""
        parsed, body = await self.json_value(outgoing)
        if not isinstance(parsed, dict):
            raise ReadFailed(FailureKind.UNREADABLE, outgoing.told, detail="the answer is no JSON object")
        return parsed, body

    async def json_value(self, outgoing: Outgoing) -> tuple[JsonValue, bytes]:
        """Return an answer that is JSON of any form, and its bytes; raise `ReadFailed`."""
        body = await self.ask(outgoing, _whole)
        try:
            parsed = await asyncio.to_thread(json.loads, body) if len(body) > _PARSED_APART else json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ReadFailed(FailureKind.UNREADABLE, outgoing.told, detail="the answer is no JSON") from error
        return parsed, body

    async def ask(self, outgoing: Outgoing, read: Callable[[AsyncIterator[bytes]], Awaitable[T]]) -> T:
        """Return what `read` makes of the answer, tried again where that may help; raise `ReadFailed`."""
        again = False
        for tries_left in reversed(range(_TRIES)):
            try:
                return await self._once(outgoing, read, again=again)
            except ReadFailed as error:
                refused = error.kind is FailureKind.UNAUTHORIZED
                wait_s = error.retry_after_s or random.uniform(0.05, 0.25)  # noqa: S311 - spreads tries, no secret
                worth = (refused or error.kind in RETRYABLE) and wait_s <= _LONGEST_WAIT_S
                if not (worth and tries_left and may_send_another()):
                    raise
                again = refused
                await self._clock.sleep(0.0 if refused else wait_s)
        raise AssertionError("the last try returns or raises")

    async def close(self) -> None:
        """Close the connections."""
        if self._transport is not None:
            await self._transport.aclose()
            self._transport = None

    async def _once(
        self, outgoing: Outgoing, read: Callable[[AsyncIterator[bytes]], Awaitable[T]], *, again: bool
    ) -> T:
        told = outgoing.told
        presented = await self.credentials.present(again=again)  # has a time-out of its own
        try:
            async with asyncio.timeout(self._timeout_s):
                transport = await self._connected(presented.certificate)
                response = await transport.handle_async_request(self._request(outgoing, presented))
                try:
                    return await _read(response, read, told=told)
                finally:
                    await response.aclose()
        except (TimeoutError, httpx.TimeoutException) as error:
            raise ReadFailed(FailureKind.TIMED_OUT, told, detail=f"no answer in {self._timeout_s:g} s") from error
        except httpx.TransportError as error:
            raise ReadFailed(FailureKind.UNREACHABLE, told, detail=_short(str(error))) from error
        except TooMuch as error:
            raise ReadFailed(FailureKind.TOO_LARGE, told) from error
        except (ssl.SSLError, OSError, httpx.InvalidURL) as error:
            raise ReadFailed(FailureKind.UNREACHABLE, told, detail=_short(str(error))) from error

    def _request(self, outgoing: Outgoing, presented: Presented) -> httpx.Request:
        request = httpx.Request(
            outgoing.method,
            self.endpoint.url + outgoing.path,
            params=outgoing.query or None,
            json=outgoing.json,
            data=dict(outgoing.form) or None,
            # Packed answers are not taken: a small one may stand for a huge one.
            headers={"accept-encoding": "identity", "user-agent": "dutydesk", **presented.headers},
            extensions={
                "timeout": httpx.Timeout(self._timeout_s).as_dict(),
                **({"sni_hostname": self.endpoint.server_name} if self.endpoint.server_name else {}),
            },
        )
        wanted = httpx.URL(self.endpoint.url).raw_path.rstrip(b"/") + outgoing.path.encode()
        if request.url.raw_path.partition(b"?")[0] != wanted:  # ".." would lead to another object
            raise ReadFailed(FailureKind.BAD_REQUEST, outgoing.told, detail="the path leads elsewhere")
        return request

    async def _connected(self, certificate: ClientCertificate | None) -> httpx.AsyncBaseTransport:
        async with self._connecting:
            if self._transport is not None and certificate == self._certificate:
                return self._transport
            if self._transport is not None:
                await self._transport.aclose()
            self._certificate = certificate
            if self._given is not None:
                self._transport = self._given
            else:
                context = await asyncio.to_thread(tls_context, self.endpoint.ca, certificate)
                limits = httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS)
                self._transport = httpx.AsyncHTTPTransport(verify=context, limits=limits, trust_env=False)
            return self._transport


def tls_context(ca: str, certificate: ClientCertificate | None) -> ssl.SSLContext:
    """Return the TLS settings for a source; the server's certificate is always checked. Reads and writes files."""
    context = ssl.create_default_context(cadata=ca or None)
    if certificate is not None:
        with tempfile.TemporaryDirectory() as folder:  # OpenSSL takes certificates from files only
            pem = Path(folder, "certificate.pem")
            pem.touch(mode=0o600)
            pem.write_text(f"{certificate.certificate}\n{certificate.key}\n", encoding="ascii")
            context.load_cert_chain(pem)
    return context


async def _read(response: httpx.Response, read: Callable[[AsyncIterator[bytes]], Awaitable[T]], *, told: str) -> T:
    if not response.is_success:
        await _fail(response, told)
    if response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}:
        raise ReadFailed(FailureKind.UNREADABLE, told, detail="the answer is packed, which was not asked for")
    return await read(_chunks(response))


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    assert isinstance(response.stream, httpx.AsyncByteStream)  # noqa: S101 - what an asynchronous transport returns
    async for chunk in response.stream:
        yield chunk


async def _whole(chunks: AsyncIterator[bytes]) -> bytes:
    return await whole(chunks, most=MOST_BYTES)


async def whole(chunks: AsyncIterator[bytes], *, most: int) -> bytes:
    """Return an answer of at most so many bytes; raise `TooMuch`."""
    found = bytearray()
    async for chunk in chunks:
        found += chunk
        if len(found) > most:
            raise TooMuch
    return bytes(found)


async def _fail(response: httpx.Response, told: str) -> NoReturn:
    status = response.status_code
    body = bytearray()
    async for chunk in _chunks(response):
        body += chunk
        if len(body) > _MOST_OF_AN_ERROR:
            break
    reason, detail = _said(bytes(body[:_MOST_OF_AN_ERROR]))
    kind = _KINDS.get(status, FailureKind.SERVER_ERROR if status >= 500 else FailureKind.UNREADABLE)
    if status == 404 and reason == NOT_RECORDED:
        kind = FailureKind.NOT_RECORDED
    if 300 <= status < 400:
        detail = "it leads to another address, which is not followed"
    after = response.headers.get("retry-after", "").strip()
    wait_s = float(after) if after.isascii() and after.isdigit() and len(after) < 7 else 0.0
    raise ReadFailed(kind, told, detail=detail, status=status, retry_after_s=wait_s)


def _said(body: bytes) -> tuple[str, str]:
    """Return reason and message of an error: a `Status` of Kubernetes, an error of Prometheus, or plain text."""
    text = body.decode("utf-8", "replace")
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return "", _short(text)
    if not isinstance(parsed, dict):
        return "", _short(text)
    words = next((parsed[key] for key in ("message", "error") if isinstance(parsed.get(key), str)), text)
    return str(parsed.get("reason", "")), _short(words)


def _short(words: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in words[: 4 * _LONGEST_DETAIL])
    return redact(" ".join(plain.split()))[:_LONGEST_DETAIL]
