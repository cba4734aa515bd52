"""Results: whatever a tool returns can be stored and taken up again, and no wrong number is said of it."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.brains.output import Claim, Reply
from agent.grounding.citations import Checked, check
from agent.grounding.figures import said_in
from agent.results import (
    Bilingual,
    Column,
    Computed,
    Finding,
    Findings,
    Message,
    Observation,
    Point,
    Records,
    Result,
    Series,
    Table,
    grouped_text,
    plain_words,
    result_json,
    result_of,
    with_unit,
)
from agent.runs.answer import Answered, NoEvidence
from agent.tools.evidence import Found
from tests.agent.any_result import any_result

DAY = datetime(2026, 5, 1, 14, 30, tzinfo=UTC)
ORDERS = Table(
    columns=(Column("city"), Column("status"), Column("orders", "number"), Column("since", "date")),
    rows=(
        ("Berlin", "open", 42, date(2026, 5, 1)),
        ("Berlin", "closed", 7, date(2026, 4, 30)),
        ("Paris", "open", 11, date(2026, 5, 2)),
    ),
    title=Bilingual("Orders by city", "各城市订单"),
    statement="SELECT city, status, count(*) AS orders, min(since) FROM orders GROUP BY 1, 2",
    datasource="shop",
)
LOAD = Series(
    "load",
    tuple(Point(DAY + timedelta(minutes=minute), value) for minute, value in enumerate((0.5, 0.75, 3.25))),
    query="avg(node_load1)",
)


def checked(claim: str, *results: Result, evidence: tuple[str, ...] = ("E1",), asked: str = "") -> Checked:
    found = Found()
    found.take(results)
    return check(Reply(claims=[Claim(text=claim, evidence=list(evidence))]), found.grounds, hosts=(), asked=asked)


def stands(claim: str, *results: Result, evidence: tuple[str, ...] = ("E1",), asked: str = "") -> bool:
    return isinstance(checked(claim, *results, evidence=evidence, asked=asked).answer, Answered)


@settings(max_examples=80)
@given(any_result())
def test_a_stored_result_is_the_same_one(result: Result) -> None:
    assert result_of(result_json(result)) == result


@settings(max_examples=40)
@given(any_result(), st.sampled_from(["en", "zh"]))
def test_every_result_has_plain_words(result: Result, language: str) -> None:
    assert plain_words(result, language).strip()


@settings(max_examples=40)
@given(st.lists(any_result(), max_size=4))
def test_the_same_results_give_the_same_evidence(results: list[Result]) -> None:
    assert Found().take(results) == Found().take(results)
    found = Found()
    evidence, _ = found.take(results)
    assert found.take(results)[0] == evidence


@pytest.mark.parametrize(
    "claim",
    [
        "Berlin has 42 open orders.",
        "In Berlin there are 49 orders.",
        "There are 60 orders in all.",
        "On average a row holds 20 orders.",
        "The table has 3 rows.",
        "Since 1 May 2026 there are 42 open orders in Berlin.",
        "Paris has 11 open orders since 2026-05-02.",
        "Berlin 有 42 个未完成订单，自 2026年5月1日 起。",
        "The open orders are 53 in sum.",
        "About 50 orders are open: 53.",
        "Berlin and Paris both have open orders.",
    ],
)
def test_what_the_rows_hold_is_kept(claim: str) -> None:
    assert stands(claim, ORDERS)


@pytest.mark.parametrize(
    "claim",
    [
        "Berlin has 43 open orders.",
        "Paris has 42 open orders.",
        "There are 61 orders in all.",
        "Berlin has forty-two or seventeen open orders.",
        "Since 3 May 2026 there are 42 open orders in Berlin.",
        "There are 5 orders.",
        "Yesterday Oslo had 42 open orders, says Knut.",
        "Berlin has no open orders.",
        "Berlin 有四十三个未完成订单。",
        "All is well.",
    ],
)
def test_what_the_rows_do_not_hold_is_dropped(claim: str) -> None:
    result = checked(claim, ORDERS)
    assert result.answer == NoEvidence()
    assert [dropped.reason for dropped in result.dropped] == ["unsupported"]


@settings(max_examples=100)
@given(
    st.lists(st.decimals(min_value=-(10**6), max_value=10**6, places=2), min_size=1, max_size=8),
    st.integers(min_value=0, max_value=10**6),
)
def test_a_number_stands_when_a_cell_or_the_rows_together_give_it(values: list[Decimal], number: int) -> None:
    table = Table((Column("amount", "number"),), tuple((value,) for value in values))
    held = {abs(value) for value in (*values, sum(values), sum(values) / len(values), Decimal(len(values)))}
    assert stands(f"The amount is {number}.", table) == (Decimal(number) in held)
    assert all(stands(f"The amount is {abs(value)}.", table) for value in values)


def test_a_series_holds_a_value_at_its_time() -> None:
    assert stands("At 14:31 the load was 0.75.", LOAD)
    assert stands("The load rose to 3.25.", LOAD)
    assert not stands("At 14:30 the load was 0.75.", LOAD)
    assert not stands("At 15:30 the load was 0.75.", LOAD)
    assert not stands("The load rose to 4.", LOAD)


def test_a_calculation_is_made_again() -> None:
    def computed(value: str) -> Table:
        return Table(
            (Column("result", "number"),), ((Decimal(value),),), computed=Computed("sum(E1.orders) * 2", ("E1",))
        )

    assert stands("Twice as many are 120.", ORDERS, computed("120"), evidence=("E2",))
    assert not stands("Twice as many are 121.", ORDERS, computed("120"), evidence=("E2",))
    assert not stands("Twice as many are 121.", ORDERS, computed("121"), evidence=("E2",))


def test_what_was_seen_carries_a_finding_and_somebodys_words_are_quoted() -> None:
    seen = Observation("pod", "k8s", Bilingual("pod web-7 was killed: OOMKilled, exit code 137"))
    report = Findings(
        Bilingual("Out of memory"), (Finding(Bilingual("web-7 needs more memory"), ("pod",), "critical"),), (seen,)
    )
    assert stands("web-7 was killed with exit code 137.", report)
    assert not stands("web-7 was killed with exit code 1.", report)
    said = Message(Bilingual("The lift is out of order until 5 pm."), author="Facilities")
    assert stands("The lift is out of order until 5 pm.", said)
    assert not stands("The lift works again at 6 pm.", said)
    with pytest.raises(ValueError, match="observations"):
        Findings(Bilingual("x"), (Finding(Bilingual("y"), ("nothing",)),))


def test_sources_other_than_pages_lead_nowhere_but_where_they_say() -> None:
    answer = checked("Berlin has 42 open orders.", ORDERS).answer
    assert isinstance(answer, Answered)
    (citation,) = answer.citations
    assert (citation.title, citation.source, citation.url) == ("Orders by city", "", "")
    assert "Berlin" in citation.quote
    assert answer.confidence == "high"
    assert Found().take([Records("draft", ("d1",)), Message(Bilingual("x"))])[0] == ()


@pytest.mark.parametrize(
    ("text", "figures", "days"),
    [
        ("1,234.50 EUR", ["1234.50"], 0),
        ("1.2 million", ["1200000.0"], 0),
        ("三个人和 3万 元", ["30000", "3"], 0),
        ("on 5 June at 14:30 the 7 of us", ["7"], 1),
        ("TCK-2026-000123 has 2 comments", ["2"], 0),
        ("-3 degrees, 45%", ["-3", "45"], 0),
    ],
)
def test_figures_are_read_as_they_are_written(text: str, figures: list[str], days: int) -> None:
    said = said_in(text)
    assert sorted(str(each.value) for each in said.figures) == sorted(figures)
    assert len(said.days) == days


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        ("4487.4", "EUR", "4,487.40"), ("4487.45", "EUR", "4,487.45"), ("4487", "EUR", "4,487"),
        ("4487.4", "元", "4,487.40"), ("12.5", "%", "12.5"), ("12.5", "kg", "12.5"),
    ],
)  # fmt: skip
def test_money_keeps_both_digits_of_its_cents(value: str, unit: str, said: str) -> None:
    assert grouped_text(Decimal(value), Column("value", "number", unit), "en") == said
    assert with_unit(Decimal(value), unit) == said.replace(",", "") + ("%" if unit == "%" else f" {unit}")
