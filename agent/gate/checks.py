"""What a call has to stand before it is carried out: one function or class for each concern."""

from dataclasses import replace

from pydantic import ValidationError

from agent.approvals.approvals import Approvals
from agent.config import Budget
from agent.errors import ToolRefused
from agent.gate.attempt import Attempt, Pass
from agent.gate.outcomes import Done, GateResult, Pending
from agent.results import Records
from agent.runs.keys import APPROVAL
from agent.tools.arguments import identity_names
from agent.tools.registry import Confirmation, Effect, Prepared
from identity.policy import decide
from storage.ids import digest

#: The code of what a rehearsal has left undone.
REHEARSAL = "rehearsal"


async def exists(attempt: Attempt, onward: Pass) -> GateResult:
    """Refuse a tool that nobody offers."""
    if attempt.found is None:
        raise ToolRefused("unknown_tool", attempt.name)
    return await onward(attempt)


async def permitted(attempt: Attempt, onward: Pass) -> GateResult:
    """Refuse what the asker may not do at this moment."""
    permission = attempt.tool.policy.permission
    if not decide(attempt.context.actor, permission).allowed:
        raise ToolRefused("forbidden", permission)
    return await onward(attempt)


async def offered_here(attempt: Attempt, onward: Pass) -> GateResult:
    """Refuse what is not offered where it is asked, whoever asks."""
    if attempt.name in attempt.context.withheld:
        raise ToolRefused("not_here", attempt.name)
    return await onward(attempt)


async def without_identity(attempt: Attempt, onward: Pass) -> GateResult:
    """Refuse arguments that try to say who is calling."""
    foreign = identity_names(attempt.given, declared=attempt.tool.spec.arguments.model_fields)
    if foreign:
        raise ToolRefused("identity_argument", ", ".join(foreign))
    return await onward(attempt)


async def fits_schema(attempt: Attempt, onward: Pass) -> GateResult:
    """Refuse arguments that do not fit the tool's schema, with the reason."""
    try:
        checked = attempt.tool.spec.arguments.model_validate(dict(attempt.given))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, item['loc'])) or 'arguments'}: {item['msg']}" for item in error.errors())
        raise ToolRefused("invalid_arguments", "; ".join(problems)) from error
    return await onward(replace(attempt, checked=checked))


async def rehearsed(attempt: Attempt, onward: Pass) -> GateResult:
    """Make no deed in a rehearsal: what would be done is told by the refused call."""
    if attempt.context.rehearsal and attempt.tool.policy.effect is not Effect.READ:
        raise ToolRefused(REHEARSAL, attempt.name)
    return await onward(attempt)


class WithinBudget:
    """Counts calls; refuses one when the run has had enough, or has read exactly this."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    async def __call__(self, attempt: Attempt, onward: Pass) -> GateResult:
        """Count the call and hand it onward, or refuse it."""
        name, tool, ledger = attempt.name, attempt.tool, attempt.context.ledger
        ledger.calls[name] += 1
        if ledger.calls[name] > tool.policy.calls_per_run or ledger.calls.total() > self._budget.tool_calls:
            raise ToolRefused("budget", f"{name} was called often enough in this run")
        same = digest({"tool": name, "arguments": attempt.arguments.model_dump(mode="json")})
        if same in ledger.reads:
            found = ledger.reads[same] or "the result above"
            raise ToolRefused("repeated", f"the same call was made before in this run: see {found}")
        outcome = await onward(attempt)
        if isinstance(outcome, Done) and tool.policy.effect is Effect.READ:
            ledger.reads[same] = ", ".join(item.evidence_id for item in outcome.evidence)
        return outcome


class WithApproval:
    """Lets a call wait for a button where its policy asks for one."""

    def __init__(self, approvals: Approvals) -> None:
        self._approvals = approvals

    async def __call__(self, attempt: Attempt, onward: Pass) -> GateResult:
        """Ask for a button, or hand the call onward."""
        context, tool = attempt.context, attempt.tool
        match tool.policy.confirmation:
            case Confirmation.NEVER:
                return await onward(attempt)
            case Confirmation.AFTER_UNTRUSTED if not attempt.tainted:
                return await onward(attempt)
            case Confirmation.AFTER_UNTRUSTED | Confirmation.ALWAYS | Confirmation.AS_PREPARED:
                arguments = attempt.arguments
                prepared = Prepared(arguments) if tool.prepare is None else await tool.prepare(context, arguments)
                if tool.policy.confirmation is Confirmation.AS_PREPARED and not prepared.waits:
                    return await onward(replace(attempt, checked=prepared.arguments))
                approval = await self._approvals.request(context, tool, prepared)
                return Pending(
                    f"{APPROVAL}{approval.id}", results=(Records("approval", (approval.id,), tool.policy.audit),)
                )
