"""Tables, code, charts and pictures as lines of plain text, for places that cannot draw them."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import assert_never
from unicodedata import category, east_asian_width

from adapters.cards import Chart, Code, Column, Image, Table
from adapters.markdown.text import WORD_JOINER

#: A cell of `grid` is at most so wide before a table is written as records, one line a cell.
CELL_WIDTH = 60
_BAR_WIDTH = 24
#: A chart of more categories is told by its turning points.
_TOLD_MAX = 24
_LANGUAGE = re.compile(r"[^A-Za-z0-9+#-]")
_BLOCKS = " ▏▎▍▌▋▊▉█"
_SPARKS = "▁▂▃▄▅▆▇█"
#: Units whose parts are written with two digits.
_MONEY = frozenset({"EUR", "GBP", "USD", "CHF", "CNY", "RMB", "SEK", "DKK", "€", "£", "$", "元", "欧元", "美元"})


def lines(block: Table | Code | Chart | Image, *, width: int = 100) -> Iterator[str]:
    """Yield the lines of a block, none of them cut; the text in it is as it came."""
    match block:
        case Table(title=title, note=note):
            yield from (each for each in (title,) if each)
            yield from grid(block, width=width) or records(block)
            yield from (each for each in (note,) if each)
        case Code(text=text, title=title):
            yield from (each for each in (title,) if each)
            yield from text.split("\n")
        case Chart(title=title):
            yield from (each for each in (title,) if each)
            yield from chart_lines(block)
            yield block.alternative
        case Image(title=title, alternative=alternative):
            yield ": ".join(each for each in (title, alternative) if each)
        case _:
            assert_never(block)


def grid(table: Table, *, width: int) -> list[str]:
    """Return the rows in columns under their headings; nothing when they do not fit into so many places."""
    rows = [tuple(_flat(each.heading) for each in table.columns)]
    rows += [tuple(map(_flat, row)) for row in table.rows]
    widths = [max(width_of(row[at]) for row in rows) for at in range(len(table.columns))]
    if sum(widths) + 2 * (len(widths) - 1) > width or max(widths) > CELL_WIDTH:
        return []
    head, *body = ("  ".join(_placed(*cell) for cell in zip(row, widths, table.columns, strict=True)) for row in rows)
    return [head.rstrip(), "─" * len(head) if head.isascii() else "─" * width_of(head), *(row.rstrip() for row in body)]


def records(table: Table) -> list[str]:
    """Return each row as lines of `heading: cell`, an empty line between rows."""
    written: list[str] = []
    for row in table.rows:
        written += [""] if written else []
        written += [f"{column.heading}: {cell}" for column, cell in zip(table.columns, row, strict=True)]
    return written or [" · ".join(column.heading for column in table.columns)]


def table_pieces(weights: Sequence[int], *, room: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield where pieces of a table begin and end, each of at most so many rows and so much weight; at least one."""
    first = heavy = 0
    for at, more in enumerate(weights):
        if at > first and (at - first == rows or heavy + more > room):
            yield first, at
            first, heavy = at, 0
        heavy += more
    yield first, len(weights)


def fenced(block: Code) -> str:
    """Return code in Markdown: nothing in it ends its fence."""
    kept = block.text.replace("```", f"``{WORD_JOINER}`")
    return f"```{_LANGUAGE.sub('', block.language)}\n{kept}\n```"


def as_code(block: Table | Chart | Image) -> Code:
    """Return the plain lines of a block, to be shown in a fixed-width font."""
    return Code("\n".join(lines(block)))


def chart_table(chart: Chart) -> Table:
    """Return the numbers of a chart as a table: a row for each category, a column for each series."""
    columns = (Column(chart.x_label), *(Column(each.name, chart.unit, "number") for each in chart.series))
    shown = [[number(value, chart.unit) for value in each.values] for each in chart.series]
    rows = tuple((name, *cells) for name, *cells in zip(chart.categories, *shown, strict=True))
    return Table(columns, rows, title=chart.title)


def chart_lines(chart: Chart) -> Iterator[str]:
    """Yield a chart in characters: bars of few categories, or a line of many and where it begins, ends and turns."""
    for each in chart.series:
        if len(chart.series) > 1 or not chart.title:
            yield _flat(each.name)
        if chart.shape == "line" and len(chart.categories) > 1:
            yield f"  {sparkline(thinned(each.values))}"
        yield from _bars(chart, each.values)


def sparkline(values: Sequence[float | None]) -> str:
    """Return one character for each value, a space where there is none."""
    known = [value for value in values if value is not None]
    low, high = (min(known) / 2, max(known) / 2) if known else (0.0, 0.0)  # halves: a difference stays finite
    step = (high - low) / (len(_SPARKS) - 1) or 1.0
    return "".join(" " if value is None else _SPARKS[round((value / 2 - low) / step)] for value in values)


def thinned(values: Sequence[float | None], most: int = 60) -> tuple[float | None, ...]:
    """Return at most so many values: of each stretch of equal length the one farthest from zero, so that peaks stay."""
    stretch = -(-len(values) // most) or 1
    parts = (values[at : at + stretch] for at in range(0, len(values), stretch))
    return tuple(max((each for each in part if each is not None), key=abs, default=None) for part in parts)


def number(value: float | None, unit: str = "") -> str:
    """Return a number as it is read, with commas between thousands and no more than 12 digits that mean something.

    Money has both digits of its cents.
    """
    if value is None:
        return "–"
    said = f"{Decimal(f'{value:.12g}'):,f}" if 1e-6 <= abs(value) < 1e15 or value == 0 else f"{value:.12g}"
    return f"{said}0" if unit in _MONEY and said[-2:-1] == "." else said


def width_of(text: str) -> int:
    """Return how many places of a fixed-width font a text takes; a Chinese character takes two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if category(each) in ("Mn", "Me", "Cf") else 2 if east_asian_width(each) in "FW" else 1 for each in text
    )


def _bars(chart: Chart, values: Sequence[float | None]) -> Iterator[str]:
    names = [_flat(name) for name in chart.categories]
    wide = max(map(width_of, names))
    highest = max((abs(value) for value in values if value is not None), default=0.0) or 1.0
    unit = f" {chart.unit}" if chart.unit else ""
    told = range(len(names)) if len(names) <= _TOLD_MAX else _turning(values)
    for name, value in ((names[at], values[at]) for at in told):
        bar = "" if value is None or chart.shape == "line" else _bar(abs(value) / highest)
        said = f"{number(value, chart.unit)}{unit if value is not None else ''}"
        yield f"  {name}{' ' * (wide - width_of(name))}  {bar} {said}" if bar else f"  {name}: {said}"


def _turning(values: Sequence[float | None]) -> list[int]:
    """Return where the values begin, end, are lowest and highest."""
    known = [at for at, value in enumerate(values) if value is not None] or [0]
    by_value = sorted(known, key=lambda at: values[at] or 0.0)
    return sorted({known[0], known[-1], by_value[0], by_value[-1]})


def _bar(share: float) -> str:
    eighths = round(share * _BAR_WIDTH * 8)
    return (_BLOCKS[-1] * (eighths // 8) + _BLOCKS[eighths % 8]).rstrip() or _BLOCKS[1]


def _placed(cell: str, width: int, column: Column) -> str:
    gap = " " * (width - width_of(cell))
    return f"{gap}{cell}" if column.holds == "number" else f"{cell}{gap}"


def _flat(text: str) -> str:
    return " ".join(text.split())
