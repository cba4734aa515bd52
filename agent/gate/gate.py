"""The one door: every tool call, whoever makes it, passes the same checks in the same order.

existence → permission → identity arguments → schema → budget → confirmation → once → execute → redact → audit → run.
What a language model writes is only ever data here: it can name a tool and give arguments, nothing more.
"""

import functools
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from agent.approvals.approvals import Approvals
from agent.config import AgentConfig
from agent.errors import ToolRefused, ToolTimedOut
from agent.results import Records
from agent.runs.run import StepStatus
from agent.runs.runs import Runs
from agent.tools.arguments import identity_names
from agent.tools.context import ToolContext
from agent.tools.evidence import Evidence
from agent.tools.execution import Executor
from agent.tools.registry import Confirmation, Effect, Prepared, Registry, Tool, ToolResult
from identity import audit
from identity.policy import decide
from storage.clock import Clock
from storage.columns import storable
from storage.database import Database
from storage.ids import JsonObject, JsonValue, digest
from storage.redaction import redact_json

#: Runs whose budgets are held at once; a run in which nothing was called for so long has ended.
MAX_LEDGERS = 2_048


@dataclass(frozen=True)
class Done:
    """The call ran; `replayed` says that it had run before with the same words and gave that result again."""

    result: ToolResult
    replayed: bool = False
    content: JsonObject = field(default_factory=dict)  # what the brain is told
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Pending:
    """The call waits for a button."""

    approval_id: str
    results: tuple[Records, ...] = ()


@dataclass(frozen=True)
class Denied:
    """The call was not made; `reason` may be told to the brain, so that it can do better."""

    code: str
    reason: str = ""


GateResult = Done | Pending | Denied


@dataclass
class _Ledger:
    """What one run has used so far."""

    calls: Counter[str] = field(default_factory=Counter)
    reads: dict[str, str] = field(default_factory=dict)  # digest of a read → what it had found


class Gate:
    """Checks and makes tool calls."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        config: AgentConfig,
        *,
        registry: Registry,
        executor: Executor,
        approvals: Approvals,
        runs: Runs,
    ) -> None:
        self._database = database
        self._clock = clock
        self._config = config
        self.registry = registry
        self._executor = executor
        self._approvals = approvals
        self._runs = runs
        self._ledgers: OrderedDict[str, _Ledger] = OrderedDict()

    async def call(
        self, context: ToolContext, name: str, arguments: Mapping[str, JsonValue], *, tainted: bool
    ) -> GateResult:
        """Make a call, or say why not. Only what breaks unexpectedly raises."""
        started = self._clock.monotonic()
        arguments = storable(dict(arguments))
        try:
            outcome = await self._pass(context, name, arguments, tainted=tainted)
        except ToolRefused as refused:
            outcome = Denied(refused.code, refused.detail)
        except ToolTimedOut as late:
            outcome = Denied("timeout", str(late))
        if isinstance(outcome, Denied):
            await self._audit_denial(context, name, arguments, outcome)
        elif isinstance(outcome, Done):
            await self._audit_read(context, name, arguments, outcome)
        elapsed_ms = (self._clock.monotonic() - started) * 1_000
        await self._record(context, name, arguments, outcome, timing_ms=elapsed_ms)
        return outcome

    def recall(self, run_id: str, called: Iterable[str]) -> None:
        """Count the calls that a run made before it waited."""
        self._ledger(run_id).calls.update(called)

    def forget(self, run_id: str) -> None:
        """Drop the budget of a run that has ended."""
        self._ledgers.pop(run_id, None)

    async def _pass(
        self, context: ToolContext, name: str, arguments: Mapping[str, JsonValue], *, tainted: bool
    ) -> GateResult:
        tool = self._permitted(context, name)
        checked = _validated(tool, arguments)
        ledger = self._ledger(context.run_id)
        seen = self._within_budget(ledger, tool, checked)
        if _needs_button(tool, tainted=tainted):
            return await self._wait(context, tool, checked)
        if tool.policy.effect is not Effect.READ:
            await self._runs.release(context.run_id)  # a deed has to be found in its run whatever happens next
        ran = await self._executor.carry_out(tool, context, checked)
        evidence, content = context.found.take(ran.result.results)
        if tool.policy.effect is Effect.READ:
            ledger.reads[seen] = ", ".join(item.evidence_id for item in evidence)
        return Done(ran.result, replayed=ran.replayed, content=content, evidence=evidence)

    def _permitted(self, context: ToolContext, name: str) -> Tool:
        tool = self.registry.find(name)
        if tool is None:
            raise ToolRefused("unknown_tool", name)
        if not decide(context.actor, tool.policy.permission).allowed:
            raise ToolRefused("forbidden", tool.policy.permission)
        return tool

    def _within_budget(self, ledger: _Ledger, tool: Tool, arguments: BaseModel) -> str:
        """Count the call; refuse it when the run has had enough, or had exactly this."""
        name = tool.spec.name
        seen = digest({"tool": name, "arguments": arguments.model_dump(mode="json")})
        ledger.calls[name] += 1
        if ledger.calls[name] > tool.policy.calls_per_run or ledger.calls.total() > self._config.budget.tool_calls:
            raise ToolRefused("budget", f"{name} was called often enough in this run")
        if seen in ledger.reads:
            found = ledger.reads[seen] or "the result above"
            raise ToolRefused("repeated", f"the same call was made before in this run: see {found}")
        return seen

    async def _wait(self, context: ToolContext, tool: Tool, arguments: BaseModel) -> Pending:
        prepared = Prepared(arguments) if tool.prepare is None else await tool.prepare(context, arguments)
        approval = await self._approvals.request(context, tool, prepared)
        return Pending(approval.id, results=(Records("approval", (approval.id,), tool.policy.audit),))

    def _ledger(self, run_id: str) -> _Ledger:
        ledger = self._ledgers.setdefault(run_id, _Ledger())
        self._ledgers.move_to_end(run_id)
        if len(self._ledgers) > MAX_LEDGERS:
            self._ledgers.popitem(last=False)
        return ledger

    async def _audit_denial(
        self, context: ToolContext, name: str, arguments: Mapping[str, JsonValue], denied: Denied
    ) -> None:
        tool = self.registry.find(name)
        async with self._database.transaction() as session:
            await audit.record(
                session,
                actor=context.actor,
                action="tool.call" if tool is None else tool.policy.audit,
                resource=f"tool:{name[:100]}",
                allowed=False,
                reason=denied.code,
                outcome="refused",
                detail={"arguments": redact_json(arguments), "why": denied.reason},
                run_id=context.run_id,
                now=self._clock.now(),
            )

    async def _audit_read(
        self, context: ToolContext, name: str, arguments: Mapping[str, JsonValue], done: Done
    ) -> None:
        """Put a call that nothing else has audited into the audit, with the run: a read, or a repeated answer."""
        tool = self.registry.find(name)
        if tool is None or not (done.replayed or tool.policy.effect is Effect.READ):
            return
        entry = functools.partial(
            audit.record,
            actor=context.actor,
            action=tool.policy.audit,
            resource=f"tool:{name}",
            allowed=True,
            reason="permitted",
            outcome="replayed" if done.replayed else "succeeded",
            detail={"arguments": redact_json(arguments), "evidence": [item.evidence_id for item in done.evidence]},
            run_id=context.run_id,
            now=self._clock.now(),
        )
        await self._runs.also(context.run_id, entry)

    async def _record(
        self,
        context: ToolContext,
        name: str,
        arguments: Mapping[str, JsonValue],
        outcome: GateResult,
        *,
        timing_ms: float,
    ) -> None:
        """Write the call into its run, with what it found."""
        done = outcome if isinstance(outcome, Done) else None
        denied = outcome if isinstance(outcome, Denied) else None
        await self._runs.step(
            context.run_id,
            node="tool",
            tool=name[:100],
            given=arguments,
            returned=told(outcome),
            timing_ms=timing_ms,
            status=_status(outcome),
            error=None if denied is None else {"type": denied.code, "msg": denied.reason},
            private=None if done is None else done.result.private,
            evidence=() if done is None else done.evidence,
        )


def told(outcome: GateResult) -> JsonObject:
    """Return what the brain is told of an outcome."""
    match outcome:
        case Done():
            return {"status": "done", **outcome.content}
        case Pending():
            return {"status": "needs_approval", "approval": outcome.approval_id}
        case Denied():
            return {"status": "denied", "code": outcome.code, "reason": outcome.reason}


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


def _validated(tool: Tool, arguments: Mapping[str, JsonValue]) -> BaseModel:
    """Refuse whoever tries to say who is calling, then whatever does not fit the schema."""
    declared = tool.spec.arguments.model_fields
    foreign = identity_names(arguments, declared=declared)
    if foreign:
        raise ToolRefused("identity_argument", ", ".join(foreign))
    try:
        checked: BaseModel = tool.spec.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, item['loc'])) or 'arguments'}: {item['msg']}" for item in error.errors())
        raise ToolRefused("invalid_arguments", "; ".join(problems)) from error
    return checked


def _needs_button(tool: Tool, *, tainted: bool) -> bool:
    match tool.policy.confirmation:
        case Confirmation.ALWAYS:
            return True
        case Confirmation.AFTER_UNTRUSTED:
            return tainted
        case Confirmation.NEVER:
            return False
