"""Tables, code and charts as Slack draws them itself; what it cannot hold is plain text, and nothing is lost."""

import json

from hypothesis import given, settings

from adapters.cards import PNG, Block, Card, Chart, ChartSeries, Code, Column, Heading, Image, Table, Text
from adapters.markdown.plain import number
from adapters.slack.drawing.blocks import SlackDrawer, draw
from adapters.slack.drawing.text import plain
from tests.adapters.any_card import charts, tables
from tests.adapters.slack.block_oracle import Json, accept_message
from tests.adapters.slack.hostile import assert_harmless
from tests.adapters.slack.test_blocks import SHORTENING, one

SITES = (Column("Site"), Column("Wait", "min", "number"))
WAITS = Table(SITES, (("Berlin", "12"), ("上海", "")), "Waits by site", "first 2 of 9 rows")
CHART = Chart("bar", "Waits", ("Berlin", "上海"), (ChartSeries("2026", (12.0, 7.5)),), "Berlin waits longest.", "min")


def all_of(card: Card) -> list[Json]:
    return [block for message in draw(card, SHORTENING, messages=99) for block in accept_message(message)]


def shown(blocks: list[Json]) -> str:
    return json.dumps(blocks, ensure_ascii=False)


def test_a_table_is_slacks_own_with_numbers_at_the_right() -> None:
    title, table, note = one(Card((WAITS,), "x"))
    assert title["text"]["text"] == "*Waits by site*"
    assert [[cell["text"] for cell in row] for row in table["rows"]] == [
        ["Site", "Wait (min)"],
        ["Berlin", "12"],
        ["上海", "–"],
    ]
    assert [each["align"] for each in table["column_settings"]] == ["left", "right"]
    assert note["elements"][0]["text"] == "first 2 of 9 rows"


def test_a_long_table_says_which_rows_stand_in_which_message() -> None:
    rows = tuple((f"site {at}", str(at)) for at in range(300))
    messages = draw(Card((Table(SITES, rows, "Sites"),), "x"), SHORTENING, messages=99)
    tables_shown = [block for each in messages for block in accept_message(each) if block["type"] == "table"]
    assert [row[0]["text"] for table in tables_shown for row in table["rows"][1:]] == [row[0] for row in rows]
    assert len(tables_shown) == len(messages)
    said = shown([block for each in messages for block in accept_message(each)])
    assert "1–99 / 300" in said
    assert "/ 300" in shown(accept_message(messages[-1]))


def test_what_does_not_fit_into_three_messages_is_said_to_be_missing() -> None:
    rows = tuple((f"site {at}", str(at)) for at in range(900))
    messages = draw(Card((Heading("Sites"), Table(SITES, rows)), "x"), SHORTENING)
    said = shown([block for each in messages for block in accept_message(each)])
    assert len(messages) == 3
    assert SHORTENING.words in said
    assert "/ 900" in said


def test_two_tables_are_two_messages_and_a_third_chart_a_second() -> None:
    assert len(draw(Card((WAITS, WAITS), "x"), SHORTENING)) == 2
    assert len(draw(Card((CHART, CHART), "x"), SHORTENING)) == 1
    assert len(draw(Card((CHART, CHART, CHART), "x"), SHORTENING)) == 2


@settings(max_examples=60)
@given(tables(long=40, wide=22))
def test_every_cell_stands_in_the_messages(table: Table) -> None:
    blocks = all_of(Card((table,), "x"))
    assert_harmless(blocks)
    said = "".join(shown(blocks).split())
    for row in table.rows:
        for cell in row:
            for word in plain(cell).replace("```", " ").split():
                if len(word) < 40:  # a longer one may be cut between two messages
                    assert json.dumps(word, ensure_ascii=False)[1:-1] in said


@settings(max_examples=60)
@given(charts(long=30))
def test_every_chart_is_drawn_with_its_words(chart: Chart) -> None:
    blocks = all_of(Card((chart,), "x"))
    assert_harmless(blocks)
    assert blocks


def test_a_chart_is_slacks_own_and_its_words_stand_below() -> None:
    block, words = one(Card((CHART,), "x"))
    assert block["chart"] == {
        "type": "bar",
        "series": [{"name": "2026", "data": [{"label": "Berlin", "value": 12.0}, {"label": "上海", "value": 7.5}]}],
        "axis_config": {"categories": ["Berlin", "上海"], "y_label": "min"},
    }
    assert words["elements"][0]["text"] == "Berlin waits longest."


def test_a_chart_with_a_gap_or_too_many_values_is_drawn_in_characters() -> None:
    gap = Chart("line", "Load", ("a", "b"), (ChartSeries("cpu", (1.0, None)),), "It stopped.")
    long = Chart("line", "Load", tuple(map(str, range(90))), (ChartSeries("cpu", tuple(map(float, range(90)))),), "Up.")
    for chart in (gap, long):
        (block,) = one(Card((chart,), "x"))
        assert block["type"] == "markdown"
        assert chart.alternative in block["text"]
        assert number(chart.series[0].values[0]) in block["text"]


def test_code_stands_between_fences_that_it_cannot_end() -> None:
    title, block = one(Card((Code("SELECT 1;\n```\n<!channel> [x](https://evil.example)", "sql", "Statement"),), "x"))
    assert title["text"]["text"] == "*Statement*"
    assert block["text"].startswith("```sql\nSELECT 1;\n")
    assert block["text"].count("```") == 2


def test_a_view_shows_the_same_as_text() -> None:
    blocks: tuple[Block, ...] = (WAITS, CHART, Code("SELECT 1"), Image(PNG, "A map", "Map"), Text("x"))
    kinds = {part.block.type for part in SlackDrawer("en", message=False).parts(blocks)}
    assert kinds == {"section", "context"}
