"""A button does one thing, once, for one person; everybody else learns who was first."""

import asyncio
import signal
import sys
from dataclasses import replace

import pytest
from sqlalchemy import JSON, column, table, update

from agent.approvals.approval import (
    AlreadyDecided,
    Approval,
    ApprovalState,
    Changed,
    Decided,
    Declined,
    Executed,
    ExecutionFailed,
    InProgress,
    NoLongerPermitted,
    Outdated,
    SomebodyElses,
    TooLate,
    Undecidable,
)
from agent.errors import ApprovalNotFound
from agent.gate.outcomes import Pending
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from identity.actor import Actor, ActorKind
from identity.audit import AuditTrail
from identity.permissions import Permission
from tests.fixtures.agent import Workshop
from tests.scale import scaled
from tickets.ticket import Status, Ticket


async def waiting_cancel(workshop: Workshop, actor: Actor) -> tuple[Ticket, Approval, str]:
    ticket = await workshop.ticket(actor)
    context = await workshop.context(actor, "cancel my last ticket")
    result = await workshop.gate.call(
        context, "cancel_ticket", {"ticket": ticket.number, "reason": "not needed"}, tainted=False
    )
    assert isinstance(result, Pending)
    approval = await workshop.approvals.show(actor, result.approval_id)
    return ticket, approval, await workshop.approvals.nonce_for(actor, approval.id)


async def press(workshop: Workshop, actor: Actor, approval: Approval, nonce: str) -> Decided:
    return await workshop.approvals.decide(actor, approval.id, nonce=nonce, verdict="confirm")


async def cancels(workshop: Workshop, actor: Actor, ticket: Ticket) -> int:
    shown = await workshop.tickets.show(actor, ticket.number)
    return sum(change.action == "cancel" for change in shown.changes)


async def test_a_press_does_it_once_and_the_second_one_learns_who_and_when(workshop: Workshop, ada: Actor) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)

    first = await press(workshop, ada, approval, nonce)
    workshop.clock.advance(5)
    second = await press(workshop, ada, approval, nonce)

    assert isinstance(first, Executed)
    assert first.approval.state is ApprovalState.SUCCEEDED
    assert isinstance(second, AlreadyDecided)
    assert (second.state, second.by) == (ApprovalState.SUCCEEDED, "Ada Adler")
    assert (workshop.clock.now() - second.at).total_seconds() == 5
    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.CANCELLED
    assert await cancels(workshop, ada, ticket) == 1


async def test_of_sixteen_presses_at_once_one_executes(workshop: Workshop, ada: Actor) -> None:
    for _ in range(scaled(10, least=2)):
        ticket, approval, nonce = await waiting_cancel(workshop, ada)

        ends = await asyncio.gather(*(press(workshop, ada, approval, nonce) for _ in range(16)))

        assert sum(isinstance(end, Executed) for end in ends) == 1
        assert all(isinstance(end, Executed | AlreadyDecided | InProgress) for end in ends)
        assert await cancels(workshop, ada, ticket) == 1
        workshop.clock.advance(120)


async def test_a_button_survives_a_restart(workshop: Workshop, ada: Actor) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)
    workshop.again()

    assert await workshop.approvals.nonce_for(ada, approval.id) == nonce, "the card can be drawn again"
    assert isinstance(await press(workshop, ada, approval, nonce), Executed)
    assert await cancels(workshop, ada, ticket) == 1


async def test_another_person_cannot_press_and_it_is_audited(
    workshop: Workshop, ada: Actor, cleo: Actor, operator: Actor
) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)

    assert await press(workshop, cleo, approval, nonce) == SomebodyElses(owner="Ada Adler")

    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.OPEN
    entries = await AuditTrail(workshop.database, workshop.clock).entries(operator)
    assert (entries[0].actor_id, entries[0].action, entries[0].allowed) == ("cleo", "approval.decide", False)
    with pytest.raises(ApprovalNotFound):
        await workshop.approvals.show(cleo, approval.id)


@pytest.mark.parametrize("wrong", ["", "AAAAAAAAAAAAAAAAAAAAAA", "工单", "x" * 4_000])
async def test_a_wrong_nonce_does_nothing(workshop: Workshop, ada: Actor, wrong: str) -> None:
    ticket, approval, _ = await waiting_cancel(workshop, ada)

    assert isinstance(await press(workshop, ada, approval, wrong), Outdated)
    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.OPEN


async def test_the_nonce_of_one_approval_opens_no_other(workshop: Workshop, ada: Actor) -> None:
    _, _, nonce = await waiting_cancel(workshop, ada)
    workshop.clock.advance(120)
    _, other, _ = await waiting_cancel(workshop, ada)

    assert isinstance(await press(workshop, ada, other, nonce), Outdated)


async def test_after_half_an_hour_the_button_is_dead(workshop: Workshop, ada: Actor) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)
    workshop.clock.advance(30 * 60)

    end = await press(workshop, ada, approval, nonce)

    assert isinstance(end, TooLate)
    assert end.at == approval.expires_at
    assert isinstance(await press(workshop, ada, approval, nonce), TooLate)
    assert await workshop.approvals.waiting(ada) == ()
    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.OPEN


async def test_expiry_closes_what_waits_too_long(workshop: Workshop, ada: Actor) -> None:
    _, approval, _ = await waiting_cancel(workshop, ada)
    assert await workshop.approvals.expire() == ()

    workshop.clock.advance(30 * 60 + 1)

    assert [closed.id for closed in await workshop.approvals.expire()] == [approval.id]
    assert await workshop.approvals.expire() == ()


async def test_a_declined_button_stays_declined(workshop: Workshop, ada: Actor) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)

    first = await workshop.approvals.decide(ada, approval.id, nonce=nonce, verdict="decline")
    second = await press(workshop, ada, approval, nonce)

    assert isinstance(first, Declined)
    assert isinstance(second, AlreadyDecided)
    assert second.state is ApprovalState.DECLINED
    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.OPEN


async def test_what_has_changed_since_is_not_done(workshop: Workshop, ada: Actor, ben: Actor) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)
    await workshop.tickets.assign(ben, ticket.number, assignee=ben)

    end = await press(workshop, ada, approval, nonce)

    assert isinstance(end, Changed)
    assert end.approval.state is ApprovalState.FAILED
    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.IN_PROGRESS


async def test_rights_are_asked_again_when_the_button_is_pressed(workshop: Workshop, ada: Actor) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)
    demoted = replace(ada, kind=ActorKind.GUEST)

    end = await press(workshop, demoted, approval, nonce)

    assert isinstance(end, NoLongerPermitted)
    assert (await workshop.tickets.show(ada, ticket.number)).status is Status.OPEN


@pytest.mark.parametrize("changed", ["ticket", "reason"])
async def test_what_was_changed_in_the_database_is_not_done(workshop: Workshop, ada: Actor, changed: str) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)
    workshop.clock.advance(120)
    other = await workshop.ticket(ada)
    row = table("agent_approvals", column("id"), column("arguments", JSON))
    another = {**approval.arguments, changed: {"ticket": other.number, "reason": "what nobody confirmed"}[changed]}
    async with workshop.database.transaction() as session:
        await session.execute(update(row).where(row.c.id == approval.id).values(arguments=another))

    assert isinstance(await press(workshop, ada, approval, nonce), Changed)
    for each in (ticket, other):
        assert (await workshop.tickets.show(ada, each.number)).status is Status.OPEN


async def test_an_unknown_approval_is_not_found(workshop: Workshop, ada: Actor) -> None:
    with pytest.raises(ApprovalNotFound):
        await workshop.approvals.decide(ada, "approval_x", nonce="x", verdict="confirm")


class Nothing(Arguments):
    pass


class Crash(BaseException):
    """Stands for the end of the process in the middle of a handler."""


def risky(*, resumable: bool, ends: list[BaseException | None], calls: list[ToolContext]) -> Tool:
    async def handler(context: ToolContext, arguments: Nothing) -> ToolResult:
        del arguments
        calls.append(context)
        end = ends.pop(0)
        if end is not None:
            raise end
        return ToolResult()

    return Tool(
        spec=ToolSpec(name="risky", description="Risky.", arguments=Nothing),
        policy=ToolPolicy(
            permission=Permission.TICKETS_CREATE,
            effect=Effect.RISKY,
            audit="risky.run",
            confirmation=Confirmation.ALWAYS,
            timeout_s=0.05,
        ),
        handler=handler,
        resumable=resumable,
    )


async def crashed(workshop: Workshop, actor: Actor, tool: Tool) -> tuple[Approval, str]:
    workshop.extra_tools = (tool,)
    workshop.again()
    pending = await workshop.gate.call(await workshop.context(actor), "risky", {}, tainted=False)
    assert isinstance(pending, Pending)
    approval = await workshop.approvals.show(actor, pending.approval_id)
    nonce = await workshop.approvals.nonce_for(actor, approval.id)
    with pytest.raises(Crash):
        await press(workshop, actor, approval, nonce)
    workshop.again()
    return approval, nonce


async def test_an_interrupted_call_is_in_progress_until_its_lease_ends_and_unknown_then(
    workshop: Workshop, ada: Actor
) -> None:
    calls: list[ToolContext] = []
    approval, nonce = await crashed(workshop, ada, risky(resumable=False, ends=[Crash()], calls=calls))

    assert isinstance(await press(workshop, ada, approval, nonce), InProgress)
    assert await workshop.approvals.recover() == ()
    workshop.clock.advance(61)
    (end,) = await workshop.approvals.recover()

    assert isinstance(end, Undecidable)
    assert end.approval.state is ApprovalState.UNKNOWN
    later = await press(workshop, ada, approval, nonce)
    assert isinstance(later, AlreadyDecided)
    assert later.state is ApprovalState.UNKNOWN
    assert len(calls) == 1, "nobody tried it again"


async def test_a_resumable_call_is_brought_to_its_end_by_the_next_press(workshop: Workshop, ada: Actor) -> None:
    calls: list[ToolContext] = []
    approval, nonce = await crashed(workshop, ada, risky(resumable=True, ends=[Crash(), None], calls=calls))
    workshop.clock.advance(61)

    ends = await asyncio.gather(*(press(workshop, ada, approval, nonce) for _ in range(8)))

    assert sum(isinstance(end, Executed) for end in ends) == 1
    assert len(calls) == 2
    assert {context.approved.approval_id for context in calls if context.approved} == {approval.id}


async def test_nothing_is_resumed_for_somebody_who_has_left(workshop: Workshop, ada: Actor) -> None:
    calls: list[ToolContext] = []
    await crashed(workshop, ada, risky(resumable=True, ends=[Crash(), None], calls=calls))
    del workshop.people["ada"]
    workshop.clock.advance(61)

    (end,) = await workshop.approvals.recover()

    assert isinstance(end, Undecidable)
    assert len(calls) == 1


async def test_a_call_that_does_not_come_back_is_unknown(workshop: Workshop, ada: Actor) -> None:
    async def handler(context: ToolContext, arguments: Nothing) -> ToolResult:
        del context, arguments
        await asyncio.sleep(5)
        return ToolResult()

    workshop.extra_tools = (replace(risky(resumable=False, ends=[], calls=[]), handler=handler),)
    workshop.again()
    pending = await workshop.gate.call(await workshop.context(ada), "risky", {}, tainted=False)
    assert isinstance(pending, Pending)
    approval = await workshop.approvals.show(ada, pending.approval_id)

    end = await press(workshop, ada, approval, await workshop.approvals.nonce_for(ada, approval.id))

    assert isinstance(end, Undecidable)


async def test_what_the_service_refuses_ends_as_failed_with_its_code(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    context = await workshop.context(ada)
    pending = await workshop.gate.call(context, "urge_ticket", {"ticket": ticket.number}, tainted=True)
    assert isinstance(pending, Pending)
    approval = await workshop.approvals.show(ada, pending.approval_id)
    nonce = await workshop.approvals.nonce_for(ada, approval.id)
    await workshop.tickets.urge(ada, ticket.number)

    end = await press(workshop, ada, approval, nonce)

    assert isinstance(end, ExecutionFailed)
    assert end.code == "too_soon"
    assert end.approval.state is ApprovalState.FAILED


@pytest.mark.parametrize("point", ["before", "after"])
async def test_kill_9_while_executing_leaves_one_cancelled_ticket(workshop: Workshop, ada: Actor, point: str) -> None:
    ticket, approval, nonce = await waiting_cancel(workshop, ada)
    url = workshop.database.url.render_as_string(hide_password=False)
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.agent.press_and_die",
        url,
        workshop.clock.now().isoformat(),
        approval.id,
        nonce,
        point,
    )
    assert await child.wait() == -signal.SIGKILL
    happened = await cancels(workshop, ada, ticket)
    assert happened == (1 if point == "after" else 0)

    workshop.again()
    assert isinstance(await press(workshop, ada, approval, nonce), InProgress)
    workshop.clock.advance(61)
    (end,) = await workshop.approvals.recover()

    assert isinstance(end, Executed)
    assert await cancels(workshop, ada, ticket) == 1
    assert isinstance(await press(workshop, ada, approval, nonce), AlreadyDecided)
    assert await workshop.approvals.recover() == ()
