"""Approvals: a call that waits for one person's button, and is carried out once when it comes.

No language model is on this path. The press brings an id and a nonce; everything else is looked up, and who, when,
what and state are checked again. The claim is one conditional update, so of many presses exactly one executes.
"""

import functools
from collections.abc import Awaitable, Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, assert_never

from pydantic import BaseModel

from agent import store
from agent.approval import (
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
    Verdict,
    derive_nonce,
    is_nonce,
)
from agent.config import AgentConfig
from agent.context import Approved, ToolContext
from agent.errors import ApprovalNotFound, ToolRefused, ToolTimedOut
from agent.execution import Executor, result_json
from agent.registry import Prepared, Registry, Tool, ToolResult
from identity import audit
from identity.actor import Actor, ActorKind
from identity.errors import UnknownPerson
from identity.policy import decide
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject, digest, new_id

#: Finds a person by id with the rights of this moment; raises UnknownPerson.
People = Callable[[str], Awaitable[Actor]]


class Approvals:
    """Requests, shows and decides approvals."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        config: AgentConfig,
        *,
        registry: Registry,
        executor: Executor,
        people: People,
        signing_key: bytes,
    ) -> None:
        self._database = database
        self._clock = clock
        self._config = config
        self._registry = registry
        self._executor = executor
        self._people = people
        self._key = signing_key

    async def request(self, context: ToolContext, tool: Tool, prepared: Prepared) -> Approval:
        """Let a call wait for a button; the same call on the same state of the resource waits only once."""
        now = self._clock.now()
        arguments: JsonObject = prepared.arguments.model_dump(mode="json")
        bound = _bound(tool.spec.name, context.actor.id, arguments)
        async with self._database.transaction() as session:
            waiting = await store.find_waiting(
                session, actor_id=context.actor.id, digest=bound, version=prepared.version, now=now
            )
            if waiting is not None:
                return waiting
            approval = Approval(
                id=new_id("approval"),
                actor_id=context.actor.id,
                actor_name=context.actor.name,
                run_id=context.run_id,
                event_id=context.event_id,
                thread=context.thread,
                text=context.text,
                language=context.language,
                address=context.address,
                tool=tool.spec.name,
                arguments=arguments,
                digest=bound,
                resource=prepared.resource,
                resource_version=prepared.version,
                version=1,
                state=ApprovalState.PENDING,
                created_at=now,
                expires_at=now + timedelta(minutes=self._config.approval_minutes),
            )
            await store.add_approval(session, approval)
            await self._entry(context.actor, approval, outcome="waiting")(session)
        return approval

    async def show(self, actor: Actor, approval_id: str) -> Approval:
        """Return one's own approval, or any when the desk itself draws its card; raise ApprovalNotFound otherwise."""
        approval = await self._read(approval_id)
        if approval.actor_id != actor.id and actor.kind is not ActorKind.SYSTEM:
            raise ApprovalNotFound(approval_id)
        return approval

    async def waiting(self, actor: Actor) -> tuple[Approval, ...]:
        """Return what waits for this person, oldest first."""
        async with self._database.reading() as session:
            return await store.list_waiting(session, actor_id=actor.id, now=self._clock.now())

    async def nonce_for(self, actor: Actor, approval_id: str) -> str:
        """Return the nonce of the approval's buttons, for whoever draws the card."""
        approval = await self.show(actor, approval_id)
        return derive_nonce(self._key, approval.id, version=approval.version)

    async def decide(self, actor: Actor, approval_id: str, *, nonce: str, verdict: Verdict) -> Decided:
        """Confirm or decline; whatever happens, the answer says who did what and when."""
        approval = await self._read(approval_id)
        if approval.actor_id != actor.id:
            await self._record(actor, approval, outcome="refused:not_yours", allowed=False)
            return SomebodyElses(owner=approval.actor_name)
        if not is_nonce(self._key, approval, nonce=nonce):
            await self._record(actor, approval, outcome="refused:nonce", allowed=False)
            return Outdated(approval)
        if approval.state is not ApprovalState.PENDING:
            interrupted = approval.state is ApprovalState.EXECUTING and self._is_interrupted(approval)
            return await self._resume(actor, approval) if interrupted else _settled(approval)
        return await self._act_on(actor, approval, verdict)

    async def _act_on(self, actor: Actor, approval: Approval, verdict: Verdict) -> Decided:
        if approval.expires_at <= self._clock.now():
            return await self._drop(actor, approval, ApprovalState.EXPIRED)
        if verdict == "decline":
            return await self._drop(actor, approval, ApprovalState.DECLINED)
        return await self._confirm(actor, approval)

    async def expire(self) -> tuple[Approval, ...]:
        """Close what waited too long; return what this call closed, so that its cards can be redrawn."""
        now = self._clock.now()
        expired = ApprovalState.EXPIRED
        async with self._database.transaction() as session:
            overdue = await store.overdue_approvals(session, now)
            closed = [
                it.id for it in overdue if await store.drop_approval(session, it.id, state=expired, by="", at=now)
            ]
        return tuple([await self._read(approval_id) for approval_id in closed])

    async def recover(self) -> tuple[Decided, ...]:
        """Bring executions that a crash interrupted to an end; return the ends, so that people can be told."""
        async with self._database.reading() as session:
            interrupted = await store.interrupted_approvals(session, self._clock.now())
        return tuple([await self._recover(approval) for approval in interrupted])

    async def _recover(self, approval: Approval) -> Decided:
        try:
            actor = await self._people(approval.actor_id)
        except UnknownPerson:  # gone since: nothing is done any more in that name
            actor = Actor(id=approval.actor_id, name=approval.actor_name, kind=ActorKind.GUEST)
        return await self._resume(actor, approval)

    async def _confirm(self, actor: Actor, approval: Approval) -> Decided:
        tool = self._registry.find(approval.tool)
        if tool is None or _bound(approval.tool, approval.actor_id, approval.arguments) != approval.digest:
            await self._record(actor, approval, outcome="refused:digest", allowed=False)
            return Changed(approval)
        decision = decide(actor, tool.policy.permission)
        if not decision.allowed:
            await self._record(actor, approval, outcome=f"refused:{decision.reason}", allowed=False)
            return NoLongerPermitted(approval, reason=decision.reason)
        now = self._clock.now()
        owner = new_id("lease")
        async with self._database.transaction() as session:
            claimed = await store.claim_approval(
                session, approval, by=actor.name, owner=owner, now=now, until=self._lease_end(tool, now)
            )
            if claimed:
                await self._entry(actor, approval, outcome="confirmed")(session)
        current = await self._read(approval.id)
        if not claimed:
            return _settled(current)
        return await self._execute(actor, current, tool, owner=owner, now=now)

    async def _execute(
        self, actor: Actor, approval: Approval, tool: Tool, *, owner: str, now: datetime, resumed: bool = False
    ) -> Decided:
        """Run the claimed call and write down how it ended. What crashes here is found by its dead lease.

        A resumed call does not ask whether its resource has changed: it may have been changed by this very call.
        """
        context = _context(actor, approval, now=now)
        try:
            arguments = tool.spec.arguments.model_validate(approval.arguments)
            if not resumed and await _has_changed(tool, context, arguments, approval):
                ended = await self._end(approval, ApprovalState.FAILED, owner=owner, error={"code": "changed"})
                return Changed(ended)
            ran = await self._executor.carry_out(tool, context, arguments)
        except ToolRefused as refused:
            error: JsonObject = {"code": refused.code, "detail": refused.detail}
            ended = await self._end(approval, ApprovalState.FAILED, owner=owner, error=error)
            return ExecutionFailed(ended, code=refused.code, detail=refused.detail)
        except ToolTimedOut:
            return Undecidable(await self._end(approval, ApprovalState.UNKNOWN, owner=owner, error={"code": "timeout"}))
        ended = await self._end(approval, ApprovalState.SUCCEEDED, owner=owner, result=ran.result)
        return Executed(ended, result=ran.result)

    async def _resume(self, actor: Actor, approval: Approval) -> Decided:
        """Bring an interrupted call to its end: run it again where that is safe, else say that nobody knows."""
        tool = self._registry.find(approval.tool)
        now = self._clock.now()
        owner = new_id("lease")
        async with self._database.transaction() as session:
            until = now if tool is None else self._lease_end(tool, now)
            reclaimed = await store.reclaim_approval(session, approval.id, owner=owner, now=now, until=until)
        current = await self._read(approval.id)
        if not reclaimed:
            return _settled(current)
        may_run = tool is not None and tool.resumable and decide(actor, tool.policy.permission).allowed
        if tool is None or not may_run:
            return await self._lost(actor, current, owner=owner)
        return await self._execute(actor, current, tool, owner=owner, now=now, resumed=True)

    async def _lost(self, actor: Actor, approval: Approval, *, owner: str) -> Decided:
        ended = await self._end(approval, ApprovalState.UNKNOWN, owner=owner, error={"code": "interrupted"})
        await self._record(actor, ended, outcome="unknown")
        return Undecidable(ended)

    async def _drop(self, actor: Actor, approval: Approval, state: ApprovalState) -> Decided:
        now = self._clock.now()
        by = actor.name if state is ApprovalState.DECLINED else ""
        async with self._database.transaction() as session:
            dropped = await store.drop_approval(session, approval.id, state=state, by=by, at=now)
            if dropped:
                await self._entry(actor, approval, outcome=state.value)(session)
        current = await self._read(approval.id)
        if dropped and state is ApprovalState.DECLINED:
            return Declined(current)
        return _settled(current)

    async def _end(
        self,
        approval: Approval,
        state: ApprovalState,
        *,
        owner: str,
        result: ToolResult | None = None,
        error: JsonObject | None = None,
    ) -> Approval:
        async with self._database.transaction() as session:
            await store.end_approval(
                session,
                approval.id,
                owner=owner,
                state=state,
                at=self._clock.now(),
                result={} if result is None else result_json(result),
                error=error or {},
            )
        return await self._read(approval.id)

    async def _read(self, approval_id: str) -> Approval:
        async with self._database.reading() as session:
            approval = await store.read_approval(session, approval_id)
        if approval is None:
            raise ApprovalNotFound(approval_id)
        return approval

    def _is_interrupted(self, approval: Approval) -> bool:
        return approval.lease_until is not None and approval.lease_until <= self._clock.now()

    def _lease_end(self, tool: Tool, now: datetime) -> datetime:
        """Return an instant after the tool's own time-out: what is only slow must not look interrupted."""
        return now + timedelta(seconds=max(self._config.approval_lease_s, 2 * tool.policy.timeout_s))

    async def _record(self, actor: Actor, approval: Approval, *, outcome: str, allowed: bool = True) -> None:
        async with self._database.transaction() as session:
            await self._entry(actor, approval, outcome=outcome, allowed=allowed)(session)

    def _entry(
        self, actor: Actor, approval: Approval, *, outcome: str, allowed: bool = True
    ) -> "functools.partial[Coroutine[Any, Any, None]]":
        """Return the audit line of what happens to an approval, ready to be written in a transaction."""
        return functools.partial(
            audit.record,
            actor=actor,
            action="approval.decide" if outcome != "waiting" else "approval.request",
            resource=f"approval:{approval.id}",
            allowed=allowed,
            reason="own" if allowed else outcome.removeprefix("refused:"),
            outcome=outcome,
            detail={"tool": approval.tool, "arguments": approval.arguments, "on": approval.resource},
            run_id=approval.run_id,
            now=self._clock.now(),
        )


def _bound(tool: str, actor_id: str, arguments: JsonObject) -> str:
    """Return the digest that ties an approval to exactly one call of one person."""
    return digest({"tool": tool, "actor": actor_id, "arguments": arguments})


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


def _settled(approval: Approval) -> Decided:
    """Say to somebody who came too late what became of it."""
    at = approval.decided_at or approval.expires_at
    match approval.state:
        case ApprovalState.EXECUTING:
            return InProgress(approval, by=approval.decided_by, at=at)
        case ApprovalState.EXPIRED | ApprovalState.PENDING:
            return TooLate(approval, at=approval.expires_at)
        case ApprovalState.SUCCEEDED | ApprovalState.FAILED | ApprovalState.UNKNOWN | ApprovalState.DECLINED as state:
            return AlreadyDecided(approval, state=state, by=approval.decided_by, at=at)
        case _:
            assert_never(approval.state)
