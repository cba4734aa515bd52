"""Drafts: made, revised, thrown away, left alone, resumed."""

import pytest

from identity.actor import Actor
from identity.errors import Forbidden
from storage.clock import ManualClock
from storage.database import Database
from tests.tickets.conftest import SIGNING_KEY, DraftMaker
from tickets.config import TicketsConfig
from tickets.errors import AlreadyFiled, Discarded, Expired, Incomplete, Invalid, KeyReused, NotFound, NotYours, Stale
from tickets.service import TicketService
from tickets.ticket import DraftState, Priority
from tickets.trackers.local import LocalTracker

DAY_S = 86_400


async def test_a_draft_says_what_is_missing(service: TicketService, ada: Actor) -> None:
    draft = await service.draft(
        ada, thread="web:1", category="hardware", title="Printer jams", description="", priority="high"
    )
    assert draft.state is DraftState.OPEN
    assert draft.version == 1
    assert draft.missing == ("location", "device")
    assert draft.priority is Priority.HIGH
    with pytest.raises(Incomplete) as caught:
        await service.file(ada, draft.id, nonce=await service.nonce_for(ada, draft.id))
    assert caught.value.missing == ("location", "device")


async def test_a_revision_fills_the_gaps_and_makes_a_new_nonce(service: TicketService, ada: Actor) -> None:
    draft = await service.draft(ada, thread="web:1", category="hardware", title="Printer", description="")
    before = await service.nonce_for(ada, draft.id)
    revised = await service.revise(ada, draft.id, changes={"location": "Berlin", "device": "HP"})
    assert (revised.version, revised.missing) == (2, ())
    assert dict(revised.fields) == {"location": "Berlin", "device": "HP"}
    assert await service.nonce_for(ada, draft.id) != before
    with pytest.raises(Stale) as caught:
        await service.file(ada, draft.id, nonce=before)
    assert caught.value.version == 2


async def test_a_form_for_an_older_version_is_stale(service: TicketService, ada: Actor, drafted: DraftMaker) -> None:
    draft = await drafted(ada)
    form = await service.nonce_for(ada, draft.id)
    await service.revise(ada, draft.id, changes={"title": "Second"}, nonce=form)
    with pytest.raises(Stale):
        await service.revise(ada, draft.id, changes={"title": "Third"}, nonce=form)
    assert (await service.show_draft(ada, draft.id)).title == "Second"


async def test_an_invalid_revision_changes_nothing(service: TicketService, ada: Actor, drafted: DraftMaker) -> None:
    draft = await drafted(ada)
    with pytest.raises(Invalid):
        await service.revise(ada, draft.id, changes={"title": "Fine", "impact": "the moon"})
    assert await service.show_draft(ada, draft.id) == draft


async def test_a_draft_survives_a_restart_with_its_buttons(
    service: TicketService, database: Database, clock: ManualClock, ada: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    nonce = await service.nonce_for(ada, draft.id)
    again = Database(database.url.render_as_string(hide_password=False))
    restarted = TicketService(again, clock, TicketsConfig(), LocalTracker(), SIGNING_KEY)
    assert await restarted.show_draft(ada, draft.id) == draft
    assert await restarted.nonce_for(ada, draft.id) == nonce
    ticket = await restarted.file(ada, draft.id, nonce=nonce)
    await again.close()
    assert ticket.title == draft.title


async def test_a_discarded_draft_is_over(service: TicketService, ada: Actor, drafted: DraftMaker) -> None:
    draft = await drafted(ada)
    nonce = await service.nonce_for(ada, draft.id)
    assert (await service.discard(ada, draft.id, nonce=nonce)).state is DraftState.DISCARDED
    for attempt in (service.file(ada, draft.id, nonce=nonce), service.discard(ada, draft.id, nonce=nonce)):
        with pytest.raises(Discarded) as caught:
            await attempt
        assert caught.value.by == ada.name
    with pytest.raises(Discarded):
        await service.revise(ada, draft.id, changes={"title": "Back"})
    assert await service.open_drafts(ada) == ()


async def test_a_draft_expires_even_before_the_job_has_run(
    service: TicketService, clock: ManualClock, ada: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    nonce = await service.nonce_for(ada, draft.id)
    clock.advance(7 * DAY_S)
    assert await service.open_drafts(ada) == ()
    with pytest.raises(Expired) as caught:
        await service.file(ada, draft.id, nonce=nonce)
    assert caught.value.at == draft.expires_at
    assert len(await service.expire_drafts()) == 1
    assert await service.expire_drafts() == ()
    assert (await service.show_draft(ada, draft.id)).state is DraftState.EXPIRED
    with pytest.raises(Expired):
        await service.file(ada, draft.id, nonce=nonce)


async def test_a_revision_keeps_a_draft_alive(
    service: TicketService, clock: ManualClock, ada: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    clock.advance(6 * DAY_S)
    await service.revise(ada, draft.id, changes={"title": "Still jams"})
    clock.advance(6 * DAY_S)
    assert await service.expire_drafts() == ()
    assert [found.id for found in await service.open_drafts(ada)] == [draft.id]


async def test_that_draft_is_the_threads_newest_else_the_only_one(
    service: TicketService, clock: ManualClock, ada: Actor, bao: Actor, drafted: DraftMaker
) -> None:
    first = await drafted(ada, "One", thread="web:1")
    elsewhere = await service.latest_draft(ada, thread="web:9")
    assert elsewhere == first
    clock.advance(1)
    second = await drafted(ada, "Two", thread="web:1")
    clock.advance(1)
    third = await drafted(ada, "Three", thread="web:2")
    assert await service.latest_draft(ada, thread="web:1") == second
    assert await service.latest_draft(ada, thread="web:2") == third
    assert await service.latest_draft(ada, thread="web:9") is None
    assert await service.latest_draft(bao, thread="web:1") is None
    assert [draft.title for draft in await service.open_drafts(ada)] == ["Three", "Two", "One"]


async def test_the_same_sentence_within_a_minute_is_one_draft(
    clock: ManualClock, ada: Actor, bao: Actor, drafted: DraftMaker
) -> None:
    first = await drafted(ada)
    clock.advance(59)
    assert (await drafted(ada, "the PRINTER  jams", thread="web:2")).id == first.id
    assert (await drafted(bao)).id != first.id
    clock.advance(2)
    assert (await drafted(ada)).id != first.id


async def test_the_same_key_is_the_same_draft_even_after_a_revision(
    service: TicketService, clock: ManualClock, ada: Actor, bao: Actor, drafted: DraftMaker
) -> None:
    first = await drafted(ada, key="event-1")
    await service.revise(ada, first.id, changes={"title": "Changed"})
    clock.advance(120)
    again = await drafted(ada, key="event-1")
    assert (again.id, again.title) == (first.id, "Changed")
    assert (await drafted(bao, key="event-1")).id != first.id
    with pytest.raises(KeyReused):
        await drafted(ada, "Something else", key="event-1")


async def test_a_draft_of_somebody_else_is_not_there(
    *, service: TicketService, ada: Actor, bao: Actor, ben: Actor, operator: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    absent = "draft_" + "0" * 26
    for actor in (bao, ben):
        told = []
        for draft_id in (draft.id, absent):
            for attempt in (
                service.show_draft(actor, draft_id),
                service.revise(actor, draft_id, changes={"title": "Mine"}),
                service.discard(actor, draft_id, nonce="guess"),
                service.file(actor, draft_id, nonce="guess"),
                service.nonce_for(actor, draft_id),
            ):
                with pytest.raises(NotFound) as caught:
                    await attempt
                told.append(str(caught.value).replace(draft_id, "ID"))
        assert len(set(told)) == 1
    assert await service.show_draft(operator, draft.id) == draft


async def test_who_holds_the_button_is_told_whose_draft_it_is(
    service: TicketService, ada: Actor, bao: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    nonce = await service.nonce_for(ada, draft.id)
    await service.revise(ada, draft.id, changes={"title": "Newer"})
    for attempt in (service.file(bao, draft.id, nonce=nonce), service.discard(bao, draft.id, nonce=nonce)):
        with pytest.raises(NotYours) as caught:
            await attempt
        assert caught.value.owner == ada.name


async def test_a_guest_makes_no_draft(gus: Actor, drafted: DraftMaker) -> None:
    with pytest.raises(Forbidden):
        await drafted(gus)


async def test_strange_ids_and_nonces_are_just_not_found(
    service: TicketService, ada: Actor, drafted: DraftMaker
) -> None:
    draft = await drafted(ada)
    for strange in ("", "draft_\x00", "draft_\ud800" + "0" * 25, "x" * 10_000, "'; DROP TABLE tickets_drafts; --"):
        with pytest.raises(NotFound):
            await service.show_draft(ada, strange)
        with pytest.raises(Stale):
            await service.file(ada, draft.id, nonce=strange)


async def test_a_filed_draft_names_its_ticket(service: TicketService, ada: Actor, drafted: DraftMaker) -> None:
    draft = await drafted(ada)
    nonce = await service.nonce_for(ada, draft.id)
    ticket = await service.file(ada, draft.id, nonce=nonce)
    shown = await service.show_draft(ada, draft.id)
    assert (shown.state, shown.ticket_number, shown.closed_by) == (DraftState.FILED, ticket.number, ada.name)
    for attempt in (service.file(ada, draft.id, nonce=nonce), service.discard(ada, draft.id, nonce=nonce)):
        with pytest.raises(AlreadyFiled) as caught:
            await attempt
        assert (caught.value.number, caught.value.by, caught.value.at) == (ticket.number, ada.name, ticket.created_at)
