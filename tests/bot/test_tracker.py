"""A desk whose tickets live in somebody else's tracker, too."""

from pathlib import Path

from storage.database import Database
from tests.scenarios.world import button, world_in
from tickets.ticket import Status
from tickets.trackers.memory import MemoryTracker

REPORT = "My laptop 77 on floor 3 does not start since this morning. Please open a ticket."


async def test_what_people_do_with_a_ticket_arrives_in_the_tracker(tmp_path: Path, database: Database) -> None:
    tracker = MemoryTracker()
    async with world_in(tmp_path, database, tracker=tracker) as world:
        draft = await world.say("ada", REPORT)
        assert tracker.issues == {}
        await world.press("ada", button(draft, "draft.confirm"))
        (ticket,) = await world.desk.tickets.mine(await world.desk.people.named("ada"))
        await world.say("ben", f"/desk ticket comment {ticket.number} I am on my way")
        await world.say("ben", f"/desk ticket resolve {ticket.number} New battery")

        (issue,) = tracker.issues.values()
        assert (issue.ticket.number, issue.ticket.status) == (ticket.number, Status.RESOLVED)
        assert [each.text for each in issue.comments.values()] == ["I am on my way"]
        (shown,) = await world.desk.tickets.mine(await world.desk.people.named("ada"))
        assert shown.external_key == issue.reference.key


async def test_a_tracker_that_is_away_holds_up_nobody(tmp_path: Path, database: Database) -> None:
    tracker = MemoryTracker(failures=1)
    async with world_in(tmp_path, database, tracker=tracker) as world:
        filed = await world.press("ada", button(await world.say("ada", REPORT), "draft.confirm"))
        (ticket,) = await world.desk.tickets.mine(await world.desk.people.named("ada"))

        assert ticket.number in str(filed)
        assert tracker.failures == 0, "the tracker was asked"
