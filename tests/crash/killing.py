"""`kill -9` at random moments of a desk that is busy on a chat platform, on a clock that is faster than the machine's.

A desk that starts within a second or two is back before the platform gives up. What the platform gives up, no desk can
answer.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from storage.clock import ScaledClock
from storage.database import Database
from tests.desks.harbour import prepare, settings_of
from tests.desks.house import all_done
from tests.desks.process import ServedDesk, served
from tests.desks.served import Order
from tests.desks.traffic import Traffic
from tests.scale import scaled

EVENTS, KILLS = 2_000, 5
#: Real seconds until everything is answered after the last question; what a dead process held is free after 15.
PATIENCE_S = 120.0
#: Seconds that each step of a brain takes.
THINK_S = 3.0


@dataclass
class Killed:
    """A desk in a process of its own, and where it keeps its rows."""

    desk: ServedDesk
    database: Database
    cut_short: int = 0  # messages that were growing when the desk was killed
    kills: list[float] = field(default_factory=list)  # instants in epoch seconds of the platform's clock

    async def busy(self, traffic: Traffic, random: Random) -> None:
        """Let people talk until there were enough events, and kill the desk at five moments of it."""
        events = scaled(EVENTS)
        moments = sorted(random.sample(range(events // 10, events * 9 // 10), KILLS))
        while traffic.floor.events < events:
            await traffic.step()
            if moments and traffic.floor.events >= moments[0]:
                moments.pop(0)
                self.cut_short += len(traffic.streaming())
                self.kills.append(traffic.floor.clock.now().timestamp())
                await self.desk.kill()
        assert not moments

    async def done(self) -> None:
        """Wait until the desk has nothing to do any more."""
        await all_done(self.database, within_s=PATIENCE_S)


def url_for(dialect: str, request: pytest.FixtureRequest) -> str:
    """Return the URL of a database that others may share; "" for the desk's own file."""
    return "" if dialect == "sqlite" else str(request.getfixturevalue("database_url"))


@asynccontextmanager
async def open_killed(
    home: Path, platforms: Mapping[str, Mapping[str, Any]], clock: ScaledClock, *, port: int, database_url: str
) -> AsyncIterator[Killed]:
    """Serve a desk of the harbour on these platforms for the time of the block."""
    groups = {name: dict(values) for name, values in platforms.items()}
    order = Order(
        home=home,
        platforms=groups,
        port=port,
        database_url=database_url,
        speed=clock.speed,
        origin=clock.origin,
        think_s=THINK_S,
    )
    settings = settings_of(home, groups, database_url=database_url)
    await prepare(settings)
    database = Database(settings.resolved_database_url)
    try:
        async with served(order) as desk:
            yield Killed(desk, database)
    finally:
        await database.close()
