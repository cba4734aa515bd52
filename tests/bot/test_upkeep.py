"""What runs by the clock is seen by people, too."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.jobs import Job
from bot.upkeep import VECTORS
from identity.actor import local_operator
from search.access import THREAD_FILES
from storage.clock import ManualClock
from storage.database import Database
from tests.scenarios.world import World, actions, words, world_in
from tickets.config import TicketsConfig

REPORT = "My laptop 77 on floor 3 does not start, my extension is 4411. Please open a ticket."


def job(world: World, name: str) -> Job:
    return next(each for each in world.desk.jobs.table if each.name == name)


async def test_the_card_of_an_expired_draft_loses_its_buttons(tmp_path: Path, database: Database) -> None:
    clock = ManualClock()
    async with world_in(tmp_path, database, clock=clock) as world:
        card = await world.say("ada", REPORT)
        assert "draft.confirm" in actions(card)
        clock.advance(timedelta(days=TicketsConfig().draft_days, seconds=1).total_seconds())
        await job(world, "expire drafts").work()
        await world.settle("ada")

        shown = world.newest("ada").card
        assert "This draft has expired" in words(shown)
        assert not actions(shown)


async def test_what_was_sent_and_taken_out_is_forgotten_and_what_waits_for_vectors_gets_them(
    tmp_path: Path, database: Database
) -> None:
    clock = ManualClock(datetime.now(UTC))
    async with world_in(tmp_path, database, clock=clock) as world:
        operator, search = local_operator(), world.desk.search
        long = "\n\n".join(f"# Part {number}\n\nSentence {number}." for number in range(2 * VECTORS))
        chat = world.chat
        chat.files["long"] = long.encode()
        await chat.send_file("ada", "long.md", "long")
        await world.settle("ada")
        (sent,) = [each for each in await search.sources(operator) if each.name == THREAD_FILES]
        assert sent.statistics.vectors_pending == VECTORS

        await job(world, "make missing vectors").work()
        (sent,) = [each for each in await search.sources(operator) if each.name == THREAD_FILES]
        assert sent.statistics.vectors_pending == 0

        clock.advance(timedelta(days=8).total_seconds())
        await job(world, "forget old files").work()
        (sent,) = [each for each in await search.sources(operator) if each.name == THREAD_FILES]
        assert sent.statistics.documents == 0
