"""Steps of time between two days: each once, in order, whatever the months are long."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from queries.sql.metrics.query import Step
from queries.sql.metrics.steps import first_of, steps_between

_GRAINS: tuple[Step, ...] = ("day", "week", "month", "quarter", "year")


@given(
    grain=some.sampled_from(_GRAINS),
    first=some.dates(date(2019, 1, 1), date(2028, 12, 31)),
    days=some.integers(0, 900),
)
def test_each_step_that_holds_one_of_the_days_is_named_once(grain: Step, first: date, days: int) -> None:
    every = [first_of(grain, first + timedelta(days=day)) for day in range(days + 1)]

    assert list(steps_between(first, first + timedelta(days=days), grain)) == sorted(set(every))


@pytest.mark.parametrize("grain", _GRAINS)
def test_there_is_an_end(grain: Step) -> None:
    assert len(list(steps_between(date(1, 1, 1), date(4000, 1, 1), grain))) == 1_000
