"""Results of tools to blocks, whatever tool they come from: pure. Records are drawn from state, elsewhere."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from math import isfinite
from typing import Literal, assert_never

from adapters.cards import (
    Block,
    Buttons,
    Chart,
    ChartSeries,
    Code,
    Column,
    Facts,
    Heading,
    Link,
    Note,
    Source,
    Sources,
    Table,
    Text,
    Tone,
)
from agent import results
from agent.results import Findings, Message, Passages, Records, Result, cell_text, plain_words, sentence, with_unit
from bot.rendering.texts.catalogue import say
from features.anatomy.reader import Reader, page_url, when

#: Rows of a table that one message shows.
ROWS = 50
#: Points of a chart of a table, fewest and most; its most series; and points of a series.
POINTS, MAX_SERIES, MAX_POINTS = (2, 50), 5, 100
#: Digits from which on a number is written with an exponent.
_MANY_DIGITS = 30
_SPECIAL = re.compile(r"([\\`*\[\]<|~&]|(?<!\w)_|_(?!\w))")
_LINE_START = re.compile(r"(?m)^([^\S\n]*+)([-+>]|\d++[.)])(?=\s)")
_TONES: dict[str, Tone] = {"info": "neutral", "warning": "warn", "critical": "bad"}


def result_blocks(result: Result, reader: Reader) -> tuple[Block, ...]:
    """Return the blocks of a result."""
    match result:
        case Passages():
            return tuple(_passages(result, reader))
        case results.Table():
            return (*_table(result, reader), *_page(result.url, reader))
        case results.Series():
            return (*_series(result, reader), *_page(result.url, reader))
        case Findings():
            return tuple(_findings(result, reader))
        case Message(text=text, author=author):
            said = Text(escaped(text.in_language(reader.language)))
            return (said, Note(author)) if author else (said,)
        case Records():
            return (Note(plain_words(result, reader.language)),)
        case _:
            assert_never(result)


def escaped(text: str) -> str:
    """Return plain text as Markdown that shows just these characters."""
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


def cell(value: results.Cell, reader: Reader) -> str:
    """Return a cell as this reader reads it: instants in their zone."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return when(value, reader)
    if isinstance(value, bool):
        return say(reader.language, f"result.{str(value).lower()}")
    return cell_text(value)


def _passages(passages: Passages, reader: Reader) -> Iterator[Block]:
    for number, item in enumerate(passages.items, start=1):
        source = item.source
        url = source.uri
        if not url and source.source:
            url = page_url(reader, source=source.source_name, path=source.source, anchor=source.anchor)
        yield Text(item.text)
        place = Source(number=number, title=source.title, section=source.section, url=url, quote="")
        yield Sources(label="", items=(place,))


def _table(table: results.Table, reader: Reader) -> Iterator[Block]:
    """Say what it is, draw a chart where the shape suits, and the rows, with the query that gave them."""
    language = reader.language
    said = sentence(table, language)
    if not table.rows:
        yield Note(said)
        return
    if table.computed is not None:
        (value,), unit = table.rows[0], table.columns[0].unit
        exact = "" if said.startswith(f"{table.computed.expression} =") else "≈ "
        yield Facts(((table.computed.expression, exact + with_unit(value, unit)),))
        return
    if len(table.rows) == len(table.columns) == 1 and table.title:
        yield Text(escaped(said))
        yield from _statement(table)
        return
    if chart := _chart(table, said, reader):
        yield chart
    shown = table.rows[:ROWS]
    more = table.truncated or len(table.rows) > len(shown)
    yield Table(
        columns=tuple(Column(each.name or " ", each.unit, _HOLDS[each.type]) for each in table.columns),
        rows=tuple(
            tuple(_grouped(value, column, reader) for value, column in zip(row, table.columns, strict=True))
            for row in shown
        ),
        title="" if chart else said,  # it stands above the chart
        note=say(language, "result.more_rows", shown=len(shown)) if more else "",
    )
    yield from _statement(table)


def _statement(table: results.Table) -> Iterator[Block]:
    if table.statement and not table.folded:
        yield Code(table.statement, language="sql", title=table.datasource)


_HOLDS: dict[results.ColumnType, Literal["text", "number", "date"]] = {
    "text": "text",
    "number": "number",
    "date": "date",
    "time": "date",
    "flag": "text",
}


def _chart(table: results.Table, title: str, reader: Reader) -> Chart | None:
    """Return bars over names, or lines over days, where that is what the table holds."""
    first, *others = table.columns
    numbers = [at for at, column in enumerate(table.columns) if column.type == "number"]
    suits = first.type in ("text", "date", "time") and numbers and len(numbers) == len(others)
    if not suits or not POINTS[0] <= len(table.rows) <= POINTS[1] or len(numbers) > MAX_SERIES:
        return None
    units = {table.columns[at].unit for at in numbers}
    names = tuple(cell(row[0], reader) for row in table.rows)
    if len(units) > 1 or len(set(names)) < len(names):
        return None
    return Chart(
        shape="bar" if first.type == "text" else "line",
        title=title or others[0].name,
        categories=names,
        series=tuple(
            ChartSeries(table.columns[at].name, tuple(_float(row[at]) for row in table.rows)) for at in numbers
        ),
        alternative=_extremes(table, names, numbers[0], reader),
        unit=units.pop(),
        x_label=first.name,
    )


def _extremes(table: results.Table, names: Sequence[str], at: int, reader: Reader) -> str:
    """Return the largest and the smallest value of a column; all of them stand in the table below the chart."""
    known = [(row[at], name) for row, name in zip(table.rows, names, strict=True) if isinstance(row[at], Decimal)]
    if len(known) < POINTS[0]:
        return table.columns[at].name
    (low, lowest), (high, highest) = min(known), max(known)
    unit = table.columns[at].unit
    said = {"high": (highest, high), "low": (lowest, low)}
    column = table.columns[at]
    values = {name: f"{of} ({_grouped(value, column, reader)}{_unit(unit)})" for name, (of, value) in said.items()}
    return say(reader.language, "result.extremes", **values)


def _grouped(value: results.Cell, column: results.Column, reader: Reader) -> str:
    """Return a cell; a measured number in groups of three digits, while a bare one may be a name or a year."""
    if isinstance(value, Decimal) and column.unit and abs(value.adjusted()) < _MANY_DIGITS:
        return f"{value:,f}"
    return cell(value, reader)


def _unit(unit: str) -> str:
    return unit if unit in ("", "%") else f" {unit}"


def _series(series: results.Series, reader: Reader) -> Iterator[Block]:
    said = plain_words(series, reader.language)
    yield Note(said)
    if len(series.points) > 1:
        step = -(-len(series.points) // MAX_POINTS)
        points = series.points[::step]
        yield Chart(
            shape="line",
            title=sentence(series, reader.language) or " ",
            categories=tuple(when(point.at, reader) for point in points),
            series=(ChartSeries(series.name or " ", tuple(_float(point.value) for point in points)),),
            alternative=said,
            unit=series.unit,
        )
    if series.query:
        yield Code(series.query, title=series.datasource)


def _float(value: results.Cell) -> float | None:
    made = float(value) if isinstance(value, Decimal) else None
    return made if made is not None and isfinite(made) else None


def _findings(report: Findings, reader: Reader) -> Iterator[Block]:
    language = reader.language
    yield Heading(report.summary.in_language(language))
    seen = {item.key: item for item in report.observations}
    for finding in report.findings:
        yield Note(finding.text.in_language(language), tone=_TONES[finding.severity])
        lines = (f"- {escaped(' '.join(seen[key].text.split()))}" for key in finding.observations)
        yield Text("\n".join(lines))
    if report.ruled_out:
        ruled_out = "; ".join(each.in_language(language) for each in report.ruled_out)
        yield Note(say(language, "result.ruled_out", what=ruled_out))
    yield from _page(report.url, reader)


def _page(url: str, reader: Reader) -> tuple[Block, ...]:
    return (Buttons((Link(say(reader.language, "result.page"), url),)),) if url else ()
