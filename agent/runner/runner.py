"""From a person's message to exactly one answer: memory, prefetch, a brain, its fallback, the check, the run store.

Nothing is shown before it was checked. A language model's text could be streamed while it is written, but then a
sentence that its evidence does not carry would have been read before it is dropped; so pieces are sent sentence by
sentence after the check. The wait is covered by status events, which say what is being done.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime

from agent.brains.assistant import Assistant, Brain, Thought, Work
from agent.brains.output import Act
from agent.config import AgentConfig
from agent.errors import BrainFailed
from agent.gate.gate import Done, Gate
from agent.memory.memory import Memory
from agent.runner.endings import answer_of, conclude, dropped_of, remembered
from agent.runs.answer import Answer, Answered
from agent.runs.run import StepStatus, Usage
from agent.runs.runs import Runs
from agent.tools.context import ToolContext
from agent.tools.prefetch import KnowledgeSearch, same_words
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from identity.readership import ALONE, Readership
from search.documents import SearchResult
from storage.breaker import Breaker
from storage.clock import Clock
from storage.columns import storable
from storage.ids import JsonObject


@dataclass(frozen=True)
class Request:
    """One message to answer."""

    actor: Actor
    event_id: str
    thread: str
    text: str
    language: str
    now: datetime
    address: JsonObject = field(default_factory=dict)
    readership: Readership = ALONE


@dataclass(frozen=True)
class Status:
    """What is being done now: "thinking", "checking", or "tool.<name>"."""

    code: str


@dataclass(frozen=True)
class Piece:
    """The next part of the checked answer, in Markdown."""

    text: str


RunEvent = Status | Piece
OnEvent = Callable[[RunEvent], Awaitable[None]]


@dataclass(frozen=True)
class RunResult:
    """How a message ended."""

    run_id: str
    answer: Answer
    brain: str
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    more_alone: bool = False  # the asker would be told more if nobody read along


class Runner:
    """Runs messages. Only what breaks unexpectedly raises; the run is closed as failed then."""

    def __init__(
        self,
        *,
        gate: Gate,
        runs: Runs,
        memory: Memory,
        search: KnowledgeSearch,
        clock: Clock,
        config: AgentConfig,
        rules: Brain,
        model: Brain | None = None,
    ) -> None:
        self._gate = gate
        self._runs = runs
        self._memory = memory
        self._search = search
        self._clock = clock
        self._config = config
        self._rules = rules
        self._model = model
        self._assistant = Assistant(gate, config)
        self._breaker = Breaker(clock, failures=config.model.rest_after, open_s=config.model.rest_s)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hold the language model's connections open for the block, and close them after it."""
        async with AsyncExitStack() as stack:
            for brain in filter(None, (self._model, self._rules)):
                await stack.enter_async_context(brain.model)
            yield

    async def run(self, request: Request, *, on_event: OnEvent | None = None) -> RunResult:
        """Answer a message."""
        request = replace(request, text=storable(request.text))
        started = self._clock.monotonic()
        first = self._model or self._rules
        run_id = await self._runs.begin(
            request.actor,
            event_id=request.event_id,
            thread=request.thread,
            text=request.text,
            language=request.language,
            brain=first.name,
        )
        async with self._runs.failing(run_id, brain=first.name), self._prefetching(request) as prefetched:
            try:
                context = await self._context(request, run_id, prefetched)
                await _tell(on_event, Status("thinking"))
                thought, work = await self._think(context, first, on_event)
                return await self._close(thought, work, started=started, on_event=on_event)
            finally:
                self._gate.forget(run_id)

    @asynccontextmanager
    async def _prefetching(self, request: Request) -> AsyncIterator[Mapping[str, asyncio.Task[SearchResult]]]:
        """Search for the message's own words while memory is loaded; a tool call with the same words awaits it."""
        if not decide(request.actor, Permission.KNOWLEDGE_ASK).allowed or not request.text.strip():
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

    async def _context(
        self, request: Request, run_id: str, prefetched: Mapping[str, asyncio.Task[SearchResult]]
    ) -> ToolContext:
        memory = await self._memory.recall(request.actor, thread=request.thread)
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
            memory=memory,
            prefetched=prefetched,
        )

    async def _think(self, context: ToolContext, brain: Brain, on_event: OnEvent | None) -> tuple[Thought, Work]:
        """Let the brain think; when a language model fails, let the rules do it, unless it had acted already."""

        async def on_tool(name: str) -> None:
            await _tell(on_event, Status(f"tool.{name}"))

        work = self._assistant.begin(context, brain, on_tool)
        try:
            return await self._guarded(work), work
        except BrainFailed as failed:
            await self._note_failure(work, failed)
            if brain is self._rules:
                raise
            if work.has_acted:
                return Thought(Act(), Usage(), ""), work
        self._gate.forget(context.run_id)
        fresh = self._assistant.begin(context, self._rules, on_tool)
        return await self._thought(fresh), fresh

    async def _guarded(self, work: Work) -> Thought:
        """Let a language model that stays away rest, so that nobody waits for it in vain each time."""
        if work.brain is self._rules:
            return await self._thought(work)
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

    async def _close(self, thought: Thought, work: Work, *, started: float, on_event: OnEvent | None) -> RunResult:
        context = work.context
        await _tell(on_event, Status("checking"))
        answer = await self._checked(thought, work)
        for piece in _pieces(answer):
            await _tell(on_event, Piece(piece))
        await self._memory.remember(
            context.actor,
            thread=context.thread,
            asked=context.text,
            answer=answer,
            last=remembered(work.calls),
            language=context.language,
        )
        timings_ms = {"run": (self._clock.monotonic() - started) * 1_000, **_search_timings(context)}
        await self._runs.finish(
            context.run_id,
            answer,
            brain=work.brain.name,
            prompt=thought.prompt,
            usage=thought.usage,
            timings_ms=timings_ms,
        )
        return RunResult(context.run_id, answer, work.brain.name, timings_ms, more_alone=_is_more_alone(work))

    async def _checked(self, thought: Thought, work: Work) -> Answer:
        """Turn the ending into an answer; what was left out of a reply is kept in the run."""
        concluded = conclude(
            thought.output,
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
        return answer_of(concluded)


def _is_more_alone(work: Work) -> bool:
    """Return whether a search of the run would have put another passage first if nobody read along."""
    done = [call.result for call in work.calls if isinstance(call.result, Done)]
    return any(each.result.private.get("more_alone") is True for each in done)


async def _tell(on_event: OnEvent | None, event: RunEvent) -> None:
    if on_event is not None:
        await on_event(event)


def _pieces(answer: Answer) -> Iterator[str]:
    """Cut the checked text into sentences and lines; joined they are the text.

    Beside what is shown from state there are none: who may see that is decided when it is drawn.
    """
    if isinstance(answer, Answered) and not answer.results:
        yield from (piece for piece in re.split(r"(?<=[.!?]\s)|(?<=[。！？])|(?<=\n)", answer.text) if piece)


def _search_timings(context: ToolContext) -> dict[str, float]:
    """Return how long the parts of the prefetched search took, once it is there."""
    tasks = context.prefetched.values()
    there = [task for task in tasks if task.done() and not task.cancelled() and task.exception() is None]
    return {name: ms for task in there for name, ms in task.result().timings_ms.items()}
