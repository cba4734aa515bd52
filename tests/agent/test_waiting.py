"""A run that waits is a row: it goes on when its button is pressed or its question answered, in whatever process."""

import asyncio
import gc
import tracemalloc
from collections.abc import Mapping
from datetime import timedelta

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent.approvals.approval import Executed
from agent.brains.assistant import Brain
from agent.config import AgentConfig, Budget
from agent.results import Bilingual, Message, Records
from agent.runner.causes import ButtonPressed, Cause, FormSent, TimeCame, cause_of
from agent.runner.closing import RunResult
from agent.runner.waiting import answer_key
from agent.runs.answer import Answered, AskedBack, NeedsApproval, Refused
from agent.runs.run import RunState
from agent.runs.runs import TIMER
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec, UntilJob, UntilTime
from identity.actor import Actor
from identity.permissions import Permission
from storage.queue import work
from storage.queue.failures import Hopeless
from storage.queue.rows import WorkItem
from storage.queue.worker import Topic, Worker
from tests.agent.test_runner import QUESTION, RULES, SEARCH, VPN, reply, scripted
from tests.fixtures.agent import Workshop, brain_of
from tests.scale import scaled


async def go_on(workshop: Workshop, run_id: str, approval_id: str, *, model: Brain | None = None) -> RunResult | None:
    return await advanced(workshop, run_id, ButtonPressed(approval_id), model=model)


async def advanced(workshop: Workshop, run_id: str, cause: Cause, *, model: Brain | None = None) -> RunResult | None:
    runner = workshop.runner(model=model, rules=RULES)
    async with runner.running():
        result = await runner.advance(run_id, cause)
    if result is not None and result.unwritten is not None:
        async with workshop.database.transaction() as session:
            await result.unwritten(session)
    return result


async def press(workshop: Workshop, actor: Actor, *, verdict: str = "confirm") -> str:
    (approval,) = await workshop.approvals.waiting(actor)
    nonce = await workshop.approvals.nonce_for(actor, approval.id)
    decided = await workshop.approvals.decide(
        actor, approval.id, nonce=nonce, verdict="confirm" if verdict == "confirm" else "decline"
    )
    assert isinstance(decided, Executed) == (verdict == "confirm")
    return approval.id


async def test_the_result_of_an_approved_call_returns_to_the_language_model(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)
    ticket = await workshop.ticket(ada)
    told: list[object] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        returned = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
        told[:] = [part.content for part in returned]
        name, given = (
            SEARCH,
            ("cancel_ticket", {"ticket": ticket.number}),
            reply(("Sign in with your badge number.", "E1")),
        )[len(returned)]
        return ModelResponse(parts=[ToolCallPart(name, dict(given))])

    model = brain_of(FunctionModel(respond))
    asked = await workshop.ask(ada, QUESTION, model=model)
    assert isinstance(asked.answer, NeedsApproval)
    assert (await workshop.runs.show(ada, asked.run_id)).state is RunState.WAITING
    workshop.again()

    approval_id = await press(workshop, ada)
    assert [run.id for run in workshop.woken] == [asked.run_id]
    went_on = await go_on(workshop, asked.run_id, approval_id, model=model)

    assert went_on is not None
    assert isinstance(went_on.answer, Answered)
    assert went_on.answer.text == "Sign in with your badge number. [1]", "evidence from before the wait counts"
    assert "cancelled" in str(told[-1])
    run = await workshop.runs.show(ada, asked.run_id)
    assert (run.state, run.waits_for) == (RunState.ENDED, "")
    assert [step.number for step in run.steps] == list(range(1, len(run.steps) + 1))
    assert await go_on(workshop, asked.run_id, approval_id, model=model) is None, "once"


async def test_the_seconds_of_a_run_count_before_and_after_its_wait(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    asked_at: list[int] = []

    async def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        asked_at.append(len(messages))
        await asyncio.sleep(0.2)
        return ModelResponse(parts=[ToolCallPart("cancel_ticket", {"ticket": ticket.number})])

    model = brain_of(FunctionModel(respond))
    asked = await workshop.ask(ada, f"cancel {ticket.number}", model=model)
    assert isinstance(asked.answer, NeedsApproval)

    workshop.config = AgentConfig(budget=Budget(seconds=0.1))  # less than it has used
    workshop.again()
    went_on = await go_on(workshop, asked.run_id, await press(workshop, ada), model=model)

    assert went_on is not None
    assert len(asked_at) == 1
    assert isinstance(went_on.answer, Answered), "what was done is told all the same"
    run = await workshop.runs.show(ada, asked.run_id)
    assert [step.error["type"] for step in run.steps if step.node == "fallback"] == ["budget"]


async def test_the_rules_finish_an_approved_call(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    asked = await workshop.ask(ada, f"cancel {ticket.number}", rules=RULES)
    assert isinstance(asked.answer, NeedsApproval)

    went_on = await go_on(workshop, asked.run_id, await press(workshop, ada))

    assert went_on is not None
    assert isinstance(went_on.answer, Answered)
    shown = [(each.kind, each.code) for each in went_on.answer.results if isinstance(each, Records)]
    assert shown == [("ticket", "ticket.cancelled")]


async def test_a_declined_call_ends_its_run(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    asked = await workshop.ask(ada, f"cancel {ticket.number}", rules=RULES)

    await press(workshop, ada, verdict="decline")

    run = await workshop.runs.show(ada, asked.run_id)
    assert (run.state, run.answer["code"]) == (RunState.ENDED, "declined")
    assert workshop.woken == []


async def test_an_expired_button_ends_its_run(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    asked = await workshop.ask(ada, f"cancel {ticket.number}", rules=RULES)
    workshop.clock.advance(31 * 60)

    await workshop.approvals.expire()

    run = await workshop.runs.show(ada, asked.run_id)
    assert (run.state, run.answer["code"]) == (RunState.ENDED, "expired")


async def test_an_answer_to_a_question_goes_into_the_run_that_asked(workshop: Workshop, ada: Actor) -> None:
    seen: list[list[ModelMessage]] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        seen.append(list(messages))
        ending: tuple[str, Mapping[str, object]] = ("ask_back", {"question": "Which printer?"})
        if len(seen) > 1:
            ending = ("refuse", {})
        return ModelResponse(parts=[ToolCallPart(ending[0], dict(ending[1]))])

    model = brain_of(FunctionModel(respond))
    first = await workshop.ask(ada, "The printer is broken", model=model)
    assert isinstance(first.answer, AskedBack)
    workshop.again()

    second = await workshop.ask(ada, "the one on floor 3", model=model)

    assert second.run_id == first.run_id
    assert isinstance(second.answer, Refused)
    assert "The printer is broken" in str(seen[-1])
    run = await workshop.runs.show(ada, first.run_id)
    assert (run.state, run.text) == (RunState.ENDED, "the one on floor 3")
    assert [step.given for step in run.steps if step.node == "message"] == [{"text": "The printer is broken"}]


async def test_a_reply_after_a_day_or_in_another_thread_is_a_message_of_its_own(workshop: Workshop, ada: Actor) -> None:
    model = scripted(("ask_back", {"question": "Which printer?"}))
    first = await workshop.ask(ada, "The printer is broken", model=model)
    elsewhere = await workshop.ask(ada, "the one on floor 3", model=model, thread="t2")
    workshop.clock.advance(24 * 3600 + 1)
    assert set(await workshop.runs.close_overdue()) == {first.run_id, elsewhere.run_id}

    late = await workshop.ask(ada, "the one on floor 3", model=model)

    assert len({first.run_id, elsewhere.run_id, late.run_id}) == 3


async def test_only_the_newest_run_that_waits_for_a_button_goes_on(workshop: Workshop, ada: Actor) -> None:
    ticket = await workshop.ticket(ada)
    older = await workshop.ask(ada, f"cancel {ticket.number}", rules=RULES)
    newer = await workshop.ask(ada, f"cancel {ticket.number}", rules=RULES, thread="t2")

    await press(workshop, ada)

    assert [run.id for run in workshop.woken] == [newer.run_id]
    assert (await workshop.runs.show(ada, older.run_id)).state is RunState.ENDED


def watching(done: list[str], waits: UntilTime | UntilJob) -> Tool:
    """Return a tool that has its result only when something has been `done`."""

    async def handler(context: ToolContext, arguments: Arguments) -> ToolResult:
        del context, arguments
        if not done:
            return ToolResult((Message(Bilingual("I shall tell you.")),), waits=waits)
        return ToolResult((Message(Bilingual(f"It is {done[0]}.")),))

    policy = ToolPolicy(permission=Permission.KNOWLEDGE_ASK, effect=Effect.READ, audit="watch")
    return Tool(spec=ToolSpec(name="watch", description="Watch.", arguments=Arguments), policy=policy, handler=handler)


async def ask_to_watch(workshop: Workshop, ada: Actor, waits: UntilTime | UntilJob) -> tuple[list[str], RunResult]:
    done: list[str] = []
    workshop.extra_tools = (watching(done, waits),)
    workshop.again()
    asked = await workshop.ask(ada, "Watch the deployment", model=scripted(("watch", {}), ("act", {})))
    assert isinstance(asked.answer, Answered)
    assert [each.text.en for each in asked.answer.results if isinstance(each, Message)] == ["I shall tell you."]
    assert (await workshop.runs.show(ada, asked.run_id)).state is RunState.WAITING
    return done, asked


async def test_a_run_goes_on_when_its_time_has_come(workshop: Workshop, ada: Actor) -> None:
    at = workshop.clock.now() + timedelta(minutes=5)
    done, asked = await ask_to_watch(workshop, ada, UntilTime(at))
    worker = Worker(workshop.database, workshop.clock, {TIMER: Topic(workshop.runs.timer)}, name="timers")

    assert await worker.drain_once() == 0
    workshop.clock.advance(301)
    assert await worker.drain_once() == 1
    assert [run.id for run in workshop.woken] == [asked.run_id]
    done.append("deployed")
    cause = cause_of(workshop.woken[0].waits_for)
    assert isinstance(cause, TimeCame)
    went_on = await advanced(workshop, asked.run_id, cause, model=scripted(("act", {})))

    assert went_on is not None
    assert isinstance(went_on.answer, Answered)
    assert [each.text.en for each in went_on.answer.results if isinstance(each, Message)] == ["It is deployed."]
    assert (await workshop.runs.show(ada, asked.run_id)).state is RunState.ENDED
    assert await advanced(workshop, asked.run_id, cause) is None, "once"


@pytest.mark.parametrize("fails", [False, True])
async def test_a_run_goes_on_when_its_job_has_ended_well_or_badly(workshop: Workshop, ada: Actor, fails: bool) -> None:
    done, asked = await ask_to_watch(workshop, ada, UntilJob("deploy:7"))

    async def deploy(item: WorkItem) -> None:
        del item
        done.append("broken" if fails else "deployed")
        if fails:
            raise Hopeless("the deployment is broken")

    topics = {"deploy": workshop.runs.telling(Topic(deploy))}
    worker = Worker(workshop.database, workshop.clock, topics, name="deployments")
    async with workshop.database.transaction() as session:
        await work.enqueue(session, topic="deploy", payload={}, key="deploy:7")
    assert await worker.drain_once() == 1

    assert [run.id for run in workshop.woken] == [asked.run_id]
    went_on = await advanced(workshop, asked.run_id, cause_of(workshop.woken[0].waits_for), model=scripted(("act", {})))
    assert went_on is not None
    assert f"It is {done[0]}." in str(went_on.answer)


async def test_a_job_that_had_ended_before_the_run_waited_lets_it_go_on_at_once(workshop: Workshop, ada: Actor) -> None:
    async def deploy(item: WorkItem) -> None:
        del item

    worker = Worker(workshop.database, workshop.clock, {"deploy": Topic(deploy)}, name="deployments")
    async with workshop.database.transaction() as session:
        await work.enqueue(session, topic="deploy", payload={}, key="deploy:7")
    await worker.drain_once()

    _, asked = await ask_to_watch(workshop, ada, UntilJob("deploy:7"))

    assert [run.id for run in workshop.woken] == [asked.run_id]


async def test_a_form_answers_the_run_that_asked(workshop: Workshop, ada: Actor) -> None:
    first = await workshop.ask(ada, "The printer is broken", model=scripted(("ask_back", {"question": "Which?"})))
    answer = NeedsApproval((Records("draft", ("draft_1",)),))

    cause = FormSent(workshop.request(ada, "The printer is broken"), {"location": "floor 3"}, answer)
    went_on = await advanced(workshop, first.run_id, cause)

    assert went_on is not None
    run = await workshop.runs.show(ada, first.run_id)
    assert (run.state, run.outcome) == (RunState.ENDED, answer.outcome)
    assert [step.given for step in run.steps if step.node == "form"] == [{"location": "floor 3"}]
    assert await advanced(workshop, first.run_id, cause) is None, "once"


async def test_a_run_whose_end_nobody_hears_ends_in_what_was_done(workshop: Workshop, ada: Actor) -> None:
    workshop.heard = False
    ticket = await workshop.ticket(ada)
    asked = await workshop.ask(ada, f"cancel {ticket.number}", rules=RULES)

    await press(workshop, ada)

    run = await workshop.runs.show(ada, asked.run_id)
    assert (run.state, run.outcome) == (RunState.ENDED, Answered().outcome)
    assert ticket.number in str(run.answer["results"])


#: How many of many waiting runs are asked by a brain; the others are written as such a run is.
ASKED = 50


@pytest.mark.timeout(900)
async def test_runs_that_wait_cost_rows_only(workshop: Workshop, ada: Actor) -> None:
    """A thousand of them take less than 20 MB and no task."""
    many, model = scaled(1_000, least=50), scripted(("ask_back", {"question": "Which printer?"}))

    async def wait(thread: int) -> None:
        asked = await workshop.ask(ada, "The printer is broken", model=model, thread=f"t{thread}")
        assert isinstance(asked.answer, AskedBack)

    async def wait_shortly(thread: int) -> None:
        """Let a run wait without a brain: what it was asked and said is all that there is of it."""
        asked = {"event_id": f"e{thread}", "thread": f"t{thread}", "text": "The printer is broken"}
        run_id = workshop.runs.begin(ada, **asked, language="en", brain="function")
        key = answer_key(ada.id, f"t{thread}")
        await workshop.runs.finish(run_id, AskedBack("other", "Which printer?"), waits_for=key)

    await wait(0)  # what is kept for good after a first run is no cost of a run
    gc.collect()
    tasks = len(asyncio.all_tasks())
    tracemalloc.start()
    try:
        for thread in range(1, many + 1):
            await (wait(thread) if thread <= ASKED else wait_shortly(thread))
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert len(asyncio.all_tasks()) == tasks
    assert kept < 20_000_000 * many / 1_000
    waiting = [run for run in await workshop.runs.list(ada, limit=many + 1) if run.state is RunState.WAITING]
    assert len(waiting) == many + 1
