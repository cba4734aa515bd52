"""A replica that does a scheduled job and may die anywhere: `python -m tests.storage.slot_process …`."""

import argparse
import asyncio
import itertools
import os
import random
import signal
from datetime import timedelta

from sqlalchemy import text

from storage import leases
from storage.database import Database

PERIOD_S = 0.1
TTL_S = 0.6


async def work(url: str, *, slots: int, chance: float, seed: int, latest: int | None) -> None:
    """Run due slots until so many are done; the effect is one row in a table that takes any number of them.

    It may die at each of three points of a slot, and surely does at the `latest`-th one that it comes to.
    """
    database, fate, passed = Database(url), random.Random(seed), itertools.count(1)

    def maybe_die() -> None:
        if next(passed) == latest or fate.random() < chance:
            os.kill(os.getpid(), signal.SIGKILL)

    done = 0
    while done < slots:
        async with database.transaction() as session:
            slot = await leases.claim_due(session, name="job", owner=str(os.getpid()), ttl_s=TTL_S)
        if slot is None:
            await asyncio.sleep(PERIOD_S / 4)
        else:
            maybe_die()
            async with database.transaction() as session:
                await session.execute(text("INSERT INTO effects VALUES (:slot)"), {"slot": slot.slot.isoformat()})
                maybe_die()
                if not await leases.complete(session, slot, slot.slot + timedelta(seconds=PERIOD_S)):
                    await session.rollback()
            maybe_die()
        async with database.reading() as session:
            done = (await session.execute(text("SELECT count(*) FROM effects"))).scalar_one()
    await database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--slots", type=int, required=True)
    parser.add_argument("--chance", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--latest", type=int)
    arguments = parser.parse_args()
    asyncio.run(work(**vars(arguments)))
