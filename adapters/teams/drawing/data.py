"""Tables, code and charts as elements of a card; what a client does not know, it shows in characters."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from microsoft_teams.cards.core import (
    BarChartDataValue,
    CardElement,
    CodeBlock,
    CodeLanguage,
    ColumnDefinition,
    Container,
    DonutChartData,
    GroupedVerticalBarChart,
    GroupedVerticalBarChartData,
    LineChart,
    LineChartData,
    LineChartValue,
    PieChart,
    RichTextBlock,
    TableCell,
    TableRow,
    TextBlock,
    TextRun,
    VerticalBarChart,
    VerticalBarChartDataValue,
)
from microsoft_teams.cards.core import Table as TableElement

from adapters.cards import Chart, Code, Column, Image, Table
from adapters.markdown.plain import lines, table_pieces
from adapters.markdown.splitting import split_words
from adapters.markdown.text import shorten
from adapters.outbound.packing import Keep
from adapters.teams.drawing.packing import TeamsPart, weight
from adapters.teams.drawing.passages import COLUMNS_MAX, ROW_MAX, SMALL_PIECE, TABLE_MAX, code
from adapters.teams.drawing.text import exact, line, plain, verbatim

#: A piece of code stands twice in a card: for clients with a block for it, and for the others.
CODE_PIECE, CHART_MAX = 2_500, 9_000
LABEL_MAX, TITLE_MAX, LINE_MAX = 60, 300, 2_000
_CELL_BYTES = 90
#: Names below a line that can be read side by side, and how a time of day is written.
_LABELLED, _CLOCK = 12, re.compile(r"\d\d:\d\d", re.ASCII)
_LANGUAGES: Mapping[str, CodeLanguage] = {each.casefold(): each for each in get_args(CodeLanguage)}
_ALSO: Mapping[str, CodeLanguage] = {"sh": "Bash", "js": "JavaScript", "ts": "TypeScript", "py": "Python"}


def data(block: Table | Code | Chart | Image) -> Iterator[TeamsPart]:
    """Yield a block with its title above and its words below."""
    if not isinstance(block, Image) and (said := line(shorten(block.title, TITLE_MAX))):
        yield TeamsPart(TextBlock(text=exact(said), wrap=True, weight="Bolder"), leads=True)
    match block:
        case Table():
            yield from _table(block)
        case Code():
            for each in split_words(block.text, CODE_PIECE):
                if verbatim(each).strip():  # Teams refuses an empty text
                    yield TeamsPart(_code(each, block.language), Keep.FLOW)
        case Chart():
            yield from _chart(block)
            yield from _small(block.alternative)
        case Image():
            yield from _small("\n".join(lines(block)))


def _table(block: Table) -> Iterator[TeamsPart]:
    """Yield tables of bearable size with the head repeated; as lines what no row can hold."""
    head, rows = _row([each.heading for each in block.columns]), [_row(cells) for cells in block.rows]
    heavy = [weight(row) for row in (head, *rows)] if len(block.columns) <= COLUMNS_MAX else [ROW_MAX + 1]
    if max(heavy) > ROW_MAX:
        yield from _in_characters(Table(block.columns, block.rows))
    else:
        columns = [_column(each) for each in block.columns]
        for first, after in table_pieces(heavy[1:], room=TABLE_MAX - heavy[0], rows=len(rows)):
            yield TeamsPart(TableElement(columns=columns, rows=[head, *rows[first:after]]), Keep.FLOW)
            if after - first < len(rows):
                yield from _small(f"{first + 1}–{after} / {len(rows)}")
    yield from _small(block.note)


def _column(column: Column) -> ColumnDefinition:
    at_right = "Right" if column.holds == "number" else None
    return ColumnDefinition(width=1, horizontal_cell_content_alignment=at_right)


def _row(cells: Sequence[str]) -> TableRow:
    said = (exact(plain(cell).strip()) or "–" for cell in cells)
    return TableRow(cells=[TableCell(items=[TextBlock(text=cell, wrap=True)]) for cell in said])


def _code(text: str, language: str) -> CardElement:
    known = _LANGUAGES.get(language.casefold()) or _ALSO.get(language.casefold(), "PlainText")
    old = Container(style="emphasis", items=[code(text)])
    return CodeBlock(code_snippet=verbatim(text), language=known, fallback=old)


def _chart(block: Chart) -> Iterator[TeamsPart]:
    """Yield a chart that stands in characters where it cannot be drawn; those alone when it is too much for a card."""
    bare = Chart(block.shape, "", block.categories, block.series, "", block.unit, block.x_label)
    drawn, (first, *more) = _drawn(block), list(_in_characters(bare))
    if drawn is None or more or isinstance(first.shown, str) or weight(drawn) + weight(first.shown) > 2 * CHART_MAX:
        yield from (first, *more)
    else:
        yield TeamsPart(drawn.model_copy(update={"fallback": first.shown}), Keep.FLOW)


def _drawn(block: Chart) -> CardElement | None:
    names = [shorten(line(name), LABEL_MAX) for name in block.categories]
    legends = [shorten(line(each.name), LABEL_MAX) for each in block.series]
    title, unit = shorten(line(block.title), TITLE_MAX) or None, shorten(line(block.unit), LABEL_MAX) or None
    if not all(names) or len(set(names)) < len(names) or len(set(legends)) < len(legends):
        return None
    x_label = shorten(line(block.x_label), LABEL_MAX) or None
    known = [
        [(name, value) for name, value in zip(names, each.values, strict=True) if value is not None]
        for each in block.series
    ]
    if block.shape == "pie":
        if not known[0] or any(value <= 0 for _name, value in known[0]):
            return None
        return PieChart(title=title, data=[DonutChartData(legend=name, value=value) for name, value in known[0]])
    if block.shape == "line":
        minutes = _minutes(names) if len(names) > _LABELLED else {}
        series = [
            LineChartData(
                legend=legend, values=[LineChartValue(x=minutes.get(name, name), y=value) for name, value in points]
            )
            for legend, points in zip(legends, known, strict=True)
        ]
        x_label = f"min ({names[0]} – {names[-1]})" if minutes else x_label
        return LineChart(title=title, x_axis_title=x_label, y_axis_title=unit, data=series)
    if len(block.series) == 1:
        bars = [VerticalBarChartDataValue(x=name, y=value) for name, value in known[0]]
        return VerticalBarChart(title=title, x_axis_title=x_label, y_axis_title=unit, data=bars, show_bar_values=True)
    groups = [
        GroupedVerticalBarChartData(
            legend=legend, values=[BarChartDataValue(x=name, y=value) for name, value in points]
        )
        for legend, points in zip(legends, known, strict=True)
    ]
    return GroupedVerticalBarChart(title=title, x_axis_title=x_label, y_axis_title=unit, data=groups)


def _minutes(names: Sequence[str]) -> Mapping[str, float]:
    """Return the minutes since the first of many times of day: Teams labels numbers now and then, and words each.

    Nothing where some name is no time of day.
    """
    if not all(_CLOCK.fullmatch(name) for name in names):
        return {}
    told = [60 * int(name[:2]) + int(name[3:]) for name in names]
    return {name: float((at - told[0]) % (24 * 60)) for name, at in zip(names, told, strict=True)}


def _in_characters(block: Table | Chart) -> Iterator[TeamsPart]:
    """Yield the lines of a block in a fixed-width font; at least one part."""
    for piece in split_words("\n".join(lines(block)), SMALL_PIECE * 2) or ["–"]:
        yield TeamsPart(Container(style="emphasis", items=[code(piece)]), Keep.FLOW)


def _small(text: str) -> Iterator[TeamsPart]:
    for each in split_words(plain(text.strip()), LINE_MAX):
        yield TeamsPart(RichTextBlock(inlines=[TextRun(text=each, size="Small", is_subtle=True)]))
