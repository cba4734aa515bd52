"""What people ask about tickets, and whom it is told."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from identity.actor import Actor
from identity.errors import Forbidden
from storage.clock import ManualClock
from storage.database import Database
from tests.tickets.conftest import TicketMaker
from tickets.errors import Ambiguous, NotFound
from tickets.service import TicketService
from tickets.ticket import Status

YEAR_S = 366 * 86_400


async def test_a_ticket_is_found_however_it_is_named(service: TicketService, ada: Actor, filed: TicketMaker) -> None:
    ticket = await filed(ada)
    for said in ("TCK-2026-000001", " tck 2026 1 ", "#1", "1", "１", "工单1号", ticket.id):
        assert (await service.show(ada, said)).id == ticket.id


async def test_a_short_number_that_fits_two_years_is_asked_back(
    *, service: TicketService, clock: ManualClock, ada: Actor, bao: Actor, ben: Actor, filed: TicketMaker
) -> None:
    await filed(ada)
    clock.advance(YEAR_S)
    await filed(bao)
    with pytest.raises(Ambiguous) as caught:
        await service.show(ben, "1")
    assert caught.value.numbers == ("TCK-2027-000001", "TCK-2026-000001")
    assert (await service.show(ada, "1")).number == "TCK-2026-000001"  # the other one does not exist for her
    assert (await service.show(bao, "1")).number == "TCK-2027-000001"


async def test_a_ticket_of_somebody_else_is_like_one_that_never_was(
    service: TicketService, ada: Actor, bao: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    told = []
    for reference in (ticket.number, "TCK-2026-000777", ticket.id, "ticket_" + "0" * 26):
        with pytest.raises(NotFound) as caught:
            await service.show(bao, reference)
        told.append(str(caught.value).replace(reference, "R"))
    assert len(set(told)) == 1


async def test_who_works_tickets_and_whoever_holds_the_machine_see_all(
    *, service: TicketService, ada: Actor, ben: Actor, operator: Actor, dora: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    for actor in (ada, ben, operator):
        assert (await service.show(actor, ticket.number)).id == ticket.id
    with pytest.raises(NotFound):
        await service.show(dora, ticket.number)  # an auditor reads the audit, not the tickets


async def test_a_guest_has_no_tickets_at_all(service: TicketService, gus: Actor) -> None:
    for attempt in (service.mine(gus), service.show(gus, "1"), service.queue(gus), service.latest(gus)):
        with pytest.raises(Forbidden):
            await attempt


async def test_my_tickets_are_mine_and_newest_first(
    service: TicketService, ada: Actor, bao: Actor, filed: TicketMaker
) -> None:
    assert await service.latest(ada) is None
    titles = [(await filed(ada, f"Number {n}")).title for n in range(3)]
    await filed(bao, "Of Bao")
    await service.cancel(ada, "1", reason="")
    assert [ticket.title for ticket in await service.mine(ada)] == titles[::-1]
    assert [ticket.title for ticket in await service.mine(ada, status=Status.CANCELLED)] == ["Number 0"]
    latest = await service.latest(ada)
    assert latest is not None
    assert latest.title == "Number 2"
    assert len(await service.mine(ada, limit=2)) == 2


async def test_the_queue_is_for_who_works_tickets(
    service: TicketService, ada: Actor, bao: Actor, ben: Actor, filed: TicketMaker
) -> None:
    await filed(ada, "The printer jams")
    await filed(bao, "打印机卡纸")
    with pytest.raises(Forbidden):
        await service.queue(ada)
    assert [ticket.title for ticket in await service.queue(ben)] == ["打印机卡纸", "The printer jams"]
    assert await service.queue(ben, status=Status.RESOLVED) == ()


@pytest.mark.parametrize(
    ("search", "titles"),
    [
        ("PRINTER", ["The printer jams"]),
        ("jams printer", ["The printer jams"]),
        ("卡纸", ["打印机卡纸"]),
        ("000002", ["打印机卡纸"]),
        ("Adler", ["100% of_my mail", "The printer jams"]),
        ("100%", ["100% of_my mail"]),
        ("%", ["100% of_my mail"]),
        ("_", ["100% of_my mail"]),
        ("\\", []),
        ("nothing", []),
        ("nothing\x00 \ud800", []),
        ("   ", ["100% of_my mail", "打印机卡纸", "The printer jams"]),
    ],
)
async def test_the_queue_is_searched_word_by_word(
    *, service: TicketService, ada: Actor, bao: Actor, ben: Actor, filed: TicketMaker, search: str, titles: list[str]
) -> None:
    await filed(ada, "The printer jams")
    await filed(bao, "打印机卡纸")
    await filed(ada, "100% of_my mail")
    assert [ticket.title for ticket in await service.queue(ben, search=search)] == titles


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


async def test_a_list_is_one_query_however_long_it_is(
    service: TicketService, database: Database, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    for n in range(5):
        await filed(ada, f"Number {n}")
        await service.comment(ada, str(n + 1), text="Hello")
    for read in (service.queue(ben), service.mine(ada), service.queue(ben, search="number")):
        with statements(database) as seen:
            assert len(await read) == 5
        assert len([statement for statement in seen if statement.startswith("SELECT")]) == 1


async def test_the_queue_cuts_off_what_is_done_before_what_is_open(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    titles = [(await filed(ada, f"Number {n}")).title for n in range(4)]
    for number in ("3", "4"):
        await service.cancel(ada, number, reason="")

    assert [ticket.title for ticket in await service.queue(ben)] == [titles[1], titles[0], titles[3], titles[2]]
    assert [ticket.title for ticket in await service.queue(ben, limit=2)] == [titles[1], titles[0]]
