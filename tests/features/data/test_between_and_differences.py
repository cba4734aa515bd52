"""Rows between two sums of money, and the difference of two values."""

import pytest

from evals.data_trial import company_trial
from features.data.understanding.asked import AskedData
from queries.sql.metrics.query import MetricQuery


def test_orders_between_two_sums_are_bounded_by_their_amount() -> None:
    with company_trial() as trial:
        found = trial.understood("How many orders between 5000 and 10000 euros did we get this year?")
    assert isinstance(found, AskedData)
    bounds = {(made.column, made.operator, *map(str, made.values)) for made in found.query.where}
    assert bounds == {("orders.amount", "at_least", "5000"), ("orders.amount", "at_most", "10000")}
    assert found.query.period is not None


@pytest.mark.parametrize("asked", ["差多少", "相差多少"])
def test_the_difference_of_two_departments_shows_both(asked: str) -> None:
    with company_trial() as trial:
        found = trial.understood(f"研发部和运营部的人数{asked}")
    assert isinstance(found, AskedData)
    assert isinstance(found.query, MetricQuery)
    assert (found.query.metric, found.query.by) == ("headcount", ("departments.name",))
    assert [made.values for made in found.query.where] == [("Engineering", "Operations")]
