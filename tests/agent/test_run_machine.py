"""Runs under causes in any order, twice and late: each goes on once for what it waits for, and ends in one outcome.

The brain is a script: what a run does at each of its turns is drawn before it is asked.
"""

import asyncio
from collections.abc import Coroutine
from datetime import datetime, timedelta
from typing import Any, Literal, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent.errors import RunMovedOn
from agent.results import Bilingual, Message, Records
from agent.runner.causes import Cause, FormSent, MessageCame, cause_of
from agent.runner.closing import RunResult
from agent.runs.answer import NeedsApproval
from agent.runs.run import Run, RunState
from agent.runs.runs import TIMER
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import (
    Confirmation,
    Effect,
    Handler,
    Tool,
    ToolPolicy,
    ToolResult,
    ToolSpec,
    UntilJob,
    UntilTime,
)
from identity.actor import Actor
from identity.permissions import Permission
from storage.clock import ManualClock
from storage.database import Database
from storage.ids import new_id
from storage.queue import work
from storage.queue.rows import WorkItem
from storage.queue.worker import Topic, Worker
from tests.fixtures.agent import Workshop, brain_of
from tests.scale import scaled

Result = TypeVar("Result")
Turn = Literal["button", "time", "job", "question", "end"]
TURNS: tuple[Turn, ...] = ("button", "time", "job", "question", "end")


class Which(Arguments):
    key: str


def tool(name: str, handler: Handler, confirmation: Confirmation = Confirmation.NEVER) -> Tool:
    policy = ToolPolicy(
        permission=Permission.TICKETS_CREATE,
        effect=Effect.READ if confirmation is Confirmation.NEVER else Effect.RISKY,
        audit=f"test.{name}",
        confirmation=confirmation,
        calls_per_run=100,
    )
    return Tool(spec=ToolSpec(name=name, description=name, arguments=Which), policy=policy, handler=handler)


class RunMachine(RuleBasedStateMachine):
    """The steps; `url` is set by the test that runs it."""

    url = ""
    threads = Bundle("threads")

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.Runner()
        self.database = Database(self.url)
        self.clock = ManualClock()
        self.scripts: dict[str, list[Turn]] = {}  # by thread
        self.executed: list[str] = []
        self.times: dict[str, datetime] = {}
        self.finished: set[str] = set()
        self.presses: list[tuple[str, str]] = []  # approval, nonce: of every button that was ever shown
        self.causes: list[tuple[str, Cause]] = []  # run, cause: whatever came once may come again
        self.ended: dict[str, object] = {}

    @initialize()
    def everybody(self) -> None:
        """Make a person of this example: all examples share one database."""
        self.ada = Actor(id=new_id("ada"), name="Ada")
        tools = (
            tool("button", self.on_button, Confirmation.ALWAYS),
            tool("time", self.on_time),
            tool("job", self.on_job),
        )
        self.workshop = Workshop(self.database, self.clock, {self.ada.id: self.ada}, extra_tools=tools)
        timer = Topic(self.workshop.runs.timer)
        job = self.workshop.runs.telling(Topic(self.finish))
        self.queue = Worker(self.database, self.clock, {TIMER: timer, "test.job": job}, name="test")

    async def on_button(self, context: ToolContext, arguments: Which) -> ToolResult:
        del arguments  # two runs of a thread may make the same call, each under an approval of its own
        assert context.approved is not None
        self.executed.append(context.approved.approval_id)
        return ToolResult((Message(Bilingual("pressed")),))

    async def on_time(self, context: ToolContext, arguments: Which) -> ToolResult:
        del context
        at = self.times.setdefault(arguments.key, self.clock.now() + timedelta(minutes=5))
        return ToolResult((Message(Bilingual("time")),), waits=UntilTime(at) if self.clock.now() < at else None)

    async def on_job(self, context: ToolContext, arguments: Which) -> ToolResult:
        del context
        waits = None if arguments.key in self.finished else UntilJob(arguments.key)
        return ToolResult((Message(Bilingual("job")),), waits=waits)

    async def finish(self, item: WorkItem) -> None:
        self.finished.add(item.key)

    def turn(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        """Return what the script of this run says for this turn."""
        del info
        parts = [part for each in messages if isinstance(each, ModelRequest) for part in each.parts]
        asked = next(part for part in parts if isinstance(part, UserPromptPart))
        thread = str(asked.content[-1] if not isinstance(asked.content, str) else asked.content)
        thread = next(name for name in self.scripts if name in thread)
        at = sum(isinstance(each, ModelResponse) for each in messages)
        script = self.scripts[thread]
        match script[at] if at < len(script) else "end":
            case "question":
                return ModelResponse(parts=[ToolCallPart("ask_back", {"question": "Which?"})])
            case "end":
                return ModelResponse(parts=[ToolCallPart("refuse", {})])
            case name:
                return ModelResponse(parts=[ToolCallPart(name, {"key": f"{thread}-{at}"})])

    def do(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run(work)

    async def write(self, result: RunResult | None) -> bool:
        """Write a run as its event's end does; say whether it was still where it was found."""
        if result is None or result.unwritten is None:
            return False
        try:
            async with self.database.transaction() as session:
                await result.unwritten(session)
        except RunMovedOn:
            return False
        return True

    async def come(self, run_id: str, cause: Cause, *, times: int = 1) -> int:
        """Let a cause come, so often at once; return how often the run went on."""
        runner = self.workshop.runner(model=brain_of(FunctionModel(self.turn)))
        async with runner.running():
            results = [await runner.advance(run_id, cause) for _ in range(times)]
        return sum([await self.write(result) for result in results])

    @rule(target=threads, script=st.lists(st.sampled_from(TURNS), min_size=1, max_size=4))
    def ask(self, script: list[Turn]) -> str:
        thread = new_id("thread")
        self.scripts[thread] = script
        self.say(thread)
        return thread

    @rule(thread=threads)
    def say(self, thread: str) -> None:
        """Write in a thread: a run that asked goes on with it, else one begins."""
        brain = brain_of(FunctionModel(self.turn))
        self.do(self.workshop.ask(self.ada, f"in {thread}", model=brain, thread=thread))
        self.note()

    def note(self) -> None:
        """Note the buttons that are shown now."""

        async def shown() -> list[tuple[str, str]]:
            waiting = await self.workshop.approvals.waiting(self.ada)
            return [(each.id, await self.workshop.approvals.nonce_for(self.ada, each.id)) for each in waiting]

        self.presses += [each for each in self.do(shown()) if each not in self.presses]

    @rule(data=st.data(), confirms=st.booleans())
    def press(self, data: st.DataObject, confirms: bool) -> None:
        if self.presses:
            approval, nonce = data.draw(st.sampled_from(self.presses))
            verdict: Literal["confirm", "decline"] = "confirm" if confirms else "decline"
            self.do(self.workshop.approvals.decide(self.ada, approval, nonce=nonce, verdict=verdict))

    @rule()
    def jobs_finish(self) -> None:
        async def put(key: str) -> None:
            async with self.database.transaction() as session:
                await work.enqueue(session, topic="test.job", payload={}, key=key)

        for run in self.waiting():
            if run.waits_for.startswith("job:"):
                self.do(put(run.waits_for.removeprefix("job:")))
        self.do(self.queue.drain_once())

    @rule(minutes=st.sampled_from([1, 6, 40, 25 * 60]))
    def time_passes(self, minutes: int) -> None:
        self.clock.advance(minutes * 60)
        self.do(self.queue.drain_once())

    @rule()
    def upkeep(self) -> None:
        self.do(self.workshop.approvals.expire())
        self.do(self.workshop.runs.close_overdue())

    @rule(times=st.integers(1, 3))
    def woken(self, times: int) -> None:
        """Let what was woken go on; the same event may be worked on by several at once."""
        while self.workshop.woken:
            run = self.workshop.woken.pop(0)
            cause = cause_of(run.waits_for)
            self.causes.append((run.id, cause))
            assert self.do(self.come(run.id, cause, times=times)) <= 1
        self.note()

    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        """Let something come late that came before: to a run that moved on, or to one that it never concerned."""
        if self.causes:
            _, cause = data.draw(st.sampled_from(self.causes))
            run_id, _ = data.draw(st.sampled_from(self.causes))
            self.do(self.come(run_id, cause))
            self.note()

    @rule(thread=threads, form=st.booleans(), times=st.integers(1, 3))
    def answer(self, thread: str, form: bool, times: int) -> None:
        """Answer what a run asked, by a form or in words, whether it asked or not; later than it asked."""
        self.clock.advance(1)
        request = self.workshop.request(self.ada, f"in {thread}", thread=thread)
        answer = NeedsApproval((Records("draft", ("draft_1",)),))
        cause = FormSent(request, {"x": "y"}, answer) if form else MessageCame(request)
        for run in self.kept():
            if run.thread == thread:
                self.causes.append((run.id, cause))
                assert self.do(self.come(run.id, cause, times=times)) <= 1
        self.note()

    def kept(self) -> tuple[Run, ...]:
        return self.do(self.workshop.runs.list(self.ada, limit=1_000))

    def waiting(self) -> list[Run]:
        return [run for run in self.kept() if run.state is RunState.WAITING]

    @invariant()
    def what_has_ended_stays_ended(self) -> None:
        if not hasattr(self, "workshop"):
            return
        runs = self.kept()
        assert all(run.state is not RunState.RUNNING and run.outcome is not None for run in runs)
        assert all((run.state is RunState.WAITING) == bool(run.waits_for) for run in runs)
        now = {run.id: (run.outcome, run.answer) for run in runs if run.state is RunState.ENDED}
        assert {run_id: now[run_id] for run_id in self.ended} == self.ended
        self.ended = dict(now)
        assert len(self.executed) == len(set(self.executed)), "an approved call ran twice"

    def teardown(self) -> None:
        """Whatever happened: once everything has come that can come, each run has ended."""
        try:
            for _ in range(10):
                if not hasattr(self, "workshop") or not self.waiting():
                    break
                self.jobs_finish()
                self.time_passes(25 * 60)
                self.woken(1)
                self.upkeep()
            assert not hasattr(self, "workshop") or not self.waiting()
            self.what_has_ended_stays_ended()
        finally:
            self.do(self.database.close())
            self.loop.close()


def test_runs_end_once_whatever_comes(database_url: str) -> None:
    machine = type("Runs", (RunMachine,), {"url": database_url})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=scaled(100, least=8),
            stateful_step_count=20,
            suppress_health_check=list(HealthCheck),
        ),
    )
