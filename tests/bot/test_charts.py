"""Charts of tables: drawn where the shape suits or where somebody asks for one; else it is said why there is none."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest

from adapters.cards import Chart
from agent.results import Bilingual, Cell, Column, Drawn, Table
from bot.rendering.charts import POINTS, chart_of
from bot.rendering.texts.catalogue import say
from features.anatomy.reader import Reader

READER = Reader(language="en")
MONTH = Column("month", "date", step="month")
REGION = Column("region")
ORDERS, EUROS = Column("orders", "number"), Column("revenue", "number", "EUR")


def drawn(columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]], how: Drawn = "") -> Chart | str:
    title = Bilingual("Orders", "订单")
    return chart_of(Table(tuple(columns), tuple(rows), title=title, drawn=how), "Orders", READER)


def chart(columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]], how: Drawn = "") -> Chart:
    made = drawn(columns, rows, how)
    assert isinstance(made, Chart), made
    return made


def test_names_with_numbers_are_drawn_unasked_and_not_as_a_table() -> None:
    rows = [("north", 3), ("south", 5)]

    assert chart([REGION, ORDERS], rows).shape == "bar"
    assert drawn([REGION, ORDERS], rows, "table") == ""


def test_many_months_of_a_year_stand_in_short_where_long_names_do_not_fit() -> None:
    made = chart([MONTH, ORDERS], [(date(2026, month, 1), month) for month in range(1, 8)])

    assert made.categories == ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul")
    assert made.x_label.endswith("2026")
    assert "July 2026" in made.alternative


def test_steps_of_time_stand_in_a_chart_as_people_write_them() -> None:
    made = chart([MONTH, ORDERS], [(date(2026, 4, 1), 3), (date(2026, 5, 1), 5)])

    assert (made.shape, made.categories) == ("line", ("April 2026", "May 2026"))
    assert "May 2026" in made.alternative


def test_two_units_are_drawn_only_when_asked_and_then_the_first_by_its_name() -> None:
    columns, rows = [REGION, ORDERS, EUROS], [("north", 3, 300), ("south", 5, 10)]
    made = chart(columns, rows, "chart")

    assert drawn(columns, rows) == ""
    assert [each.name for each in made.series] == ["orders"]
    assert made.title == "orders"


def test_days_and_names_become_a_line_for_each_name() -> None:
    rows = [
        (date(2026, 4, 1), "north", 3),
        (date(2026, 4, 1), "south", 5),
        (date(2026, 5, 1), "south", 7),
    ]
    made = chart([MONTH, REGION, ORDERS], rows, "chart")

    assert {each.name: each.values for each in made.series} == {"north": (3.0, None), "south": (5.0, 7.0)}
    assert drawn([MONTH, REGION, ORDERS], rows) == ""


def test_two_names_stand_below_each_bar() -> None:
    rows = [("north", "web", 3), ("north", "shop", 5)]
    made = chart([REGION, Column("channel"), ORDERS], rows, "chart")

    assert made.categories == ("north · web", "north · shop")


@pytest.mark.parametrize(
    ("columns", "rows", "why"),
    [
        ([ORDERS], [(3,)], "few"),
        ([REGION], [("north",), ("south",)], "numbers"),
        ([REGION, ORDERS], [(f"place {number}", number) for number in range(POINTS[1] + 1)], "many"),
        ([REGION, ORDERS], [("north", 3), ("north", 5)], "same"),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_said_to_be_so_only_when_asked_for(
    columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]], why: str
) -> None:
    assert drawn(columns, rows, "chart") == say("en", f"result.no_chart.{why}", most=POINTS[1])
    assert drawn(columns, rows) == ""


def test_where_all_values_are_the_same_none_is_the_highest() -> None:
    made = chart([REGION, ORDERS], [("north", Decimal(13)), ("south", Decimal(13))])

    assert made.alternative == "orders"
