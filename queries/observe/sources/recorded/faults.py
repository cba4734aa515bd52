"""Puts latency, errors and silence before an API, as networks and servers do; the same ones each time."""

import asyncio
import hashlib
from collections import Counter
from dataclasses import dataclass

from queries.observe.sources.recorded.api import AsgiApp, Receive, Scope, Send, failure, send_answer

#: Longer than any reader waits.
_SILENCE_S = 600.0


@dataclass(frozen=True)
class Faults:
    """How often something goes wrong: shares from 0 to 1, and seconds that each answer takes."""

    latency_s: float = 0.0
    errors: float = 0.0
    silence: float = 0.0
    seed: str = ""

    def around(self, app: AsgiApp) -> AsgiApp:
        """Return the API with these faults before it."""
        return _FaultyApi(app, self)


class _FaultyApi:
    def __init__(self, app: AsgiApp, faults: Faults) -> None:
        self._app = app
        self._faults = faults
        self._asked: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        chance = self._chance(f"{scope['path']}?{scope['query_string'].decode()}")
        if chance < self._faults.silence:
            await asyncio.sleep(_SILENCE_S)
        await asyncio.sleep(self._faults.latency_s)
        if chance < self._faults.silence + self._faults.errors:
            await send_answer(send, failure(503, "the server is currently unable to handle the request"))
        else:
            await self._app(scope, receive, send)

    def _chance(self, asked: str) -> float:
        """Return a number from 0 to 1 that depends on what is asked, and for the how-many-th time."""
        self._asked[asked] += 1
        digest = hashlib.sha256(f"{self._faults.seed} {asked} {self._asked[asked]}".encode()).digest()
        return int.from_bytes(digest[:4]) / 2**32
