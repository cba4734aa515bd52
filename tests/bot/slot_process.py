"""A replica that ticks, does what is due and may be killed anywhere: `python -m tests.bot.slot_process …`."""

import argparse
import asyncio
import os
import random
import signal
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from bot.schedules.jobs import Jobs
from features.anatomy.schedules import Slot
from storage.clock import SystemClock
from storage.database import Database

LEASE_S = 1.0


class SkewedClock(SystemClock):
    """A clock that is some seconds ahead."""

    def __init__(self, seconds: float) -> None:
        self._ahead = timedelta(seconds=seconds)

    def now(self) -> datetime:
        """Return the instant that it takes for now."""
        return super().now() + self._ahead


async def work(url: str, *, effects: Path, chance: float, seed: int, skew_s: float) -> None:
    """Tick and work until nothing is due for a second, or until it dies; each effect is a line with its slot's key."""
    database, fate = Database(url), random.Random(seed)

    def maybe_die() -> None:
        if fate.random() < chance:
            os.kill(os.getpid(), signal.SIGKILL)

    async def note(slot: Slot) -> None:
        maybe_die()
        with effects.open("a") as file:
            file.write(f"{slot.key}\n")
        maybe_die()

    jobs = Jobs(database, SkewedClock(skew_s), (), slots={"note": note}, lease_s=LEASE_S)
    idle = 0
    while chance or idle < 5:  # who may die works until then
        maybe_die()
        try:
            done = await jobs.tick()
            maybe_die()
            done += await jobs.worker.drain_once()
        except DBAPIError:  # the database went away, and comes back
            done = 0
            await asyncio.sleep(LEASE_S / 3)
        idle = 0 if done else idle + 1
        await asyncio.sleep(0 if done else LEASE_S / 3)
    await database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--effects", type=Path, required=True)
    parser.add_argument("--chance", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--skew", type=float, default=0.0)
    given = parser.parse_args()
    asyncio.run(work(given.url, effects=given.effects, chance=given.chance, seed=given.seed, skew_s=given.skew))
