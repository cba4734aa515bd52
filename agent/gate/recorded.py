"""What is written of every call, whatever came of it: its step in the run and, in one transaction, its audit record."""

import functools
from collections.abc import Coroutine
from typing import Any

from agent.errors import ToolAsks, ToolRefused, ToolTimedOut
from agent.gate.attempt import Attempt, Pass
from agent.gate.outcomes import Denied, Done, GateResult, Pending, told
from agent.runs.run import StepStatus
from agent.runs.runs import Runs
from agent.tools.arguments import without_words
from agent.tools.registry import Effect
from identity import audit
from storage.clock import Clock
from storage.ids import JsonObject

#: Refusals whose reason holds no word of a person's.
_OF_OURS = frozenset({"forbidden", "budget", "repeated"})

Entry = functools.partial[Coroutine[Any, Any, None]]


async def refused(attempt: Attempt, onward: Pass) -> GateResult:
    """Turn a refusal, and a tool that did not come back, into an outcome; what breaks unexpectedly is raised."""
    try:
        return await onward(attempt)
    except ToolAsks as question:
        return Denied(question.code, question.detail, asks=True, options=question.options)
    except ToolRefused as refusal:
        return Denied(refusal.code, refusal.detail)
    except ToolTimedOut as late:
        return Denied("timeout", str(late))


class Recorded:
    """Writes calls down."""

    def __init__(self, runs: Runs, clock: Clock) -> None:
        self._runs = runs
        self._clock = clock

    async def __call__(self, attempt: Attempt, onward: Pass) -> GateResult:
        """Hand the call onward, and write down what came of it."""
        started = self._clock.monotonic()
        outcome = await onward(attempt)
        entry = self._entry(attempt, outcome)
        done = outcome if isinstance(outcome, Done) else None
        await self._runs.step(
            attempt.context.run_id,
            node="tool",
            tool=attempt.name[:100],
            given=attempt.given,
            returned=told(outcome),
            timing_ms=(self._clock.monotonic() - started) * 1_000,
            status=_status(outcome),
            error={"type": outcome.code, "msg": outcome.reason} if isinstance(outcome, Denied) else None,
            private=None if done is None else done.result.private,
            evidence=() if done is None else done.evidence,
            also=() if entry is None else (entry,),
        )
        return outcome

    def _entry(self, attempt: Attempt, outcome: GateResult) -> Entry | None:
        """Return the audit record of a refusal, a read or a repeated answer; a deed was audited as it was done."""
        match outcome:
            case Denied(code=code, reason=why):
                said = {"why": why} if code in _OF_OURS else {}  # other reasons repeat what was asked for
                return self._audited(attempt, code, "refused", said, allowed=False)
            case Done(replayed=replayed, evidence=evidence) if replayed or attempt.tool.policy.effect is Effect.READ:
                found = {"evidence": [item.evidence_id for item in evidence]}
                return self._audited(attempt, "permitted", "replayed" if replayed else "succeeded", found)
            case Pending(approval_id="") if attempt.tool.policy.effect is Effect.READ:
                return self._audited(attempt, "permitted", "waiting", {})
            case Done() | Pending():
                return None

    def _audited(
        self, attempt: Attempt, reason: str, outcome: str, detail: JsonObject, *, allowed: bool = True
    ) -> Entry:
        return functools.partial(
            audit.record,
            actor=attempt.context.actor,
            action="tool.call" if attempt.found is None else attempt.found.policy.audit,
            resource=f"tool:{attempt.name[:100]}",
            allowed=allowed,
            reason=reason,
            outcome=outcome,
            detail={"arguments": without_words(attempt.given), **detail},
            run_id=attempt.context.run_id,
            now=self._clock.now(),
        )


def _status(outcome: GateResult) -> StepStatus:
    match outcome:
        case Done(replayed=True):
            return StepStatus.REPLAYED
        case Done():
            return StepStatus.OK
        case Pending():
            return StepStatus.PENDING
        case Denied():
            return StepStatus.DENIED
