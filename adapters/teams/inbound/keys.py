"""The keys that tell Teams' messages from forgeries: announced by the Bot Framework, asked for when needed, kept."""

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from jwt import PyJWK, PyJWTError
from pydantic import BaseModel, ValidationError

from adapters.outbound.health import Health, Trouble
from adapters.outbound.tls import certificates
from adapters.port import ChatClock
from adapters.teams.wire.services import LOOPBACK

#: Seconds for which the keys are not asked for again. Each of them is used until another list comes.
FRESH_S = 24 * 3600.0
#: Seconds until the keys are asked for again because of one that is not among them, and after a failure.
UNKNOWN_AGAIN_S = 60.0
FAILED_AGAIN_S = 10.0
#: Real seconds that both documents may take: Teams waits for 10 to 15.
ANSWER_WITHIN_S = 5.0
#: Bytes of one document; the Bot Framework's own has less than a tenth.
DOCUMENT_MAX = 500_000
#: Shorter keys are not taken for anybody's.
BITS_MIN = 2048


class KeysAway(Exception):
    """Nobody can tell now whether there is such a key."""


@dataclass(frozen=True)
class Key:
    """A public key, and the channels whose activities it vouches for."""

    public: PyJWK = field(repr=False)
    endorsements: frozenset[str]


class _Unusable(Exception):
    """The key server's answer is none; the words say why."""


class _Metadata(BaseModel):
    jwks_uri: str


class _Announcements(BaseModel):
    keys: tuple[dict[str, Any], ...]


class _Announced(BaseModel):
    kty: str
    kid: str
    n: str
    e: str
    use: str = "sig"
    endorsements: frozenset[str] = frozenset()


class Keys:
    """The keys of one OpenID metadata document. They are asked for by one at a time, however many wait."""

    def __init__(
        self,
        url: str,
        clock: ChatClock,
        *,
        health: Health,
        transport: httpx.AsyncBaseTransport | None = None,
        answer_within_s: float = ANSWER_WITHIN_S,
    ) -> None:
        self._url = _secure(url)
        self._clock = clock
        self._health = health
        self._http = httpx.AsyncClient(
            transport=transport,
            verify=certificates(),
            timeout=None,  # noqa: S113 - `_ask` has a limit for all of it
        )
        self._answer_within_s = answer_within_s
        self._keys: Mapping[str, Key] = {}
        self._fresh_until = self._not_before = -math.inf
        self._failing = False
        self._attempt: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Ask for the keys before the first message comes; close the connections with the block."""
        self._begin()
        try:
            yield
        finally:
            if self._attempt is not None:
                self._attempt.cancel()
                await asyncio.gather(self._attempt, return_exceptions=True)
            await self._http.aclose()

    async def find(self, kid: str) -> Key | None:
        """Return the key of that id, None when there is none; raise `KeysAway` when that cannot be told."""
        known = kid in self._keys
        if not known or self._clock.monotonic() >= self._fresh_until:
            attempt = self._begin()
            # While the key server is away, what is known goes on being used, and nobody waits.
            if attempt is not None and not (known and self._failing):
                await asyncio.shield(attempt)
        if kid not in self._keys and self._failing:
            raise KeysAway
        return self._keys.get(kid)

    def _begin(self) -> "asyncio.Task[None] | None":
        """Return the attempt that is going on, begun now unless the last one was a moment ago."""
        if self._attempt is None and self._clock.monotonic() >= self._not_before:
            self._attempt = asyncio.create_task(self._ask(), name="asking for Teams' keys")
            self._attempt.add_done_callback(self._settle)
        return self._attempt

    def _settle(self, done: "asyncio.Task[None]") -> None:
        del done
        self._attempt = None
        self._not_before = self._clock.monotonic() + (FAILED_AGAIN_S if self._failing else UNKNOWN_AGAIN_S)

    async def _ask(self) -> None:
        try:
            async with asyncio.timeout(self._answer_within_s):
                metadata = _Metadata.model_validate_json(await self._document(self._url))
                announced = _Announcements.model_validate_json(await self._document(_secure(metadata.jwks_uri)))
            self._keys = _usable(announced)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError, _Unusable) as error:
            self._failing = True
            self._health.begins(Trouble.KEYS, self._words(error))
        else:
            self._failing = False
            self._fresh_until = self._clock.monotonic() + FRESH_S
            self._health.ends(Trouble.KEYS)

    async def _document(self, url: str) -> bytes:
        # Plain bytes: what is compressed could be of any size.
        async with self._http.stream("GET", url, headers={"accept-encoding": "identity"}) as response:
            if response.status_code != httpx.codes.OK:
                raise _Unusable(f"HTTP {response.status_code}")
            body = bytearray()
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > DOCUMENT_MAX:
                    raise _Unusable("too long an answer")
            return bytes(body)

    def _words(self, error: Exception) -> str:
        match error:
            case _Unusable():
                why = str(error)
            case ValidationError():
                why = "not the documents that were expected"
            case _:
                why = type(error).__name__
        meanwhile = "the last known ones are used" if self._keys else "no message is taken until they are there"
        return f"no keys to check messages by from {httpx.URL(self._url).host} ({why}); {meanwhile}"


def _secure(url: str) -> str:
    """Return a URL over which keys may come; raise ValueError for any other: whoever forges keys forges messages."""
    read = httpx.URL(url)
    safe = read.scheme == "https" or (read.scheme == "http" and read.host in LOOPBACK)
    if not (safe and read.host and 0 < (read.port or 443) < 65_536):
        raise ValueError(f"keys come over https only, not from {url[:200]!r}")
    return url


def _usable(announced: _Announcements) -> Mapping[str, Key]:
    keys: dict[str, Key] = {}
    for each in announced.keys:
        try:
            read = _Announced.model_validate(each)
            public = PyJWK({"kty": read.kty, "n": read.n, "e": read.e}, "RS256")
        except (ValidationError, PyJWTError):
            continue  # of another kind, or for another purpose: the others are as good as before
        if read.use == "sig" and public.key.key_size >= BITS_MIN:
            keys[read.kid] = Key(public, read.endorsements)
    if not keys:
        raise _Unusable("no usable key")
    return keys
