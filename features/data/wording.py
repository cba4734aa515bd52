"""A result in a person's words: the sentence above it, what its columns are called, what was taken for granted."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal

from agent.results import Cell, unit_behind
from features.anatomy.texts import say
from language.moments import TimeStep, step_in_words
from language.scripts import Language
from queries.sql.catalog.catalog import Catalog, Words
from queries.sql.catalog.states import is_state
from queries.sql.datasource import Value
from queries.sql.metrics.measures import averaged, time_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, Period, RowQuery
from queries.sql.metrics.statement import Built, BuiltAssumption, BuiltColumn, ColumnRole

#: Digits after the point that a sentence gives.
_PLACES = 2
#: Parts with the largest changes that a sentence names.
_NAMED = 3


#: A month may be so many days shorter than another, and both are whole.
_WHOLE_DAYS = 3


def _days(period: Period) -> int:
    return (period.end - period.start).days if period.start is not None and period.end is not None else 0


class Wording:
    """Words for the answers of one catalogue, in one language."""

    def __init__(self, catalog: Catalog, language: Language) -> None:
        self._catalog = catalog
        self._language = language

    def subject(self, query: DataQuery) -> str:
        """Return what is asked for, such as "Revenue by region, October 2026, only category is Garden"."""
        language = self._language
        split = self._listed(self._splits(query) if isinstance(query, MetricQuery) else ())
        bounds = self._bounds(query) if isinstance(query, MetricQuery) else ""
        lead = self._measure(query) + (say(language, "data.by", dimensions=split) if split else "")
        if isinstance(query, MetricQuery) and query.absent:
            lead = say(language, "data.absent", what=self._measure(query), dimensions=self._things(query))
        lead += self._absent(query) if isinstance(query, RowQuery) else ""
        if isinstance(query, MetricQuery) and query.groups:
            lead, bounds = self._different(query, bounds), ""
        parts = [
            lead,
            bounds,
            self._first_of(query) if isinstance(query, MetricQuery) else self._ordered(query),
            self._done(query),
            self._weekdays(query),
            self._hours(query),
            self._conditions(query.where),
            self._conditions((query.place,)) if isinstance(query, MetricQuery) and query.place is not None else "",
            say(language, "data.part", part=part) if (part := self._part_of(query)) else "",
        ]
        said = ("，" if language == "zh" else ", ").join(filter(None, parts))
        return said[:1].upper() + said[1:]

    def _done(self, query: DataQuery) -> str:
        """Return the period, with the day that it is of where that is not the table's own: "cancelled on May 2026"."""
        said = period_in_words(query.period, self._language) if query.period is not None else ""
        own = not query.time or query.time == time_of(self._catalog, query.time.partition(".")[0])
        day = (self._day_of_state(query) if own else query.time) if said else ""
        return f"{self.column(day)} {said}" if day else said

    def _day_of_state(self, query: DataQuery) -> str:
        """Return the day that a period is of, where it might be another: "returned last month", "repairs in May"."""
        states = [each for each in query.where if is_state(self._catalog.column(each.column))]
        if states:
            return time_of(self._catalog, self._catalog.place(states[0].column)[0])
        name = query.metric if isinstance(query, MetricQuery) else query.table
        table = self._catalog.tables.get(name)
        days = (
            [each for each in table.columns.values() if each.type in ("date", "time") and not each.ahead]
            if table is not None and not table.label
            else []
        )
        return time_of(self._catalog, name) if len(days) > 1 else ""

    def sentence(self, query: DataQuery, built: Built, rows: Sequence[Sequence[Value]]) -> str:
        """Return the answer's one sentence: the number with its unit where there is one, else what the table shows."""
        if isinstance(query, MetricQuery) and query.place is not None and len(rows) == 1:
            return self._placed(query, built, rows[0])
        said = self._sentence(query, built, rows)
        running = any(each.code == "running" for each in built.assumptions)
        if not running or not isinstance(query, MetricQuery) or query.period is None or query.against is None:
            return said
        if _days(query.against) < _days(query.period) - _WHOLE_DAYS:
            return said  # it ends where the other one stands today
        period, earlier = (period_in_words(each, self._language) for each in (query.period, query.against))
        return said + say(self._language, "data.not_over", period=period, earlier=earlier)

    def _sentence(self, query: DataQuery, built: Built, rows: Sequence[Sequence[Value]]) -> str:
        said = self.subject(self._as_counted(query, built))
        if isinstance(query, MetricQuery) and query.across and rows:
            return self._changes(said, query, built, rows)
        if isinstance(query, MetricQuery) and query.also and len(rows) == 1 and not self._splits(query):
            each = zip(built.columns, rows[0], strict=True)
            return self._joined(
                said, self._listed([figure(value, column.unit, self._language) for column, value in each])
            )
        if len(rows) != 1 or any(each.role in ("split", "time", "cycle", "field") for each in built.columns):
            return said
        values = dict(zip((each.role for each in built.columns), rows[0], strict=True))
        if "share" in values:
            return self._joined(said, figure(values["share"], "%", self._language))
        if "groups" in values:
            return self._joined(said, figure(values["groups"], "", self._language))
        return self._compared(said, query, built, values)

    def _placed(self, query: MetricQuery, built: Built, row: Sequence[Value]) -> str:
        """Return which place a value has among all: "Revenue by product, 2026, Trackline: place 2 of 8, with …"."""
        values = dict(zip((each.role for each in built.columns), row, strict=True))
        place, places = (figure(values[role], "", self._language) for role in ("place", "places"))
        unit = next(each.unit for each in built.columns if each.role == "value")
        told = figure(values["value"], unit, self._language)
        return self.subject(query) + say(self._language, "data.placed", place=place, places=places, figure=told)

    def _as_counted(self, query: DataQuery, built: Built) -> DataQuery:
        """Return a query with the period that its number is of: a mean leaves out the step that is running."""
        if not isinstance(query, MetricQuery) or query.mean is None or query.period is None:
            return query
        told = next((each.values for each in built.assumptions if each.code == "period"), {})
        start, last = told.get("start"), told.get("end")
        period = Period(
            start=date.fromisoformat(start) if start else None,
            end=date.fromisoformat(last) + timedelta(days=1) if last else None,
        )
        return query.model_copy(update={"period": period})

    def _changes(self, said: str, query: MetricQuery, built: Built, rows: Sequence[Sequence[Value]]) -> str:
        """Return the whole with its change, and the parts that changed most."""
        roles: list[ColumnRole] = [each.role for each in built.columns]
        whole = self._compared(said, query, built, dict(zip(roles, rows[0], strict=True)))
        largest = [
            say(
                self._language,
                "data.largest.part",
                part=self._part(row),
                dimension=self.column(str(row[0])),
                change=signed(row[roles.index("change")]),
            )
            for row in rows[1 : _NAMED + 1]
        ]
        return whole + (say(self._language, "data.largest.lead", parts=self._listed(largest)) if largest else "")

    def _part(self, row: Sequence[Value]) -> str:
        return self.value(str(row[0]), str(row[1])) if row[1] is not None else say(self._language, "data.no_value")

    def _compared(self, said: str, query: DataQuery, built: Built, values: Mapping[ColumnRole, Value]) -> str:
        """Return the value, with what it is compared with where it is."""
        unit = next(each.unit for each in built.columns if each.role == "value")
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
            case "time" | "cycle":
                return self._split(built.name)
            case "split" | "field":
                return self.column(built.refers_to)
            case "value" if built.name == "whole":
                return say(self._language, "data.column.whole")
            case "value" | "term":
                several = isinstance(query, MetricQuery) and (query.also or built.role == "term")
                return self._part_of(query) or (self._named(built.refers_to) if several else self._measure(query))
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
        if assumed.code in ("difference", "ratio"):
            values |= {name: self._named(values[name]) for name in ("metric", "minus", "over") if name in values}
        if assumed.code in ("without", "mean_each"):
            values["table"] = self._table(values["table"])
        if "grain" in values:
            values["grain"] = self._split(values["grain"])
        return say(self._language, f"data.assume.{assumed.code}", **{"start": "…", "end": "…", **_filled(values)})

    def column(self, named: str) -> str:
        """Return what a column is called; a mere "name" is that of its table, a key that of the table it leads to."""
        table, name = self._catalog.place(named)
        called = self._catalog.column(named).called
        if not called.every and (leads_to := self._catalog.belonging(named)):
            return self._table(leads_to)
        if called.every or name not in ("name", "title", "code"):
            return called.first(self._language, name.replace("_", " "))
        return self._catalog.tables[table].called.first(self._language, table)

    @property
    def whole(self) -> str:
        """Return what the row above all parts is called."""
        return say(self._language, "data.column.whole")

    def value(self, column: str, value: str) -> str:
        """Return what people call a value of a column."""
        words = self._catalog.column(column).values.get(value, Words())
        own = self._language == "en" and not words.en and value.isascii()  # Lisbon needs no English name
        called = value if own else words.first(self._language, value)
        return value if called.casefold() == value.casefold() else called

    def _measure(self, query: DataQuery) -> str:
        if isinstance(query, RowQuery):
            return self._table(query.table)
        if query.aggregate is None:
            named = say(self._language, "data.and").join(self._metric(each) for each in (query.metric, *query.also))
            return self._reckoned(query, named)
        return self._aggregate(query)

    def _reckoned(self, query: MetricQuery, named: str) -> str:
        """Return what is made of a metric: a difference, a part, a mean."""
        if other := query.minus or query.plus or query.over:
            reckoned = "minus" if query.minus else "plus" if query.plus else "over"
            return say(self._language, f"data.{reckoned}", what=named, other=self._named(other))
        if query.times is not None:
            percent = f"{(query.times * 100).normalize():f}"
            return say(self._language, "data.times", what=named, percent=percent)
        if query.each:
            return self._for_each(query, named)
        return (
            named if query.mean is None else say(self._language, "data.mean", what=named, grain=self._split(query.mean))
        )

    def _for_each(self, query: MetricQuery, named: str) -> str:
        thing = self._one_of(self._catalog.belonging(query.each))
        return say(self._language, "data.each", what=named, table=thing)

    def _aggregate(self, query: MetricQuery) -> str:
        """Return what is made of a column, of rows, or of what a metric adds up."""
        name, of_each = f"data.aggregate.{query.aggregate}", ""
        if query.aggregate == "count":
            what = self._table(query.metric)
        elif query.metric in self._catalog.metrics:
            metric, of = self._catalog.metrics[query.metric], averaged(self._catalog.metrics[query.metric])
            what = self.column(of) if of and "avg(" in metric.expression.lower() else self._metric(query.metric)
            table = self._table(self._catalog.metrics[query.metric].table)
            of_each = say(self._language, "data.of_each", table=table)
        else:
            what = self.column(query.metric)
        said = say(self._language, name, what=what) + of_each
        return self._for_each(query, said) if query.each else said

    def _absent(self, query: RowQuery) -> str:
        """Return what no row belongs to what is asked for: "without bookings (2026)"."""
        absent = query.without
        if absent is None:
            return ""
        period = period_in_words(absent.period, self._language) if absent.period is not None else ""
        told = self._listed([each for each in (period, self._conditions(absent.where)) if each])
        what = self._metric(absent.of) if absent.of else self._table(absent.table)
        what += say(self._language, "data.aside", text=told) if told else ""
        return say(self._language, "data.without", what=what)

    def _named(self, name: str) -> str:
        """Return what a metric or a column is called."""
        return self._metric(name) if name in self._catalog.metrics else self.column(name)

    def _weekdays(self, query: DataQuery) -> str:
        days = query.weekdays if isinstance(query, MetricQuery) else ()
        return self._listed([self.weekday(each) for each in days])

    def _hours(self, query: DataQuery) -> str:
        hours = query.hours if isinstance(query, MetricQuery) else ()
        first, last = (f"{each}:00" for each in hours) if hours else ("", "")
        return say(self._language, "data.hours", first=first, last=last) if hours else ""

    def weekday(self, number: int) -> str:
        """Return a day of the week, of which 1 is Monday."""
        return say(self._language, f"data.weekday.{number}")

    def _metric(self, name: str) -> str:
        return self._catalog.metrics[name].called.first(self._language, name)

    def _part_of(self, query: DataQuery) -> str:
        """Return what makes the part that a share is of; "" where each row is one."""
        return self._conditions(query.part) if isinstance(query, MetricQuery) else ""

    def _first_of(self, query: MetricQuery) -> str:
        """Return how many rows there are at most, or each part has: "the 5 highest", "the 2 highest of each region"."""
        ranked = "lowest" if query.ascending else "highest"
        if query.from_place is not None and query.rows is not None:
            said = say(self._language, f"data.place.{ranked}", place=str(query.from_place))
            return said + (say(self._language, "data.aside", text=self._change_asked(query)) if query.by_change else "")
        if query.by_change and query.rows:
            return self._change_asked(query)
        if not query.per:
            one = "one_" if query.rows == 1 else ""
            return say(self._language, f"data.first.{one}{ranked}", rows=str(query.rows)) if query.rows else ""
        parts = [self._split(each) if each == query.grain else self.column(each) for each in query.per]
        return say(self._language, f"data.per.{ranked}", rows=str(query.rows), parts=self._listed(parts))

    def _change_asked(self, query: MetricQuery) -> str:
        """Return which changes are asked for: "the 3 that fell most"."""
        one = "one_" if query.rows == 1 else ""
        return say(self._language, f"data.changed.{one}{'down' if query.ascending else 'up'}", rows=str(query.rows))

    def _ordered(self, query: RowQuery) -> str:
        """Return which rows there are where some are asked for: "the 5 latest", "budget: the highest"."""
        if not query.order or query.rows is None:
            return ""
        dated = self._catalog.column(query.order, query.table).type in ("date", "time")
        ends = ("earliest", "latest") if dated else ("lowest", "highest")
        one = "one_" if query.rows == 1 else ""
        said = say(self._language, f"data.first.{one}{ends[not query.ascending]}", rows=str(query.rows))
        own = query.order == time_of(self._catalog, query.table)
        return said if own else say(self._language, "data.ordered", column=self.column(query.order), rows=said)

    def _things(self, query: MetricQuery) -> str:
        """Return what is counted: "customers" rather than "customer" where a table is split by its label."""
        for named in query.by[:1]:
            table, name = self._catalog.place(named)
            if self._catalog.tables[table].label == name:
                return self._table(table)
        return self._listed(self._splits(query))

    def _different(self, query: MetricQuery, bounds: str) -> str:
        """Return how many things are counted: those within bounds, or all that rows are of."""
        what, of = self._things(query), self._measure(query)
        if bounds:
            return say(self._language, "data.groups", what=what, bounds=bounds)
        table, name = self._catalog.place(query.by[0])
        values = "" if self._catalog.tables[table].label == name else "_values"
        return say(self._language, f"data.different{values}", what=what, of=of)

    def _bounds(self, query: MetricQuery) -> str:
        measured = self._measure(query.model_copy(update={"also": ()}))
        return self._listed(
            [
                say(
                    self._language,
                    f"data.operator.{'exactly' if each.operator == 'is' else each.operator}",
                    column=measured,
                    value=f"{each.value:,}",
                )
                for each in query.having
            ]
        )

    def _table(self, name: str) -> str:
        return self._catalog.tables[name].called.first(self._language, name.replace("_", " "))

    def _one_of(self, table: str) -> str:
        """Return what one row of a table is called: "customer" of customers."""
        label = self._catalog.tables[table].label
        return self.column(f"{table}.{label}") if label else self._table(table)

    def _splits(self, query: MetricQuery) -> Sequence[str]:
        named = [self.column(each) for each in query.by]
        return [self._split(query.grain), *named] if query.grain is not None else named

    def _split(self, grain: str | None) -> str:
        return say(self._language, f"data.grain.{grain}")

    def _conditions(self, conditions: Iterable[Condition]) -> str:
        return self._listed(tuple(map(self._condition, conditions)))

    def _condition(self, each: Condition) -> str:
        values = " / ".join(self.value(each.column, str(value)) for value in each.values)
        if each.values == (None,):
            held = "empty" if each.operator == "is" else "filled"
            return say(self._language, f"data.operator.{held}", column=self.column(each.column))
        if each.operator == "less" and self._catalog.column(each.column).type in ("date", "time"):
            return say(self._language, "data.operator.before", column=self.column(each.column), value=values)
        if each.operator == "is" and self._catalog.column(each.column).type == "flag":
            return say(self._language, f"data.operator.flag_{each.values[0]}".lower(), column=self.column(each.column))
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
    places = 1 if unit == "%" else _PLACES
    rounded = f"{exact:,.0f}" if exact == exact.to_integral_value() else f"{exact:,.{places}f}"
    return rounded + unit_behind(unit)


def signed(value: Value) -> str:
    """Return a change with its sign."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return "–"
    exact = Decimal(str(value))
    places = 0 if exact == exact.to_integral_value() else _PLACES
    return f"{exact:+,.{places}f}".replace("-", "−")


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
    step = _step_of(start, end)
    if step:
        return step_in_words(start, step, language)
    last = end - timedelta(days=1)
    if last == start:
        return start.isoformat()
    return say(language, "data.period.days", start=start.isoformat(), end=last.isoformat())


def _step_of(start: date, end: date) -> TimeStep:
    """Return the step of time that a period fills; "" for none."""
    months = (end.year - start.year) * 12 + end.month - start.month if start.day == end.day == 1 else 0
    if months == 12 and start.month == 1:
        return "year"
    if months == 3 and start.month % 3 == 1:
        return "quarter"
    if months == 1:
        return "month"
    return "week" if start.weekday() == 0 and end - start == timedelta(days=7) else ""


def _filled(values: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


def cells(row: Iterable[Value], columns: Iterable[BuiltColumn], wording: Wording) -> tuple[Cell, ...]:
    """Return a row with its values as people call them; instants of a day without the time of day."""
    told = tuple(row)
    return tuple(_cell(value, column, wording, told) for value, column in zip(told, columns, strict=True))


def _cell(value: Value, column: BuiltColumn, wording: Wording, row: Sequence[Value]) -> Cell:
    if column.role == "cycle" and isinstance(value, int):
        return wording.weekday(value) if column.name == "weekday" else f"{value:02d}:00"
    if column.type == "text" and isinstance(value, str):
        return _text_cell(value, column, wording, row)
    if column.type == "flag" and isinstance(value, int):
        return bool(value)
    if column.type == "date" and isinstance(value, str):
        return date.fromisoformat(value[:10])
    if column.type == "number" and isinstance(value, float | Decimal):
        return _rounded(value)
    return value


def _text_cell(value: str, column: BuiltColumn, wording: Wording, row: Sequence[Value]) -> str:
    match column.role:
        case "dimension":
            return wording.column(value) if value else wording.whole
        case "part":
            return wording.value(str(row[0]), value) if row[0] else value
        case "split" | "field":
            return wording.value(column.refers_to, value)
        case _:
            return value
