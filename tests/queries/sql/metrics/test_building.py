"""What is built runs on SQLite and on PostgreSQL, gives the same rows, and those that a plain count by hand gives."""

import operator
import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from statistics import median
from typing import Literal

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from identity.actor import local_operator
from queries.sql.datasource import Dialect
from queries.sql.errors import QueryNotPossible
from queries.sql.guard.guard import guard
from queries.sql.metrics.building import built
from queries.sql.metrics.query import Bound, Condition, DataQuery, MetricQuery, Period, RowQuery, Without
from queries.sql.metrics.statement import Built
from tests.fixtures.database import PostgresServer
from tests.queries.sql.metrics.shops import CATALOG, KINDS, Row, open_postgres, open_sqlite, plain, sales
from tests.scale import scaled

TODAY = date(2026, 1, 15)
Shop = tuple[sqlite3.Connection, psycopg.Connection]


@pytest.fixture(scope="module")
def shop(postgresql_server: PostgresServer) -> Iterator[Shop]:
    name = postgresql_server.create()
    small = open_sqlite()
    large = open_postgres(f"host={postgresql_server.socket} user=postgres dbname={name}")
    yield small, large
    small.close()
    large.close()
    postgresql_server.drop(name)


def asked(shop: Shop, query: DataQuery) -> list[Row]:
    """Return the rows that both databases give, through the guard, and require that they are the same."""
    small, large = shop
    here, there = (
        built(query, CATALOG, dialect="sqlite", today=TODAY),
        built(query, CATALOG, dialect="postgres", today=TODAY),
    )
    assert here.columns == there.columns
    first = [plain(row) for row in small.execute(_guarded(here)).fetchall()]
    second = [plain(row) for row in large.execute(_guarded(there, "postgres").encode()).fetchall()]
    assert first == second, here.statement
    return first


def _guarded(made: Built, dialect: Dialect = "sqlite") -> str:
    return guard(made.statement, CATALOG, local_operator(), dialect=dialect, rows=1_000).statement


_KINDS = some.lists(some.sampled_from(("book", "pen", "void")), min_size=1, max_size=3, unique=True)
_CONDITIONS = some.lists(
    some.one_of(
        some.builds(
            Condition,
            column=some.just("sales.kind"),
            values=_KINDS.map(tuple),
            operator=some.sampled_from(("is", "is_not")),
        ),
        some.builds(Condition, column=some.just("sales.gift"), values=some.sampled_from(((True,), (False,)))),
        some.builds(
            Condition,
            column=some.just("towns.name"),
            values=some.sampled_from((("Delft",), ("O'Hara",), ("Emden", "Delft"))),
            operator=some.sampled_from(("is", "is_not")),
        ),
    ),
    max_size=2,
).map(tuple)  # fmt: skip
_DAYS = some.dates(date(2024, 12, 1), date(2026, 4, 1))
_PERIODS = some.builds(Period, start=some.none() | _DAYS, end=some.none() | _DAYS)
_COLUMNS = some.sampled_from(("sales.kind", "sales.gift", "towns.name", "towns.land"))
_SPLITS = some.lists(_COLUMNS, max_size=2, unique=True).map(tuple)
_METRICS = some.builds(
    MetricQuery,
    metric=some.sampled_from(("sales", "takings")),
    by=_SPLITS,
    grain=some.sampled_from((None, "day", "week", "month", "quarter", "year")),
    where=_CONDITIONS,
    period=some.none() | _PERIODS,
    rows=some.none() | some.integers(1, 9),
    ascending=some.booleans(),
)


_BOUNDS = some.builds(
    Bound, operator=some.sampled_from(("more", "less", "at_least", "at_most")), value=some.integers(0, 90).map(Decimal)
)
_DELFT = Condition(column="towns.name", values=("Delft",))


@settings(max_examples=scaled(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=_METRICS)
def test_both_databases_give_the_same_rows_in_the_same_order(shop: Shop, query: MetricQuery) -> None:
    rows = asked(shop, query)

    if query.rows is not None and (query.by or query.grain):  # the same value shares a place
        assert len({row[-1] for row in rows[query.rows - 1 :]}) <= 1


@settings(max_examples=scaled(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    by=some.lists(_COLUMNS, min_size=1, max_size=2, unique=True).map(tuple),
    where=_CONDITIONS,
    period=_PERIODS,
    against=_PERIODS,
)
def test_two_periods_side_by_side_are_each_what_it_is_alone(
    shop: Shop, by: tuple[str, ...], where: tuple[Condition, ...], period: Period, against: Period
) -> None:
    query = MetricQuery(metric="sales", by=by, where=where, period=period)
    both = asked(shop, query.model_copy(update={"against": against}))
    alone = {row[: len(by)]: row[len(by)] for row in asked(shop, query)}
    earlier = {row[: len(by)]: row[len(by)] for row in asked(shop, query.model_copy(update={"period": against}))}

    assert {row[: len(by)]: row[len(by)] for row in both if row[len(by)]} == alone
    assert {row[: len(by)]: row[len(by) + 1] for row in both if row[len(by) + 1]} == earlier


def test_what_is_built_is_what_a_count_by_hand_gives(shop: Shop) -> None:
    query = MetricQuery(metric="sales", by=("sales.kind",), period=Period(start=date(2025, 3, 1), end=date(2025, 6, 1)))
    by_hand = Counter(row[3] for row in sales() if "2025-03-01" <= str(row[2]) < "2025-06-01")

    assert {row[0]: row[1] for row in asked(shop, query)} == by_hand
    assert set(by_hand) == set(KINDS)


def test_a_row_whose_town_is_missing_counts_once_under_no_name(shop: Shop) -> None:
    rows = {
        row[0]: int(str(row[1]).partition(".")[0])
        for row in asked(shop, MetricQuery(metric="sales", by=("towns.name",)))
    }

    assert rows[None] == sum(1 for row in sales() if row[1] is None)
    assert sum(rows.values()) == len(sales())


def test_except_keeps_the_rows_whose_cell_is_empty(shop: Shop) -> None:
    without = MetricQuery(
        metric="sales", where=(Condition(column="sales.kind", values=("book", "pen"), operator="is_not"),)
    )

    assert asked(shop, without) == [(float(sum(1 for row in sales() if row[3] not in ("book", "pen"))),)]


def test_shares_are_of_the_whole_also_where_only_the_largest_are_shown(shop: Shop) -> None:
    every = asked(shop, MetricQuery(metric="takings", by=("sales.kind",), share=True))
    largest = asked(shop, MetricQuery(metric="takings", by=("sales.kind",), share=True, rows=1))

    assert largest == every[:1]
    assert sum(Decimal(str(row[2])) for row in every) == pytest.approx(Decimal(100), abs=Decimal("0.2"))


def test_the_share_of_a_part_is_of_what_meets_the_other_conditions(shop: Shop) -> None:
    query = MetricQuery(
        metric="sales",
        where=(Condition(column="towns.name", values=("Delft",)),),
        part=(Condition(column="sales.kind", values=("void",)),),
        share=True,
    )
    delft = [row for row in sales() if row[1] == 1]
    void = [row for row in delft if row[3] == "void"]

    assert asked(shop, query) == [(len(void), len(delft), round(100 * len(void) / len(delft), 1))]


def test_weeks_begin_on_monday_also_across_the_year(shop: Shop) -> None:
    rows = asked(shop, MetricQuery(metric="sales", grain="week"))

    assert all(date.fromisoformat(str(row[0])).weekday() == 0 for row in rows)
    assert rows[0][0] == "2024-12-30"


def test_a_day_of_a_time_is_in_its_period_until_midnight(shop: Shop) -> None:
    day = next(iter(sales()))[2]
    assert isinstance(day, date)
    period = Period(start=day, end=date.fromordinal(day.toordinal() + 1))

    assert asked(shop, MetricQuery(metric="mean", period=period))[0][0] is not None or sales()[0][5] is None


def test_aggregates_of_columns_and_counts_of_tables_need_no_metric(shop: Shop) -> None:
    amounts = [float(str(row[5])) for row in sales() if row[5] is not None]

    assert asked(shop, MetricQuery(metric="sales.amount", aggregate="largest")) == [(max(amounts),)]
    assert asked(shop, MetricQuery(metric="towns", aggregate="count")) == [(3.0,)]


def test_rows_come_with_their_label_first_and_in_the_order_that_is_asked(shop: Shop) -> None:
    query = RowQuery(
        table="sales", columns=("sales.id", "towns.name", "sales.amount"), order="sales.amount", ascending=False, rows=3
    )
    top = sorted((float(str(row[5])) for row in sales() if row[5] is not None), reverse=True)[:3]

    assert [row[2] for row in asked(shop, query)] == top
    assert asked(shop, RowQuery(table="sales", count=True)) == [(240.0,)]
    assert len(asked(shop, RowQuery(table="sales"))) == 240


@settings(max_examples=scaled(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=_METRICS, bound=_BOUNDS)
def test_bounds_keep_the_rows_whose_value_meets_them(shop: Shop, query: MetricQuery, bound: Bound) -> None:
    query = query.model_copy(update={"by": query.by or ("sales.kind",), "rows": None})
    at = len(query.by) + (query.grain is not None)
    kept = asked(shop, query.model_copy(update={"having": (bound,)}))
    meets = {"more": operator.gt, "less": operator.lt, "at_least": operator.ge, "at_most": operator.le}[bound.operator]
    values = [(row, row[at]) for row in asked(shop, query)]

    assert kept == [row for row, value in values if isinstance(value, float) and meets(value, float(bound.value))]
    groups = asked(shop, query.model_copy(update={"having": (bound,), "groups": True}))
    assert groups == [(float(len(kept)),)]


@settings(max_examples=scaled(50), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=_METRICS)
def test_each_thing_is_counted_once(shop: Shop, query: MetricQuery) -> None:
    query = query.model_copy(update={"by": query.by[:1] or ("sales.kind",), "grain": None, "rows": None})

    named = [row for row in asked(shop, query) if row[0] is not None]

    assert asked(shop, query.model_copy(update={"groups": True})) == [(float(len(named)),)]


@settings(max_examples=scaled(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=_METRICS)
def test_metrics_of_one_table_stand_beside_one_another_as_they_are_alone(shop: Shop, query: MetricQuery) -> None:
    query = query.model_copy(update={"metric": "sales", "rows": None})
    at = len(query.by) + (query.grain is not None)
    together = asked(shop, query.model_copy(update={"also": ("takings",)}))
    takings = {row[:at]: row[at] for row in asked(shop, query.model_copy(update={"metric": "takings"}))}

    assert [row[: at + 1] for row in together] == asked(shop, query)
    assert {row[:at]: row[at + 1] for row in together if row[at + 1] is not None} == {
        key: value for key, value in takings.items() if value is not None
    }


@pytest.mark.parametrize(
    ("period", "steps"),
    [
        (Period(start=date(2025, 1, 1), end=date(2026, 1, 1)), 12),
        (Period(start=date(2025, 3, 1), end=date(2025, 4, 1)), 1),
        (Period(start=date(2025, 7, 1), end=date(2026, 7, 1)), 6),  # January 2026 is not over
        (Period(start=date(2025, 11, 1)), 2),
    ],
)
def test_a_mean_is_over_the_steps_that_are_over_also_where_nothing_happened(
    shop: Shop, period: Period, steps: int
) -> None:
    query = MetricQuery(metric="sales", mean="month", period=period, where=(_DELFT,))
    last = min(str(period.end or "2026-01-01"), "2026-01-01")
    count = sum(1 for row in sales() if row[1] == 1 and str(period.start) <= str(row[2]) < last)

    assert asked(shop, query) == [(round(count / steps, 2),)]


def test_a_mean_without_a_period_is_over_the_steps_in_which_there_is_something(shop: Shop) -> None:
    rows = [str(row[2]) for row in sales() if str(row[2]) < "2026-01-01"]
    months = {day[:7] for day in rows}

    assert asked(shop, MetricQuery(metric="sales", mean="month")) == [(round(len(rows) / len(months), 2),)]


@settings(max_examples=scaled(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    part=some.sampled_from(("sales.kind", "towns.land", "quarter")),
    rows=some.integers(1, 3),
    ascending=some.booleans(),
    where=_CONDITIONS,
)
def test_the_first_of_each_part_are_those_of_the_part_alone(
    shop: Shop, part: str, rows: int, ascending: bool, where: tuple[Condition, ...]
) -> None:
    by = ("towns.name",) if part == "quarter" else (part, "towns.name")
    every = MetricQuery(metric="sales", by=by, grain="quarter" if part == "quarter" else None, where=where)
    parts: dict[object, list[float]] = {}
    for row in asked(shop, every):
        parts.setdefault(row[0], []).append(float(str(row[2])))
    wanted = {
        name: [each for each in sorted(values, reverse=not ascending) if _place(each, values, ascending) <= rows]
        for name, values in parts.items()
    }
    found: dict[object, list[float]] = {}
    for row in asked(shop, every.model_copy(update={"per": (part,), "rows": rows, "ascending": ascending})):
        found.setdefault(row[0], []).append(float(str(row[2])))

    assert found == wanted


def _place(value: float, among: list[float], ascending: bool) -> int:
    return 1 + sum(1 for each in among if (each < value if ascending else each > value))


def test_rows_are_those_that_a_metric_counts(shop: Shop) -> None:
    void = sum(1 for row in sales() if row[3] in (None, "void"))

    assert len(asked(shop, RowQuery(table="sales", of="takings"))) == len(sales()) - void


def test_the_largest_changes_are_named_below_the_whole(shop: Shop) -> None:
    may, april = (Period(start=date(2025, month, 1), end=date(2025, month + 1, 1)) for month in (5, 4))
    across = ("sales.kind", "towns.land")
    rows = asked(shop, MetricQuery(metric="sales", period=may, against=april, across=across))
    alone = {
        (named, row[0]): row[1:4]
        for named in across
        for row in asked(shop, MetricQuery(metric="sales", by=(named,), period=may, against=april))
    }

    assert rows[0][:2] == ("", "")
    assert {row[:2]: row[2:5] for row in rows[1:]} == alone
    changes = [abs(float(str(row[4]))) for row in rows[1:]]
    assert changes == sorted(changes, reverse=True)
    assert rows[0][2] == float(sum(1 for row in sales() if str(row[2]).startswith("2025-05")))


@pytest.mark.parametrize(
    "query",
    [
        MetricQuery(metric="profit"),
        MetricQuery(metric="takings", by=("sales.amount",)),
        MetricQuery(metric="mean", by=("sales.kind",), share=True),
        MetricQuery(metric="sales", share=True),
        MetricQuery(metric="sales", against=Period(start=date(2025, 1, 1))),
        MetricQuery(metric="towns", aggregate="count", period=Period(start=date(2025, 1, 1))),
        MetricQuery(metric="sales.kind", aggregate="average"),
        MetricQuery(metric="sales", where=(Condition(column="sales.password", values=("x",)),)),
        MetricQuery(metric="sales", having=(Bound(operator="more", value=Decimal(1)),)),
        MetricQuery(metric="sales", groups=True),
        MetricQuery(metric="sales", also=("mean",)),
        MetricQuery(metric="sales", also=("buyers",), by=("towns.name",)),
        MetricQuery(metric="mean", mean="month"),
        MetricQuery(metric="sales", across=("sales.kind",)),
        MetricQuery(metric="sales", by=("sales.kind",), per=("sales.kind",), rows=1),
        MetricQuery(metric="sales", by=("sales.kind", "towns.name"), per=("towns.land",), rows=1),
        MetricQuery(metric="sales", by=("sales.kind", "towns.name"), per=("sales.kind",)),
        RowQuery(table="towns", of="takings"),
        RowQuery(table="sales", of="sales"),
        RowQuery(table="secrets"),
        RowQuery(table="towns", columns=("sales.amount",)),
        RowQuery(table="sales", where=(Condition(column="sales.amount", values=("much",), operator="more"),)),
        RowQuery(table="sales", where=(Condition(column="sales.sold_on", values=("soon",)),)),
        RowQuery(table="sales", without=Without(table="towns")),
        RowQuery(table="towns", without=Without(table="nowhere")),
        MetricQuery(metric="takings", minus="sales"),
        MetricQuery(metric="takings", minus="takings", plus="takings"),
        RowQuery(table="sales", where=(Condition(column="sales.kind", values=("pen", None)),)),
        RowQuery(table="sales", where=(Condition(column="sales.amount", values=(None,), operator="more"),)),
        MetricQuery(metric="takings", minus="takings", share=True, by=("sales.kind",)),
        MetricQuery(metric="mean", times=Decimal("0.5")),
    ],
    ids=str,
)
def test_what_the_catalogue_does_not_give_is_refused(query: DataQuery) -> None:
    with pytest.raises(QueryNotPossible):
        built(query, CATALOG, dialect="sqlite", today=TODAY)


def test_a_value_stays_a_value(shop: Shop) -> None:
    query = RowQuery(table="towns", where=(Condition(column="towns.name", values=("x' OR '1'='1",)),))

    assert asked(shop, query) == []


def test_it_says_what_it_takes_for_granted() -> None:
    period = Period(start=date(2026, 1, 1), end=date(2026, 2, 1))
    made = built(MetricQuery(metric="takings", period=period), CATALOG, dialect="sqlite", today=TODAY)

    assert [(each.code, dict(each.values)) for each in made.assumptions] == [
        ("counted", {"metric": "takings"}),
        ("period", {"start": "2026-01-01", "end": "2026-01-31", "column": "sales.sold_on"}),
        ("running", {"end": "2026-01-31"}),
    ]
    assert [(each.role, each.unit) for each in made.columns] == [("value", "EUR")]


def test_rows_without_any_of_another_table(shop: Shop) -> None:
    period = Period(start=date(2025, 1, 1), end=date(2025, 1, 8))
    of_kind = (Condition(column="sales.kind", values=("pen",)),)
    query = RowQuery(
        table="towns", columns=("towns.name",), without=Without(table="sales", where=of_kind, period=period)
    )
    first, last = date(2025, 1, 1), date(2025, 1, 8)
    sold = {
        town for _, town, day, kind, _, _ in sales() if kind == "pen" and first <= date.fromisoformat(str(day)) < last
    }
    named = {1: "Delft", 2: "Emden", 3: "O'Hara"}

    assert [row[0] for row in asked(shop, query)] == sorted(name for key, name in named.items() if key not in sold)
    assert asked(shop, RowQuery(table="towns", without=Without(table="sales"))) == []


def test_a_difference_stands_beside_its_terms_each_over_the_rows_that_it_counts(shop: Shop) -> None:
    query = MetricQuery(metric="takings", minus="takings", by=("towns.land",))

    assert [row[1] for row in asked(shop, query)] == [0, 0, 0]
    assert all(row[2] == row[3] for row in asked(shop, query))


def test_a_sum_of_two_stands_beside_its_terms(shop: Shop) -> None:
    query = MetricQuery(metric="takings", plus="takings", by=("towns.land",))

    for _, both, one, other in asked(shop, query):
        assert one == other
        assert both == pytest.approx(2 * float(str(one)), abs=0.01)


def test_empty_cells_are_asked_for_and_those_that_are_filled(shop: Shop) -> None:
    def ids(operator: Literal["is", "is_not"]) -> list[object]:
        made = Condition(column="sales.amount", values=(None,), operator=operator)
        return [row[0] for row in asked(shop, RowQuery(table="sales", columns=("sales.id",), where=(made,)))]

    assert ids("is") == [row[0] for row in sales() if row[5] is None]
    assert ids("is_not") == [row[0] for row in sales() if row[5] is not None]


def test_a_fraction_stands_beside_its_whole(shop: Shop) -> None:
    [(part, whole)] = asked(shop, MetricQuery(metric="takings", times=Decimal("0.15")))

    assert part == pytest.approx(float(str(whole)) * 0.15, abs=0.02)


def test_who_shares_the_first_place_is_shown(shop: Shop) -> None:
    most = max(float(str(amount)) for *_, amount in sales() if amount is not None)
    query = RowQuery(table="sales", columns=("sales.id",), order="sales.amount", ascending=False, rows=1)

    assert [row[0] for row in asked(shop, query)] == [row[0] for row in sales() if row[5] == most]


def test_the_second_is_the_next_value_below_the_first(shop: Shop) -> None:
    query = MetricQuery(metric="takings", by=("sales.kind",))
    values = sorted({float(str(row[1])) for row in asked(shop, query) if row[1] is not None}, reverse=True)

    second = asked(shop, query.model_copy(update={"rows": 2, "from_place": 2}))

    assert {float(str(row[1])) for row in second} == {values[1]}


def test_what_grew_is_no_drop(shop: Shop) -> None:
    periods = {"period": Period(start=date(2026, 1, 1)), "against": Period(end=date(2026, 1, 1)), "rows": 3}
    query = MetricQuery(metric="sales", by=("sales.kind",)).model_copy(update={**periods, "by_change": True})
    every = asked(shop, query.model_copy(update={"rows": None, "by_change": False}))
    fell = sorted(change for row in every if (change := float(str(row[3]))) < 0)[:3]

    dropped = asked(shop, query.model_copy(update={"ascending": True}))

    assert fell
    assert sorted(float(str(row[3])) for row in dropped)[:3] == fell


@pytest.mark.parametrize("by", [(), ("sales.kind",), ("towns.name",)])
def test_the_median_is_that_of_the_rows(shop: Shop, by: tuple[str, ...]) -> None:
    at = {"sales.kind": 3, "towns.name": 1}
    parts: dict[object, list[float]] = {}
    for row in sales():
        if row[5] is not None and row[3] not in ("void", None):
            parts.setdefault(row[at[by[0]]] if by else None, []).append(float(str(row[5])))
    told = asked(shop, MetricQuery(metric="takings", aggregate="median", by=by))

    assert sorted(str(row[-1]) for row in told) == sorted(str(round(median(each), 2)) for each in parts.values())


def test_a_ratio_is_of_what_each_metric_counts(shop: Shop) -> None:
    (row,) = asked(shop, MetricQuery(metric="takings", over="sales"))
    taken = sum(float(str(each[5] or 0)) for each in sales() if each[3] not in ("void", None))

    assert row == (round(taken / len(sales()), 2), round(taken, 2), len(sales()))


def test_days_of_the_week_are_all_of_them(shop: Shop) -> None:
    by_hand = Counter(date.fromisoformat(str(row[2])).isoweekday() for row in sales())

    told = {row[0]: row[1] for row in asked(shop, MetricQuery(metric="sales", grain="weekday"))}
    assert told == by_hand
    (mondays,) = asked(shop, MetricQuery(metric="sales", weekdays=(1, 7)))
    assert mondays == (by_hand[1] + by_hand[7],)


def test_hours_are_of_times_alone(shop: Shop) -> None:
    assert [row[0] for row in asked(shop, MetricQuery(metric="mean", grain="hour"))] == [23]
    with pytest.raises(QueryNotPossible):
        built(MetricQuery(metric="sales", grain="hour"), CATALOG, dialect="sqlite", today=TODAY)


def test_two_of_one_name_are_two(shop: Shop) -> None:
    for database in shop:
        database.execute("INSERT INTO towns VALUES (9, 'Delft', 'US')")
        database.execute("INSERT INTO sales (id, town_id, sold_on, kind) VALUES (901, 9, '2024-02-01', 'book')")
    day = Period(start=date(2024, 1, 1), end=date(2026, 12, 31))
    try:
        rows = asked(shop, MetricQuery(metric="sales", by=("towns.name",), period=day))
        counted = asked(shop, MetricQuery(metric="sales", by=("towns.name",), period=day, groups=True))
    finally:
        for database in shop:
            database.execute("DELETE FROM sales WHERE id = 901")
            database.execute("DELETE FROM towns WHERE id = 9")

    assert [row[1] for row in rows if row[0] == "Delft"][-1] == 1
    assert counted == [(4,)]
