"""Approvals as they are kept, with what is written beside them: the audit, and the runs that wait for them."""

from dataclasses import dataclass

from agent.approvals import store
from agent.approvals.approval import Approval, ApprovalState
from agent.errors import ApprovalNotFound
from agent.runs.answer import Answer, Answered, Refused
from agent.runs.keys import APPROVAL
from agent.runs.runs import Runs
from agent.tools.arguments import without_words
from agent.tools.execution import stored_result
from identity import audit
from identity.actor import Actor
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject


@dataclass(frozen=True)
class ApprovalBook:
    """What requesting, deciding and carrying out have in common."""

    database: Database
    clock: Clock
    runs: Runs

    async def read(self, approval_id: str) -> Approval:
        """Return an approval as it stands; raise ApprovalNotFound."""
        async with self.database.reading() as session:
            approval = await store.read_approval(session, approval_id)
        if approval is None:
            raise ApprovalNotFound(approval_id)
        return approval

    async def waiting(self, actor: Actor) -> tuple[Approval, ...]:
        """Return what waits for this person, oldest first."""
        async with self.database.reading() as session:
            return await store.list_waiting(session, actor_id=actor.id, now=self.clock.now())

    async def refuse(self, actor: Actor, approval: Approval, reason: str) -> None:
        """Put a press that was refused into the audit."""
        async with self.database.transaction() as session:
            await self.audit(session, actor, approval, outcome=f"refused:{reason}", refused=reason)

    async def audit(
        self, session: Session, actor: Actor, approval: Approval, *, outcome: str, refused: str | None = None
    ) -> None:
        """Put what happens to an approval into the audit, in the caller's transaction."""
        await audit.record(
            session,
            actor=actor,
            action="approval.decide" if outcome != "waiting" else "approval.request",
            resource=f"approval:{approval.id}",
            allowed=refused is None,
            reason="own" if refused is None else refused,
            outcome=outcome,
            detail={"tool": approval.tool, "arguments": without_words(approval.arguments), "on": approval.resource},
            run_id=approval.run_id,
            now=self.clock.now(),
        )

    async def settle(self, session: Session, approval: Approval, *, place: JsonObject | None = None) -> bool:
        """Have the run that waits for a decided approval go on, or end it; return whether it goes on to an answer.

        `place`: where the button was pressed.
        """
        succeeded, otherwise = approval.state is ApprovalState.SUCCEEDED, _answer(approval)
        waits_for = f"{APPROVAL}{approval.id}"
        return await self.runs.settle(session, waits_for, otherwise=otherwise, goes_on=succeeded, place=place)


def _answer(approval: Approval) -> Answer:
    """Return what a run ends in that does not go on after its approval was decided."""
    if approval.state is ApprovalState.SUCCEEDED:
        return Answered(results=stored_result(approval.result).results)
    code = str(approval.error.get("code") or approval.state.value)
    return Refused(code, str(approval.error.get("detail") or ""))
