"""A replica that sends digests and may be killed at any step: `python -m tests.bot.digest_process …`."""

import argparse
import asyncio
import os
import random
import signal
from pathlib import Path
from typing import Any

from adapters.cards import Text
from bot.conversation.notices import Notices
from bot.conversation.people import People
from bot.delivery.news.telling import NewsTelling
from bot.delivery.news.ways import Ways
from bot.schedules.jobs import Jobs
from features.anatomy.channels import DEFAULT, ChannelSettings
from features.anatomy.sections import DigestAsked, DigestSection, Told
from features.digests.digest import TOPIC, Digests, LastSent, SentDigest
from features.digests.drawing import DigestDrawing
from features.digests.sending import Configured, DigestSender
from identity.directory import Directory
from storage.clock import SystemClock
from storage.database import Database, Session
from storage.ids import JsonObject

LEASE_S = 1.0


class OnChannels:
    """Channels that nobody has set."""

    async def settings(self, target: JsonObject | None) -> ChannelSettings:
        """Return what nobody has changed."""
        del target
        return DEFAULT


async def work(url: str, people_file: Path, *, chance: float, seed: int) -> None:
    """Tick, send and keep current until nothing is due for a second."""
    database, clock, fate = Database(url), SystemClock(), random.Random(seed)

    def maybe_die() -> None:
        if fate.random() < chance:
            os.kill(os.getpid(), signal.SIGKILL)

    class MortalDigests(Digests):
        """Notes what was sent, and may die around it."""

        async def note(self, session: Session, sent: SentDigest, last: LastSent) -> None:
            maybe_die()
            await super().note(session, sent, last)
            maybe_die()

    async def told(asked: DigestAsked) -> Told:
        del asked
        maybe_die()
        return Told(1, (Text("One thing is new."),))

    directory = Directory(database, people_file, clock)
    people, ways = People(directory), Ways(clock, chats={}, public_url="", mail=False, webhook=False)
    news = NewsTelling(database, clock, people.by_id, ways=ways)
    telling = Notices(database, clock, people=people, chats={}, ways=ways, news=news, public_url="")
    drawing = DigestDrawing(lambda: (DigestSection("new_tickets", told),), clock)
    channels: Any = OnChannels()
    sender = DigestSender(MortalDigests(database, clock), drawing, telling, directory, clock, channels, Configured)
    jobs = Jobs(database, clock, (), slots={TOPIC: sender.send}, lease_s=LEASE_S)
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
    parser.add_argument("people", type=Path)
    parser.add_argument("--chance", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()
    asyncio.run(work(arguments.url, arguments.people, chance=arguments.chance, seed=arguments.seed))
