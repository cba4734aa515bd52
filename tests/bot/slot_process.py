"""A replica that ticks, does what is due and may be killed anywhere: `python -m tests.bot.slot_process …`."""

import argparse
import asyncio
import os
import random
import signal
from pathlib import Path

from bot.schedules.jobs import Jobs
from features.anatomy.schedules import Slot
from storage.clock import SystemClock
from storage.database import Database

LEASE_S = 1.0


async def work(url: str, *, effects: Path, chance: float, seed: int) -> None:
    """Tick and work until nothing is due for a second; each effect is a line with its slot's key."""
    database, fate = Database(url), random.Random(seed)

    def maybe_die() -> None:
        if fate.random() < chance:
            os.kill(os.getpid(), signal.SIGKILL)

    async def note(slot: Slot) -> None:
        maybe_die()
        with effects.open("a") as file:
            file.write(f"{slot.key}\n")
        maybe_die()

    jobs = Jobs(database, SystemClock(), (), slots={"note": note}, lease_s=LEASE_S)
    idle = 0
    while idle < 5:
        maybe_die()
        done = await jobs.tick()
        maybe_die()
        done += await jobs.worker.drain_once()
        idle = 0 if done else idle + 1
        await asyncio.sleep(0 if done else LEASE_S / 3)
    await database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--effects", type=Path, required=True)
    parser.add_argument("--chance", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()
    asyncio.run(work(arguments.url, effects=arguments.effects, chance=arguments.chance, seed=arguments.seed))
