"""The statement of a metric: its value, split, compared, as a share, as a mean, or by its largest changes."""

from collections.abc import Iterable, Iterator
from datetime import date

from sqlglot import exp

from queries.sql.catalog.catalog import Catalog, Metric
from queries.sql.datasource import Dialect
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics import expressions
from queries.sql.metrics.measures import may_bound, measure_of, require_column, telling
from queries.sql.metrics.query import Condition, MetricQuery, Period
from queries.sql.metrics.statement import Built, BuiltColumn, ColumnRole, StatementParts, place_of
from queries.sql.metrics.steps import over, step_of, steps_in


class MetricStatement(StatementParts):
    """One metric."""

    def __init__(self, query: MetricQuery, catalog: Catalog, dialect: Dialect, today: date) -> None:
        self.metric: Metric = measure_of(query, catalog)
        super().__init__(catalog, self.metric.table, dialect, today)
        self.query = query
        self.name = query.metric if query.aggregate is None else f"{query.aggregate}_{query.metric.rpartition('.')[2]}"
        self.keys: list[exp.Expr] = []  # of things that share a name with others
        self.divisor = self._divisor()
        self.value = self._value()
        self.period = query.period if query.mean is None else over(query.period, query.mean, today)
        self._require_dimensions(query.metric, self.metric)
        self._require_sense()
        self._require_things()
        self._require_parts()
        self._require_one_table()
        self._require_figures()
        self._require_alone()

    def _require_dimensions(self, name: str, metric: Metric) -> None:
        query = self.query
        allowed = telling(self.catalog, metric)
        held = (*query.where, *query.part)
        bounding = (each.column for each in held if not may_bound(self.catalog, metric, each))
        for named in (*query.by, *query.across, *bounding):
            if ".".join(self.catalog.place(named, metric.table)) not in allowed:
                raise QueryNotPossible(f"{name} is not told apart by {named}")

    def _require_one_table(self) -> None:
        """Refuse more metrics that do not stand in the same rows."""
        query = self.query
        if query.also and (query.aggregate or query.against or query.share or query.mean or query.groups):
            raise QueryNotPossible("`also` goes with `by`, `grain`, `where`, `period` and `having` only")
        for name in query.also:
            other = self.catalog.metrics.get(name)
            if other is None:
                raise QueryNotPossible(f"there is no metric {name}")
            places = [self.catalog.place(each.time, each.table) for each in (self.metric, other)]
            if other.table != self.metric.table or places[0] != places[1]:
                raise QueryNotPossible(f"{name} is not of the rows of {query.metric}")
            self._require_dimensions(name, other)

    def _require_figures(self) -> None:
        """Refuse differences and fractions of what cannot be reckoned with."""
        query = self.query
        beside = query.also or query.share or query.groups
        reckons = query.minus or query.plus
        if reckons and (beside or query.aggregate or (query.minus and query.plus)):
            raise QueryNotPossible(
                "`minus` and `plus` go one at a time, without `also`, `share`, `groups`, `aggregate`"
            )
        if query.times is not None and (beside or reckons or query.having or query.against or query.mean):
            raise QueryNotPossible("`times` goes with `by`, `grain`, `where` and `period` only")
        if query.times is not None and not self.metric.adds_up:
            raise QueryNotPossible(f"a part of {query.metric} is no number that means anything")

    def _require_alone(self) -> None:
        """Refuse ratios and medians, whose parts do not add up, beside what adds them up."""
        query = self.query
        beside = query.also or query.share or query.mean or query.each or query.minus or query.plus or query.times
        if query.over and (beside or query.aggregate or query.across):
            raise QueryNotPossible("`over` goes with `by`, `grain`, `where`, `period`, `against` and `having` only")
        if query.aggregate == "median" and (beside or query.against or query.absent):
            raise QueryNotPossible("a median goes with `by`, `grain`, `where`, `period`, `having` and `rows` only")

    def _divisor(self) -> Metric | None:
        """Return what the metric is divided by, of the same rows; None for nothing."""
        name = self.query.over
        if not name:
            return None
        other = self.catalog.metrics.get(name)
        if other is None:
            require_column(self.catalog, name)
            other = measure_of(MetricQuery(metric=name, aggregate="sum"), self.catalog)
            other = other.model_copy(update={"time": self.metric.time})
        if other.table != self.metric.table or (other.time and other.time != self.metric.time):
            raise QueryNotPossible(f"{name} is not of the rows of {self.query.metric}")
        self._require_dimensions(name, other)
        return other

    @property
    def unit(self) -> str:
        """Return the unit of the value: of a ratio of what it is for each of something."""
        other = self.divisor
        if other is None or not other.unit or not self.metric.unit:
            return self.metric.unit
        return "" if other.unit == self.metric.unit else f"{self.metric.unit}/{other.unit}"

    def _other(self) -> Metric | None:
        """Return the metric that is taken off or added; None for none."""
        name = self.query.minus or self.query.plus
        if not name:
            return None
        other = self.catalog.metrics.get(name)
        if other is None:
            raise QueryNotPossible(f"there is no metric {name}")
        same = (other.table, other.unit, other.time) == (self.metric.table, self.metric.unit, self.metric.time)
        if not same or not other.adds_up or not self.metric.adds_up:
            raise QueryNotPossible(f"{name} cannot be taken off {self.query.metric}, or added to it")
        self._require_dimensions(name, other)
        return other

    def _value(self) -> exp.Expr:
        """Return the value over all rows of the statement; of two metrics each over the rows that it counts."""
        if self.divisor is not None:
            self.assume("ratio", metric=self.query.metric, over=self.query.over)
            return expressions.quotient(self._of(self.metric), self._of(self.divisor))
        if self.query.aggregate == "median":
            return exp.Avg(this=expressions.column("ranked", "measured", self.dialect))
        other = self._other()
        if other is None and self.query.each:
            self.assume("mean_each", table=self.catalog.belonging(self.query.each))
            things = exp.Count(this=exp.Distinct(expressions=[self.column(self.query.each)]))
            return expressions.quotient(self.parsed(self.metric.expression), things)
        if other is None:
            return self.parsed(self.metric.expression)
        first, second = (exp.func("COALESCE", self._of(each), exp.Literal.number(0)) for each in (self.metric, other))
        return exp.Sub(this=first, expression=second) if self.query.minus else exp.Add(this=first, expression=second)

    def _require_sense(self) -> None:
        query, metric = self.query, self.metric
        if not metric.time and (query.grain or query.period or query.against or query.mean):
            raise QueryNotPossible(f"{query.metric} has no time")
        if query.having and (not (query.by or query.grain) or query.against or query.share):
            raise QueryNotPossible("`having` needs `by` or `grain`, and no `against` or `share`")
        if query.mean and (not metric.adds_up or query.grain or query.against or query.share):
            raise QueryNotPossible("`mean` needs a metric whose parts add up, and no `grain`, `against` or `share`")
        if query.across and (query.against is None or query.by):
            raise QueryNotPossible("`across` needs `against`, and no `by`")
        if query.against is not None and (query.period is None or query.grain or query.share):
            raise QueryNotPossible("`against` compares two periods: it needs `period`, and no `grain` or `share`")
        if query.share and not metric.adds_up:
            raise QueryNotPossible(f"the parts of {query.metric} do not add up, so that there are no shares")
        if query.share and not (query.by or query.grain or query.part):
            raise QueryNotPossible("`share` needs `by`, `grain` or `part`")
        if query.part and not query.share:
            raise QueryNotPossible("`part` goes with `share`")

    def _require_things(self) -> None:
        """Refuse means over things, places and what is absent, beside what says nothing of them."""
        query, metric = self.query, self.metric
        if (query.from_place or query.by_change) and query.rows is None:
            raise QueryNotPossible("`from_place` and `by_change` need `rows`")
        if query.by_change and query.against is None:
            raise QueryNotPossible("`by_change` needs `against`")
        if query.groups and not query.having and (len(query.by) != 1 or query.grain):
            raise QueryNotPossible("`groups` needs `having`, or one `by` alone")
        if query.each and (not metric.adds_up or query.also or query.share or query.mean or query.minus or query.plus):
            raise QueryNotPossible("`each` needs a metric whose parts add up, alone")
        placed = query.place is None or (query.by == (query.place.column,) and not query.grain and query.rows is None)
        if not placed or (query.place is not None and (query.against or query.share or query.having or query.also)):
            raise QueryNotPossible("`place` needs `by` of its column, and nothing else of the result")
        if query.absent and (len(query.by) != 1 or query.period is None or query.grain or query.against or query.place):
            raise QueryNotPossible("`absent` needs one `by` and `period`, and nothing else of the result")

    def _require_parts(self) -> None:
        """Refuse parts of which none is ranked, or that are none."""
        query = self.query
        if not query.per:
            return
        named, split = self._places(each for each in query.per if each != query.grain), self._places(query.by)
        if query.rows is None or not named <= split or len(query.per) >= len(split) + (query.grain is not None):
            raise QueryNotPossible(
                "`per` needs `rows`, and names some of what `by` and `grain` split by, not all of it"
            )
        if query.against or query.share or query.groups:
            raise QueryNotPossible("`per` goes without `against`, `share` and `groups`")

    def built(self) -> Built:
        """Return the whole statement."""
        query = self.query
        where = [self._counted(), *self.conditions(query.where), self._periods(), *self._of_days()]
        splits = self._splits()
        if query.absent:
            return self.finished(self._absent(expressions.all_of(where)))
        if query.against is not None and query.period is not None:
            self._both(query.period, query.against)
        else:
            self._values()
        met = expressions.all_of(where)
        median = query.aggregate == "median"
        statement = self._grouped(self._middle(met, splits) if median else self.select(met), splits)
        if query.groups:
            return self.finished(self._number_of(statement))
        if query.against is not None:
            statement = self._compared(statement, splits)
        if query.place is not None:
            return self.finished(self._at_place(statement, query.place))
        if splits and query.rows is not None:
            return self.finished(self._first(statement, splits, query.rows))
        return self.finished(statement.order_by(*self._order(splits)) if splits else statement)

    def _first(self, statement: exp.Select, splits: int, most: int) -> exp.Select:
        """Return the first rows, of all or of each part in the order of the parts; the same value shares a place."""
        inner = [expressions.column("measured", each.name, self.dialect) for each in self.columns]
        parts = [column for column, each in zip(inner, self.columns, strict=True) if self._is_part(each)]
        ranked = self._ranked(splits)
        value = exp.Ordered(this=inner[ranked - 1].copy(), desc=not self.query.ascending, nulls_first=False)
        counts = exp.DenseRank() if self.query.from_place else exp.Rank()  # who is second where two are first
        place = exp.Window(
            this=counts, partition_by=[each.copy() for each in parts], order=exp.Order(expressions=[value])
        )
        placed = exp.select(*inner, exp.alias_(place, "place")).from_(statement.subquery("measured"))
        outer = [expressions.column("placed", each.name, self.dialect) for each in self.columns]
        at = expressions.column("placed", "place", self.dialect)
        chosen = (
            exp.select(*outer)
            .from_(placed.subquery("placed"))
            .where(exp.LTE(this=at, expression=expressions.number(str(most))))
        )
        if self.query.by_change:  # what has grown is no drop
            side = exp.LT if self.query.ascending else exp.GT
            chosen = chosen.where(side(this=outer[ranked - 1].copy(), expression=place_of(0)))
        if self.query.from_place:
            chosen = chosen.where(exp.GTE(this=at.copy(), expression=expressions.number(str(self.query.from_place))))
        firsts = [number for number, each in enumerate(self.columns, 1) if self._is_part(each)]
        others = [number for number in range(1, splits + 1) if number not in firsts]
        ordered = [exp.Ordered(this=place_of(number), desc=False, nulls_first=False) for number in (*firsts, *others)]
        by_value = exp.Ordered(this=place_of(ranked), desc=not self.query.ascending, nulls_first=False)
        return chosen.order_by(*ordered[: len(firsts)], by_value, *ordered[len(firsts) :])

    def _middle(self, met: exp.Expr | None, splits: int) -> exp.Select:
        """Return the statement over the one or two rows of each part that stand in the middle."""
        of = self.parsed(self.metric.expression)
        measured = of.transform(lambda node: node.this if isinstance(node, exp.Avg) else node)
        outer, parts = self.selected, [each.this for each in self.selected[:splits]]
        split = {"partition_by": [each.copy() for each in (*parts, *self.keys)]} if parts else {}
        value = exp.Ordered(this=measured.copy(), desc=False, nulls_first=False)
        place = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=[value]), **split)
        size = exp.Window(this=exp.Count(this=measured.copy()), **split)
        self.selected = [*(each.copy() for each in outer[:splits]), exp.alias_(measured.copy(), "measured")]
        self.selected += [exp.alias_(place, "row_place"), exp.alias_(size, "row_count")]
        self.selected += [exp.alias_(each.copy(), f"key_{at}") for at, each in enumerate(self.keys)]
        known = exp.Not(this=exp.Is(this=measured.copy(), expression=exp.null()))
        inner = self.select(expressions.all_of([met, known]))
        self.keys = [expressions.column("ranked", f"key_{at}", self.dialect) for at in range(len(self.keys))]
        at, rows = (expressions.column("ranked", name, self.dialect) for name in ("row_place", "row_count"))
        doubled = exp.Mul(this=at, expression=exp.Literal.number(2))
        last = exp.Add(this=rows.copy(), expression=exp.Literal.number(2))
        shown = [expressions.column("ranked", each.alias, self.dialect) for each in outer[:splits]]
        middle = exp.select(*shown, *outer[splits:]).from_(inner.subquery("ranked"))
        return middle.where(exp.Between(this=doubled, low=rows, high=last))

    def _at_place(self, statement: exp.Select, asked: Condition) -> exp.Select:
        """Return the rows of the values whose place is asked for, with it and with how many there are."""
        inner = [expressions.column("measured", each.name, self.dialect) for each in self.columns]
        value = exp.Ordered(this=inner[1].copy(), desc=not self.query.ascending, nulls_first=False)
        place = exp.Window(this=exp.Rank(), order=exp.Order(expressions=[value]))
        of = exp.Window(this=exp.Count(this=exp.Star()))
        placed = exp.select(*inner, exp.alias_(place, "place"), exp.alias_(of, "places")).from_(
            statement.subquery("measured")
        )
        for name in ("place", "places"):
            self.columns.append(BuiltColumn(name, "place" if name == "place" else "places", "", "number"))
        outer = [expressions.column("placed", each.name, self.dialect) for each in self.columns]
        chosen = expressions.condition(outer[0], asked, self.catalog.column(asked.column), self.dialect)
        return exp.select(*outer).from_(placed.subquery("placed")).where(chosen)

    def _absent(self, met: exp.Expr | None) -> exp.Select:
        """Return the values of all rows that no row has which meets the conditions."""
        counted = exp.Count(this=exp.Star())
        none = exp.EQ(this=counted if met is None else expressions.only_where(counted, met), expression=place_of(0))
        self.assume("absent", column=self.columns[0].refers_to)
        return self.select(None).group_by(place_of(1), *self.keys).having(none).order_by(place_of(1))

    def _is_part(self, column: BuiltColumn) -> bool:
        """Tell whether each of its values has rows of its own."""
        if column.role in ("time", "cycle"):
            return column.name in self.query.per
        return column.role == "split" and column.refers_to in self._places(
            each for each in self.query.per if "." in each
        )

    def _places(self, names: Iterable[str]) -> set[str]:
        """Return columns with the tables in which they stand."""
        return {".".join(self.catalog.place(each, self.metric.table)) for each in names}

    def _grouped(self, statement: exp.Select, splits: int) -> exp.Select:
        """Return a statement by its splits, with the rows only whose value is within the bounds."""
        if not splits:
            return statement
        statement = statement.group_by(*(place_of(number) for number in range(1, splits + 1)), *self.keys)
        for bound in self.query.having:
            if bound.operator in ("less", "at_most"):
                self.assume("some", metric=self.query.metric)
            statement = statement.having(expressions.compared(self._filtered(), bound.operator, bound.value))
        return statement

    def _number_of(self, statement: exp.Select) -> exp.Select:
        """Return how many rows a statement gives."""
        named = ".".join(self.catalog.place(self.query.by[0], self.metric.table)) if self.query.by else ""
        things = expressions.column("chosen", self.columns[0].name, self.dialect)
        self.columns, self.selected = [], []
        known = exp.Star() if self.query.having else things  # rows of nothing are of no thing
        self.result(exp.Count(this=known), BuiltColumn("count", "groups", named, "number"))
        return exp.select(*self.selected).from_(statement.subquery("chosen"))

    def _counted(self) -> exp.Expr | None:
        if not self.metric.where:
            return None
        self.assume("counted", metric=self.query.metric)
        return (
            None
            if self.query.also or self.query.minus or self.query.plus or self.query.over
            else exp.Paren(this=self.parsed(self.metric.where))
        )

    def _filtered(self) -> exp.Expr:
        """Return the value over the rows that it counts, where these are not those of the whole statement."""
        if not self.query.also:
            return self._mean(self.value)
        return self._of(self.metric)

    def _of(self, metric: Metric) -> exp.Expr:
        value = self.parsed(metric.expression)
        return value if not metric.where else expressions.only_where(value, self.parsed(metric.where))

    def _mean(self, value: exp.Expr) -> exp.Expr:
        """Return a value, or its mean over the steps of time that are over."""
        grain = self.query.mean
        if grain is None or self.period is None:
            return value
        counted = steps_in(self.period, grain)
        step = expressions.step(self.column(self.metric.time), grain, self.dialect)
        steps = exp.Count(this=exp.Distinct(expressions=[step])) if counted is None else expressions.number(counted)
        return expressions.quotient(value, steps)

    def _periods(self) -> exp.Expr | None:
        query, time = self.query, self.metric.time
        if not time:
            return None
        moment, named = self.column(time), ".".join(self.catalog.place(time, self.metric.table))
        period = self.period
        if query.mean is not None and period is not None:
            steps = steps_in(period, query.mean)
            known = {} if steps is None else {"steps": f"{steps:.1f}".removesuffix(".0")}
            self.assume("mean_rows" if steps is None else "mean", grain=query.mean, **known)
        if period is None:
            self.assume("all_time", column=named)
            return None
        self.assume_period("period", period, named)
        if query.against is None:
            return expressions.within(moment, period, self.dialect)
        self.assume_period("against", query.against, named)
        both = [expressions.within(moment, each, self.dialect) for each in (period, query.against)]
        return expressions.any_of(both)

    def _of_days(self) -> Iterator[exp.Expr]:
        """Yield the conditions that a row is of the days of the week and the hours that are asked for."""
        days, hours = self.query.weekdays, self.query.hours
        if not (days or hours):
            return
        if not self.metric.time:
            raise QueryNotPossible(f"{self.query.metric} has no time")
        moment = self.column(self.metric.time)
        if days:
            of = expressions.weekday(moment, self.dialect)
            yield exp.In(this=exp.Paren(this=of), expressions=[exp.Literal.number(each) for each in days])
        if hours:
            self._require_hours()
            if len(hours) == 1 or hours[0] >= hours[1]:
                raise QueryNotPossible("hours are from the first on, until before the second")
            hour = expressions.hour(moment, self.dialect)
            ends = [exp.Literal.number(each) for each in (hours[0], hours[-1] - 1)]
            yield exp.Between(this=hour, low=ends[0], high=ends[1])

    def _require_hours(self) -> str:
        """Return the column of the time; QueryNotPossible where it tells days alone."""
        named = ".".join(self.catalog.place(self.metric.time, self.metric.table))
        if self.catalog.column(named).type != "time":
            raise QueryNotPossible(f"{named} tells days, and no hours")
        return named

    def _splits(self) -> int:
        """Add the columns that the rows are grouped by, and return how many."""
        grain = self.query.grain
        if grain is not None:
            moment = self.column(self.metric.time)
            named = ".".join(self.catalog.place(self.metric.time, self.metric.table))
            if grain == "hour":
                self._require_hours()
            if (own_step := step_of(grain)) is None:
                turn = (expressions.weekday if grain == "weekday" else expressions.hour)(moment, self.dialect)
                self.result(turn, BuiltColumn(grain, "cycle", named, "text"))
            else:
                step = expressions.step(moment, own_step, self.dialect)
                self.result(step, BuiltColumn(grain, "time", named, "date"))
        for named in self.query.by:
            table, name = self.catalog.place(named, self.metric.table)
            alias = f"{table}_{name}" if name in ("name", "id", "code", "title") else name
            kind = self.catalog.column(named, self.metric.table).type
            self.result(self.column(named), BuiltColumn(alias, "split", f"{table}.{name}", kind))
            self.keys += self._key_of(table, name)
        return len(self.columns)

    def _key_of(self, table: str, name: str) -> list[exp.Expr]:
        """Return the key of the things that a split names, where several may have one name: two people may."""
        declared = self.catalog.tables[table]
        path = self.catalog.path(self.metric.table, table)
        shared = declared.label == name and not declared.columns[name].values
        return [self.column(path[-1].one)] if path and shared else []

    def _measured(self, value: exp.Expr, role: ColumnRole, name: str) -> None:
        unit = "%" if role in ("share", "change_percent") else self.unit
        self.result(value, BuiltColumn(name, role, self.query.metric, "number", unit))

    def _beside(self) -> None:
        """Add the values of the other metrics."""
        for name in self.query.also:
            metric = self.catalog.metrics[name]
            if metric.where:
                self.assume("counted", metric=name)
            self.result(self._of(metric), BuiltColumn(name, "value", name, "number", metric.unit))

    def _values(self) -> None:
        query, value = self.query, self.value
        if query.part:
            self.assume("whole")
            part = expressions.only_where(value, exp.and_(*self.conditions(query.part)))
            self._measured(part, "value", self.name)
            self._measured(value, "whole", "whole")
            self._measured(expressions.percent(part.copy(), value.copy()), "share", "share")
            return
        if query.times is not None:
            part = exp.Mul(this=exp.Paren(this=value.copy()), expression=expressions.number(query.times))
            self._measured(part, "value", self.name)
            self._measured(value, "whole", "whole")
            return
        self._measured(self._filtered(), "value", self.name)
        self._beside()
        if (other := self._other()) is not None and query.mean is None:
            if query.minus:
                self.assume("difference", metric=query.metric, minus=query.minus)
            for name, metric in ((query.metric, self.metric), (query.minus or query.plus, other)):
                self.result(self._of(metric), BuiltColumn(name, "term", name, "number", metric.unit))
        if self.divisor is not None and query.against is None:
            for name, metric in ((query.metric, self.metric), (query.over, self.divisor)):
                self.result(self._of(metric), BuiltColumn("term", "term", name, "number", metric.unit))
        if query.share:
            whole = exp.Window(this=exp.Sum(this=value.copy()))
            self._measured(expressions.percent(value.copy(), whole), "share", "share")

    def _both(self, period: Period, against: Period) -> None:
        moment = self.column(self.metric.time)
        sides: tuple[tuple[Period, ColumnRole, str], ...] = (
            (period, "value", self.name),
            (against, "earlier", "earlier"),
        )
        for each, role, name in sides:
            chosen = expressions.within(moment, each, self.dialect)
            self._measured(self.value if chosen is None else expressions.only_where(self.value, chosen), role, name)

    def _compared(self, statement: exp.Query, splits: int) -> exp.Select:
        """Return the statement around one of two periods that adds the change between them."""
        inner = [expressions.column("periods", each.name, self.dialect) for each in self.columns]
        now, earlier = inner[splits : splits + 2]
        self.selected = [each.copy() for each in inner]
        change = self._change(now, earlier)
        self._measured(change, "change", "change")
        self._measured(
            expressions.percent(change.copy(), exp.func("ABS", earlier.copy())), "change_percent", "change_percent"
        )
        return exp.select(*self.selected).from_(statement.subquery("periods"))

    def _change(self, now: exp.Expr, earlier: exp.Expr) -> exp.Expr:
        change: exp.Expr = exp.Sub(this=now.copy(), expression=earlier.copy())
        if self.metric.adds_up and self.divisor is None:  # what is new or gone has changed by all of it
            change = exp.func("COALESCE", change, now.copy(), exp.Neg(this=earlier.copy()))
        return change

    def _ranked(self, splits: int) -> int:
        """Return the number of the column that rows are ranked by."""
        role = "change" if self.query.by_change else "share" if self.query.part else ""
        return next((at for at, each in enumerate(self.columns, 1) if each.role == role), splits + 1)

    def _order(self, splits: int) -> Iterable[exp.Expr]:
        query = self.query
        value = exp.Ordered(this=place_of(self._ranked(splits)), desc=not query.ascending, nulls_first=False)
        others = [exp.Ordered(this=place_of(number), desc=False, nulls_first=False) for number in range(1, splits + 1)]
        if query.grain is None:
            return (value, *others)
        return (others[0], value, *others[1:])
