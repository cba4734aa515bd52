"""What was done, and what was tried, stands in the audit."""

import pytest

from identity.actor import Actor
from identity.audit import AuditEntry, AuditTrail
from identity.errors import Forbidden
from storage.clock import ManualClock
from storage.database import Database
from tests.tickets.conftest import DraftMaker, TicketMaker
from tickets.errors import Conflict, NotFound, NotYours, TooSoon
from tickets.service import TicketService


@pytest.fixture
def trail(database: Database, clock: ManualClock) -> AuditTrail:
    return AuditTrail(database, clock)


async def entries(trail: AuditTrail, cleo: Actor) -> list[AuditEntry]:
    """Return all of it, oldest first."""
    return list(await trail.entries(cleo, limit=1_000))[::-1]


def lines(found: list[AuditEntry]) -> list[tuple[str, str, str, bool, str]]:
    return [(entry.actor_id, entry.action, entry.outcome, entry.allowed, entry.reason) for entry in found]


async def test_a_tickets_life_is_in_the_audit(
    *, service: TicketService, trail: AuditTrail, ada: Actor, ben: Actor, cleo: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    await service.assign(ben, ticket.number, assignee=ben)
    await service.resolve(ben, ticket.number, resolution="New toner")
    await service.reopen(ada, ticket.number, reason="")
    found = await entries(trail, cleo)
    assert lines(found) == [
        ("ada", "draft.create", "done", True, "own"),
        ("ada", "draft.file", "done", True, "own"),
        ("ben", "ticket.assign", "done", True, "role"),
        ("ben", "ticket.resolve", "done", True, "role"),
        ("ada", "ticket.reopen", "done", True, "own"),
    ]
    assert found[1].detail["number"] == ticket.number
    assert [entry.resource for entry in found[2:]] == [ticket.number] * 3


async def test_what_was_refused_is_in_the_audit_with_its_reason(
    *, service: TicketService, trail: AuditTrail, ada: Actor, bao: Actor, cleo: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    await service.urge(ada, ticket.number)
    attempts = (
        (service.urge(ada, ticket.number), TooSoon),
        (service.reopen(ada, ticket.number, reason=""), Conflict),
        (service.resolve(ada, ticket.number, resolution=""), Forbidden),
        (service.show(bao, ticket.number), NotFound),
        (service.cancel(bao, "TCK-2026-000999", reason=""), NotFound),
        (service.queue(bao), Forbidden),
    )
    for attempt, error in attempts:
        with pytest.raises(error):
            await attempt
    found = (await entries(trail, cleo))[3:]
    assert lines(found) == [
        ("ada", "ticket.urge", "refused", True, "too_soon"),
        ("ada", "ticket.reopen", "refused", True, "conflict"),
        ("ada", "ticket.resolve", "refused", False, "not_permitted"),
        ("bao", "ticket.show", "refused", False, "not_yours"),
        ("bao", "ticket.cancel", "refused", False, "not_found"),
        ("bao", "ticket.queue", "refused", False, "not_permitted"),
    ]
    assert [entry.resource for entry in found[:5]] == [ticket.number] * 4 + ["TCK-2026-000999"]


async def test_a_press_on_somebody_elses_draft_is_in_the_audit(
    *, service: TicketService, trail: AuditTrail, ada: Actor, bao: Actor, cleo: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    with pytest.raises(NotYours):
        await service.file(bao, draft.id, nonce=await service.nonce_for(ada, draft.id))
    last = (await entries(trail, cleo))[-1]
    assert lines([last]) == [("bao", "draft.file", "refused", False, "not_yours")]
    assert last.resource == draft.id


async def test_a_draft_that_expired_is_in_the_audit(
    *, service: TicketService, trail: AuditTrail, clock: ManualClock, ada: Actor, cleo: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    clock.advance(8 * 86_400)
    await service.expire_drafts()
    last = (await entries(trail, cleo))[-1]
    assert (last.actor_id, last.action, last.resource) == ("system:expire-drafts", "draft.expire", draft.id)


async def test_the_audit_verifies_after_all_this(
    *, service: TicketService, trail: AuditTrail, ada: Actor, ben: Actor, cleo: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    await service.comment(ben, ticket.number, text="On my way")
    await trail.seal()
    assert (await trail.verify(cleo)).ok


async def test_no_secret_reaches_the_audit(
    *, service: TicketService, trail: AuditTrail, ada: Actor, cleo: Actor, filed: TicketMaker
) -> None:
    secret = "ghp_" + "a1B2" * 9
    ticket = await filed(ada, f"My token is {secret}")
    await service.comment(ada, ticket.number, text=f"It is {secret}")
    with pytest.raises(NotFound):
        await service.show(ada, secret)
    for entry in await entries(trail, cleo):
        assert secret not in f"{entry.resource} {entry.detail}"
