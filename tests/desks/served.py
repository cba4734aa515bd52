"""A desk on chat platforms in a process of its own: `python -m tests.desks.served ORDER`, where ORDER is JSON.

It loads everything, says `loaded`, and begins when it is sent a line; then it prints its address. A call that blocks
its loop raises, and is in its log as a BlockingError.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from bot import server
from bot.cli.running.logs import log_to_stderr
from bot.compose.compose import compose
from bot.settings import Settings
from search.embedding.memory import HashEmbedder
from storage.clock import Clock, ScaledClock, SystemClock
from tests.desks.harbour import settings_of
from tests.fixtures.blocking import detector
from tests.scenarios.slow_brain import slow_brain

#: Real seconds for which a process that is gone keeps what it held.
LEASE_S = 15.0
#: Times that a message may be in hand alone when the process dies: here tests kill it, and the message is innocent.
DEATHS = 20


class Order(BaseModel):
    """What the process is to do."""

    model_config = ConfigDict(frozen=True)

    home: Path
    platforms: dict[str, dict[str, Any]]  # by name, the settings that connect it
    port: int
    database_url: str = ""
    speed: float = 1.0
    origin: datetime
    think_s: float = 0.0  # seconds of the clock that each step of the brain takes
    detects: bool = True  # costs time, so a benchmark does without

    @property
    def clock(self) -> Clock:
        """Return the desk's clock."""
        return SystemClock() if self.speed == 1 else ScaledClock(self.speed, self.origin)


async def run(order: Order, settings: Settings) -> None:
    """Serve until the process is ended."""
    clock = order.clock
    brain = slow_brain(clock, order.think_s)
    desk = await compose(settings, clock=clock, embedder=HashEmbedder(), brain=brain, lease_s=LEASE_S)
    async with desk:
        await server.serve(desk, "127.0.0.1", order.port, on_ready=_ready)


def _ready(address: str) -> None:
    server.spare_the_collector()
    _tell(address)


def _tell(words: str) -> None:
    print(words, flush=True)  # noqa: T201 - what the parent process waits for


def _end_with_parent() -> None:
    """End the process when nobody holds the other end of its input any more: a test run that was cut off."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Wait for the word, then serve."""
    order = Order.model_validate_json(sys.argv[1])
    log_to_stderr(logging.INFO)
    settings = settings_of(order.home, order.platforms, database_url=order.database_url, deaths=DEATHS)
    _tell("loaded")
    sys.stdin.readline()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if order.detects:
        with detector():
            asyncio.run(run(order, settings))
    else:
        asyncio.run(run(order, settings))


if __name__ == "__main__":
    main()
