"""What every tracker promises the desk; ours and the fake are held to the same words."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tickets.ticket import Comment, Priority, Status, Ticket
from tickets.tracker import Tracker
from tickets.trackers.local import LocalTracker
from tickets.trackers.memory import MemoryTracker

NOW = datetime(2026, 1, 1, 9, tzinfo=UTC)


def a_ticket(number: int = 1) -> Ticket:
    return Ticket(
        id=f"ticket_{number}",
        number=f"TCK-2026-{number:06d}",
        requester_id="ada",
        requester_name="Ada Adler",
        assignee_id=None,
        assignee_name=None,
        status=Status.OPEN,
        priority=Priority.NORMAL,
        category="hardware",
        title="打印机 jams",
        description="",
        fields={"location": "Berlin"},
        version=1,
        created_at=NOW,
        updated_at=NOW,
    )


@pytest.fixture(params=[LocalTracker, MemoryTracker], ids=["local", "memory"])
def tracker(request: pytest.FixtureRequest) -> Tracker:
    make: Callable[[], Tracker] = request.param
    return make()


async def test_a_repeated_create_gives_the_same_reference(tracker: Tracker) -> None:
    first = await tracker.create(a_ticket(), key="ticket_1")
    again = await tracker.create(replace(a_ticket(), version=2), key="ticket_1")
    assert again == first
    assert first.key


async def test_each_ticket_has_its_own_reference(tracker: Tracker) -> None:
    made = {(await tracker.create(a_ticket(n), key=f"ticket_{n}")).key for n in range(5)}
    assert len(made) == 5


async def test_the_state_follows_the_newest_version(tracker: Tracker) -> None:
    ticket = a_ticket()
    reference = await tracker.create(ticket, key=ticket.id)
    assert await tracker.status(reference) in (None, Status.OPEN)
    await tracker.update(reference, replace(ticket, status=Status.RESOLVED, version=3))
    await tracker.update(reference, replace(ticket, status=Status.IN_PROGRESS, version=2))  # late, and older
    assert await tracker.status(reference) in (None, Status.RESOLVED)


async def test_a_comment_may_be_repeated(tracker: Tracker) -> None:
    ticket = a_ticket()
    reference = await tracker.create(ticket, key=ticket.id)
    comment = Comment("comment_1", ticket.id, "ada", "Ada Adler", "Any news?", NOW)
    await tracker.comment(reference, comment)
    await tracker.comment(reference, comment)
    if isinstance(tracker, MemoryTracker):
        assert list(tracker.issues[reference.key].comments.values()) == [comment]


async def test_it_can_be_closed(tracker: Tracker) -> None:
    await tracker.close()


def test_only_a_remote_tracker_is_sent_anything(tracker: Tracker) -> None:
    assert tracker.remote is (tracker.name != "local")
