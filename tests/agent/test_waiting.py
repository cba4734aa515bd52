"""A run that waits is a row: it goes on when its button is pressed or its question answered, in whatever process."""

import asyncio
from collections.abc import Mapping

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent.approvals.approval import Executed
from agent.brains.assistant import Brain
from agent.config import AgentConfig, Budget
from agent.results import Records
from agent.runner.closing import RunResult
from agent.runner.runner import Pressed
from agent.runs.answer import Answered, AskedBack, NeedsApproval, Refused
from agent.runs.run import RunState
from identity.actor import Actor
from tests.agent.test_runner import QUESTION, RULES, SEARCH, VPN, reply, scripted
from tests.fixtures.agent import Workshop, brain_of


async def go_on(workshop: Workshop, run_id: str, approval_id: str, *, model: Brain | None = None) -> RunResult | None:
    runner = workshop.runner(model=model, rules=RULES)
    async with runner.running():
        result = await runner.advance(run_id, Pressed(approval_id))
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
