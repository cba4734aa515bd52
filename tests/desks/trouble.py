"""A desk whose platform is in trouble: people who ask it meanwhile, what its log says of it, what must come after."""

import logging
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import pytest

from bot.compose.desk import Desk
from tests.desks.traffic import Traffic
from tests.desks.verdict import assert_answered_once, assert_order
from tests.fakes.faults import Faults

#: Seconds of the platform's clock that trouble lasts.
MINUTE = 60.0
#: One line when trouble begins, one when it is over.
EPISODE = ["ERROR", "INFO"]
LOGGER = "adapters.outbound.health"
#: Not the platform's trouble: on a fast clock a busy machine's disk is away now and then.
OWN = "what comes in cannot be stored"


class House(Protocol):
    """A desk with a platform before it."""

    @property
    def desk(self) -> Desk:
        """The desk."""
        ...

    async def settle(self, *, within_s: float = 20.0) -> None:
        """Wait, in real seconds, until nothing is on its way."""
        ...


H = TypeVar("H", bound=House)
F = TypeVar("F", bound=Faults)


@dataclass(frozen=True)
class Trouble(Generic[H, F]):
    """A desk in its house, its platform's switches, and a log to look into."""

    house: H
    faults: F
    traffic: Traffic
    caplog: pytest.LogCaptureFixture

    @property
    def alerts(self) -> list[str]:
        """Return the level of each line about the platform's troubles."""
        records = [each for each in self.caplog.get_records("call") if each.name == LOGGER]
        return [each.levelname for each in records if OWN not in each.getMessage()]

    async def ask(self, *, threads: int = 4, questions: int = 2) -> None:
        """Ask in several threads at once."""
        await self.traffic.burst(threads=threads, questions=questions)

    async def pass_by(self, seconds: float) -> None:
        """Let time pass on the platform."""
        await self.traffic.floor.clock.sleep(seconds)

    async def hold(self) -> None:
        """Hold that everything asked so far is answered, once and in order."""
        await self.house.settle(within_s=60)
        assert_answered_once(self.traffic)
        await assert_order(self.traffic, self.house.desk.database)

    async def all_was_well(self) -> None:
        """Ask once before there is any trouble, and begin to listen to the log."""
        self.caplog.set_level(logging.INFO, logger=LOGGER)
        await self.ask(threads=1, questions=1)
        await self.hold()
