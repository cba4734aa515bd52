"""From what a run has kept back to its work: its calls with their results, its evidence, the request itself."""

from collections.abc import Sequence
from dataclasses import replace

from agent.approvals.approval import Approval, ApprovalState
from agent.brains.assistant import Call
from agent.gate.outcomes import Denied, Done, GateResult, Pending, told
from agent.runs.record import KeptCall
from agent.tools.context import ToolContext
from agent.tools.execution import result_record, stored_result
from agent.tools.registry import ToolResult


def kept(calls: Sequence[Call]) -> tuple[KeptCall, ...]:
    """Return calls in the form in which a run keeps them."""
    return tuple(_kept(call) for call in calls)


def calls_of(context: ToolContext, calls: Sequence[KeptCall]) -> list[Call]:
    """Return the calls of a run again; its evidence keeps its numbers."""
    return [_call(context, call) for call in calls]


def after_wait(context: ToolContext, call: Call, approval: Approval) -> Call:
    """Return a call that waited, with what came of it."""
    result: GateResult
    match approval.state:
        case ApprovalState.PENDING | ApprovalState.EXECUTING:
            return call
        case ApprovalState.SUCCEEDED:
            result = _done(context, stored_result(approval.result))
        case ApprovalState.FAILED | ApprovalState.UNKNOWN:
            result = Denied(str(approval.error.get("code") or approval.state), str(approval.error.get("detail") or ""))
        case ApprovalState.DECLINED | ApprovalState.EXPIRED:
            result = Denied(approval.state.value)
    return replace(call, result=result, told=told(result))


def _kept(call: Call) -> KeptCall:
    made = KeptCall(call.tool, call.call_id, call.arguments, status="denied", told=call.told)
    match call.result:
        case Done(result=result, replayed=replayed):
            return replace(made, status="done", result=result_record(result), replayed=replayed)
        case Pending(waits_for=waits_for, results=results):
            return replace(made, status="pending", waits_for=waits_for, result=result_record(ToolResult(results)))
        case Denied(code=code, reason=reason):
            return replace(made, code=code, reason=reason)


def _call(context: ToolContext, call: KeptCall) -> Call:
    result: GateResult
    match call.status:
        case "done":
            result = _done(context, stored_result(call.result), replayed=call.replayed)
        case "pending":
            result = Pending(call.waits_for, results=stored_result(call.result).results)
        case _:
            options = call.told.get("options")
            result = Denied(
                call.code,
                call.reason,
                asks="ask_the_person" in call.told,
                options=tuple(map(str, options)) if isinstance(options, list | tuple) else (),
            )
    return Call(call.tool, result, call.call_id, call.arguments, call.told)


def _done(context: ToolContext, result: ToolResult, *, replayed: bool = False) -> Done:
    evidence, content = context.found.take(result.results, result.rests_on)
    return Done(result, replayed=replayed, content=content, evidence=evidence)
