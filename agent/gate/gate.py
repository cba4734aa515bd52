"""The gate: every tool call, whoever makes it, passes the same concerns in the same order.

What a language model writes is only ever data here: it can name a tool and give arguments, nothing more.
"""

from collections.abc import Mapping

from agent.approvals.approvals import Approvals
from agent.config import AgentConfig
from agent.gate.attempt import Attempt, through
from agent.gate.checks import (
    WithApproval,
    WithinBudget,
    exists,
    fits_schema,
    offered_here,
    permitted,
    rehearsed,
    without_identity,
)
from agent.gate.outcomes import Done, GateResult, Pending
from agent.gate.recorded import Recorded, refused
from agent.runs.keys import wait_key
from agent.runs.runs import Runs
from agent.tools.context import ToolContext
from agent.tools.execution import Executor
from agent.tools.registry import Effect, Registry
from storage.clock import Clock
from storage.columns import storable
from storage.ids import JsonValue


class Gate:
    """Checks and makes tool calls."""

    def __init__(
        self,
        clock: Clock,
        config: AgentConfig,
        *,
        registry: Registry,
        executor: Executor,
        approvals: Approvals,
        runs: Runs,
    ) -> None:
        self.registry = registry
        self._executor = executor
        self._runs = runs
        self._pass = through(
            Recorded(runs, clock),  # whatever comes of it
            refused,
            exists,
            permitted,
            offered_here,
            without_identity,
            fits_schema,
            rehearsed,
            WithinBudget(config.budget),
            WithApproval(approvals),
            to=self._carry_out,  # once, in time, with secrets taken out: `Executor`
        )

    async def call(
        self, context: ToolContext, name: str, arguments: Mapping[str, JsonValue], *, tainted: bool
    ) -> GateResult:
        """Make a call, or say why not. Only what breaks unexpectedly raises."""
        given = storable(dict(arguments))
        return await self._pass(Attempt(context, name, given, tainted=tainted, found=self.registry.find(name)))

    async def _carry_out(self, attempt: Attempt) -> GateResult:
        context, tool = attempt.context, attempt.tool
        if tool.policy.effect is not Effect.READ:
            await self._runs.release(context.run_id)  # a deed has to be found in its run whatever happens next
        ran = await self._executor.carry_out(tool, context, attempt.arguments)
        if ran.result.waits is not None:
            return Pending(wait_key(context.run_id, ran.result.waits), results=ran.result.results)
        evidence, content = context.found.take(ran.result.results, ran.result.rests_on)
        return Done(ran.result, replayed=ran.replayed, content=content, evidence=evidence)
