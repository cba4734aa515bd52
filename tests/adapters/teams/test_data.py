"""Tables, code and charts as Teams draws them itself, and what older clients show in their place."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from adapters.cards import PNG, Card, Chart, ChartSeries, Code, Column, Heading, Image, Table
from adapters.markdown.plain import number
from adapters.markdown.text import WORD_JOINER
from adapters.teams.drawing.messages import draw
from adapters.teams.drawing.text import exact, plain
from tests.adapters.any_card import charts, tables
from tests.adapters.teams.card_oracle import Json, accept_message, older
from tests.adapters.teams.test_drawing import CONFIG, SHORTENING, one

SITES = (Column("Site"), Column("Wait", "min", "number"))
WAITS = Table(SITES, (("Berlin", "12"), ("上海", "")), "Waits by site", "first 2 of 9 rows")
SERIES = ChartSeries("2026", (12.0, 7.5))
CHART = Chart("bar", "Waits", ("Berlin", "上海"), (SERIES,), "Berlin waits longest.", "min", "Site")


def all_of(card: Card) -> list[Json]:
    drawn = draw(card, SHORTENING, config=CONFIG, messages=99)
    return [element for each in drawn for element in accept_message(each)["attachments"][0]["content"]["body"]]


def test_a_table_is_a_table_with_numbers_at_the_right() -> None:
    content = one(Card((WAITS,), "x"))
    title, table, note = content["body"]
    assert content["msteams"] == {"width": "full"}
    assert title["text"] == "Waits by site"
    assert [[cell["items"][0]["text"] for cell in row["cells"]] for row in table["rows"]] == [
        ["Site", "Wait (min)"],
        ["Berlin", "12"],
        ["上海", "–"],
    ]
    assert [each.get("horizontalCellContentAlignment") for each in table["columns"]] == [None, "Right"]
    assert note["inlines"][0]["text"] == "first 2 of 9 rows"


def test_a_long_table_repeats_its_head_and_says_which_rows_stand_where() -> None:
    rows = tuple((f"site {at}", str(at)) for at in range(200))
    body = all_of(Card((Table(SITES, rows, "Sites"),), "x"))
    shown = [each for each in body if each["type"] == "Table"]
    assert len(shown) > 1
    assert {each["rows"][0]["cells"][0]["items"][0]["text"] for each in shown} == {"Site"}
    first = [row["cells"][0]["items"][0]["text"] for each in shown for row in each["rows"][1:]]
    assert first == [row[0] for row in rows]
    assert sum("/ 200" in json.dumps(each) for each in body) == len(shown)


def test_what_does_not_fit_into_three_messages_is_said_to_be_missing() -> None:
    rows = tuple((f"site {at}", str(at)) for at in range(900))
    messages = draw(Card((Heading("Sites"), Table(SITES, rows)), "x"), SHORTENING, config=CONFIG)
    said = json.dumps([accept_message(each) for each in messages])
    assert len(messages) == 3
    assert SHORTENING.words in said
    assert "/ 900" in said


@settings(max_examples=60)
@given(tables(long=40, wide=10))
def test_every_cell_stands_in_the_messages(table: Table) -> None:
    said = "".join(json.dumps(all_of(Card((table,), "x")), ensure_ascii=False).replace("\\n", " ").split())
    for row in table.rows:
        for word in (word for cell in row for word in plain(cell).split() if len(word) < 40):
            forms = {json.dumps(each, ensure_ascii=False)[1:-1] for each in (word, exact(word))}
            bare = said.replace(WORD_JOINER, "")
            assert any(form.replace(WORD_JOINER, "") in bare for form in forms)


@settings(max_examples=60)
@given(charts(long=30))
def test_every_chart_is_drawn(chart: Chart) -> None:
    assert all_of(Card((chart,), "x"))


@pytest.mark.parametrize(
    ("chart", "kind"),
    [
        (CHART, "Chart.VerticalBar"),
        (
            Chart("bar", "Waits", ("a", "b"), (SERIES, ChartSeries("2025", (1.0, None))), "."),
            "Chart.VerticalBar.Grouped",
        ),
        (Chart("line", "Waits", ("a", "b"), (SERIES,), "."), "Chart.Line"),
        (Chart("pie", "Waits", ("a", "b"), (SERIES,), "."), "Chart.Pie"),
    ],
)
def test_a_chart_is_teams_own_and_older_clients_see_its_numbers(chart: Chart, kind: str) -> None:
    title, drawn, words = one(Card((chart,), "x"))["body"]
    assert title["text"] == "Waits"
    assert drawn["type"] == kind
    said = json.dumps(older(drawn), ensure_ascii=False)
    assert all(number(value) in said for each in chart.series for value in each.values)
    assert words["inlines"][0]["text"] == chart.alternative


def test_many_times_of_day_are_minutes_on_an_axis_and_few_are_named() -> None:
    def drawn(count: int) -> dict[str, Any]:
        times = tuple(f"{(1430 + each) // 60 % 24:02}:{(1430 + each) % 60:02}" for each in range(count))
        values = tuple(float(each) for each in range(count))
        found: dict[str, Any] = one(Card((Chart("line", "", times, (ChartSeries("a", values),), "."),), "x"))["body"][0]
        return found

    many, few = drawn(40), drawn(12)
    assert [each["x"] for each in many["data"][0]["values"]] == [float(each) for each in range(40)]
    assert many["xAxisTitle"] == "min (23:50 – 00:29)"
    assert few["data"][0]["values"][0]["x"] == "23:50"
    assert "xAxisTitle" not in few


def test_a_chart_that_cannot_be_drawn_is_characters_alone() -> None:
    twice = Chart("bar", "", ("a", "a"), (SERIES,), "Words.")
    drawn, words = one(Card((twice,), "x"))["body"]
    assert drawn["type"] == "Container"
    assert "12" in json.dumps(drawn)
    assert words["inlines"][0]["text"] == "Words."


def test_code_is_a_block_of_code_and_exact() -> None:
    said = "SELECT 1 -- <at>Ada</at> ```\n  [x](https://evil.example)"
    title, drawn = one(Card((Code(said, "sql", "Statement"),), "x"))["body"]
    assert title["text"] == "Statement"
    assert (drawn["type"], drawn["language"], drawn["codeSnippet"]) == ("CodeBlock", "Sql", said)
    assert older(drawn)["items"][0]["inlines"][0] == {"type": "TextRun", "text": said, "fontType": "Monospace"}
    assert one(Card((Code("x", "brainf*ck"),), "x"))["body"][0]["language"] == "PlainText"


def test_a_picture_is_its_words() -> None:
    assert "Map: Sites" in json.dumps(one(Card((Image(PNG, "Sites", "Map"),), "x")))
