"""A desk on Slack in a process of its own: `python -m tests.slack_desk.served ORDER`, where ORDER is JSON.

It loads everything, says `loaded`, and begins when it is sent a line; then it prints its address. A call that blocks
its loop raises, and is in its log as a BlockingError.
"""

import asyncio
import logging
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from agent.assistant import Brain
from agent.brains.rules import RulesModel
from bot.cli.logs import log_to_stderr
from bot.compose import compose
from bot.server import serve
from search.embedding.memory import HashEmbedder
from storage.clock import Clock, ScaledClock, SystemClock
from tests.fixtures.blocking import detector
from tests.slack_desk.harbour import settings_of
from tickets.config import TicketsConfig

#: Real seconds for which a process that is gone keeps what it held.
LEASE_S = 15.0


class Order(BaseModel):
    """What the process is to do."""

    model_config = ConfigDict(frozen=True)

    home: Path
    slack: dict[str, Any]
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


class Thoughtful(RulesModel):
    """The rules, taking their time as a language model does."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__(TicketsConfig())
        self._clock = clock
        self._seconds = seconds

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Return the next step, after a while."""
        await self._clock.sleep(self._seconds)
        return await super().request(messages, model_settings, model_request_parameters)


async def run(order: Order) -> None:
    """Serve until the process is ended."""
    settings = settings_of(order.home, order.slack, database_url=order.database_url)
    clock = order.clock
    brain = Brain(name="thoughtful", model=Thoughtful(clock, order.think_s), follows_text=False)
    desk = await compose(settings, clock=clock, embedder=HashEmbedder(), brain=brain, lease_s=LEASE_S * order.speed)
    async with desk:
        await serve(desk, "127.0.0.1", order.port, on_ready=_tell)


def _tell(words: str) -> None:
    print(words, flush=True)  # noqa: T201 - what the parent process waits for


def main() -> None:
    """Wait for the word, then serve."""
    order = Order.model_validate_json(sys.argv[1])
    log_to_stderr(logging.INFO)
    _tell("loaded")
    sys.stdin.readline()
    if order.detects:
        with detector():
            asyncio.run(run(order))
    else:
        asyncio.run(run(order))


if __name__ == "__main__":
    main()
