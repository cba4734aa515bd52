"""The ticket service on both databases, and short ways to a draft and a ticket."""

from collections.abc import Awaitable, Callable

import pytest

from identity.actor import Actor
from storage.clock import ManualClock
from storage.database import Database
from tickets.config import TicketsConfig
from tickets.service import TicketService
from tickets.ticket import Draft, Ticket
from tickets.trackers.local import LocalTracker

SIGNING_KEY = b"a key that outlives the restarts of a test"

DraftMaker = Callable[..., Awaitable[Draft]]
TicketMaker = Callable[..., Awaitable[Ticket]]


@pytest.fixture
def service(database: Database, clock: ManualClock) -> TicketService:
    """Return the service with the built-in catalogue and no external tracker."""
    return TicketService(database, clock, TicketsConfig(), LocalTracker(), SIGNING_KEY)


@pytest.fixture
def drafted(service: TicketService) -> DraftMaker:
    """Return a maker of complete drafts."""

    async def make(actor: Actor, title: str = "The printer jams", *, thread: str = "web:1", **more: str) -> Draft:
        said = {"category": "hardware", "description": "Every second page.", **more}
        fields = {"location": "Berlin 3.14", "device": "HP 4350"}
        address = {"platform": "memory", "thread": thread}
        return await service.draft(actor, thread=thread, title=title, fields=fields, address=address, **said)

    return make


@pytest.fixture
def filed(service: TicketService, drafted: DraftMaker) -> TicketMaker:
    """Return a maker of filed tickets."""

    async def make(actor: Actor, title: str = "The printer jams", *, thread: str = "web:1", **more: str) -> Ticket:
        draft = await drafted(actor, title, thread=thread, **more)
        return await service.file(actor, draft.id, nonce=await service.nonce_for(actor, draft.id))

    return make
