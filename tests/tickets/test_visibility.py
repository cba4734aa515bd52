"""Nobody learns of another person's tickets without the right to."""

import asyncio
from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identity.actor import Actor, ActorKind
from identity.errors import Forbidden
from identity.permissions import Permission
from identity.policy import decide
from storage.clock import ManualClock
from storage.database import Database
from storage.ids import new_id
from tests.scale import scaled
from tests.tickets.conftest import SIGNING_KEY
from tests.tickets.test_working import ATTEMPTS
from tickets.config import TicketsConfig
from tickets.errors import Ambiguous, NotFound, TicketsError
from tickets.service import TicketService
from tickets.ticket import Ticket
from tickets.trackers.local import LocalTracker

ABSENT = "TCK-2026-987654"

ROLES = st.frozensets(st.sampled_from(["admin", "agent", "auditor", "manager", "staff"]), max_size=2)
KINDS = st.sampled_from([ActorKind.PERSON, ActorKind.STAFF, ActorKind.GUEST])
CROWDS = st.lists(st.tuples(KINDS, ROLES), min_size=2, max_size=4)


@settings(max_examples=scaled(60, least=6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(crowd=CROWDS, owners=st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_everybody_sees_exactly_what_is_theirs_to_see(
    database_url: str, crowd: list[tuple[ActorKind, frozenset[str]]], owners: list[int]
) -> None:
    asyncio.run(check(database_url, crowd, owners))


async def check(url: str, crowd: list[tuple[ActorKind, frozenset[str]]], owners: list[int]) -> None:
    database = Database(url)
    service = TicketService(database, ManualClock(), TicketsConfig(), LocalTracker(), SIGNING_KEY)
    people = [Actor(id=new_id("p"), name=f"P{n}", kind=kind, roles=roles) for n, (kind, roles) in enumerate(crowd)]
    tickets = [ticket for n in owners if (ticket := await file(service, people[n % len(people)])) is not None]
    try:
        for actor in people:
            await check_actor(service, actor, tickets)
    finally:
        await database.close()


async def file(service: TicketService, actor: Actor) -> Ticket | None:
    try:
        draft = await service.draft(actor, thread="t", category="other", title=new_id("title"), description="")
        return await service.file(actor, draft.id, nonce=await service.nonce_for(actor, draft.id))
    except Forbidden:
        return None


async def check_actor(service: TicketService, actor: Actor, tickets: Sequence[Ticket]) -> None:
    everything = decide(actor, Permission.TICKETS_READ_ALL).allowed
    expected = {ticket.id for ticket in tickets if everything or ticket.requester_id == actor.id}
    assert {ticket.id for ticket in tickets if await shown(service, actor, ticket.number) == ticket.id} == expected
    assert {ticket.id for ticket in tickets if await shown(service, actor, ticket.id) == ticket.id} == expected
    own = {ticket.id for ticket in tickets if ticket.requester_id == actor.id}
    if decide(actor, Permission.TICKETS_READ_OWN).allowed:
        assert {ticket.id for ticket in await service.mine(actor)} == own
    if not decide(actor, Permission.TICKETS_WORK).allowed:
        await check_untouchable(service, actor, [ticket for ticket in tickets if ticket.id not in expected])


async def shown(service: TicketService, actor: Actor, reference: str) -> str | None:
    try:
        return (await service.show(actor, reference)).id
    except (NotFound, Ambiguous, Forbidden):
        return None


async def check_untouchable(service: TicketService, actor: Actor, tickets: Sequence[Ticket]) -> None:
    """Nothing works on these, and what is said is what is said of a number that was never given."""
    for ticket in tickets:
        for name in ATTEMPTS:
            hidden = await refusal(service, actor, name, ticket.number)
            absent = await refusal(service, actor, name, ABSENT)
            assert hidden != "done"
            assert hidden.replace(ticket.number, "N") == absent.replace(ABSENT, "N")


async def refusal(service: TicketService, actor: Actor, name: str, number: str) -> str:
    try:
        await ATTEMPTS[name](service, actor, number)
    except (TicketsError, Forbidden) as refused:
        return f"{type(refused).__name__}: {refused}"
    return "done"
