"""Tables to charts: where the shape suits, and as far as it can be done where somebody asks for one."""

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from math import isfinite

from adapters.cards import Chart, ChartSeries
from agent import results
from agent.results import cell_text, grouped_text, stepped, unit_behind
from bot.rendering.texts.catalogue import say
from features.anatomy.reader import Reader, when

#: Points of a chart of a table, fewest and most; and its most series.
POINTS, MAX_SERIES = (2, 50), 5
#: So many months stand below a chart in short.
_MANY_MONTHS = 6


def chart_of(table: results.Table, title: str, reader: Reader) -> Chart | str:
    """Return the chart of a table; "" where none is wanted, and why there is none where one was asked for."""
    if table.drawn == "table":
        return ""
    numbers = [at for at, column in enumerate(table.columns) if column.type == "number"]
    if _suits(table, numbers):
        return _chart(table, title, reader, shown=numbers)
    return _asked_for(table, title, reader, numbers) if table.drawn == "chart" else ""


def cell(value: results.Cell, reader: Reader) -> str:
    """Return a cell as this reader reads it: instants in their zone."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return when(value, reader)
    if isinstance(value, bool):
        return say(reader.language, f"result.{str(value).lower()}")
    return cell_text(value)


def grouped(value: results.Cell, column: results.Column, reader: Reader) -> str:
    """Return a cell as this reader reads it, in groups of digits where it is measured."""
    if isinstance(value, Decimal):
        return grouped_text(value, column, reader.language)
    return cell(stepped(value, column, reader.language), reader)


def finite(value: results.Cell) -> float | None:
    """Return a number as it is drawn; None for what is none."""
    made = float(value) if isinstance(value, Decimal) else None
    return made if made is not None and isfinite(made) else None


def _suits(table: results.Table, numbers: Sequence[int]) -> bool:
    """Tell whether a table holds names or days with numbers of one unit, and neither few nor many of them."""
    if table.columns[0].type not in ("text", "date", "time") or not 0 < len(numbers) == len(table.columns) - 1:
        return False
    if not POINTS[0] <= len(table.rows) <= POINTS[1] or len(numbers) > MAX_SERIES:
        return False
    names = {cell_text(row[0]) for row in table.rows}
    return len({table.columns[at].unit for at in numbers}) == 1 and len(names) == len(table.rows)


def _asked_for(table: results.Table, title: str, reader: Reader, numbers: Sequence[int]) -> Chart | str:
    """Return a chart of numbers of one unit, each row under all of its names; else the words for what is in the way."""
    language, (fewest, most) = reader.language, POINTS
    if not numbers:
        return say(language, "result.no_chart.numbers")
    if len(table.rows) < fewest:
        return say(language, "result.no_chart.few")
    if lines := _lines(table, title, reader, numbers):
        return lines
    if len(table.rows) > most:
        return say(language, "result.no_chart.many", most=most)
    unit = table.columns[numbers[0]].unit
    shown = [at for at in numbers if table.columns[at].unit == unit][:MAX_SERIES]
    chart = _chart(table, title, reader, shown=shown)
    return chart if len(set(chart.categories)) == len(table.rows) else say(language, "result.no_chart.same")


def _lines(table: results.Table, title: str, reader: Reader, numbers: Sequence[int]) -> Chart | None:
    """Return a line for each name over the days, where a table holds days, names and one number."""
    if [column.type for column in table.columns] != ["date", "text", "number"]:
        return None
    values = {(row[0], row[1]): row[2] for row in table.rows}
    days = tuple(dict.fromkeys(day for day, _ in values))
    names = tuple(dict.fromkeys(name for _, name in values))
    if len(names) > MAX_SERIES or not POINTS[0] <= len(days) <= POINTS[1] or len(values) < len(table.rows):
        return None
    series = {name: tuple(finite(values.get((day, name))) for day in days) for name in names}
    return Chart(
        shape="line",
        title=title or table.columns[2].name,
        categories=tuple(grouped(day, table.columns[0], reader) for day in days),
        series=tuple(ChartSeries(cell(name, reader) or " ", line) for name, line in series.items()),
        alternative=_extremes(table, _names(table, reader), numbers[0], reader),
        unit=table.columns[2].unit,
        x_label=table.columns[0].name,
    )


def _chart(table: results.Table, title: str, reader: Reader, *, shown: Sequence[int]) -> Chart:
    """Return bars over names, or lines over days."""
    names = _names(table, reader)
    named = [column for column in table.columns if column.type != "number"]
    over_time = len(named) == 1 and named[0].type in ("date", "time")
    every = len(named) + len(shown) == len(table.columns)
    year, months = _months(table, reader) if over_time else ("", ())
    return Chart(
        shape="line" if over_time else "bar",
        title=title if title and every else " · ".join(table.columns[at].name for at in shown),
        categories=months or names,
        series=tuple(ChartSeries(table.columns[at].name, tuple(finite(row[at]) for row in table.rows)) for at in shown),
        alternative=_extremes(table, names, shown[0], reader),
        unit=table.columns[shown[0]].unit,
        x_label=" · ".join([*(column.name for column in named), *([year] if months else [])]),
    )


def _months(table: results.Table, reader: Reader) -> tuple[str, tuple[str, ...]]:
    """Return the year and its months in short, where a table holds months of one year only; long names do not fit."""
    at = next((at for at, column in enumerate(table.columns) if column.step == "month"), -1)
    days = [row[at] for row in table.rows] if at >= 0 else []
    dates = [day for day in days if isinstance(day, date)]
    years = {day.year for day in dates}
    if len(years) != 1 or not _MANY_MONTHS <= len(dates) == len(days):
        return "", ()
    names = [f"{day.month}月" if reader.language == "zh" else day.strftime("%b") for day in dates]
    return str(years.pop()), tuple(names)


def _names(table: results.Table, reader: Reader) -> tuple[str, ...]:
    """Return what each row is called: all of its cells that are no numbers, or its place."""
    named = [at for at, column in enumerate(table.columns) if column.type != "number"]
    return tuple(
        " · ".join(grouped(row[at], table.columns[at], reader) for at in named) if named else str(number)
        for number, row in enumerate(table.rows, start=1)
    )


def _extremes(table: results.Table, names: Sequence[str], at: int, reader: Reader) -> str:
    """Return the largest and the smallest value of a column; all of them stand in the table below the chart."""
    known = [(row[at], name) for row, name in zip(table.rows, names, strict=True) if isinstance(row[at], Decimal)]
    if len(known) < POINTS[0]:
        return table.columns[at].name
    (low, lowest), (high, highest) = min(known), max(known)
    if low == high:
        return table.columns[at].name
    unit = table.columns[at].unit
    said = {"high": (highest, high), "low": (lowest, low)}
    column = table.columns[at]
    values = {name: f"{of} ({grouped(value, column, reader)}{unit_behind(unit)})" for name, (of, value) in said.items()}
    return say(reader.language, "result.extremes", **values)
