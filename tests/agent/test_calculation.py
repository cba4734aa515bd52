"""Calculations: exact, from the evidence and the person's own numbers, and checked again in the answer."""

from collections.abc import Mapping

import pytest

from agent.brains.assistant import Brain
from agent.brains.rules.model import RulesModel
from agent.results import Bilingual, Column, Table
from agent.runs.answer import Answered, NoEvidence, Refused
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.calculation import tools as calculation
from features.calculation.routing import ROUTE
from identity.actor import Actor
from identity.permissions import Permission
from tests.agent.test_runner import reply, scripted
from tests.fixtures.agent import Workshop

RULES = Brain(name="rules", model=RulesModel([ROUTE]), follows_text=False)
SALES = Table(
    (Column("city"), Column("sold", "number")),
    (("Berlin", 40), ("Paris", 25)),
    title=Bilingual("Sales"),
    datasource="shop",
)


class Nothing(Arguments):
    """No arguments."""


async def _sales(context: ToolContext, arguments: Nothing) -> ToolResult:
    del context, arguments
    return ToolResult((SALES,))


READ = Tool(
    spec=ToolSpec(name="sales", description="Sales.", arguments=Nothing),
    policy=ToolPolicy(permission=Permission.KNOWLEDGE_ASK, effect=Effect.READ, audit="sales.read"),
    handler=_sales,
)


@pytest.fixture
def desk(workshop: Workshop) -> Workshop:
    workshop.extra_tools = (READ, *calculation.tools())
    workshop.again()
    return workshop


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("What is 17% of 450?", "76.5"),
        ("12*(3+4)等于多少？", "84"),
        ("How much is 2026-05-01 - 2026-04-01?", "30"),
        ("what is 17.5% of 2,340 euros", "409.5"),
        ("What's 3.5 plus 4.25?", "7.75"),
        ("$1,200 divided by 12 = ?", "100"),
        ("450 的 17% 是多少", "76.5"),
        ("how many days between 2026-01-01 and 2026-03-01?", "59"),
        ("What date is 30 days before 2026-03-31?", "2026-03-01"),
    ],
)
async def test_the_rules_compute_what_is_asked_in_figures(desk: Workshop, ada: Actor, words: str, value: str) -> None:
    answer = (await desk.ask(ada, words, rules=RULES)).answer
    assert isinstance(answer, Answered)
    (table,) = answer.results
    assert isinstance(table, Table)
    assert str(table.rows[0][0]) == value


NUMBERS = ("call 555-1234", "TG-305", "What is 305?", "version 3.11 - what is new in 2026?", "what is 10.0.0.1/24")


@pytest.mark.parametrize("words", [*NUMBERS, "1 + " * 4_000 + "x"])
async def test_numbers_alone_are_no_calculation(desk: Workshop, ada: Actor, words: str) -> None:
    await desk.ask(ada, words, rules=RULES)
    (run,) = await desk.runs.list(ada)
    steps = (await desk.runs.show(ada, run.id)).steps
    assert "calculate" not in [step.tool for step in steps]


def ending(expression: str, claim: str) -> Brain:
    calls: tuple[tuple[str, Mapping[str, object]], ...] = (("sales", {}), ("calculate", {"expression": expression}))
    return scripted(*calls, reply((claim, "E2")))


async def test_a_right_sum_is_kept_and_a_wrong_one_is_not(desk: Workshop, ada: Actor) -> None:
    right = (await desk.ask(ada, "sales times 2?", model=ending("sum(E1.sold) * 2", "Twice the sales are 130."))).answer
    assert isinstance(right, Answered)
    assert right.text == "Twice the sales are 130. [1]"
    assert len(right.results) == 2

    wrong = (await desk.ask(ada, "sales times 2?", model=ending("sum(E1.sold) * 2", "Twice the sales are 131."))).answer
    assert isinstance(wrong, Answered), "the tables are shown whatever the brain says of them"
    assert wrong.text == ""
    assert len(wrong.results) == 2


async def test_a_number_from_nowhere_is_not_computed_with(desk: Workshop, ada: Actor) -> None:
    brain = scripted(("calculate", {"expression": "12 * 7"}), ("act", {}))
    answer = (await desk.ask(ada, "sales?", model=brain)).answer
    assert answer == Refused("ungrounded", "12, 7")


async def test_a_row_is_kept_whatever_the_ending(desk: Workshop, ada: Actor) -> None:
    claim = scripted(("sales", {}), reply(("Berlin sold 40.", "E1")))
    answer = (await desk.ask(ada, "sales?", model=claim)).answer
    assert isinstance(answer, Answered)
    assert (answer.text, answer.results, answer.confidence) == ("Berlin sold 40. [1]", (SALES,), "high")
    for last in (("abstain", {}), ("act", {}), ("refuse", {}), reply(("Berlin sold 41.", "E1"))):
        shown = (await desk.ask(ada, "sales?", model=scripted(("sales", {}), last))).answer
        assert isinstance(shown, Answered)
        assert (shown.text, shown.results) == ("", (SALES,))
    assert (await desk.ask(ada, "sales?", model=scripted(("abstain", {})))).answer == NoEvidence()
