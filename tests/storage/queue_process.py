"""A process that works the queue off and may be told where to die: `python -m tests.storage.queue_process …`."""

import argparse
import asyncio
import os
import random
import signal
from pathlib import Path

from storage.clock import SystemClock
from storage.database import Database
from storage.queue.rows import WorkItem
from storage.queue.worker import Topic, Worker

LEASE_S = 1.0


async def work(url: str, *, effects: Path, crash_at: str, chance: float, seed: int) -> None:
    """Drain until nothing is due for a second; each effect is a line `key attempt` in a file that others write too."""
    database, fate = Database(url), random.Random(seed)

    def maybe_die(point: str) -> None:
        if crash_at in (point, "anywhere") and fate.random() < chance:
            os.kill(os.getpid(), signal.SIGKILL)

    async def handle(message: WorkItem) -> None:
        maybe_die("claimed")
        with effects.open("a") as file:
            file.write(f"{message.key} {message.attempt}\n")
        maybe_die("sent")

    worker = Worker(database, SystemClock(), {"note": Topic(handle)}, name=f"p{os.getpid()}", lease_s=LEASE_S)
    idle = 0
    while idle < 5:
        drained = await worker.drain_once()
        if drained:
            maybe_die("marked")
        idle = 0 if drained else idle + 1
        await asyncio.sleep(0 if drained else LEASE_S / 3)
    await database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--effects", type=Path, required=True)
    parser.add_argument("--crash-at", default="never")
    parser.add_argument("--chance", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    asyncio.run(
        work(
            arguments.url,
            effects=arguments.effects,
            crash_at=arguments.crash_at,
            chance=arguments.chance,
            seed=arguments.seed,
        )
    )
