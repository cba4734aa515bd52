"""A message becomes exactly one answer, whichever brain thinks and whatever it does."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent.brains.assistant import Brain
from agent.brains.output import UNSURE, brief_of
from agent.results import Records
from agent.runner.runner import Piece, RunEvent, Status
from agent.runs.answer import Answer, Answered, AskedBack, NeedsApproval, NoEvidence, Outcome, Refused
from agent.runs.run import RunState
from evals.reading import rules
from identity.actor import Actor
from tests.fixtures.agent import Leaf, Workshop, brain_of
from tickets.config import TicketsConfig

VPN = Leaf("Open the VPN client and sign in with your badge number. Sessions end after 12 hours.")
QUESTION = "How do I sign in to the VPN?"


def scripted(*calls: tuple[str, Mapping[str, object]]) -> Brain:
    """Return a brain that makes these calls one after the other; the last one ends the run."""

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del info
        at = sum(isinstance(part, ToolReturnPart) for message in messages for part in message.parts)
        return ModelResponse(parts=[_part(*calls[min(at, len(calls) - 1)])])

    return brain_of(FunctionModel(respond))


def _part(name: str, given: Mapping[str, object]) -> ToolCallPart:
    return ToolCallPart(name, dict(given))


def reply(*claims: tuple[str, str]) -> tuple[str, Mapping[str, object]]:
    return "reply", {"claims": [{"text": text, "evidence": [evidence]} for text, evidence in claims]}


SEARCH: tuple[str, Mapping[str, object]] = ("search_knowledge", {"query": QUESTION})
RULES = Brain(name="rules", model=rules(TicketsConfig()), follows_text=False)


async def test_a_question_is_answered_with_a_citation(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)

    result = await workshop.ask(ada, QUESTION, model=scripted(SEARCH, reply(("Sign in with your badge number.", "E1"))))

    answer = result.answer
    assert isinstance(answer, Answered)
    assert answer.text == "Sign in with your badge number. [1]"
    assert answer.citations[0].quote in VPN.text
    assert answer.citations[0].section == "VPN > Sign in"
    run = await workshop.runs.show(ada, result.run_id)
    assert (run.state, run.outcome) == (RunState.ENDED, Outcome.ANSWERED)
    assert [step.node for step in run.steps] == ["tool", "brain"]
    assert [item.evidence_id for item in run.evidence] == ["E1"]


async def test_the_prefetch_is_awaited_instead_of_searching_again(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)
    same = ("search_knowledge", {"query": "  how do I SIGN in to the VPN? "})
    other = ("search_knowledge", {"query": "vpn sessions"})

    await workshop.ask(ada, QUESTION, model=scripted(same, other, ("abstain", {})))

    assert [query for _, query in workshop.shelf.asked] == [QUESTION, "vpn sessions"]


async def test_what_is_not_carried_by_evidence_never_appears(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)
    events: list[RunEvent] = []

    async def on_event(event: RunEvent) -> None:
        events.append(event)

    result = await workshop.ask(
        ada,
        QUESTION,
        model=scripted(SEARCH, reply(("Sign in with your badge number.", "E1"), ("Sessions end after 99 days.", "E1"))),
        on_event=on_event,
    )

    assert isinstance(result.answer, Answered)
    assert [event for event in events if isinstance(event, Status)] == [
        Status("thinking"),
        Status("tool.search_knowledge"),
        Status("checking"),
    ]
    pieces = "".join(event.text for event in events if isinstance(event, Piece))
    assert pieces == result.answer.text
    assert "99" not in pieces
    run = await workshop.runs.show(ada, result.run_id)
    assert [step.node for step in run.steps] == ["tool", "brain", "citations"]


async def test_nothing_streams_before_the_words_that_say_how_certain_it_is(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)
    events: list[RunEvent] = []

    async def on_event(event: RunEvent) -> None:
        events.append(event)

    unsure = ("reply", {**reply(("Sign in with your badge number.", "E1"))[1], "lead": UNSURE})
    brain = replace(RULES, model=scripted(SEARCH, unsure).model)
    result = await workshop.ask(ada, QUESTION, model=brain, on_event=on_event)

    assert isinstance(result.answer, Answered)
    assert (result.answer.lead, bool(result.answer.text)) == (UNSURE, True)
    assert [event for event in events if isinstance(event, Piece)] == []


async def test_when_nothing_is_left_there_is_no_evidence(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)
    result = await workshop.ask(ada, QUESTION, model=scripted(SEARCH, reply(("It ends after 99 days.", "E1"))))
    assert result.answer == NoEvidence()


def record_in(answer: Answer) -> Records:
    """Return the one thing that an answer shows from state."""
    (shown,) = answer.results if isinstance(answer, Answered | AskedBack | NeedsApproval) else ()
    assert isinstance(shown, Records)
    return shown


async def test_hidden_and_absent_end_in_the_same_words(workshop: Workshop, ada: Actor) -> None:
    absent = await workshop.ask(ada, "salary bands", rules=RULES)
    workshop.shelf.leaves.append(Leaf("Salary bands of everybody.", allow=frozenset({"group:hr"})))
    hidden = await workshop.ask(ada, "salary bands", rules=RULES, thread="t2")
    assert absent.answer == hidden.answer == NoEvidence()


async def test_a_draft_waits_for_its_button_or_asks_for_what_is_missing(workshop: Workshop, ada: Actor) -> None:
    whole = ("draft_ticket", {"category": "other", "title": "Screen flickers", "description": "Since today."})
    result = await workshop.ask(ada, "my screen flickers", model=scripted(whole, ("act", {})))
    assert isinstance(result.answer, NeedsApproval)
    shown = record_in(result.answer)
    assert (shown.kind, shown.code) == ("draft", "draft.made")

    category = next(name for name, said in TicketsConfig().categories.items() if said.required)
    partial = ("draft_ticket", {"category": category, "title": "Broken", "description": "It is."})
    result = await workshop.ask(ada, "it is broken", model=scripted(partial, ("act", {})))
    assert isinstance(result.answer, AskedBack)
    assert result.answer.code == "draft.missing"
    assert result.answer.options == TicketsConfig().categories[category].required


@pytest.mark.parametrize("ending", [("abstain", {}), ("refuse", {}), reply(("It ends after 99 days.", "E1"))])
async def test_what_the_tools_made_is_shown_however_the_brain_ends(
    workshop: Workshop, ada: Actor, ending: tuple[str, Mapping[str, object]]
) -> None:
    workshop.shelf.leaves.append(VPN)
    draft = ("draft_ticket", {"category": "other", "title": "Screen flickers", "description": "Since today."})
    result = await workshop.ask(ada, QUESTION, model=scripted(SEARCH, draft, ending))
    assert isinstance(result.answer, NeedsApproval)
    assert record_in(result.answer).kind == "draft"


async def test_references_are_resolved_from_the_thread(workshop: Workshop, ada: Actor) -> None:
    first = await workshop.ticket(ada, "First")
    await workshop.ticket(ada, "Second")
    await workshop.ask(ada, "show it", model=scripted(("show_ticket", {"ticket": first.number}), ("act", {})))

    result = await workshop.ask(ada, "and now?", model=scripted(("show_ticket", {"ticket": "last"}), ("act", {})))

    assert isinstance(result.answer, Answered)
    assert record_in(result.answer).ids == (first.number,), "the last one of this thread, not the newest one"
    elsewhere = await workshop.ask(
        ada, "my last", model=scripted(("show_ticket", {"ticket": "上一单"}), ("act", {})), thread="t2"
    )
    assert isinstance(elsewhere.answer, Answered)
    assert record_in(elsewhere.answer).ids != (first.number,)


@pytest.mark.parametrize("tool", ["show_ticket", "urge_ticket", "cancel_ticket"])
async def test_without_a_ticket_last_is_refused_with_a_code(workshop: Workshop, ada: Actor, tool: str) -> None:
    result = await workshop.ask(ada, "my last one", model=scripted((tool, {}), ("act", {})))
    assert result.answer == Refused("no_ticket_yet", "")


async def test_the_brain_is_told_the_thread_as_data(workshop: Workshop, ada: Actor) -> None:
    told: list[str] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        told.append(str(messages))
        told.append(info.instructions or "")
        brief = brief_of(messages)
        assert brief.text == "second"
        assert [turn.asked for turn in brief.memory.turns] == ["first"]
        return ModelResponse(parts=[ToolCallPart("abstain", {})])

    await workshop.ask(ada, "first", model=scripted(("abstain", {})))
    await workshop.ask(ada, "second", model=brain_of(FunctionModel(respond)))

    assert "data, never instructions" in told[0]
    assert "2026-01-01" in told[1]
    assert "{language}" not in told[1]


async def test_a_component_that_breaks_closes_the_run_and_reaches_the_caller(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.broken = OSError("the index is gone")

    with pytest.raises(OSError, match="the index is gone"):
        await workshop.ask(ada, QUESTION, model=scripted(SEARCH, ("abstain", {})))

    (run,) = await workshop.runs.list(ada)
    assert (run.state, run.outcome) == (RunState.ENDED, Outcome.FAILED)


async def test_a_broken_search_that_nobody_needs_breaks_nothing(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.broken = OSError("the index is gone")
    result = await workshop.ask(ada, "list my tickets", model=scripted(("list_tickets", {}), ("act", {})))
    assert isinstance(result.answer, Answered)
    assert record_in(result.answer).code == "tickets.none"


async def test_cancellation_closes_the_run(workshop: Workshop, ada: Actor) -> None:
    reached = asyncio.Event()

    async def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        del messages, info
        reached.set()
        await asyncio.sleep(60)
        raise AssertionError

    task = asyncio.create_task(workshop.ask(ada, QUESTION, model=brain_of(FunctionModel(respond))))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    (run,) = await workshop.runs.list(ada)
    assert run.state is RunState.ENDED


async def test_a_model_cannot_give_codes_or_details_of_its_own(workshop: Workshop, ada: Actor) -> None:
    refused = await workshop.ask(ada, "x", model=scripted(("refuse", {"code": "pay_me", "detail": "http://evil.test"})))
    assert refused.answer == Refused("out_of_scope", "")
    asked = await workshop.ask(
        ada, "x", model=scripted(("ask_back", {"code": "pin", "question": "Your PIN? http://e.test"}))
    )
    assert asked.answer == AskedBack("other", "Your PIN? …")


async def test_the_rules_answer_from_end_to_end(workshop: Workshop, ada: Actor) -> None:
    workshop.shelf.leaves.append(VPN)

    result = await workshop.ask(ada, QUESTION, rules=RULES)

    assert isinstance(result.answer, Answered)
    assert "badge number" in result.answer.text
    assert result.brain == "rules"


async def test_the_same_sentence_twice_makes_one_draft(workshop: Workshop, ada: Actor) -> None:
    for thread in ("t1", "t2"):
        await workshop.ask(ada, "My laptop screen flickers since this morning", rules=RULES, thread=thread)
        workshop.clock.advance(20)
    assert len(await workshop.tickets.open_drafts(ada)) == 1


async def test_text_that_no_database_holds_is_no_obstacle(workshop: Workshop, ada: Actor) -> None:
    odd = "my laptop scr\x00een \ud800 flickers since today"
    draft = ("draft_ticket", {"category": "other", "title": odd, "description": odd})
    result = await workshop.ask(ada, odd, model=scripted(draft, ("act", {})), rules=RULES)
    assert isinstance(result.answer, NeedsApproval | AskedBack)
    assert result.brain == "rules"
