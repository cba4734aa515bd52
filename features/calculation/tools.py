"""The tool that calculates: what it is given has to stand in the evidence of the run or in the person's words."""

import re
from collections.abc import Iterable
from datetime import date, datetime
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from agent.errors import ToolRefused
from agent.expressions import FUNCTIONS, MAX_CHARS, NotComputable, Outcome, as_cell, evaluate
from agent.grounding.figures import Said, said_in
from agent.grounding.standing import values_in
from agent.grounding.support import numbers
from agent.results import Bilingual, Column, ColumnType, Computed, Table, with_unit
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.evidence import cells_in
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from identity.permissions import Permission

_TODAY = re.compile(r"\b(?:today|now)\b|今天")


class Calculate(Arguments):
    """What to compute."""

    expression: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_CHARS,
            description=(
                "Such as 17% of 450, sum(E1.amount) / count(E1.amount), E1.amount[2] - E1.amount[1], "
                'avg(E2."response time"), 2026-05-01 - today, today + 3 days, workdays(2026-05-01, 2026-06-01)'
            ),
        ),
    ]


def tools() -> tuple[Tool, ...]:
    """Return the tool."""
    return (
        Tool(
            spec=ToolSpec(
                name="calculate",
                description=(
                    "Compute exactly: + - * / % ^, percentages, dates and durations, and columns of tables that were "
                    f"found in this run. Functions: {', '.join(FUNCTIONS)}. Numbers have to stand in the evidence or "
                    "in the person's words."
                ),
                arguments=Calculate,
            ),
            policy=ToolPolicy(
                permission=Permission.KNOWLEDGE_ASK, effect=Effect.READ, audit="calculation.compute", timeout_s=2.0
            ),
            handler=_calculate,
        ),
    )


async def _calculate(context: ToolContext, arguments: Calculate) -> ToolResult:
    today = context.now.date()
    expression = _TODAY.sub(today.isoformat(), arguments.expression)
    try:
        outcome = evaluate(expression, cells_in(context.found.grounds))
    except NotComputable as error:
        raise ToolRefused("not_computable", str(error)) from error
    strange = tuple(map(str, _ungrounded(context, outcome, today)))
    if strange:
        raise ToolRefused("ungrounded", ", ".join(strange))
    return ToolResult((_table(expression, outcome),))


def _table(expression: str, outcome: Outcome) -> Table:
    value, unit, is_exact = as_cell(outcome.value)
    kind: ColumnType = "number" if not isinstance(value, date) else "time" if isinstance(value, datetime) else "date"
    words = f"{expression} {'=' if is_exact else '≈'} {with_unit(value, unit)}"
    return Table(
        columns=(Column("result", kind, unit),),
        rows=((value,),),
        title=Bilingual(words, words),
        datasource="calculation",
        computed=Computed(expression, outcome.evidence),
    )


def _ungrounded(context: ToolContext, outcome: Outcome, today: date) -> Iterable[Fraction | date]:
    """Yield what an expression was given that neither the evidence holds nor the person said."""
    words = "\n".join((context.text, *(turn.asked for turn in context.memory.turns)))
    said = said_in(words)
    grounds = context.found.grounds
    known = {Fraction(value) for ground in grounds.values() for value in values_in(ground, grounds)}
    known |= {Fraction(figure.value) for figure in said.figures}
    known |= {Fraction(number) for number in numbers(words) if re.fullmatch(r"\d+(?:\.\d+)?", number)}
    evidence = "\n".join(ground.text for ground in grounds.values())
    days = Said(days=(*said.days, *said_in(evidence).days)).days
    for literal in outcome.literals:
        if isinstance(literal, Fraction):
            if literal not in known:
                yield literal
        elif literal != today and not any(day.is_on(literal) for day in days):
            yield literal
