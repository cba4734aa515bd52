"""Tables and charts in plain text: nothing is cut, columns stand under their headings, numbers can be read."""

import json
from typing import get_args

import pytest
from hypothesis import given, settings
from pydantic import TypeAdapter

from adapters.cards import PNG, Block, Card, Chart, ChartSeries, Code, Column, Image, Table
from adapters.markdown.plain import chart_table, lines, number, sparkline, thinned, width_of
from tests.adapters.any_card import blocks, charts, tables

CARDS = TypeAdapter(Card)
WAITS = Table(
    (Column("Site"), Column("Wait", "min", "number")), (("Berlin", "12"), ("上海", "7.5")), "Waits", "2 of 9 rows"
)


def test_columns_stand_under_their_headings_and_numbers_at_the_right() -> None:
    assert list(lines(WAITS)) == [
        "Waits",
        "Site    Wait (min)",
        "──────────────────",
        "Berlin          12",
        "上海           7.5",
        "2 of 9 rows",
    ]


def test_a_table_that_is_too_wide_is_written_as_records() -> None:
    assert list(lines(WAITS, width=12)) == [
        "Waits",
        *("Site: Berlin", "Wait (min): 12", "", "Site: 上海", "Wait (min): 7.5"),
        "2 of 9 rows",
    ]


@settings(max_examples=60)
@given(tables(long=20))
def test_every_cell_can_be_read(table: Table) -> None:
    said = " ".join(" ".join(lines(table)).split())
    cells = [" ".join(cell.split()) for row in table.rows for cell in row]
    assert [cell for cell in cells if cell not in said] == []


@settings(max_examples=60)
@given(charts(long=12))
def test_every_number_of_a_chart_can_be_read(chart: Chart) -> None:
    said = "\n".join(lines(chart))
    assert chart.alternative in said
    assert all(number(value, chart.unit) in said for each in chart.series for value in each.values)
    assert len(chart_table(chart).rows) == len(chart.categories)


def test_numbers_are_read_as_people_write_them() -> None:
    read = {1234567.5: "1,234,567.5", 0.1 + 0.2: "0.3", -3.0: "-3", 1e300: "1e+300", 0.0: "0", 1e-9: "1e-09"}
    assert {value: number(value) for value in read} == read
    assert number(None) == "–"
    assert [number(4487.4, unit) for unit in ("EUR", "%", "")] == ["4,487.40", "4,487.4", "4,487.4"]
    assert sparkline((1, None, 3, 1e308)) == "▁ ▁█"
    assert width_of("e\u0301上海") == 5


def test_a_long_line_keeps_its_peaks_and_fits_one_line() -> None:
    values = (*(1.0 for _ in range(40)), 9.0, *(1.0 for _ in range(20)))
    assert thinned(values) == (*(1.0 for _ in range(20)), 9.0, *(1.0 for _ in range(10)))
    assert thinned((None, None, 2.0), most=2) == (None, 2.0)
    assert thinned((1.0, None)) == (1.0, None)


@settings(max_examples=80)
@given(blocks)
def test_every_block_survives_the_outbox(block: Block) -> None:
    card = Card((block,), "x")
    assert CARDS.validate_python(json.loads(json.dumps(CARDS.dump_python(card, mode="json")))) == card


def test_what_has_no_shape_is_refused() -> None:
    assert {Table, Code, Chart, Image} < set(get_args(Block))
    with pytest.raises(ValueError, match="as many cells"):
        Table((Column("a"),), (("1", "2"),))
    with pytest.raises(ValueError, match="one finite value"):
        Chart("bar", "t", ("a",), (ChartSeries("s", (float("nan"),)),), "words")
    with pytest.raises(ValueError, match="a pie one series"):
        Chart("pie", "t", ("a",), (ChartSeries("s", (1.0,)), ChartSeries("t", (1.0,))), "words")
    with pytest.raises(ValueError, match="PNG of at most"):
        Image(b"GIF89a", "words")
    assert Image(PNG, "words").kind == "image"
