"""Thousands of reminders that are due at once: each comes once and in order, and who asks meanwhile is answered."""

import asyncio
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from adapters.cards import Heading
from features.reminders.reminder import TOPIC, Reminder
from storage.database import Database
from storage.ids import JsonObject
from storage.queue import schedules
from tests.scale import scaled
from tests.scenarios.driver_memory import MemoryDriver, open_memory
from tests.scenarios.platforms import MAIN
from tests.scenarios.stage import OPEN, MovableClock, Setting

DUE, THREADS = scaled(1_000, least=60), 10


async def test_each_comes_once_in_order_and_a_question_is_answered_before_the_last(
    database: Database, tmp_path: Path
) -> None:
    clock = MovableClock()
    async with open_memory(Setting(tmp_path, database, clock, {})) as stage:
        assert isinstance(stage.driver, MemoryDriver)
        chat = stage.driver.chat
        await stage.say("ada", "Remind me in 10 minutes to renew the certificate")
        await stage.say("ben", "How long may I keep a loan laptop?")
        async with database.transaction() as session:
            (kept,) = [each for each in await schedules.everything(session) if each.topic == TOPIC]
            for number in range(DUE):
                name = f"t{number % THREADS}"
                address: JsonObject = {
                    **Reminder.of(kept).address,
                    "address": {"user": "ada", "thread": name, "open": False},
                }
                thread = f"memory:ada:{name}"
                more = replace(
                    Reminder.of(kept), id=f"{number:06}", text=f"no {number}", address=address, thread=thread
                )
                await schedules.put(session, more.schedule)

        def told() -> dict[str, list[int]]:
            found = defaultdict(list)
            for posted in chat.posted():
                heading = posted.card.blocks[0]
                if str(posted.address["thread"]).startswith("t") and isinstance(heading, Heading):
                    found[str(posted.address["thread"])].append(int(heading.text.rpartition(" ")[2]))
            return found

        answers = len(await stage.driver.read("ben", MAIN))
        clock.skip(660)
        ticking = asyncio.create_task(stage.desk.jobs.tick())
        await stage.driver.say("ben", "How long may I keep a loan laptop?", MAIN)
        before_the_answer = None
        while True:
            if before_the_answer is None and len(await stage.driver.read("ben", MAIN)) > answers:
                before_the_answer = sum(map(len, told().values()))
            async with database.reading() as session:
                if ticking.done() and not await session.scalar(OPEN):
                    break
            await asyncio.sleep(0.02)
        found = told()

    assert before_the_answer is not None
    assert before_the_answer < DUE
    assert sorted(number for numbers in found.values() for number in numbers) == list(range(DUE))
    assert len(found) == THREADS
    # Those of a place come in their order, whatever the order between places.
    assert all(numbers == sorted(numbers) for numbers in found.values())
