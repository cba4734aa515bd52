"""A process that files one draft and may be killed on the way: run by `test_crash.py`.

Its steps are the SQL statements and the commits of filing, counted from 1; it sends itself SIGKILL before the given
one. Given 0 it runs to the end and prints how many steps there are; given one more than that it dies when all is done.
"""

import argparse
import asyncio
import os
import signal

from sqlalchemy import event

from identity.actor import Actor
from storage.clock import ManualClock
from storage.database import Database
from tickets.config import TicketsConfig
from tickets.service import TicketService
from tickets.trackers.local import LocalTracker


class Steps:
    """Counts, and ends the process where it was told to."""

    def __init__(self, deadly: int) -> None:
        self.deadly = deadly
        self.taken = 0

    def take(self, *_: object) -> None:
        self.taken += 1
        if self.taken == self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)


async def file(arguments: argparse.Namespace) -> None:
    database = Database(arguments.url)
    steps = Steps(arguments.die_before)
    event.listen(database.engine.sync_engine, "before_cursor_execute", steps.take)
    event.listen(database.engine.sync_engine, "commit", steps.take)
    key = arguments.signing_key.encode()
    service = TicketService(database, ManualClock(), TicketsConfig(), LocalTracker(), key)
    actor = Actor(id=arguments.actor, name=arguments.actor)
    await service.file(actor, arguments.draft, nonce=arguments.nonce)
    total = steps.taken
    steps.take()
    await database.close()
    print(total)  # noqa: T201 - what the test reads


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name in ("url", "actor", "draft", "nonce", "signing-key"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--die-before", type=int, required=True)
    asyncio.run(file(parser.parse_args()))
