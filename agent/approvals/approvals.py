"""Approvals: a call that waits for one person's button, and is carried out once when it comes.

No language model is on this path. The press brings an id and a nonce; everything else is looked up, and who, when,
what and state are checked again. The claim is one conditional update, so of many presses exactly one executes.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from datetime import timedelta

from agent.approvals import store
from agent.approvals.approval import (
    Approval,
    ApprovalState,
    Decided,
    Declined,
    Outdated,
    SomebodyElses,
    Verdict,
    bound,
    derive_nonce,
    is_nonce,
    settled,
)
from agent.approvals.book import ApprovalBook
from agent.approvals.confirmed import Confirmed
from agent.config import AgentConfig
from agent.errors import ApprovalNotFound
from agent.runs.pages import WITHOUT_MODEL, thread_of
from agent.tools.context import ToolContext
from agent.tools.execution import Executor
from agent.tools.registry import Prepared, Registry, Tool
from identity.actor import Actor, ActorKind
from identity.errors import UnknownPerson
from identity.readership import Alone
from storage.clock import is_held
from storage.database import Session
from storage.ids import JsonObject, new_id

#: Finds a person by id with the rights of this moment; raises UnknownPerson.
People = Callable[[str], Awaitable[Actor]]


class Approvals:
    """Requests, shows and decides approvals."""

    def __init__(
        self,
        book: ApprovalBook,
        config: AgentConfig,
        *,
        registry: Registry,
        executor: Executor,
        people: People,
        signing_key: bytes,
    ) -> None:
        self._book = book
        self._config = config
        self._confirmed = Confirmed(book, config, registry=registry, executor=executor)
        self._people = people
        self._key = signing_key

    async def request(self, context: ToolContext, tool: Tool, prepared: Prepared) -> Approval:
        """Let a call wait for a button; the same call on the same state of the resource waits only once.

        What it takes the place of waits no longer: nobody presses both.
        """
        now = self._book.clock.now()
        arguments: JsonObject = prepared.arguments.model_dump(mode="json")
        called = bound(tool.spec.name, context.actor.id, arguments)
        async with self._book.database.transaction() as session:
            waiting = await store.find_waiting(
                session, actor_id=context.actor.id, digest=called, version=prepared.version, now=now
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
                digest=called,
                resource=prepared.resource,
                resource_version=prepared.version,
                version=1,
                state=ApprovalState.PENDING,
                created_at=now,
                expires_at=now + timedelta(minutes=self._config.approval_minutes),
            )
            await store.add_approval(session, approval)
            replaced = [each.model_dump(mode="json") for each in prepared.replaces]
            digests = [bound(tool.spec.name, context.actor.id, each) for each in replaced]
            await store.run_out(session, actor_id=context.actor.id, digests=digests, now=now)
            await self._book.audit(session, context.actor, approval, outcome="waiting")
        return approval

    async def show(self, actor: Actor, approval_id: str) -> Approval:
        """Return one's own approval, or any when the desk itself draws its card; raise ApprovalNotFound otherwise."""
        approval = await self._book.read(approval_id)
        if approval.actor_id != actor.id and actor.kind is not ActorKind.SYSTEM:
            raise ApprovalNotFound(approval_id)
        return approval

    async def is_readable(self, approval: Approval) -> bool:
        """Return whether whoever is asked may still read all that a language model had read when it chose the words.

        Of a run that is not written yet nobody has lost anything; one that is forgotten tells nothing any more.
        """
        run = await self._book.runs.whole(approval.run_id)
        if run is None:
            return approval.state is ApprovalState.PENDING
        if run.brain in WITHOUT_MODEL:
            return True
        actor = await self.person(approval.actor_id, approval.actor_name)
        return await self._book.runs.is_readable(actor, run, readership=Alone(thread_of(run)))

    async def waiting(self, actor: Actor) -> tuple[Approval, ...]:
        """Return what waits for this person, oldest first."""
        return await self._book.waiting(actor)

    async def nonce_for(self, actor: Actor, approval_id: str) -> str:
        """Return the nonce of the approval's buttons, for whoever draws the card."""
        approval = await self.show(actor, approval_id)
        return derive_nonce(self._key, approval.id, version=approval.version)

    async def decide(
        self, actor: Actor, approval_id: str, *, nonce: str, verdict: Verdict, place: JsonObject | None = None
    ) -> Decided:
        """Confirm or decline; whatever happens, the answer says who did what and when.

        `place` is where the button was pressed: what was asked where nobody listens any more is answered there.
        """
        approval = await self._book.read(approval_id)
        if approval.actor_id != actor.id:
            await self._book.refuse(actor, approval, "not_yours")
            return SomebodyElses(owner=approval.actor_name)
        if not is_nonce(self._key, approval, nonce=nonce):
            await self._book.refuse(actor, approval, "nonce")
            return Outdated(approval)
        if approval.state is not ApprovalState.PENDING:
            interrupted = approval.state is ApprovalState.EXECUTING and self._is_interrupted(approval)
            return await self._confirmed.resume(actor, approval) if interrupted else settled(approval)
        return await self._act_on(actor, approval, verdict, place)

    async def _act_on(self, actor: Actor, approval: Approval, verdict: Verdict, place: JsonObject | None) -> Decided:
        if approval.expires_at <= self._book.clock.now():
            return await self._drop(actor, approval, ApprovalState.EXPIRED)
        if verdict == "decline":
            return await self._drop(actor, approval, ApprovalState.DECLINED)
        return await self._confirmed.carry_out(actor, approval, place=place)

    async def find(self, approval_id: str) -> Approval:
        """Return an approval for the run that waits for it."""
        return await self._book.read(approval_id)

    async def wake_settled(self, session: Session, approval_id: str) -> None:
        """Have a run go on that began to wait for what was decided meanwhile."""
        approval = await store.read_approval(session, approval_id)
        if approval is not None and approval.state not in (ApprovalState.PENDING, ApprovalState.EXECUTING):
            await self._book.settle(session, approval)

    async def person(self, actor_id: str, name: str) -> Actor:
        """Return a person with the rights of this moment; somebody without rights where they are gone."""
        try:
            return await self._people(actor_id)
        except UnknownPerson:
            return Actor(id=actor_id, name=name, kind=ActorKind.GUEST)

    async def erase(
        self, session: Session, *, event_id: str, thread: str, words: Collection[str] | None = None
    ) -> None:
        """Take what was said out of the approvals that a message led to, with the caller's transaction.

        With `words` of an earlier message only out of those that repeat them.
        """
        now = self._book.clock.now()
        await store.erase_approvals(session, event_id=event_id, thread=thread, words=words, at=now)

    async def expire(self) -> tuple[Approval, ...]:
        """Close what waited too long; return what this call closed, so that its cards can be redrawn."""
        now = self._book.clock.now()
        expired = ApprovalState.EXPIRED
        async with self._book.database.transaction() as session:
            overdue = await store.overdue_approvals(session, now)
            closed = [
                it.id for it in overdue if await store.drop_approval(session, it.id, state=expired, by="", at=now)
            ]
            for approval in overdue:
                if approval.id in closed:
                    await self._book.settle(session, replace(approval, state=expired))
        return tuple([await self._book.read(approval_id) for approval_id in closed])

    async def recover(self) -> tuple[Decided, ...]:
        """Bring executions that a crash interrupted to an end; return the ends, so that people can be told."""
        async with self._book.database.reading() as session:
            interrupted = await store.interrupted_approvals(session, self._book.clock.now())
        return tuple([await self._recover(approval) for approval in interrupted])

    async def _recover(self, approval: Approval) -> Decided:
        actor = await self.person(approval.actor_id, approval.actor_name)
        return await self._confirmed.resume(actor, approval)

    async def _drop(self, actor: Actor, approval: Approval, state: ApprovalState) -> Decided:
        now = self._book.clock.now()
        by = actor.name if state is ApprovalState.DECLINED else ""
        async with self._book.database.transaction() as session:
            dropped = await store.drop_approval(session, approval.id, state=state, by=by, at=now)
            if dropped:
                await self._book.audit(session, actor, approval, outcome=state.value)
                await self._book.settle(session, replace(approval, state=state))
        current = await self._book.read(approval.id)
        if dropped and state is ApprovalState.DECLINED:
            return Declined(current)
        return settled(current)

    def _is_interrupted(self, approval: Approval) -> bool:
        until = approval.lease_until
        return until is not None and not is_held(until, self._book.clock.now())
