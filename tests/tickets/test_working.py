"""What people do with filed tickets."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from sqlalchemy import text

from identity.actor import Actor
from identity.errors import Forbidden
from storage.clock import ManualClock
from storage.database import Database
from tests.scale import scaled
from tests.tickets.conftest import TicketMaker
from tickets.errors import Conflict, Invalid, KeyReused, NotAssignable, NotFound, TooSoon
from tickets.service import TicketService
from tickets.ticket import Action, Priority, Status, ThreadLink, ThreadRole, Ticket

Attempt = Callable[[TicketService, Actor, str], Awaitable[Ticket]]

ATTEMPTS: dict[str, Attempt] = {
    "assign": lambda service, actor, number: service.assign(actor, number, assignee=actor),
    "cancel": lambda service, actor, number: service.cancel(actor, number, reason="Not needed"),
    "comment": lambda service, actor, number: service.comment(actor, number, text="Any news?"),
    "prioritise": lambda service, actor, number: service.prioritise(actor, number, priority=Priority.HIGH),
    "reopen": lambda service, actor, number: service.reopen(actor, number, reason="Again"),
    "resolve": lambda service, actor, number: service.resolve(actor, number, resolution="New toner"),
    "urge": lambda service, actor, number: service.urge(actor, number),
}


async def test_a_ticket_goes_from_the_queue_to_its_end(
    service: TicketService, clock: ManualClock, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    assert (ticket.number, ticket.status, ticket.version) == ("TCK-2026-000001", Status.OPEN, 1)
    clock.advance(60)
    await service.assign(ben, ticket.number, assignee=ben)
    await service.comment(ada, ticket.number, text="It is urgent,\nsorry.")
    await service.urge(ada, ticket.number)
    await service.resolve(ben, ticket.number, resolution="New toner")
    await service.reopen(ada, ticket.number, reason="It jams again")
    await service.cancel(ada, ticket.number, reason="We bought another one")
    shown = await service.show(ada, ticket.number)
    assert (shown.status, shown.version, shown.urges) == (Status.CANCELLED, 7, 1)
    steps = [(change.action, change.actor_name, change.detail) for change in shown.changes]
    assert steps == [
        ("filed", ada.name, ""),
        ("assign", ben.name, ben.name),
        ("comment", ada.name, "It is urgent,\nsorry."),
        ("urge", ada.name, ""),
        ("resolve", ben.name, "New toner"),
        ("reopen", ada.name, "It jams again"),
        ("cancel", ada.name, "We bought another one"),
    ]
    assert [(comment.author_name, comment.text) for comment in shown.comments] == [(ada.name, "It is urgent,\nsorry.")]


async def test_a_question_waits_for_the_requester_until_they_answer_or_the_ticket_ends(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    number = (await filed(ada)).number

    stands = [(await service.comment(ben, number, text="I had a look at it.")).stands]
    stands.append((await service.comment(ben, number, text="Which tray is it? See http://x.example/?a=1")).stands)
    stands.append((await service.assign(ben, number, assignee=ben)).stands)
    stands.append((await service.comment(ada, number, text="The lower one. Does that help?")).stands)
    stands.append((await service.comment(ben, number, text="是下面那个吗")).stands)
    stands.append((await service.resolve(ben, number, resolution="New tray")).stands)
    reopened = await service.reopen(ada, number, reason="It jams again")

    assert stands == ["open", "waiting", "waiting", "in_progress", "waiting", "resolved"]
    assert reopened.stands == "open"


@pytest.mark.parametrize(
    ("status", "refused"),
    [
        (Status.OPEN, {"reopen"}),
        (Status.IN_PROGRESS, {"reopen"}),
        (Status.RESOLVED, {"assign", "cancel", "prioritise", "resolve", "urge"}),
        (Status.CANCELLED, {"assign", "cancel", "prioritise", "resolve", "urge"}),
    ],
)
async def test_each_state_refuses_what_does_not_start_there(
    *, service: TicketService, clock: ManualClock, ben: Actor, filed: TicketMaker, status: Status, refused: set[str]
) -> None:
    for name, attempt in ATTEMPTS.items():
        ticket = await filed(ben, f"For {name}")
        await _bring_to(service, ben, ticket.number, status)
        clock.advance(3_600)
        if name not in refused:
            await attempt(service, ben, ticket.number)
            continue
        with pytest.raises(Conflict) as caught:
            await attempt(service, ben, ticket.number)
        conflict = caught.value
        assert (conflict.by, conflict.status, conflict.attempted) == (ben.name, status, name)
        assert conflict.done == {Status.RESOLVED: "resolve", Status.CANCELLED: "cancel"}.get(status, conflict.done)
        assert conflict.version == (await service.show(ben, ticket.number)).version


async def _bring_to(service: TicketService, actor: Actor, number: str, status: Status) -> None:
    if status is Status.IN_PROGRESS:
        await service.assign(actor, number, assignee=actor)
    elif status is Status.RESOLVED:
        await service.resolve(actor, number, resolution="Done")
    elif status is Status.CANCELLED:
        await service.cancel(actor, number, reason="")


async def test_of_two_who_take_a_ticket_at_once_one_wins_and_the_other_is_told_who(
    service: TicketService, ada: Actor, ben: Actor, cleo: Actor, filed: TicketMaker
) -> None:
    for round_ in range(scaled(30, least=3)):
        ticket = await filed(ada, f"Round {round_}")
        results = await asyncio.gather(
            service.assign(ben, ticket.number, assignee=ben),
            service.assign(cleo, ticket.number, assignee=cleo),
            return_exceptions=True,
        )
        lost = [result for result in results if isinstance(result, Conflict)]
        won = [result for result in results if isinstance(result, Ticket)]
        assert (len(won), len(lost)) == (1, 1)
        assert (lost[0].by, lost[0].done, lost[0].status) == (won[0].assignee_name, "assign", Status.IN_PROGRESS)
        assert lost[0].by_id == won[0].assignee_id
        assert (await service.show(ada, ticket.number)).assignee_id == won[0].assignee_id


async def test_a_ticket_changes_hands_when_the_version_that_was_seen_is_named(
    service: TicketService, ada: Actor, ben: Actor, cleo: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    taken = await service.assign(ben, ticket.number, assignee=ben)
    assert await service.assign(ben, ticket.number, assignee=ben) == taken  # nothing happened: no new version
    with pytest.raises(Conflict):
        await service.assign(cleo, ticket.number, assignee=cleo, version=ticket.version)
    handed = await service.assign(cleo, ticket.number, assignee=cleo, version=taken.version)
    assert (handed.assignee_id, handed.version) == (cleo.id, taken.version + 1)


async def test_only_who_works_tickets_can_be_assigned(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    with pytest.raises(NotAssignable):
        await service.assign(ben, ticket.number, assignee=ada)


async def test_a_reopened_ticket_is_back_in_the_queue(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    await service.assign(ben, ticket.number, assignee=ben)
    await service.urge(ada, ticket.number)
    await service.resolve(ben, ticket.number, resolution="New toner")
    again = await service.reopen(ada, ticket.number, reason="")
    assert (again.status, again.assignee_id, again.resolution) == (Status.OPEN, None, "")
    assert (await service.urge(ada, ticket.number)).urges == 2


async def test_a_cancel_that_was_asked_for_an_older_version_is_a_conflict(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    await service.comment(ben, ticket.number, text="I am on my way")
    with pytest.raises(Conflict) as caught:
        await service.cancel(ada, ticket.number, reason="", version=ticket.version)
    conflict = caught.value
    assert (conflict.by, conflict.done, conflict.status, conflict.version) == (ben.name, "comment", Status.OPEN, 2)
    assert (await service.cancel(ada, ticket.number, reason="", version=2)).status is Status.CANCELLED


async def test_urging_again_has_to_wait(
    service: TicketService, clock: ManualClock, ada: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    await service.urge(ada, ticket.number)
    clock.advance(600)
    with pytest.raises(TooSoon) as caught:
        await service.urge(ada, ticket.number)
    assert caught.value.left_s == 3_000
    clock.advance(3_000)
    assert (await service.urge(ada, ticket.number)).urges == 2


async def test_of_many_urges_at_once_one_counts(service: TicketService, ada: Actor, filed: TicketMaker) -> None:
    ticket = await filed(ada)
    results = await asyncio.gather(*(service.urge(ada, ticket.number) for _ in range(5)), return_exceptions=True)
    assert [type(result) for result in results].count(TooSoon) == 4
    assert (await service.show(ada, ticket.number)).urges == 1


async def test_no_comment_is_lost_when_many_come_at_once(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    many = scaled(50, least=8)
    await asyncio.gather(
        *(service.comment(ada if n % 2 else ben, ticket.number, text=f"Line {n}") for n in range(many))
    )
    shown = await service.show(ada, ticket.number)
    assert {comment.text for comment in shown.comments} == {f"Line {n}" for n in range(many)}
    assert shown.version == many + 1


async def test_a_comment_says_something_and_no_secret(service: TicketService, ada: Actor, filed: TicketMaker) -> None:
    ticket = await filed(ada)
    for empty in ("", "  \n", "\u202e\x00"):
        with pytest.raises(Invalid):
            await service.comment(ada, ticket.number, text=empty)
    with pytest.raises(Invalid) as caught:
        await service.comment(ada, ticket.number, text="x" * 4_001)
    assert caught.value.problems[0].limit == 4_000
    secret = "ghp_" + "a1B2" * 9
    await service.comment(ada, ticket.number, text=f"try {secret}\x07")
    shown = await service.show(ada, ticket.number)
    assert secret not in shown.comments[0].text
    assert secret not in shown.changes[-1].detail


@pytest.mark.parametrize("name", ["comment", "urge", "reopen", "cancel"])
async def test_the_same_key_does_it_once(
    *, service: TicketService, clock: ManualClock, ada: Actor, ben: Actor, filed: TicketMaker, name: str
) -> None:
    ticket = await filed(ada)
    if name == "reopen":
        await service.resolve(ben, ticket.number, resolution="")
    calls: dict[str, Callable[[str], Awaitable[Ticket]]] = {
        "comment": lambda key: service.comment(ada, ticket.number, text="Any news?", key=key),
        "urge": lambda key: service.urge(ada, ticket.number, key=key),
        "reopen": lambda key: service.reopen(ada, ticket.number, reason="", key=key),
        "cancel": lambda key: service.cancel(ada, ticket.number, reason="", key=key),
    }
    results = await asyncio.gather(*(calls[name]("event-1") for _ in range(4)))
    clock.advance(3_600)
    results.append(await calls[name]("event-1"))
    assert len({result.version for result in results}) == 1
    shown = await service.show(ada, ticket.number)
    assert [change.action for change in shown.changes].count(name) == 1


async def test_one_key_for_two_requests_is_refused(service: TicketService, ada: Actor, filed: TicketMaker) -> None:
    ticket = await filed(ada)
    await service.comment(ada, ticket.number, text="One", key="event-1")
    with pytest.raises(KeyReused):
        await service.comment(ada, ticket.number, text="Two", key="event-1")


async def test_a_refused_attempt_does_not_use_up_its_key(
    service: TicketService, clock: ManualClock, ada: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    await service.urge(ada, ticket.number)
    with pytest.raises(TooSoon):
        await service.urge(ada, ticket.number, key="event-1")
    clock.advance(3_600)
    assert (await service.urge(ada, ticket.number, key="event-1")).urges == 2


@pytest.mark.parametrize("name", sorted(ATTEMPTS))
async def test_a_stranger_learns_nothing(
    service: TicketService, ada: Actor, bao: Actor, filed: TicketMaker, name: str
) -> None:
    ticket = await filed(ada)
    told = []
    for number in (ticket.number, "TCK-2026-999999"):
        with pytest.raises((NotFound, Forbidden)) as caught:
            await ATTEMPTS[name](service, bao, number)
        told.append((type(caught.value), str(caught.value).replace(number, "N")))
    assert told[0] == told[1]
    assert (await service.show(ada, ticket.number)).version == 1


async def test_the_requester_does_not_work_his_own_ticket(
    service: TicketService, ada: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada)
    for name in ("assign", "resolve"):
        with pytest.raises(Forbidden):
            await ATTEMPTS[name](service, ada, ticket.number)


async def test_each_change_promises_one_notice_that_reaches_the_requester(
    service: TicketService, database: Database, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada, thread="web:7")
    await service.assign(ben, ticket.number, assignee=ben)
    await service.resolve(ben, ticket.number, resolution="New toner")
    async with database.reading() as session:
        found = await session.execute(text("SELECT topic, key, line FROM storage_queue ORDER BY sequence"))
        rows = [tuple(row) for row in found]
        draft_id = ticket.draft_id
        line = f"ticket:{ticket.id}"
        assert rows == [
            ("draft.filed", f"draft:{draft_id}:filed", line),
            ("ticket.changed", f"{line}:2", line),
            ("ticket.changed", f"{line}:3", line),
        ]


async def test_a_triage_thread_is_tied_to_its_ticket(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ticket = await filed(ada, thread="web:7")
    link = ThreadLink("", "slack:C1:1", ThreadRole.TRIAGE, {"channel": "old"})
    await service.link_thread(ben, ticket.number, link)
    link = replace(link, address={"channel": "new"})
    await service.link_thread(ben, ticket.number, link)
    with pytest.raises(Forbidden):
        await service.link_thread(ada, ticket.number, link)
    found = await service.threads(ben, ticket.number)
    assert [(link.thread, link.role) for link in found] == [
        ("web:7", ThreadRole.REQUESTER),
        ("slack:C1:1", ThreadRole.TRIAGE),
    ]
    assert dict(found[1].address) == {"channel": "new"}
    assert dict(found[0].address) == {"platform": "memory", "thread": "web:7"}


async def test_a_name_that_no_database_can_hold_is_no_obstacle(
    service: TicketService, ada: Actor, ben: Actor, filed: TicketMaker
) -> None:
    ada, ben = replace(ada, name="Ada\x00\ud83d"), replace(ben, name="Ben\x00")
    ticket = await filed(ada)
    await service.assign(ben, ticket.number, assignee=ben)
    await service.comment(ada, ticket.number, text="Hello")
    shown = await service.show(ada, ticket.number)
    assert (shown.requester_name, shown.assignee_name) == ("Ada\ufffd?", "Ben\ufffd")


def test_every_action_is_tried_here() -> None:
    assert set(ATTEMPTS) == {action.value for action in Action}
