"""kill -9 at every step of sending digests: each channel and person gets one for its slot, whoever dies."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from bot.delivery.channel_store import Channel, remember_channel
from bot.delivery.posts import topic_of
from bot.delivery.tables import NewsRow
from features.digests.digest import SentDigest
from storage.database import Database
from storage.queue import schedules
from storage.queue.schedules import SYSTEM, Rule
from storage.queue.tables import QueueTable
from tests.processes import keep_running
from tests.scale import scaled

PROCESS, PLATFORM = "tests.bot.digest_process", "memory"
REPLICAS, CHANNELS, PEOPLE = 3, 8, 4


async def test_each_channel_and_person_gets_one_for_its_slot(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    people = tmp_path / "people.yaml"
    names = [f"person{number}" for number in range(PEOPLE)]
    people.write_text("people:\n" + "".join(f"  - {{id: {name}, name: {name}}}\n" for name in names))
    slot = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=1)
    sent = [
        SentDigest(
            SYSTEM,
            (),
            Rule("FREQ=DAILY", f"{slot:%H:%M}"),
            "UTC",
            {"platform": PLATFORM, "channel": f"C{number}"},
            name=f"team{number}",
        )
        for number in range(CHANNELS)
    ]
    sent += [SentDigest(name, (), Rule("FREQ=DAILY", f"{slot:%H:%M}"), "UTC") for name in names]
    async with database.transaction() as session:
        for number in range(CHANNELS):
            channel = Channel(PLATFORM, f"C{number}", {"channel": f"C{number}"}, "en", slot)
            await remember_channel(session, channel)
        for each in sent:
            await schedules.put(session, replace(each.schedule, next_at=slot))

    def arguments(replica: int) -> Callable[[int], list[str]]:
        def of(kills: int) -> list[str]:
            chance = 0.2 if kills < scaled(20, least=2) else 0.0
            return [database_url, str(people), "--chance", str(chance), "--seed", f"{replica}{kills}"]

        return of

    kills = await asyncio.gather(*(keep_running(PROCESS, arguments(replica)) for replica in range(REPLICAS)))
    assert sum(kills) > 0

    async with database.reading() as session:
        query = select(QueueTable.key).where(QueueTable.topic == topic_of(PLATFORM))
        posts = Counter(await session.scalars(query))
        posts += Counter(await session.scalars(select(NewsRow.key)))
        dead = set(await session.scalars(select(QueueTable.key).where(QueueTable.state == "dead")))
        known = [await schedules.find(session, each.id) for each in sent]
    slots = {each.id: f"schedule:{each.id}:{slot.isoformat()}" for each in sent}
    noted = {each.name for each in known if each is not None and each.payload["last"] is not None}
    assert posts == {f"said:{slots[name]}": 1 for name in noted}  # what is posted is noted, and the other way round
    # One whose worker died over it eight times is given up, neither posted nor noted.
    assert slots.keys() - noted <= {name for name, key in slots.items() if key in dead}
