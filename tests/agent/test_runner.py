"""A message becomes exactly one answer, whichever brain thinks and whatever it does."""

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent.answer import Answered, Outcome
from identity.actor import Actor
from tests.fixtures.agent import Leaf, Workshop, brain_of

VPN = Leaf("Open the VPN client and sign in with your badge number. Sessions end after 12 hours.")


def search_then_reply(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    del info
    last = messages[-1].parts[-1]
    if isinstance(last, ToolReturnPart) and last.tool_name == "search_knowledge":
        claims = [{"text": "Sign in with your badge number.", "evidence": ["E1"]}]
        return ModelResponse(parts=[ToolCallPart("reply", {"claims": claims, "followups": ["How long?"]})])
    return ModelResponse(parts=[ToolCallPart("search_knowledge", {"query": "How do I sign in to the VPN?"})])


async def test_a_question_is_answered_with_a_citation(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)

    result = await workshop.ask(ada, "How do I sign in to the VPN?", model=brain_of(FunctionModel(search_then_reply)))

    answer = result.answer
    assert isinstance(answer, Answered)
    assert answer.text == "Sign in with your badge number. [1]"
    assert answer.citations[0].quote in VPN.text
    assert answer.citations[0].section == "VPN > Sign in"
    assert workshop.shelf.asked == [("ada", "How do I sign in to the VPN?")], "the tool call used the prefetch"
    run = await workshop.runs.show(ada, result.run_id)
    assert run.outcome is Outcome.ANSWERED
    assert [step.node for step in run.steps] == ["tool", "brain"]
    assert [item.evidence_id for item in run.evidence] == ["E1"]
