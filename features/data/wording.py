"""A result in a person's words: the sentence above it, what its columns are called, what was taken for granted."""

import calendar
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal

from agent.results import Cell
from features.anatomy.texts import say
from language.scripts import Language
from queries.sql.catalog.catalog import Catalog, Words
from queries.sql.datasource import Value
from queries.sql.metrics.building import Built, BuiltAssumption, BuiltColumn
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, Period, RowQuery

#: Digits after the point that a sentence gives.
_PLACES = 2
_MONTHS = tuple(calendar.month_name)


class Wording:
    """Words for the answers of one catalogue, in one language."""

    def __init__(self, catalog: Catalog, language: Language) -> None:
        self._catalog = catalog
        self._language = language

    def subject(self, query: DataQuery) -> str:
        """Return what is asked for, such as "Revenue by region, October 2026, only category is Garden"."""
        language = self._language
        split = self._listed(self._splits(query) if isinstance(query, MetricQuery) else ())
        parts = [
            self._measure(query) + (say(language, "data.by", dimensions=split) if split else ""),
            period_in_words(query.period, language) if query.period is not None else "",
            self._conditions(query.where),
        ]
        said = ("，" if language == "zh" else ", ").join(filter(None, parts))
        return said[:1].upper() + said[1:]

    def sentence(self, query: DataQuery, built: Built, rows: Sequence[Sequence[Value]]) -> str:
        """Return the answer's one sentence: the number with its unit where there is one, else what the table shows."""
        said = self.subject(query)
        if len(rows) != 1 or any(each.role in ("split", "time", "field") for each in built.columns):
            return said
        values = dict(zip((each.role for each in built.columns), rows[0], strict=True))
        unit = next(each.unit for each in built.columns if each.role == "value")
        if "share" in values:
            return self._joined(said, figure(values["share"], "%", self._language))
        answer = self._joined(said, figure(values["value"], unit, self._language))
        if "earlier" not in values or not isinstance(query, MetricQuery) or query.against is None:
            return answer
        return answer + say(
            self._language,
            "data.against",
            period=period_in_words(query.against, self._language),
            earlier=figure(values["earlier"], unit, self._language),
            change=_signed(values["change_percent"]),
        )

    def heading(self, built: BuiltColumn, query: DataQuery) -> str:
        """Return what a column of the result is called."""
        match built.role:
            case "time":
                return self._split(built.name)
            case "split" | "field":
                return self.column(built.refers_to)
            case "value" if built.name == "whole":
                return say(self._language, "data.column.whole")
            case "value":
                return self._measure(query)
            case "earlier" if isinstance(query, MetricQuery) and query.against is not None:
                return period_in_words(query.against, self._language)
            case _:
                return say(self._language, f"data.column.{built.role}")

    def assumption(self, assumed: BuiltAssumption) -> str:
        """Return what was taken for granted as a sentence."""
        values = dict(assumed.values)
        if "column" in values:
            values["column"] = self.column(values["column"])
        if assumed.code == "counted":
            metric = self._catalog.metrics[values["metric"]]
            meaning = metric.meaning.in_language(self._language)
            values["meaning"] = meaning or metric.where
        return say(self._language, f"data.assume.{assumed.code}", **{"start": "…", "end": "…", **_filled(values)})

    def column(self, named: str) -> str:
        """Return what a column is called; a mere "name" is that of its table."""
        table, name = self._catalog.place(named)
        called = self._catalog.column(named).called
        if called.every or name not in ("name", "title", "code"):
            return called.first(self._language, name.replace("_", " "))
        return self._catalog.tables[table].called.first(self._language, table)

    def value(self, column: str, value: str) -> str:
        """Return what people call a value of a column."""
        called = self._catalog.column(column).values.get(value, Words()).first(self._language, value)
        return value if called.casefold() == value.casefold() else called

    def _measure(self, query: DataQuery) -> str:
        if isinstance(query, RowQuery):
            return self._table(query.table)
        if query.aggregate is None:
            return self._catalog.metrics[query.metric].called.first(self._language, query.metric)
        what = self._table(query.metric) if query.aggregate == "count" else self.column(query.metric)
        return say(self._language, f"data.aggregate.{query.aggregate}", what=what)

    def _table(self, name: str) -> str:
        return self._catalog.tables[name].called.first(self._language, name.replace("_", " "))

    def _splits(self, query: MetricQuery) -> Sequence[str]:
        named = [self.column(each) for each in query.by]
        return [self._split(query.grain), *named] if query.grain is not None else named

    def _split(self, grain: str | None) -> str:
        return say(self._language, f"data.grain.{grain}")

    def _conditions(self, conditions: Iterable[Condition]) -> str:
        return self._listed(tuple(map(self._condition, conditions)))

    def _condition(self, each: Condition) -> str:
        values = " / ".join(self.value(each.column, str(value)) for value in each.values)
        if each.operator == "is" and self._catalog.column(each.column).type == "text":
            return values  # "Benelux" says by itself that it is a region
        return say(self._language, f"data.operator.{each.operator}", column=self.column(each.column), value=values)

    def _listed(self, names: Sequence[str]) -> str:
        return ("、" if self._language == "zh" else ", ").join(names)

    def _joined(self, subject: str, answer: str) -> str:
        return f"{subject}：{answer}" if self._language == "zh" else f"{subject}: {answer}"


def figure(value: Value, unit: str, language: Language) -> str:
    """Return a number as people write it, with its unit: "1,234.50 EUR"."""
    if value is None:
        return say(language, "data.no_value")
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return str(value)
    exact = Decimal(str(value))
    rounded = f"{exact:,.0f}" if exact == exact.to_integral_value() else f"{exact:,.{_PLACES}f}"
    if not unit:
        return rounded
    return f"{rounded}{unit}" if unit == "%" else f"{rounded} {unit}"


def _rounded(value: float | Decimal) -> Decimal:
    """Return a number with the places that people read; a whole one without any."""
    exact = Decimal(str(value))
    whole = exact.to_integral_value()
    return whole if exact == whole else round(exact, _PLACES).normalize()


def _signed(value: Value) -> str:
    if not isinstance(value, int | float | Decimal):
        return "–"
    return f"{value:+,.1f}%".replace("-", "−")


def period_in_words(period: Period, language: Language) -> str:
    """Return a period as people call it: "October 2026", "Q3 2026", "2026-11-01 to 2026-11-15"."""
    start, end = period.start, period.end
    if start is None or end is None:
        code = "since" if end is None else "until"
        day = start or (end - timedelta(days=1) if end else None)
        return say(language, f"data.period.{code}", day=day.isoformat()) if day else say(language, "data.period.all")
    months = (end.year - start.year) * 12 + end.month - start.month if start.day == end.day == 1 else 0
    if months == 12 and start.month == 1:
        return say(language, "data.period.year", year=start.year)
    if months == 3 and start.month % 3 == 1:
        return say(language, "data.period.quarter", year=start.year, quarter=start.month // 3 + 1)
    if months == 1:
        name = f"{start.month} 月" if language == "zh" else _MONTHS[start.month]
        return say(language, "data.period.month", year=start.year, name=name)
    last = end - timedelta(days=1)
    if last == start:
        return start.isoformat()
    return say(language, "data.period.days", start=start.isoformat(), end=last.isoformat())


def _filled(values: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


def cells(row: Iterable[Value], columns: Iterable[BuiltColumn], wording: Wording) -> tuple[Cell, ...]:
    """Return a row with its values as people call them; instants of a day without the time of day."""
    return tuple(_cell(value, column, wording) for value, column in zip(row, columns, strict=True))


def _cell(value: Value, column: BuiltColumn, wording: Wording) -> Cell:
    if column.type == "text" and isinstance(value, str) and column.role in ("split", "field"):
        return wording.value(column.refers_to, value)
    if column.type == "flag" and isinstance(value, int):
        return bool(value)
    if column.type == "date" and isinstance(value, str):
        return date.fromisoformat(value[:10])
    if column.type == "number" and isinstance(value, float | Decimal):
        return _rounded(value)
    return value
