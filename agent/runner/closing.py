"""The end of a piece of work on a run: it has its answer, or waits, and all of that is written in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic_ai.messages import ModelMessage

from agent.approvals.approvals import Approvals
from agent.brains.assistant import Call
from agent.gate.outcomes import Done
from agent.memory.memory import Memory
from agent.results import Result
from agent.runner.continuing import kept
from agent.runner.endings import remembered
from agent.runner.requests import Request, origin_of
from agent.runner.waiting import ANSWER_WITHIN
from agent.runs.answer import Answer
from agent.runs.keys import ANSWER, APPROVAL, JOB, TIME
from agent.runs.pages import page_of, rests_on
from agent.runs.record import Record, RestsOn, dump_record
from agent.runs.run import Usage
from agent.runs.runs import Runs, Write
from agent.tools.context import ToolContext
from storage.clock import Clock
from storage.database import Session


@dataclass(frozen=True)
class RunResult:
    """How a message ended."""

    run_id: str
    request: Request
    answer: Answer
    brain: str
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    rests_on: RestsOn = field(default_factory=RestsOn)
    more_alone: bool = False  # the asker would be told more if nobody read along
    silent: bool = False  # it still waits for the next button: nothing new is to be said
    above: tuple[Result, ...] = ()  # what stands above the answer, whatever it is
    unwritten: Write | None = None  # the run itself, where the caller has said to write it with what follows


@dataclass(frozen=True)
class Closed:
    """What a piece of work came to."""

    answer: Answer
    calls: Sequence[Call]
    brain: str
    waits_for: str
    timings_ms: Mapping[str, float]
    prompt: str = ""
    usage: Usage = field(default_factory=Usage)
    messages: Sequence[ModelMessage] = ()
    tainted: bool = False
    seconds: float = 0.0  # of a brain's work, over the whole run
    above: Done | None = None  # a call whose results stand above the answer


@dataclass(frozen=True)
class Closing:
    """Ends pieces of work on runs."""

    runs: Runs
    memory: Memory
    approvals: Approvals
    clock: Clock

    def close(self, request: Request, context: ToolContext, closed: Closed, *, remembers: bool = True) -> RunResult:
        """Return the result with the write of the run, of the thread's memory, and of what was decided meanwhile."""
        waits = closed.waits_for
        evidence = (ground.evidence for ground in context.found.grounds.values())
        seen = frozenset(filter(None, map(page_of, evidence))) | context.memory.pages
        behind = rests_on(closed.answer, seen, brain=closed.brain)
        if closed.above is not None:
            behind = replace(behind, answer=behind.answer.union(filter(None, map(page_of, closed.above.evidence))))
        record = Record(
            origin_of(request, context.memory),
            kept(closed.calls),
            tainted=closed.tainted,
            seconds=closed.seconds,
            rests_on=behind,
        )
        end = self.runs.ending(
            context.run_id,
            closed.answer,
            brain=closed.brain,
            prompt=closed.prompt,
            usage=closed.usage,
            timings_ms=closed.timings_ms,
            waits_for=waits,
            waits_until=self.clock.now() + ANSWER_WITHIN if waits.startswith(ANSWER) else None,
            record=dump_record(record, closed.messages),
            text=context.text,
        )

        async def write(session: Session) -> None:
            await end(session)
            if remembers:
                await self.memory.add(
                    session,
                    context.actor,
                    thread=context.thread,
                    asked=context.text,
                    answer=closed.answer,
                    last=remembered(closed.calls),
                    pages=behind.answer,
                    language=context.language,
                )
            if waits.startswith(APPROVAL):
                await self.approvals.wake_settled(session, waits.removeprefix(APPROVAL))
            elif waits.startswith((JOB, TIME)):
                await self.runs.come_later(session, waits)

        return RunResult(
            context.run_id,
            request,
            closed.answer,
            closed.brain,
            closed.timings_ms,
            rests_on=behind,
            above=() if closed.above is None else closed.above.result.results,
            unwritten=write,
        )
