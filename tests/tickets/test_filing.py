"""One draft, one ticket, one number: whatever happens at the same time."""

import asyncio

import pytest
from sqlalchemy import text

from identity.actor import Actor
from storage.clock import ManualClock
from storage.database import Database
from tests.scale import scaled
from tests.tickets.conftest import SIGNING_KEY, DraftMaker
from tickets.config import TicketsConfig
from tickets.errors import AlreadyFiled, NotYours, TicketsError
from tickets.reference import number_of
from tickets.service import TicketService
from tickets.ticket import Draft, Ticket
from tickets.trackers.local import LocalTracker


async def count(database: Database, what: str) -> int:
    async with database.reading() as session:
        return int((await session.execute(text(f"SELECT count(*) FROM {what}"))).scalar_one())


async def press(
    service: TicketService, actor: Actor, draft: Draft, *, nonce: str | None = None
) -> Ticket | TicketsError:
    try:
        return await service.file(actor, draft.id, nonce=nonce or await service.nonce_for(actor, draft.id))
    except TicketsError as error:
        return error


async def test_of_sixteen_presses_at_once_one_files(
    *, service: TicketService, database: Database, clock: ManualClock, ada: Actor, drafted: DraftMaker
) -> None:
    replicas = [service, TicketService(database, clock, TicketsConfig(), LocalTracker(), SIGNING_KEY)]
    for round_ in range(scaled(20, least=2)):
        draft = await drafted(ada, f"Round {round_}")
        nonce = await service.nonce_for(ada, draft.id)
        presses = [press(replicas[n % 2], ada, draft, nonce=nonce) for n in range(16)]
        results = await asyncio.gather(*presses)
        tickets = [result for result in results if isinstance(result, Ticket)]
        losers = [result for result in results if isinstance(result, AlreadyFiled)]
        assert (len(tickets), len(losers)) == (1, 15)
        assert {loser.number for loser in losers} == {tickets[0].number}
        assert await count(database, "tickets_tickets") == round_ + 1
        assert await count(database, "storage_queue") == round_ + 1


async def test_of_a_press_by_somebody_else_at_the_same_time_nothing_comes(
    *, service: TicketService, database: Database, ada: Actor, bao: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    nonce = await service.nonce_for(ada, draft.id)
    results = await asyncio.gather(*(press(service, actor, draft, nonce=nonce) for actor in (bao, ada, bao, ada)))
    assert [type(result) for result in results].count(NotYours) == 2
    assert await count(database, "tickets_tickets") == 1


async def test_a_revision_and_a_press_at_once_never_file_what_was_not_shown(
    *, service: TicketService, database: Database, ada: Actor, drafted: DraftMaker
) -> None:
    for round_ in range(scaled(30, least=4)):
        draft = await drafted(ada, f"Before {round_}")
        nonce = await service.nonce_for(ada, draft.id)
        filed, _ = await asyncio.gather(
            press(service, ada, draft, nonce=nonce),
            service.revise(ada, draft.id, changes={"title": f"After {round_}"}),
            return_exceptions=True,
        )
        if isinstance(filed, Ticket):
            assert filed.title == f"Before {round_}"
    assert await count(database, "tickets_drafts") == scaled(30, least=4)


async def test_fifty_filings_at_once_have_fifty_numbers_without_a_gap(
    service: TicketService, ada: Actor, bao: Actor, drafted: DraftMaker
) -> None:
    many = scaled(50, least=10)
    people = [ada if n % 2 else bao for n in range(many)]
    drafts = [await drafted(who, f"Number {n}") for n, who in enumerate(people)]
    results = await asyncio.gather(*(press(service, who, draft) for who, draft in zip(people, drafts, strict=True)))
    numbers = sorted(result.number for result in results if isinstance(result, Ticket))
    assert numbers == [number_of("TCK", year=2026, sequence=n + 1) for n in range(many)]


async def test_a_failed_filing_leaves_no_gap(
    *, service: TicketService, clock: ManualClock, ada: Actor, drafted: DraftMaker
) -> None:
    first = await drafted(ada, "One")
    second = await drafted(ada, "Two")
    third = await drafted(ada, "Three")
    assert isinstance(await press(service, ada, first), Ticket)
    assert isinstance(await press(service, ada, second, nonce="wrong"), TicketsError)
    filed = await press(service, ada, third)
    assert isinstance(filed, Ticket)
    assert filed.number == "TCK-2026-000002"
    clock.advance(366 * 86_400)
    next_year = await press(service, ada, await drafted(ada, "Four"))
    assert isinstance(next_year, Ticket)
    assert next_year.number == "TCK-2027-000001"


async def test_the_same_content_in_several_drafts_is_one_ticket_within_a_minute(
    *, service: TicketService, database: Database, ada: Actor, drafted: DraftMaker
) -> None:
    for round_ in range(scaled(20, least=3)):
        drafts = [await drafted(ada, f"{round_}.{n}") for n in range(4)]
        for draft in drafts:
            await service.revise(ada, draft.id, changes={"title": f"Round {round_}"})
        results = await asyncio.gather(*(press(service, ada, draft) for draft in drafts))
        (ticket,) = [result for result in results if isinstance(result, Ticket)]
        twins = [result for result in results if isinstance(result, AlreadyFiled)]
        assert [twin.number for twin in twins] == [ticket.number] * 3
        closed = [await service.show_draft(ada, draft.id) for draft in drafts]
        assert {draft.ticket_number for draft in closed} == {ticket.number}
        assert await count(database, "tickets_tickets") == round_ + 1


async def test_the_same_content_is_another_ticket_for_another_person_or_later(
    *, service: TicketService, clock: ManualClock, ada: Actor, bao: Actor, drafted: DraftMaker
) -> None:
    assert isinstance(await press(service, ada, await drafted(ada)), Ticket)
    assert isinstance(await press(service, ada, await drafted(ada)), AlreadyFiled)
    assert isinstance(await press(service, bao, await drafted(bao)), Ticket)
    clock.advance(61)
    assert isinstance(await press(service, ada, await drafted(ada)), Ticket)


async def test_a_cancelled_twin_does_not_stand_in_the_way(
    *, service: TicketService, ada: Actor, drafted: DraftMaker
) -> None:
    ticket = await press(service, ada, await drafted(ada))
    assert isinstance(ticket, Ticket)
    await service.cancel(ada, ticket.number, reason="By mistake")
    again = await press(service, ada, await drafted(ada))
    assert isinstance(again, Ticket)
    assert again.number != ticket.number


async def test_a_key_that_is_too_short_is_refused(database: Database, clock: ManualClock) -> None:
    with pytest.raises(ValueError, match="at least 16 bytes"):
        TicketService(database, clock, TicketsConfig(), LocalTracker(), b"short")
