"""A confirmed approval: claimed by one press, carried out once, brought to an end even after a crash."""

from dataclasses import replace
from datetime import datetime, timedelta

from pydantic import BaseModel

from agent.approvals import store
from agent.approvals.approval import (
    Approval,
    ApprovalState,
    Changed,
    Decided,
    Executed,
    ExecutionFailed,
    NoLongerPermitted,
    Undecidable,
    bound,
    settled,
)
from agent.approvals.book import ApprovalBook
from agent.config import AgentConfig
from agent.errors import ToolRefused, ToolTimedOut
from agent.tools.context import Approved, ToolContext
from agent.tools.execution import Executor, result_record
from agent.tools.registry import Registry, Tool, ToolResult
from identity.actor import Actor
from identity.policy import decide
from storage.ids import JsonObject, new_id


class Confirmed:
    """Carries out what a person confirmed."""

    def __init__(self, book: ApprovalBook, config: AgentConfig, *, registry: Registry, executor: Executor) -> None:
        self._book = book
        self._config = config
        self._registry = registry
        self._executor = executor

    async def carry_out(self, actor: Actor, approval: Approval, *, place: JsonObject | None = None) -> Decided:
        """Check once more what and whether, claim the approval, and run the call; the loser learns who was first."""
        tool = self._registry.find(approval.tool)
        if tool is None or bound(approval.tool, approval.actor_id, approval.arguments) != approval.digest:
            await self._book.refuse(actor, approval, "digest")
            return Changed(approval)
        decision = decide(actor, tool.policy.permission)
        if not decision.allowed:
            await self._book.refuse(actor, approval, decision.reason)
            return NoLongerPermitted(approval, reason=decision.reason)
        now = self._book.clock.now()
        owner = new_id("lease")
        async with self._book.database.transaction() as session:
            claimed = await store.claim_approval(
                session, approval, by=actor.name, owner=owner, now=now, until=self._lease_end(tool, now)
            )
            if claimed:
                await self._book.audit(session, actor, approval, outcome="confirmed")
        current = await self._book.read(approval.id)
        if not claimed:
            return settled(current)
        return await self._execute(actor, current, tool, owner=owner, now=now, place=place)

    async def resume(self, actor: Actor, approval: Approval) -> Decided:
        """Bring an interrupted call to its end: run it again where that is safe, else say that nobody knows."""
        tool = self._registry.find(approval.tool)
        now = self._book.clock.now()
        owner = new_id("lease")
        async with self._book.database.transaction() as session:
            until = now if tool is None else self._lease_end(tool, now)
            reclaimed = await store.reclaim_approval(session, approval.id, owner=owner, now=now, until=until)
        current = await self._book.read(approval.id)
        if not reclaimed:
            return settled(current)
        may_run = tool is not None and tool.resumable and decide(actor, tool.policy.permission).allowed
        if tool is None or not may_run:
            return await self._lost(actor, current, owner=owner)
        return await self._execute(actor, current, tool, owner=owner, now=now, resumed=True)

    async def _execute(
        self,
        actor: Actor,
        approval: Approval,
        tool: Tool,
        *,
        owner: str,
        now: datetime,
        resumed: bool = False,
        place: JsonObject | None = None,
    ) -> Decided:
        """Run the claimed call and write down how it ended. What crashes here is found by its dead lease.

        A resumed call does not ask whether its resource has changed: it may have been changed by this very call.
        """
        context = _context(actor, approval, now=now)
        try:
            arguments = tool.spec.arguments.model_validate(approval.arguments)
            if not resumed and await _has_changed(tool, context, arguments, approval):
                ended, _ = await self._end(approval, ApprovalState.FAILED, owner=owner, error={"code": "changed"})
                return Changed(ended)
            ran = await self._executor.carry_out(tool, context, arguments)
        except ToolRefused as refused:
            error: JsonObject = {"code": refused.code, "detail": refused.detail}
            ended, _ = await self._end(approval, ApprovalState.FAILED, owner=owner, error=error)
            return ExecutionFailed(ended, code=refused.code, detail=refused.detail)
        except ToolTimedOut:
            ended, _ = await self._end(approval, ApprovalState.UNKNOWN, owner=owner, error={"code": "timeout"})
            return Undecidable(ended)
        ended, goes_on = await self._end(approval, ApprovalState.SUCCEEDED, owner=owner, result=ran.result, place=place)
        return Executed(ended, result=ran.result, goes_on=goes_on)

    async def _lost(self, actor: Actor, approval: Approval, *, owner: str) -> Decided:
        ended, _ = await self._end(approval, ApprovalState.UNKNOWN, owner=owner, error={"code": "interrupted"})
        async with self._book.database.transaction() as session:
            await self._book.audit(session, actor, ended, outcome="unknown")
        return Undecidable(ended)

    async def _end(
        self,
        approval: Approval,
        state: ApprovalState,
        *,
        owner: str,
        result: ToolResult | None = None,
        error: JsonObject | None = None,
        place: JsonObject | None = None,
    ) -> tuple[Approval, bool]:
        """Write down how a call ended, and have its run go on with that; return whether one does."""
        kept: JsonObject = {} if result is None else {**result_record(result), "private": dict(result.private)}
        async with self._book.database.transaction() as session:
            moved = await store.end_approval(
                session,
                approval.id,
                owner=owner,
                state=state,
                at=self._book.clock.now(),
                result=kept,
                error=error or {},
            )
            now = replace(approval, state=state, result=kept, error=error or {})
            goes_on = moved and await self._book.settle(session, now, place=place)
        return await self._book.read(approval.id), goes_on

    def _lease_end(self, tool: Tool, now: datetime) -> datetime:
        """Return an instant after the tool's own time-out: what is only slow must not look interrupted."""
        return now + timedelta(seconds=max(self._config.approval_lease_s, 2 * tool.policy.timeout_s))


def _context(actor: Actor, approval: Approval, *, now: datetime) -> ToolContext:
    return ToolContext(
        actor=actor,
        run_id=approval.run_id,
        event_id=approval.event_id,
        thread=approval.thread,
        text=approval.text,
        language=approval.language,
        now=now,
        address=approval.address,
        approved=Approved(
            approval_id=approval.id, version=approval.resource_version, claimed_at=approval.decided_at or now
        ),
    )


async def _has_changed(tool: Tool, context: ToolContext, arguments: BaseModel, approval: Approval) -> bool:
    """Look again at what the button is about; the handler's own conditional update is the last word."""
    if tool.prepare is None:
        return False
    prepared = await tool.prepare(context, arguments)
    return (prepared.resource, prepared.version) != (approval.resource, approval.resource_version)
