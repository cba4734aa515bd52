"""What runs by the clock is seen by people, too."""

from datetime import timedelta
from pathlib import Path

from bot.jobs import Job
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
