"""One tool call that a person named, by a command or a button: a run without a brain.

It passes the same gate and leaves the same trace as a call that a brain makes.
"""

from collections.abc import Mapping

from agent.brains.assistant import Call
from agent.brains.output import Act
from agent.gate.gate import Gate
from agent.memory.memory import Memory
from agent.runner.endings import answer_of, conclude, remembered
from agent.runner.runner import Request, RunResult
from agent.runs.answer import Refused
from agent.runs.run import Usage
from agent.runs.runs import Runs
from agent.tools.context import ToolContext
from storage.clock import Clock
from storage.ids import JsonValue

#: What stands in a run in place of a brain's name.
NAME = "command"


class Direct:
    """Makes calls that need no brain."""

    def __init__(self, *, gate: Gate, runs: Runs, memory: Memory, clock: Clock) -> None:
        self._gate = gate
        self._runs = runs
        self._memory = memory
        self._clock = clock

    async def call(self, request: Request, tool: str, arguments: Mapping[str, JsonValue]) -> RunResult:
        """Make one call; the words are the person's own, so nothing is tainted."""
        started = self._clock.monotonic()
        run_id = await self._runs.begin(
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
                called = Call(tool, await self._gate.call(context, tool, arguments, tainted=False))
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
            if not isinstance(answer, Refused):
                await self._memory.remember(
                    request.actor,
                    thread=request.thread,
                    asked=request.text,
                    answer=answer,
                    last=remembered([called]),
                    language=context.language,
                )
            timings = {"run": (self._clock.monotonic() - started) * 1_000}
            await self._runs.finish(run_id, answer, brain=NAME, prompt="", usage=Usage(), timings_ms=timings)
        return RunResult(run_id, answer, NAME, timings)

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
