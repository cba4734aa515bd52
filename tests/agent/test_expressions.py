"""Arithmetic is exact, bounded, and nothing but arithmetic."""

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.expressions import MAX_CHARS, NotComputable, Value, as_cell, as_decimal, evaluate

NUMBERS = st.decimals(min_value=0, max_value=10**6, places=3)


def cells(evidence: str, column: str) -> Sequence[Value]:
    known: dict[tuple[str, str], Sequence[Value]] = {
        ("E1", "amount"): (Fraction(1), Fraction(2), Fraction(4)),
        ("E1", "due date"): (date(2026, 5, 1),),
        ("E2", ""): (Fraction(7, 2),),
    }
    if (evidence, column) not in known:
        raise LookupError(evidence)
    return known[evidence, column]


def value(expression: str) -> Value:
    return evaluate(expression, cells).value


def refused(expression: str) -> str:
    with pytest.raises(NotComputable) as caught:
        evaluate(expression, cells)
    return caught.value.code


@settings(max_examples=100)
@given(NUMBERS, NUMBERS, st.sampled_from("+-*"), NUMBERS, st.sampled_from("+-*/"))
def test_it_is_what_fractions_give(one: Decimal, two: Decimal, first: str, three: Decimal, second: str) -> None:
    expression = f"({one} {first} {two}) {second} {three}"
    if second == "/" and three == 0:
        assert refused(expression) == "division_by_zero"
        return
    a, b, c = (Fraction(number) for number in (one, two, three))
    left = {"+": a + b, "-": a - b, "*": a * b}[first]
    right = {"+": left + c, "-": left - c, "*": left * c}
    assert value(expression) == (left / c if second == "/" else right[second])


@settings(max_examples=60)
@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_functions_are_what_fractions_give(numbers: list[Decimal]) -> None:
    listed, exact = ", ".join(map(str, numbers)), [Fraction(number) for number in numbers]
    assert value(f"sum({listed})") == sum(exact)
    assert value(f"avg({listed})") == sum(exact) / len(exact)
    assert value(f"max({listed})") == max(exact)
    assert value(f"min({listed})") == min(exact)
    assert value(f"count({listed})") == len(exact)


@settings(max_examples=60)
@given(st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**4))
def test_a_fraction_becomes_a_decimal_and_says_whether_that_is_all_of_it(number: Fraction) -> None:
    made, is_exact = as_decimal(number)
    assert is_exact == (Fraction(made) == number)
    assert abs(Fraction(made) - number) <= Fraction(1, 10**12)


@settings(max_examples=60)
@given(st.dates(date(2000, 1, 1), date(2050, 1, 1)), st.integers(-3000, 3000))
def test_days_are_those_of_the_calendar(day: date, count: int) -> None:
    other = day + timedelta(days=count)
    assert value(f"{other} - {day}") == timedelta(days=count)
    assert value(f"days({day}, {other})") == count
    assert value(f"{day} + {count} days" if count >= 0 else f"{day} - {-count} days") == other
    if count >= 0:
        worked = sum((day + timedelta(days=each)).weekday() < 5 for each in range(count))
        assert value(f"workdays({day}, {other})") == worked


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("17% of 450", Fraction(153, 2)),
        ("17 % 5", Fraction(2)),
        ("2^3^2", Fraction(512)),
        ("2 ** -2", Fraction(1, 4)),
        ("-(3 + 4) × 2", Fraction(-14)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("sum(E1.amount)", Fraction(7)),
        ("E1.amount[3] / E1.amount[2]", Fraction(2)),
        ("E2 * 2", Fraction(7)),
        ('E1."due date" + 2 weeks', date(2026, 5, 15)),
        ("percent(1, 8)", Fraction(25, 2)),
        ("90 minutes / 1 hour", Fraction(3, 2)),
        ("median(E1.amount)", Fraction(2)),
        ("round(2.345, 1)", Fraction(23, 10)),
    ],
)
def test_what_it_understands(expression: str, expected: Value) -> None:
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("", "empty"),
        ("1 / 0", "division_by_zero"),
        ("0 ^ -1", "division_by_zero"),
        ("9 ^ 64 ^ 64", "too_large"),
        ("9 ^ 64 * 9 ^ 64 * " * 10 + "1", "too_large"),
        ("9" * 41, "too_large"),
        ("9999-12-31 + 9 days", "too_large"),
        ("2026-13-01 + 1 day", "no_date"),
        ("E9.amount", "no_cell"),
        ("E1.amount", "many_cells"),
        ("E1.amount[4]", "no_cell"),
        ("1 + 2026-05-01", "mixed"),
        ("(" * 30 + "1" + ")" * 30, "too_deep"),
        ("-" * 100 + "1", "too_deep"),
        ("1 +", "syntax"),
        ("1 2", "syntax"),
        ("1 +" * MAX_CHARS, "too_long"),
        ("__import__('os')", "syntax"),
        ("sum.__class__", "syntax"),
        ("exec(1)", "syntax"),
        ("sum()  sum()", "syntax"),
        ("avg()", "arguments"),
        ("percent(1)", "arguments"),
        ("round(2026-05-01)", "arguments"),
    ],
)
def test_what_it_refuses(expression: str, code: str) -> None:
    assert refused(expression) == code


@settings(max_examples=200, deadline=500)
@given(st.text(alphabet='0123456789.+-*/%^()E[], dayssumof"', max_size=80))
def test_whatever_is_written_it_ends_with_a_value_or_a_reason(expression: str) -> None:
    try:
        cell, unit, _is_all = as_cell(value(expression))
    except NotComputable:
        return
    assert isinstance(cell, Decimal | date)
    assert unit in {"", "%", "days", "hours", "minutes", "seconds"}
