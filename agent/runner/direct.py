"""One tool call that a person named, by a command or a button: a run without a brain.

It passes the same gate and leaves the same trace as a call that a brain makes.
"""

from collections.abc import Mapping

from agent.approvals.approvals import Approvals
from agent.brains.assistant import Call
from agent.brains.output import Act
from agent.gate.gate import Gate, told
from agent.memory.memory import Memory
from agent.runner.continuing import kept
from agent.runner.endings import answer_of, conclude, remembered
from agent.runner.requests import Request, origin_of
from agent.runner.runner import RunResult
from agent.runner.waiting import APPROVAL, waits_for
from agent.runs.answer import Refused
from agent.runs.record import Record, dump_record
from agent.runs.runs import Runs
from agent.tools.context import ToolContext
from storage.clock import Clock
from storage.columns import storable
from storage.database import Session
from storage.ids import JsonValue

#: What stands in a run in place of a brain's name.
NAME = "command"


class Direct:
    """Makes calls that need no brain."""

    def __init__(self, *, gate: Gate, approvals: Approvals, runs: Runs, memory: Memory, clock: Clock) -> None:
        self._approvals = approvals
        self._gate = gate
        self._runs = runs
        self._memory = memory
        self._clock = clock

    async def call(self, request: Request, tool: str, arguments: Mapping[str, JsonValue]) -> RunResult:
        """Make one call; the caller writes the run. The words are the person's own, so nothing is tainted."""
        started = self._clock.monotonic()
        run_id = self._runs.begin(
            request.actor,
            event_id=request.event_id,
            thread=request.thread,
            text=request.text,
            language=request.language,
            brain=NAME,
        )
        async with self._runs.failing(run_id, brain=NAME):
            try:
                context = await self._context(request, run_id)
                result = await self._gate.call(context, tool, arguments, tainted=False)
                called = Call(tool, result, arguments=storable(dict(arguments)), told=told(result))
            finally:
                self._gate.forget(run_id)
            answer = answer_of(
                conclude(
                    Act(),
                    [called],
                    grounds=context.found.grounds,
                    language=context.language,
                    asked=context.text,
                    hosts=(),
                    trusted=True,
                )
            )
            timings = {"run": (self._clock.monotonic() - started) * 1_000}
            waits = waits_for(answer, [called], actor_id=request.actor.id, thread=request.thread)
            waits = waits if waits.startswith(APPROVAL) else ""
            record = Record(origin_of(request, context.memory), kept([called]))
            end = self._runs.ending(
                run_id, answer, brain=NAME, timings_ms=timings, waits_for=waits, record=dump_record(record, [])
            )

        async def write(session: Session) -> None:
            await end(session)
            if waits:
                await self._approvals.wake_settled(session, waits.removeprefix(APPROVAL))
            if not isinstance(answer, Refused):
                last = remembered([called])
                await self._memory.add(
                    session,
                    request.actor,
                    thread=request.thread,
                    asked=request.text,
                    answer=answer,
                    last=last,
                    language=context.language,
                )

        return RunResult(run_id, request, answer, NAME, timings, unwritten=write)

    async def _context(self, request: Request, run_id: str) -> ToolContext:
        return ToolContext(
            actor=request.actor,
            run_id=run_id,
            event_id=request.event_id,
            thread=request.thread,
            text=request.text,
            language=request.language,
            now=request.now,
            readership=request.readership,
            address=request.address,
            memory=await self._memory.recall(request.actor, thread=request.thread),
        )
