"""The language model over real HTTP, and what happens when it fails: the rules answer, in the same run."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from pydantic import SecretStr
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent.brains import llm
from agent.brains.assistant import Brain
from agent.config import AgentConfig, Budget, ModelConfig
from agent.errors import BrainFailed, BrainUnavailable
from agent.runs.answer import Answered, AskedBack, NeedsApproval, NoEvidence, Outcome
from agent.runs.run import RunState, StepStatus
from identity.actor import Actor
from tests.fixtures.agent import Leaf, Workshop, brain_of
from tests.fixtures.openai_server import Answer, Calls, Fails, Garbage, Hangs, OpenAIServer, Says, call

VPN = Leaf("Open the VPN client and sign in with your badge number. Sessions end after 12 hours.")
QUESTION = "How do I sign in to the VPN?"
REPLY = {"claims": [{"text": "Sign in with your badge number.", "evidence": ["E1"]}]}


def rules_abstain(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    del messages, info
    return ModelResponse(parts=[ToolCallPart("abstain", {})])


RULES = brain_of(FunctionModel(rules_abstain), name="rules", follows_text=False)


def brain(server: OpenAIServer, *, timeout_s: float = 5.0, retries: int = 0) -> Brain:
    return llm.build(
        ModelConfig(
            name="openai:test-model",
            base_url=server.base_url,
            api_key=SecretStr("sk-of-the-tests"),
            timeout_s=timeout_s,
            retries=retries,
        )
    )


def has_result(messages: Sequence[Mapping[str, Any]]) -> bool:
    return any(message["role"] == "tool" for message in messages)


def search_then(answer: Answer) -> Any:
    return lambda messages: answer if has_result(messages) else call("search_knowledge", query=QUESTION)


async def test_a_question_is_answered_over_http(workshop: Workshop, ada: Actor, openai_server: OpenAIServer) -> None:
    workshop.shelf.leaves.append(VPN)
    openai_server.script = search_then(call("reply", **REPLY))

    result = await workshop.ask(ada, QUESTION, model=brain(openai_server), rules=RULES)

    assert isinstance(result.answer, Answered)
    assert result.answer.text == "Sign in with your badge number. [1]"
    run = await workshop.runs.show(ada, result.run_id)
    assert (run.brain, run.usage.requests, run.usage.input_tokens) == ("openai:test-model", 2, 200)
    assert len(run.prompt) == 16
    first, second = openai_server.requests
    assert first["temperature"] == 0.1
    assert {tool["function"]["name"] for tool in first["tools"]} >= {"search_knowledge", "draft_ticket", "reply"}
    assert "assign_ticket" not in str(first["tools"]), "what the asker may not use is not offered"
    told = json.loads(second["messages"][-1]["content"])
    assert told["untrusted"].startswith("Written by others")
    assert told["passages"][0]["evidence"] == "E1"
    assert all(isinstance(message["content"], str) for message in first["messages"]), (
        "no template knows a list of parts"
    )


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Fails(500), "ModelServerError"),
        (Fails(429), "ModelRateLimitError"),
        (Fails(401), "ModelAuthenticationError"),
        (Hangs(3), "ModelTimeoutError"),
        (Garbage(), ""),
        (Garbage("[]"), ""),
        (Garbage('{"choices": []}'), ""),
        (Says("I just know it."), "UnexpectedModelBehavior"),
        (Calls((("reply", "{broken json"),)), "UnexpectedModelBehavior"),
        (call("reply", claims=[]), "UnexpectedModelBehavior"),
        (call("reply", claims=[{"text": "Made up.", "evidence": ["E7"]}]), "UnexpectedModelBehavior"),
        (call("act"), "UnexpectedModelBehavior"),
        (call("no_such_tool", x=1), "UnexpectedModelBehavior"),
    ],
)
async def test_when_the_model_fails_the_rules_answer_in_the_same_run(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer, answer: Answer, code: str
) -> None:
    openai_server.script = lambda messages: answer  # noqa: ARG005

    patience = 0.2 if isinstance(answer, Hangs) else 10  # a busy machine is no failure of the model
    result = await workshop.ask(ada, QUESTION, model=brain(openai_server, timeout_s=patience), rules=RULES)

    assert result.answer == NoEvidence()
    assert result.brain == "rules"
    run = await workshop.runs.show(ada, result.run_id)
    assert (run.state, run.outcome, run.brain) == (RunState.ENDED, Outcome.NO_EVIDENCE, "rules")
    fallback = next(step for step in run.steps if step.node == "fallback")
    assert fallback.status is StepStatus.ERROR
    assert code in fallback.error["type"]


async def test_a_dead_server_is_a_failure_like_any_other(workshop: Workshop, ada: Actor) -> None:
    dead = llm.build(ModelConfig(name="openai:m", base_url="http://127.0.0.1:9/v1", api_key=SecretStr("x"), retries=0))

    result = await workshop.ask(ada, QUESTION, model=dead, rules=RULES)

    assert result.answer == NoEvidence()


async def test_a_model_that_stays_away_is_left_alone_for_a_while(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer
) -> None:
    openai_server.script = lambda messages: Fails(503)  # noqa: ARG005
    runner = workshop.runner(model=brain(openai_server), rules=RULES)
    async with runner.running():
        for _ in range(5):
            result = await runner.run(workshop.request(ada, QUESTION))
            assert result.brain == "rules"
        assert len(openai_server.requests) == 3, "the fourth and fifth message did not wait for it"
        workshop.clock.advance(31)
        openai_server.script = lambda messages: call("abstain")  # noqa: ARG005
        result = await runner.run(workshop.request(ada, QUESTION))
    assert result.brain == "openai:test-model"


async def test_a_model_that_goes_round_in_circles_is_stopped(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer
) -> None:
    workshop.config = AgentConfig(budget=Budget(steps=4))
    workshop.again()
    openai_server.script = lambda messages: call("search_knowledge", query=f"vpn {len(messages)}")

    result = await workshop.ask(ada, QUESTION, model=brain(openai_server), rules=RULES)

    assert result.brain == "rules"
    assert len(openai_server.requests) == 4
    run = await workshop.runs.show(ada, result.run_id)
    assert next(step for step in run.steps if step.node == "fallback").error["type"] == "UsageLimitExceeded"


async def test_the_rules_look_up_as_often_as_they_plan_whatever_a_model_may(workshop: Workshop, ada: Actor) -> None:
    workshop.config = AgentConfig(budget=Budget(steps=2))

    def looks_up(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        told = len(messages) // 2
        part = ToolCallPart("search_knowledge", {"query": f"vpn {told}"}) if told < 5 else ToolCallPart("abstain", {})
        return ModelResponse(parts=[part])

    result = await workshop.ask(
        ada, QUESTION, model=brain_of(FunctionModel(looks_up), name="rules", follows_text=False)
    )

    assert result.answer == NoEvidence()
    run = await workshop.runs.show(ada, result.run_id)
    assert sum(step.tool == "search_knowledge" for step in run.steps) >= 5


async def test_a_slow_model_is_stopped_by_the_clock_of_the_run(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer
) -> None:
    workshop.config = AgentConfig(budget=Budget(seconds=0.3))
    workshop.again()
    openai_server.script = lambda messages: Hangs(4)  # noqa: ARG005

    result = await workshop.ask(ada, QUESTION, model=brain(openai_server, timeout_s=10), rules=RULES)

    run = await workshop.runs.show(ada, result.run_id)
    assert next(step for step in run.steps if step.node == "fallback").error["type"] == "timeout"


async def test_a_bad_ending_is_sent_back_once_with_the_reason(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer
) -> None:
    workshop.shelf.leaves.append(VPN)

    def script(messages: Sequence[Mapping[str, Any]]) -> Answer:
        if not has_result(messages):
            return call("search_knowledge", query=QUESTION)
        told_off = "no such evidence" in str(messages[-1]["content"])
        claim = {"text": "Sign in with your badge number.", "evidence": ["E1" if told_off else "E9"]}
        return call("reply", claims=[claim])

    openai_server.script = script

    result = await workshop.ask(ada, QUESTION, model=brain(openai_server), rules=RULES)

    assert isinstance(result.answer, Answered)
    assert result.brain == "openai:test-model"


async def test_a_model_that_fails_after_it_has_acted_is_not_followed_by_the_rules(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer
) -> None:
    openai_server.script = lambda messages: (
        Fails(500)
        if has_result(messages)
        else call("draft_ticket", category="hardware", title="Screen flickers", description="Since today.")
    )

    result = await workshop.ask(ada, "my screen flickers", model=brain(openai_server), rules=RULES)

    assert isinstance(result.answer, NeedsApproval | AskedBack)
    assert len(await workshop.tickets.open_drafts(ada)) == 1
    run = await workshop.runs.show(ada, result.run_id)
    assert [step.node for step in run.steps] == ["tool", "fallback"]


async def test_when_the_rules_fail_too_the_run_is_closed_and_the_caller_told(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer
) -> None:
    openai_server.script = lambda messages: Fails(500)  # noqa: ARG005

    with pytest.raises(BrainFailed):
        await workshop.ask(ada, QUESTION, model=brain(openai_server))

    (listed,) = await workshop.runs.list(ada)
    run = await workshop.runs.show(ada, listed.id)
    assert (run.state, run.outcome) == (RunState.ENDED, Outcome.FAILED)
    assert run.answer["reference"] == run.id


async def test_an_attempt_at_a_tool_that_was_not_offered_is_audited(
    workshop: Workshop, ada: Actor, openai_server: OpenAIServer
) -> None:
    openai_server.script = lambda messages: (
        call("abstain") if has_result(messages) else call("assign_ticket", ticket="TCK-2026-000001", assignee="me")
    )

    result = await workshop.ask(ada, QUESTION, model=brain(openai_server), rules=RULES)

    run = await workshop.runs.show(ada, result.run_id)
    denied = next(step for step in run.steps if step.tool == "assign_ticket")
    assert denied.error["type"] == "forbidden"


def test_a_model_without_its_library_says_what_to_install() -> None:
    with pytest.raises(BrainUnavailable, match=r'pip install -e "\.\[anthropic\]"'):
        llm.build(ModelConfig(name="anthropic:claude", api_key=SecretStr("x")))


@pytest.mark.parametrize("name", ["gpt-5", "nobody:gpt-5", ":x", "openai:"])
def test_a_wrong_model_name_says_so(name: str) -> None:
    with pytest.raises(BrainUnavailable, match="model"):
        llm.build(ModelConfig(name=name, api_key=SecretStr("x")))
