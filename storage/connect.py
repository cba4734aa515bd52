"""The way to Redis: short time-outs, no retries, a breaker. Whoever asks gets `None` when Redis is away.

Redis only ever makes things faster. Its client waits for 5 s and retries by default, so both are set here.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from storage.breaker import Breaker, BreakerState
from storage.clock import Clock

log = logging.getLogger(__name__)

TIMEOUT_S = 0.2

Answer = TypeVar("Answer")


class RedisGateway:
    """A Redis that may go away at any time; no method raises for that, and none takes long."""

    def __init__(self, url: str, clock: Clock, *, prefix: str = "dutydesk:", open_s: float = 5.0) -> None:
        self._client: Redis = Redis.from_url(
            url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, retry=None, decode_responses=True
        )
        self._breaker = Breaker(clock, open_s=open_s)
        self._prefix = prefix

    @property
    def degraded(self) -> bool:
        """Say whether Redis is thought to be away."""
        return self._breaker.state is not BreakerState.CLOSED

    async def get(self, key: str) -> str | None:
        """Return the text under that key; None when there is none, or no Redis."""
        answer = await self._ask(lambda: self._client.get(self._prefix + key))
        return answer if isinstance(answer, str) else None

    async def put(self, key: str, value: str, *, ttl_s: float) -> bool:
        """Keep a text for so long; False when it could not be kept."""
        ttl_ms = max(1, round(ttl_s * 1000))
        return bool(await self._ask(lambda: self._client.set(self._prefix + key, value, px=ttl_ms)))

    async def ping(self) -> bool:
        """Say whether Redis answers, through the breaker like everybody."""
        return bool(await self._ask(self._client.ping))

    async def close(self) -> None:
        """Give back every connection."""
        await self._client.aclose()

    async def _ask(self, question: Callable[[], Awaitable[Answer]]) -> Answer | None:
        if not self._breaker.admits():
            return None
        try:
            answer = await question()
        except (RedisError, OSError) as problem:
            if self._breaker.failed():
                log.warning("Redis does not answer (%s); going on without it", type(problem).__name__)
            return None
        if self._breaker.succeeded():
            log.warning("Redis answers again")
        return answer
