"""Results of tools to blocks, whatever tool they come from: pure. Records are drawn from state, elsewhere."""

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
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
from agent.results import (
    DocumentSource,
    Findings,
    Message,
    Passages,
    Records,
    Result,
    cell_text,
    plain_words,
    sentence,
    series_words,
    with_unit,
)
from bot.rendering.charts import chart_of, finite, grouped
from bot.rendering.texts.catalogue import say
from features.anatomy.reader import Reader, moments, page_url
from language.sentences import unwrapped

#: Rows of a table that one message shows.
ROWS = 50
#: Points of a chart of a series.
MAX_POINTS = 100
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


def _passages(passages: Passages, reader: Reader) -> Iterator[Block]:
    pages = {item.source.document_id for item in passages.items}
    if len(passages.items) > 1 and len(pages) == 1:
        yield from _outline(passages, reader)
        return
    for number, item in enumerate(passages.items, start=1):
        yield Text(unwrapped(item.text))
        yield Sources(label="", items=(_place(item.source, reader, number=number),))


def _outline(passages: Passages, reader: Reader) -> Iterator[Block]:
    """Draw passages of one page below the headings that they stand under, each with its link."""
    lines: list[str] = []
    for item in passages.items:
        *above, heading = item.source.section.split(" > ")
        linked = f"[{escaped(heading)}]({_place(item.source, reader).url})"
        bullet = f"{'  ' * (len(above) - 1)}- " if above else ""
        lines.append(f"{bullet}**{linked}** {item.text}".rstrip() + ("" if above else "\n"))
    yield Text("\n".join(lines))
    yield Sources(label="", items=(_place(replace(passages.items[0].source, section=""), reader),))


def _place(source: DocumentSource, reader: Reader, *, number: int = 1) -> Source:
    url = source.uri
    if not url and source.source:
        url = page_url(reader, source=source.source_name, path=source.source, anchor=source.anchor)
    return Source(number=number, title=source.title, section=source.section, url=url, quote="")


def _table(table: results.Table, reader: Reader) -> Iterator[Block]:
    """Say what it is, draw a chart where the shape suits, and the rows, with the query that gave them."""
    language = reader.language
    headings = tuple(replace(column, name=column.heading(language)) for column in table.columns)
    table = replace(table, columns=headings)
    said = sentence(table, language)
    if not table.rows:
        yield Note(said)
        return
    if table.computed is not None:
        (value,), unit = table.rows[0], table.columns[0].unit
        exact = "" if said.startswith(f"{table.computed.expression} =") else "≈ "
        yield Facts(((table.computed.expression, exact + with_unit(value, unit)),))
        return
    if len(table.rows) == len(table.columns) == 1 and _is_told(table, said):
        yield Text(escaped(said))
        if table.drawn == "chart":
            yield Note(say(language, "result.no_chart.few"))
        yield from _statement(table)
        return
    chart = chart_of(table, said, reader)
    if isinstance(chart, Chart):
        yield chart
    shown = table.rows[:ROWS]
    more = table.truncated or len(table.rows) > len(shown)
    yield Table(
        columns=tuple(Column(each.name or " ", each.unit, _HOLDS[each.type]) for each in table.columns),
        rows=tuple(
            tuple(grouped(value, column, reader) for value, column in zip(row, table.columns, strict=True))
            for row in shown
        ),
        title="" if isinstance(chart, Chart) and chart.title == said else said,  # it stands above the chart
        note=say(language, "result.more_rows", shown=len(shown)) if more else "",
    )
    if isinstance(chart, str) and chart:
        yield Note(chart)
    yield from _statement(table)


def _is_told(table: results.Table, said: str) -> bool:
    """Tell whether the sentence above a table of one cell holds its value: a number that is rounded counts, too."""
    (value,) = table.rows[0]
    return bool(table.title) and (isinstance(value, Decimal) or cell_text(value) in said)


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


def _series(series: results.Series, reader: Reader) -> Iterator[Block]:
    times = [point.at for point in series.points]
    clock = dict(zip(times, moments(times, reader), strict=True))
    said = series_words(series, reader.language, clock.__getitem__)
    if len(series.points) <= 1:
        yield Note(said)
    else:  # whoever sees no chart reads its alternative
        step = -(-len(series.points) // MAX_POINTS)
        points = series.points[::step]
        yield Chart(
            shape="line",
            title=sentence(series, reader.language) or " ",
            categories=tuple(clock[point.at] for point in points),
            series=(ChartSeries(series.name or " ", tuple(finite(point.value) for point in points)),),
            alternative=said,
            unit=series.unit,
        )
    if series.query:
        yield Code(series.query, title=series.datasource)


def _findings(report: Findings, reader: Reader) -> Iterator[Block]:
    language = reader.language
    yield Heading(report.summary.in_language(language))
    seen = {item.key: item for item in report.observations}
    shown: set[str] = set()
    for finding in report.findings:
        yield Note(finding.text.in_language(language), tone=_TONES[finding.severity])
        fresh = [key for key in finding.observations if key not in shown]
        shown.update(fresh)
        if fresh:  # what stands above for another finding is not said again
            yield Text(
                "\n".join(f"- {escaped(' '.join(seen[key].text.in_language(language).split()))}" for key in fresh)
            )
    for key, said in (
        ("changed", report.changed),
        ("ruled_out", report.ruled_out),
        ("not_read", report.not_read),
    ):
        if said:
            yield Note(say(language, f"result.{key}", what=" · ".join(each.in_language(language) for each in said)))
    for number, advice in enumerate(report.advice):
        lead = "" if number else f"**{say(language, 'result.first')}** "
        yield Text(lead + escaped(advice.text.in_language(language)))
        if advice.command:
            yield Code(advice.command)
    yield from _page(report.url, reader)


def _page(url: str, reader: Reader) -> tuple[Block, ...]:
    return (Buttons((Link(say(reader.language, "result.page"), url),)),) if url else ()
