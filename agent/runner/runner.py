"""From a person's message to exactly one answer: memory, prefetch, a brain, its fallback, the check, the run store.

Nothing is shown before it was checked. A language model's text could be streamed while it is written, but then a
sentence that its evidence does not carry would have been read before it is dropped; so pieces are sent sentence by
sentence after the check. The wait is covered by status events, which say what is being done.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace

from pydantic_ai.messages import ModelMessage

from agent.approvals.approvals import Approvals
from agent.brains.assistant import Assistant, Brain, Call, Thought, Work
from agent.brains.output import Act, Output, Refuse
from agent.brains.rules.model import AT_ONCE_CHARS
from agent.brains.rules.talk import Step
from agent.config import AgentConfig
from agent.errors import BrainFailed
from agent.gate.gate import Gate
from agent.gate.outcomes import Done, Pending, told
from agent.memory.memory import Memory
from agent.runner.above import AboveReply
from agent.runner.causes import Cause, FormSent, MessageCame
from agent.runner.closing import Closed, Closing, RunResult
from agent.runner.continuing import after_wait, calls_of
from agent.runner.direct import Direct
from agent.runner.endings import answer_of, blocked_in, conclude, dropped_of, told_apart
from agent.runner.replay import Replayed, replay
from agent.runner.requests import Request, asked_again, context_of
from agent.runner.waiting import answer_key, waits_for
from agent.runs.answer import Answer, Answered
from agent.runs.keys import ANSWER
from agent.runs.record import Record, load_record
from agent.runs.run import LINKS, Run, StepStatus, Usage, Withheld
from agent.runs.runs import Runs
from agent.tools.context import Ledger, ToolContext
from agent.tools.prefetch import KnowledgeSearch, same_words
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from search.documents import SearchResult
from storage.breaker import Breaker
from storage.clock import Clock
from storage.columns import storable
from storage.database import Database


@dataclass(frozen=True)
class Status:
    """What is being done now: "thinking", "checking", or "tool.<name>"."""

    code: str


@dataclass(frozen=True)
class Piece:
    """The next part of the checked answer, in Markdown."""

    text: str


@dataclass(frozen=True)
class Resumed:
    """A run that goes on: as it waited, with what it has kept."""

    run: Run
    record: Record
    messages: list[ModelMessage]


RunEvent = Status | Piece
OnEvent = Callable[[RunEvent], Awaitable[None]]
#: The call that a message leads to before any brain reads it; None for nearly all messages.
AtOnce = Callable[[str], Step | None]


class Runner:
    """Runs messages. Only what breaks unexpectedly raises; the run is closed as failed then."""

    def __init__(
        self,
        *,
        database: Database,
        gate: Gate,
        approvals: Approvals,
        runs: Runs,
        memory: Memory,
        search: KnowledgeSearch,
        clock: Clock,
        config: AgentConfig,
        rules: Brain,
        direct: Direct,
        model: Brain | None = None,
        at_once: AtOnce = lambda _text: None,
        above: AboveReply | None = None,
    ) -> None:
        self._database = database
        self._gate = gate
        self._approvals = approvals
        self._runs = runs
        self._memory = memory
        self._search = search
        self._clock = clock
        self._config = config
        self._rules = rules
        self._model = model
        self._direct = direct
        self._at_once = at_once
        self._above = above
        self._assistant = Assistant(gate, config)
        self._closing = Closing(runs, memory, approvals, clock)
        self._breaker = Breaker(clock, failures=config.model.rest_after, open_s=config.model.rest_s)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold the language model's connections open for the block, and close them after it."""
        async with AsyncExitStack() as stack:
            for brain in filter(None, (self._model, self._rules)):
                await stack.enter_async_context(brain.model)
            yield

    async def run(self, request: Request, *, on_event: OnEvent | None = None) -> RunResult:
        """Answer a message, and write the run down."""
        result = await self.think(request, on_event=on_event)
        if result.unwritten is not None:
            async with self._database.transaction() as session:
                await result.unwritten(session)
        return replace(result, unwritten=None)

    async def think(self, request: Request, *, on_event: OnEvent | None = None) -> RunResult:
        """Answer a message; the caller writes the run (`RunResult.unwritten`) in the transaction of what follows.

        A message that answers what a run of its thread asked goes into that run; an alarm goes before everything.
        """
        request = replace(request, text=storable(request.text))
        long = len(request.text) > AT_ONCE_CHARS
        step = await asyncio.to_thread(self._at_once, request.text) if long else self._at_once(request.text)
        if step is not None:
            return await self._direct.call(request, step.tool, step.arguments)
        asked = await self._runs.waiting(answer_key(request.actor.id, request.thread))
        if asked is not None:
            result = await self.advance(asked.id, MessageCame(request), on_event=on_event)
            if result is not None:
                return result
        first = self._model or self._rules
        run_id = self._runs.begin(
            request.actor,
            event_id=request.event_id,
            thread=request.thread,
            text=request.text,
            language=request.language,
            brain=first.name,
        )
        return await self._work(request, run_id, first, on_event=on_event)

    async def overhear(self, request: Request) -> RunResult:
        """Answer a message to nobody by the rules alone; nothing of the run is kept unless the caller writes it."""
        request = replace(request, text=storable(request.text))
        run_id = self._runs.begin(
            request.actor,
            event_id=request.event_id,
            thread=request.thread,
            text=request.text,
            language=request.language,
            brain=self._rules.name,
        )
        return await self._work(request, run_id, self._rules, on_event=None, overheard=True)

    async def advance(self, run_id: str, cause: Cause, *, on_event: OnEvent | None = None) -> RunResult | None:
        """Let a run that waits go on; the caller writes it. None when it does not wait for this (any more).

        Until it is written it stands waiting: whoever dies on the way, the next one takes it up from there.
        """
        run = await self._runs.find_waiting(run_id, cause.key)
        if run is None:
            return None
        record, messages = load_record(run.record)
        if isinstance(cause, FormSent):
            return await self._filled(run, record, messages, cause)
        if isinstance(cause, MessageCame):
            request = cause.request
        else:
            actor = await self._approvals.person(run.actor_id, run.actor_name)
            request = asked_again(run, record.origin, actor=actor, now=self._clock.now())
        if not await self._runs.is_readable(request.actor, run, readership=request.readership):
            if isinstance(cause, MessageCame):
                return None  # it becomes a run of its own, which knows nothing of what was read before
            messages = []  # only what came of it is told
        brain = self._brain_called(run.brain)
        self._runs.resume(run)
        resumed = Resumed(run, record, messages)
        return await self._work(request, run.id, brain, on_event=on_event, resumed=resumed)

    async def _filled(self, run: Run, record: Record, messages: list[ModelMessage], form: FormSent) -> RunResult:
        """Let a form answer what the run asked: from state alone, no brain is on this path."""
        self._runs.resume(run)
        context = context_of(form.request, run.id, memory=record.origin.memory)
        await self._runs.step(run.id, node="form", given=dict(form.values), returned={}, timing_ms=0.0)
        closed = Closed(
            form.answer,
            calls_of(context, record.calls),
            run.brain,
            waits_for=waits_for(form.answer, (), actor_id=context.actor.id, thread=context.thread),
            timings_ms=run.timings_ms,
            prompt=run.prompt,
            usage=run.usage,
            messages=messages,
            tainted=record.tainted,
            seconds=record.seconds,
        )
        return self._closing.close(form.request, context, closed, remembers=False)

    async def replay(self, actor: Actor, run_id: str) -> tuple[Replayed, ...]:
        """Go through a run again from what it has kept; nothing is asked, called or written.

        Raises RunNotFound as `Runs.show` does. Of a run that the actor may not read all of, it is told only where it
        diverges.
        """
        shown = await self._runs.show(actor, run_id)
        run = await self._runs.whole(run_id) or shown
        steps = await replay(run, rules=self._rules, registry=self._gate.registry, config=self._config)
        return tuple(step.withheld() for step in steps) if shown.withheld != Withheld() else steps

    async def _work(
        self,
        request: Request,
        run_id: str,
        brain: Brain,
        *,
        on_event: OnEvent | None,
        resumed: "Resumed | None" = None,
        overheard: bool = False,
    ) -> RunResult:
        started = self._clock.monotonic()
        answers = resumed is not None and resumed.run.waits_for.startswith(ANSWER)
        searches = self._prefetching(request, needed=resumed is None or answers)
        async with self._runs.failing(run_id, brain=brain.name), searches as prefetched:
            memory = await self._memory.recall(request.actor, thread=request.thread, readership=request.readership)
            context = context_of(request, run_id, memory=memory, prefetched=prefetched)
            await _tell(on_event, Status("thinking"))
            first = None if overheard or self._above is None else await self._above.instead(context)
            if first is not None:
                self._runs.leave(run_id)
                return await self._direct.call(request, first.tool, first.arguments)
            if resumed is None:
                thought, work = await self._think(context, brain, on_event)
            else:
                thought, work = await self._think_on(context, brain, resumed, on_event, answers=answers)
            return await self._close(thought, work, request, started=started, on_event=on_event, resumed=resumed)

    def _brain_called(self, name: str) -> Brain:
        """Return the brain that began a run; the rules when it is not there any more."""
        return self._model if self._model is not None and self._model.name == name else self._rules

    async def _think_on(
        self, context: ToolContext, brain: Brain, resumed: "Resumed", on_event: OnEvent | None, *, answers: bool
    ) -> tuple[Thought, Work]:
        """Let the brain go on where the run began to wait; without a brain's messages only what came of it is told."""

        async def on_tool(name: str) -> None:
            await _tell(on_event, Status(f"tool.{name}"))

        work = self._assistant.begin(context, brain, on_tool)
        work.tainted = work.tainted or (resumed.record.tainted and brain.follows_text)
        work.used, work.messages, work.answered = resumed.run.usage, resumed.messages, answers
        work.seconds = resumed.record.seconds
        calls = calls_of(context, resumed.record.calls)
        context.ledger.calls.update(call.tool for call in calls)
        if answers:
            await self._runs.step(
                context.run_id, node="message", given={"text": resumed.run.text}, returned={}, timing_ms=0.0
            )
        else:
            work.calls = [await self._settled(work, call) for call in calls]
            if not resumed.messages or any(isinstance(call.result, Pending) for call in work.calls):
                return Thought(Act(), work.used, resumed.run.prompt, fresh=False), work
        return await self._with_fallback(work, on_tool)

    async def _settled(self, work: Work, call: Call) -> Call:
        """Return a call that waited with what came of it; one that waited for a job or a time is made again."""
        if not isinstance(call.result, Pending):
            return call
        if call.result.approval_id:
            settled = after_wait(work.context, call, await self._approvals.find(call.result.approval_id))
            if isinstance(settled.result, Done) and settled.result.result.private:
                await self._runs.step(  # what it takes to look at a result again stays in the run
                    work.context.run_id,
                    node="tool",
                    tool=call.tool,
                    given=dict(call.arguments),
                    returned=dict(settled.told),
                    timing_ms=0.0,
                    private=settled.result.result.private,
                    evidence=settled.result.evidence,
                )
            return settled
        result = await self._gate.call(work.context, call.tool, call.arguments, tainted=work.tainted)
        return replace(call, result=result, told=told(result))

    @asynccontextmanager
    async def _prefetching(
        self, request: Request, *, needed: bool
    ) -> AsyncIterator[Mapping[str, asyncio.Task[SearchResult]]]:
        """Search for the message's own words while memory is loaded; a tool call with the same words awaits it."""
        if not needed or not decide(request.actor, Permission.KNOWLEDGE_ASK).allowed or not request.text.strip():
            yield {}
            return
        search = self._search.search(
            request.actor,
            request.text,
            language=request.language,
            limit=self._config.search_limit,
            readership=request.readership,
            around=self._config.around_tokens,
        )
        task = asyncio.create_task(search)
        try:
            yield {same_words(request.text): task}
        finally:
            task.cancel()
            await asyncio.wait({task})
            if not task.cancelled():
                task.exception()  # whoever needed the result has seen it; nobody else asks

    async def _think(self, context: ToolContext, brain: Brain, on_event: OnEvent | None) -> tuple[Thought, Work]:
        """Let the brain think; when a language model fails, let the rules do it, unless it had acted already."""

        async def on_tool(name: str) -> None:
            await _tell(on_event, Status(f"tool.{name}"))

        return await self._with_fallback(self._assistant.begin(context, brain, on_tool), on_tool)

    async def _with_fallback(self, work: Work, on_tool: Callable[[str], Awaitable[None]]) -> tuple[Thought, Work]:
        context = work.context
        try:
            return await self._guarded(work), work
        except BrainFailed as failed:
            await self._note_failure(work, failed)
            if work.brain is self._rules:
                raise
            if work.has_acted:
                return Thought(Act(), Usage(), ""), work
        fresh = self._assistant.begin(replace(context, ledger=Ledger()), self._rules, on_tool)
        fresh.seconds = work.seconds
        return await self._thought(fresh), fresh

    async def _guarded(self, work: Work) -> Thought:
        """Let a language model that stays away rest, so that nobody waits for it in vain each time."""
        if work.brain is self._rules:
            return await self._thought(work)
        self._assistant.seconds_left(work)
        if not self._breaker.admits():
            raise BrainFailed("resting", f"{work.brain.name} failed several times in a row")
        try:
            thought = await self._thought(work)
        except BrainFailed as failed:
            if failed.away:
                self._breaker.failed()
            else:
                self._breaker.succeeded()
            raise
        self._breaker.succeeded()
        return thought

    async def _thought(self, work: Work) -> Thought:
        started = self._clock.monotonic()
        thought = await self._assistant.think(work)
        await self._runs.step(
            work.context.run_id,
            node="brain",
            tool=work.brain.name,
            given={"requests": thought.usage.requests},
            returned={"ending": type(thought.output).__name__, **thought.output.model_dump(mode="json")},
            timing_ms=(self._clock.monotonic() - started) * 1_000,
        )
        return thought

    async def _note_failure(self, work: Work, failed: BrainFailed) -> None:
        await self._runs.step(
            work.context.run_id,
            node="fallback",
            tool=work.brain.name,
            given={"to": "" if work.has_acted else self._rules.name},
            returned={},
            timing_ms=0.0,
            status=StepStatus.ERROR,
            error={"type": failed.code, "msg": failed.detail[:1_000]},
        )

    async def _close(
        self,
        thought: Thought,
        work: Work,
        request: Request,
        *,
        started: float,
        on_event: OnEvent | None,
        resumed: "Resumed | None",
    ) -> RunResult:
        context = work.context
        await _tell(on_event, Status("checking"))
        answer = await self._checked(thought, work)
        above = await self._above.of(work) if self._above is not None else None
        for piece in _pieces(answer) if above is None else ():  # what stands above comes first
            await _tell(on_event, Piece(piece))
        before = {} if resumed is None else resumed.run.timings_ms
        worked_ms = (self._clock.monotonic() - started) * 1_000
        timings_ms = {**before, "run": before.get("run", 0.0) + worked_ms, **_search_timings(context)}
        closed = Closed(
            answer,
            work.calls,
            work.brain.name,
            waits_for=waits_for(answer, work.calls, actor_id=context.actor.id, thread=context.thread),
            timings_ms=timings_ms,
            prompt=thought.prompt,
            usage=thought.usage,
            messages=work.messages,
            tainted=work.tainted,
            seconds=work.seconds,
            above=above,
        )
        result = self._closing.close(request, context, closed)
        silent = resumed is not None and bool(closed.waits_for) and not thought.fresh
        return replace(result, more_alone=told_apart(work.calls, "more_alone"), silent=silent)

    async def _checked(self, thought: Thought, work: Work) -> Answer:
        """Turn the ending into an answer; what was left out of a reply is kept in the run."""
        concluded = conclude(
            _told_where(thought.output, work.context.withheld),
            work.calls,
            grounds=work.context.found.grounds,
            language=work.context.language,
            asked=work.context.text,
            hosts=self._config.link_hosts,
            trusted=not work.brain.follows_text,
        )
        dropped = dropped_of(concluded)
        if dropped:
            await self._runs.step(
                work.context.run_id,
                node="citations",
                given={"claims": len(dropped)},
                returned={"dropped": [{"text": claim.text, "reason": claim.reason} for claim in dropped]},
                timing_ms=0.0,
                status=StepStatus.DENIED,
            )
        answer = answer_of(concluded)
        if blocked := blocked_in(thought.output, answer):
            await self._runs.step(
                work.context.run_id,
                node=LINKS,
                given={},
                returned={"blocked": list(blocked)},
                timing_ms=0.0,
                status=StepStatus.DENIED,
            )
        return answer


def _told_where(output: Output | Act, withheld: Collection[str]) -> Output | Act:
    """Return the ending; a refusal of what is only withheld in this place says so, whoever asked may do it."""
    if isinstance(output, Refuse) and output.code == "forbidden" and output.detail in withheld:
        return Refuse(code="not_here", detail=output.detail)
    return output


async def _tell(on_event: OnEvent | None, event: RunEvent) -> None:
    if on_event is not None:
        await on_event(event)


def _pieces(answer: Answer) -> Iterator[str]:
    """Cut the checked text into sentences and lines; joined they are the text.

    Beside what is shown from state there are none: who may see that is decided when it is drawn. Below a lead there are
    none either: the words that say how certain an answer is come first.
    """
    if isinstance(answer, Answered) and not (answer.results or answer.lead):
        yield from (piece for piece in re.split(r"(?<=[.!?]\s)|(?<=[。！？])|(?<=\n)", answer.text) if piece)


def _search_timings(context: ToolContext) -> dict[str, float]:
    """Return how long the parts of the prefetched search took, once it is there."""
    tasks = context.prefetched.values()
    there = [task for task in tasks if task.done() and not task.cancelled() and task.exception() is None]
    return {name: ms for task in there for name, ms in task.result().timings_ms.items()}
