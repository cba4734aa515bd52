"""One tool call that a person named, by a command or a button: a run without a brain.

It passes the same gate and leaves the same trace as a call that a brain makes.
"""

from collections.abc import Mapping

from agent.approvals.approvals import Approvals
from agent.brains.assistant import Call
from agent.brains.output import Act
from agent.gate.gate import Gate
from agent.gate.outcomes import Pending, told
from agent.memory.memory import Memory
from agent.runner.closing import Closed, Closing, RunResult
from agent.runner.endings import answer_of, conclude
from agent.runner.requests import Request, context_of
from agent.runner.waiting import waits_for
from agent.runs.answer import Refused
from agent.runs.runs import Runs
from storage.clock import Clock
from storage.columns import storable
from storage.ids import JsonValue

#: What stands in a run in place of a brain's name.
NAME = "command"


class Direct:
    """Makes calls that need no brain."""

    def __init__(self, *, gate: Gate, approvals: Approvals, runs: Runs, memory: Memory, clock: Clock) -> None:
        self._gate = gate
        self._runs = runs
        self._memory = memory
        self._clock = clock
        self._closing = Closing(runs, memory, approvals, clock)

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
            memory = await self._memory.recall(request.actor, thread=request.thread, readership=request.readership)
            context = context_of(request, run_id, memory=memory)
            result = await self._gate.call(context, tool, arguments, tainted=False)
            called = Call(tool, result, arguments=storable(dict(arguments)), told=told(result))
            concluded = conclude(
                Act(),
                [called],
                grounds=context.found.grounds,
                language=context.language,
                asked=context.text,
                hosts=(),
                trusted=True,
            )
            answer = answer_of(concluded)
            closed = Closed(
                answer,
                [called],
                NAME,
                # Without a brain nobody would read an answer: only a call that waits goes on.
                waits_for=waits_for(answer, [called], actor_id=request.actor.id, thread=request.thread)
                if isinstance(result, Pending)
                else "",
                timings_ms={"run": (self._clock.monotonic() - started) * 1_000},
            )
            return self._closing.close(request, context, closed, remembers=not isinstance(answer, Refused))
