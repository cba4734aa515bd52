"""A second question about a part of the rows of the first: never a number of all rows."""

import pytest

from evals.data_trial import company_trial
from features.data.understanding.asked import AskedParts
from queries.sql.metrics.query import Condition

REMOTE = Condition(column="people.remote", values=(True,))
PARTNER = Condition(column="orders.channel", values=("partner",))


@pytest.mark.parametrize(
    ("text", "column", "narrower"),
    [
        ("how many developers work in Chengdu and how many of them are remote?", "people.site", REMOTE),
        ("鹿特丹有多少客户经理，其中远程的有几个", "people.site", REMOTE),
        ("how many orders in China last month, and among them how many through partners?", "orders.region", PARTNER),
    ],
)
def test_a_part_of_those_is_asked_with_what_bounds_them(text: str, column: str, narrower: Condition) -> None:
    with company_trial() as trial:
        found = trial.understood(text)
    assert isinstance(found, AskedParts)
    first, second = (part.asked.query for part in found.asked)
    assert column in {made.column for made in first.where}
    assert second.where == (*first.where, narrower)
    assert second.period == first.period


def test_no_number_of_all_rows_where_the_part_is_not_understood() -> None:
    with company_trial() as trial:
        found = trial.understood("how many orders did we get last month and how many of those are green?")
    assert isinstance(found, AskedParts)
    assert [part.asked.query.where for part in found.asked] == [()]
    assert found.left == ("how many of those are green",)


def test_a_part_may_be_of_rows_that_nothing_bounds() -> None:
    with company_trial() as trial:
        found = trial.understood("上个月有多少订单，其中被取消的有多少")
    assert isinstance(found, AskedParts)
    first, second = (part.asked.query for part in found.asked)
    assert second.where == (Condition(column="orders.status", values=("cancelled",)),)
    assert second.period == first.period is not None
