"""Tables, code, charts and pictures as HTML that needs neither script nor style of its own."""

import re
from calendar import month_name
from itertools import pairwise
from typing import Literal
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings

from adapters.cards import PNG, Block, Card, Chart, ChartSeries, Code, Column, Image, Table
from adapters.markdown.plain import number
from tests.adapters.any_card import charts, tables
from tests.adapters.test_web_render import EVIL, RENDERER, seen

TWO = (ChartSeries("2025", (3.0, None, -1.5)), ChartSeries("2026", (4.0, 2.0, 6.0)))
MONTHS = ("Jan", "Feb", "Mar")
YEAR = tuple(f"{name} 2026" for name in month_name[1:])
YEAR_ZH = tuple(f"2026 年 {month} 月" for month in range(1, 13))


def html(block: Block) -> str:
    return RENDERER.card(Card((block,), "x"))


def test_a_table_has_a_caption_heads_and_numbers_at_the_right() -> None:
    table = Table((Column("Site"), Column("Wait", "min", "number")), (("Berlin", "12"),), "Waits", "1 of 9 rows")
    drawn = html(table)
    assert "<caption>Waits</caption>" in drawn
    assert '<th scope="col" class="number">Wait (min)</th>' in drawn
    assert '<td class="number">12</td>' in drawn
    assert '<p class="note">1 of 9 rows</p>' in drawn
    assert 'role="region" aria-label="Waits"' in drawn


@settings(max_examples=50)
@given(tables(long=15))
def test_every_cell_is_in_the_page_and_is_text(table: Table) -> None:
    text = " ".join(seen(html(table)).text.split())
    cells = [" ".join(cell.split()) for row in table.rows for cell in row]
    assert [cell for cell in cells if cell not in text] == []


@settings(max_examples=80)
@given(charts())
def test_every_chart_is_a_picture_with_words_and_numbers(chart: Chart) -> None:
    drawn = html(chart)
    page = seen(drawn)
    assert "nan" not in re.sub(r">[^<]*<", "><", drawn).replace(chart.alternative, "")
    assert [attributes["aria-label"] for tag, attributes in page.tags if tag == "svg"] == [chart.alternative]
    assert all(number(value) in page.text for each in chart.series for value in each.values)
    allowed = {"div", "figure", "figcaption", "svg", "g", "line", "text", "rect", "polyline", "circle", "path", "title"}
    allowed |= {"ul", "li", "i", "p", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"}
    assert {tag for tag, _attributes in page.tags} <= allowed
    assert not any("style" in attributes or "href" in attributes for _tag, attributes in page.tags)


@pytest.mark.parametrize(("shape", "marks"), [("bar", "rect"), ("line", "polyline")])
def test_a_chart_has_a_mark_for_every_value(shape: str, marks: str) -> None:
    drawn = html(Chart(shape, "Sales", MONTHS, TWO, "Rising", "k€", "Month"))  # type: ignore[arg-type]
    svg = ET.fromstring(drawn[drawn.index("<svg") : drawn.index("</svg>") + 6])
    dots = [each.text for each in svg.iter("title")]
    assert dots == ["2025, Jan: 3 k€", "2025, Mar: -1.5 k€", "2026, Jan: 4 k€", "2026, Feb: 2 k€", "2026, Mar: 6 k€"]
    assert len(list(svg.iter(marks))) >= 3
    assert "Month" in drawn


def test_a_pie_has_a_slice_for_every_share() -> None:
    drawn = html(Chart("pie", "Share", MONTHS, (ChartSeries("", (1.0, 1.0, 2.0)),), "Half in March"))
    assert drawn.count("<path") == 3
    assert drawn.count("<li>") == 3
    assert "<circle" in html(Chart("pie", "Share", ("all",), (ChartSeries("", (5.0,)),), "All"))


def test_code_is_kept_as_it_is_and_can_be_copied() -> None:
    drawn = html(Code("\n  SELECT '<b>';", "sql", "Statement"))
    assert '<pre tabindex="0"><code>\n  SELECT &#x27;&lt;b&gt;&#x27;;</code></pre>' in drawn
    assert "data-copy" in drawn


def test_a_picture_stands_in_the_page_itself() -> None:
    drawn = html(Image(PNG, f"A map {EVIL}", "Map"))
    assert '<img src="data:image/png;base64,iVBORw0KGgo="' in drawn
    assert [tag for tag, _attributes in seen(drawn).tags] == ["div", "figure", "figcaption", "img"]


@pytest.mark.parametrize("shape", ["line", "bar"])
@pytest.mark.parametrize("names", [YEAR, YEAR_ZH], ids=["en", "zh"])
def test_no_label_of_a_chart_covers_another(shape: Literal["line", "bar"], names: tuple[str, ...]) -> None:
    values = tuple(map(float, range(len(names))))
    chart = Chart(shape, "Orders", names, (ChartSeries("orders", values),), alternative="Up")
    labels = re.findall(r'class="label" x="([\d.]+)"[^>]*>([^<]+)<', html(chart))
    at = [(float(x), sum(7 if letter.isascii() else 13 for letter in name)) for x, name in labels]

    assert len(labels) >= 4
    assert all(right - left >= (wide + following) / 2 for (left, wide), (right, following) in pairwise(at))
