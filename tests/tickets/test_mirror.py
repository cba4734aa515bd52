"""Tickets that also live in an external tracker."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text

from identity.actor import Actor
from storage.clock import ManualClock
from storage.database import Database
from storage.queue.worker import Worker
from tests.tickets.conftest import SIGNING_KEY
from tickets.config import TicketsConfig
from tickets.service import TicketService
from tickets.ticket import Status, Ticket
from tickets.trackers.local import LocalTracker
from tickets.trackers.memory import MemoryTracker
from tickets.use_cases.mirror import TrackerMirror


@pytest.fixture
async def tracker() -> AsyncIterator[MemoryTracker]:
    opened = MemoryTracker()
    yield opened
    await opened.close()


@pytest.fixture
def mirrored(database: Database, clock: ManualClock, tracker: MemoryTracker) -> TicketService:
    return TicketService(database, clock, TicketsConfig(), tracker, SIGNING_KEY)


@pytest.fixture
def outbox(database: Database, clock: ManualClock, tracker: MemoryTracker) -> Worker:
    return Worker(database, clock, TrackerMirror(database, tracker).handlers(), name="test")


async def file(service: TicketService, actor: Actor) -> Ticket:
    draft = await service.draft(actor, thread="web:1", category="other", title="Help", description="Please")
    return await service.file(actor, draft.id, nonce=await service.nonce_for(actor, draft.id))


async def drain(worker: Worker, clock: ManualClock) -> None:
    for _ in range(10):
        await worker.drain_once()
        clock.advance(10)


async def test_a_ticket_and_its_life_arrive_in_the_tracker(
    *, mirrored: TicketService, outbox: Worker, tracker: MemoryTracker, clock: ManualClock, ada: Actor, ben: Actor
) -> None:
    ticket = await file(mirrored, ada)
    assert tracker.issues == {}  # nothing leaves before the commit
    await mirrored.assign(ben, ticket.number, assignee=ben)
    await mirrored.comment(ada, ticket.number, text="Any news?")
    await mirrored.resolve(ben, ticket.number, resolution="Done")
    await drain(outbox, clock)
    (issue,) = tracker.issues.values()
    assert (issue.ticket.status, issue.ticket.assignee_id) == (Status.RESOLVED, ben.id)
    assert [comment.text for comment in issue.comments.values()] == ["Any news?"]
    shown = await mirrored.show(ada, ticket.number)
    assert (shown.external_key, shown.external_url) == ("MEM-1", "memory:///MEM-1")


@pytest.mark.parametrize(("failures", "lost_responses"), [(3, 0), (0, 2), (1, 1)])
async def test_a_tracker_that_is_away_or_loses_its_answer_has_one_issue_in_the_end(
    *, mirrored: TicketService, outbox: Worker, tracker: MemoryTracker, clock: ManualClock, ada: Actor,
    failures: int, lost_responses: int,
) -> None:  # fmt: skip
    tracker.failures, tracker.lost_responses = failures, lost_responses
    ticket = await file(mirrored, ada)
    await mirrored.cancel(ada, ticket.number, reason="")
    await drain(outbox, clock)
    (issue,) = tracker.issues.values()
    assert issue.ticket.status is Status.CANCELLED
    assert (await mirrored.show(ada, ticket.number)).external_key == "MEM-1"


async def test_the_local_tracker_is_sent_nothing(database: Database, clock: ManualClock, ada: Actor) -> None:
    service = TicketService(database, clock, TicketsConfig(), LocalTracker(), SIGNING_KEY)
    ticket = await file(service, ada)
    await service.comment(ada, ticket.number, text="Hello")
    async with database.reading() as session:
        topics = await session.scalars(text("SELECT DISTINCT topic FROM storage_queue ORDER BY topic"))
        assert list(topics) == ["draft.filed", "ticket.changed"]
