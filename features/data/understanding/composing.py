"""From words, each with one meaning, to a query: every one of them has to have its part in it, or there is none."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from features.data.understanding import known
from features.data.understanding.bounds import traded
from features.data.understanding.gathering import AGGREGATES, aggregate_sign, grain_of, is_rate
from features.data.understanding.rows import is_size
from features.data.understanding.times import TimeComposition
from features.data.understanding.words.items import (
    Item,
    MeasureMissing,
    NotComposed,
    PeriodMissing,
    is_each_step,
    sign_of,
    splits_time,
)
from features.data.understanding.words.signs import GRAINS, MEANS, Sign
from features.data.understanding.words.spans import named_span, period_of
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.building import dimensions_of
from queries.sql.metrics.measures import measure_of
from queries.sql.metrics.query import (
    Condition,
    DataQuery,
    Grain,
    MetricQuery,
    Period,
)

#: What is asked of a count, and not of rows.
_OF_COUNTS = (Sign.SHARE, Sign.COMPARE, Sign.CHANGE, Sign.PREVIOUS, Sign.YEAR_EARLIER, Sign.TREND)
#: Words with which values alone do not say what is counted.
_OTHERS_COUNTED = (Sign.SHARE, Sign.TRADE, Sign.MONEY, Sign.TOP, Sign.BOTTOM, Sign.NEW)
#: Words that put all rows in order, and leave none out.
_RANKINGS = frozenset({"排名", "排行"})
#: What people are counted by.
_PERSONS = ("位", "名")
#: Columns among which the reason of a change is looked for.
_MOST_ACROSS = 12
#: Rows of "the top products" when nobody says how many.
_TOP_ROWS = 10


class Composition(TimeComposition):
    """The query that the parts make."""

    # Metrics

    def metric_query(self) -> MetricQuery:
        """Return the query of the one metric, count or aggregate that is named."""
        mean = self._mean()
        self._refuse_row_of_metric()
        base = self._measure()
        allowed = self._allowed_for(base)
        self._refuse_size_of_one()
        top, bottom = self.take(Sign.TOP), self.take(Sign.BOTTOM)
        if top and bottom:
            raise NotComposed(self.signs(Sign.BOTTOM)[0].word.text)
        asks_which = self.take(Sign.WHICH) if top or bottom else False
        parts = list(self.splits)  # "by region", 各大区: what is ranked is split by later
        if top or bottom:
            for item in self.named("column", "table"):
                self._split(item)
            self._split_of_which()
            if not self.splits and self.grain is None:
                raise NotComposed(self.signs(Sign.TOP, Sign.BOTTOM)[0].word.text)
        if self.bounds:
            for item in self.named("column", "table"):
                self._split(item)
            self.take(Sign.WHICH)
        self.tell_apart()
        across = self._across(allowed)
        by = self._dimensions(allowed)
        upwards = bottom
        if by or self.grain:
            self.take(Sign.LIST, Sign.DESCENDING)
            upwards = self.take(Sign.ASCENDING) or bottom
        groups = bool(self.bounds) and self.take(Sign.HOW_MANY)
        where = self._allowed([made for _, made in self.conditions], allowed)
        period, against = self.periods()
        if across:
            period, against = self._with_before(period, against)
        grain = self._trend(period)
        period = self.in_whole_steps(period, grain)
        share, part = self._share(bool(by or grain))
        self.take(Sign.HOW_MANY, Sign.SUM, Sign.ALL_TIME)
        self._use_new(of_all=not measure_of(base, self.catalog).time)
        self._use_money(bool(measure_of(base, self.catalog).unit))
        time = measure_of(base, self.catalog).time
        self.use_day(".".join(self.catalog.place(time, measure_of(base, self.catalog).table)) if self.spans() else "")
        rows = self._rows(asks_which, [item for item in self.splits if item not in parts]) if top or bottom else None
        per = self._per(parts, by, grain) if rows is not None else ()
        return base.model_copy(
            update={
                "by": by, "grain": grain, "where": tuple(each for each in where if each not in part), "period": period,
                "against": against, "share": share, "part": part, "rows": rows, "ascending": upwards,
                "per": per, "having": self.bounds, "groups": groups, "mean": mean, "across": across,
            }
        )  # fmt: skip

    def _split_of_which(self) -> None:
        """Rank the things that a value names: "which of our add-ons sells worst"."""
        if self.splits or self.grain is not None:
            return
        for which, item in pairwise(self.items):
            if which.meaning is not Sign.WHICH or not item.names("value"):
                continue
            table, name = self.catalog.place(item.refers_to)
            label = self.catalog.tables[table].label
            if label and label != name:
                self.splits.append(Item(item.word, Named("column", f"{table}.{label}"), used=True))
                return

    def _measure(self) -> MetricQuery:
        metrics = list(dict.fromkeys(item.refers_to for item in self.named("metric")))
        if self.bounds and not metrics:
            metrics = [traded(self.items, self.catalog)]
        self._refuse_one_twice()
        if len(metrics) == 1 or (metrics and self._are_listed()):
            self._use(self.named("metric"))
            table = self.catalog.metrics[metrics[0]].table
            self._use([item for item in self.named("table") if item.refers_to == table and not self._beside_and(item)])
            self.take(Sign.TRADE)
            return MetricQuery(metric=metrics[0], also=tuple(metrics[1:]))
        if metrics:
            raise NotComposed(self.named("metric")[-1].word.text)
        if aggregate := self._aggregate():
            return aggregate
        if rated := self._rated_table():
            return rated
        if counted := self._counted_by_values() or self._counted_by_day():
            return counted
        bare_count = self.signs(Sign.HOW_MANY) and self.conditions and not self.named("column")
        if (bare_count or self.signs(Sign.TRADE, Sign.MONEY)) and not self.named("table"):
            raise MeasureMissing
        tables = self.named("table")
        told_apart = self.splits or self.grain or self.signs(Sign.EACH, *_OF_COUNTS)
        if len(tables) == 1 and told_apart and not self.signs(Sign.TOP, Sign.BOTTOM):
            self._use(tables)
            return MetricQuery(metric=tables[0].refers_to, aggregate="count")
        if self.signs(Sign.TOP, Sign.BOTTOM) or self.splits:
            raise MeasureMissing
        raise NotComposed(tables[0].word.text if tables else "")

    def _counted_by_values(self) -> MetricQuery | None:
        """Return what counts the rows that values alone name: "how many developers in Berlin"; None for nothing.

        Of a period it may be another number, and what is done is of another table.
        """
        table = known.root(self.catalog, {made.column.partition(".")[0] for _, made in self.conditions})
        if not table or self.spans() or self.named("table", "column") or self.signs(*_OTHERS_COUNTED):
            return None
        if not self.signs(Sign.HOW_MANY):
            return None
        people = known.of_people(self.catalog)
        if people and any(item.word.text.endswith(_PERSONS) for item in self.signs(Sign.HOW_MANY)):
            table = people
        label = f"{table}.{self.catalog.tables[table].label}"
        if any(made.column == label for _, made in self.conditions):
            return None  # how many departments are called "Finance" nobody asks
        if metric := known.named_like(self.catalog, table):
            return MetricQuery(metric=metric)
        counts = known.counting(self.catalog, table) or not self._asks_how_many_of_value()
        return None if counts else MetricQuery(metric=table, aggregate="count")

    def _asks_how_many_of_value(self) -> bool:
        """Tell whether "how many" is asked of a value itself: "how many shippers"."""
        return any(
            near.names("value") and (not near.word.text.isascii() or near.word.text.lower().endswith("s"))
            for at, item in enumerate(self.items)
            if item.meaning is Sign.HOW_MANY
            for near in (*self.items[max(at - 1, 0) : at], *self.items[at + 1 : at + 2])
        )

    def _counted_by_day(self) -> MetricQuery | None:
        """Return what counts the rows of the day on which something is done: "how many testers were hired in May"."""
        day = self.day_done()
        table = day.partition(".")[0]
        if not day or self.signs(*_OTHERS_COUNTED):
            return None
        done_to = [item for item in self.named("table") if self._is_done_to(item, day)]
        self._use(done_to)
        if any(item.refers_to != table for item in self.named("table")):
            return None
        metric = known.dated(self.catalog, day)
        of_table = any(made.column.partition(".")[0] == table for _, made in self.conditions)
        of_table = of_table or bool(self.named("table") or done_to)
        told_apart = self.splits or self.grain
        alone = not self.named("table") and (metric or self.signs(Sign.HOW_MANY))
        if not of_table or not (told_apart or alone):
            return None
        self._use(self.named("table"))
        self.use_day(day)
        return MetricQuery(metric=metric) if metric else MetricQuery(metric=table, aggregate="count", time=day)

    def _is_done_to(self, item: Item, day: str) -> bool:
        """Tell whether something is done to a thing, each time a row: 借出了多少本书 counts what was lent."""
        at, table = self.items.index(item), day.partition(".")[0]
        done = [place for place, other in enumerate(self.items[:at]) if other.refers_to == day]
        asked = any(other.meaning is Sign.HOW_MANY for other in self.items[done[0] : at]) if done else False
        belongs = item.refers_to != table and self.catalog.path(table, item.refers_to) is not None
        return asked and belongs and not item.word.text.isascii()

    def _refuse_size_of_one(self) -> None:
        """Refuse "who placed the largest order" as a number of orders: it is one of them."""
        for item, other in pairwise(self.items):
            if is_size(item) and self._is_one_of(other):
                raise NotComposed(item.word.text)

    def _refuse_row_of_metric(self) -> None:
        """Refuse 预算最大的项目, "the project with the largest budget" as a sum: more is asked about one row."""
        for one, rank, other in zip(self.items, self.items[1:], self.items[2:], strict=False):
            if rank.meaning in (Sign.TOP, Sign.BOTTOM):
                for measured, thing in ((one, other), (other, one)):
                    if measured.names("metric", "column") and thing.names("table") and self._is_of(measured, thing):
                        raise NotComposed(rank.word.text)

    def _is_of(self, measured: Item, thing: Item) -> bool:
        """Tell whether a number stands in each row of a table."""
        if measured.names("column"):
            return self._is_number(measured) and measured.refers_to.partition(".")[0] == thing.refers_to
        metric = self.catalog.metrics[measured.refers_to]
        return metric.table == thing.refers_to and not metric.expression.lower().startswith("count")

    def _is_one_of(self, item: Item) -> bool:
        things = any(isinstance(each, Named) and each.kind == "table" for each in item.word.meanings)
        return item.names("metric") and things and self.catalog.metrics[item.refers_to].counts_rows

    def _refuse_one_twice(self) -> None:
        """Refuse "orders and cancelled orders": these are two numbers of one metric."""
        named = [at for at, item in enumerate(self.items) if item.names("metric") and not item.used]
        for first, second in pairwise(named):
            joined = any(item.meaning is Sign.AND for item in self.items[first:second])
            if joined and self.items[first].refers_to == self.items[second].refers_to:
                raise NotComposed(self.items[second].word.text)

    def _are_listed(self) -> bool:
        """Tell whether the metrics are joined by "and", each with the next one."""
        places = [at for at, item in enumerate(self.items) if item.names("metric") and not item.used]
        gaps = pairwise(places)
        return all(last - first == 2 and self.items[first + 1].meaning is Sign.AND for first, last in gaps)

    def _allowed_for(self, base: MetricQuery) -> tuple[str, ...]:
        """Return the columns by which all that is measured may be told apart."""
        others = [dimensions_of(MetricQuery(metric=each), self.catalog) for each in base.also]
        return tuple(each for each in dimensions_of(base, self.catalog) if all(each in other for other in others))

    def _mean(self) -> Grain | None:
        """Return the step of "average orders per month": "by month" would split."""
        if not self.named("metric"):
            return None
        words = self.signs(*MEANS)
        if len(words) == 1 and self.grain is None:
            self._use(words)
            self._refuse_two_means()
            return grain_of(MEANS[sign_of(words[0])])
        steps = self.signs(*GRAINS)
        average = self.signs(Sign.AVERAGE)
        if len(average) != 1 or len(steps) != 1 or splits_time(steps[0]):
            return None
        self._refuse_two_means()
        self._use(average)
        grain, self.grain = self.grain, None
        return grain

    def _refuse_two_means(self) -> None:
        """Refuse "per customer per month": it is a mean over both, or each customer's."""
        for item in self.signs(Sign.BY):
            if item.word.text.lower().startswith(("per", "each", "every", "for e", "每")):
                raise NotComposed(item.word.text)

    def _across(self, allowed: Sequence[str]) -> tuple[str, ...]:
        """Return the columns among which the reason of a change is looked for, where one is asked for."""
        if not self.take(Sign.WHY):
            return ()
        asked = {made.column for _, made in self.conditions}
        texts = (each for each in allowed if self.catalog.column(each).type == "text" and each not in asked)
        across = self._dimensions(allowed) or tuple(texts)[:_MOST_ACROSS]
        if not across or self.grain:
            raise NotComposed
        self.splits = []
        self.take(Sign.MORE, Sign.LESS, Sign.HIGH, Sign.CHANGE, Sign.HOW_MANY, Sign.TOP, Sign.BOTTOM)
        return across

    def _with_before(self, period: Period | None, against: Period | None) -> tuple[Period | None, Period | None]:
        """Return a period with the one before it, where none is named that it is compared with."""
        if period is None or against is not None:
            return period, against
        return period, period_of(named_span(period).before())

    def _beside_and(self, item: Item) -> bool:
        """Tell whether it is one of several things that are asked for: "orders by month, and revenue"."""
        at = self.items.index(item)
        if any(near.meaning is Sign.AND for near in (*self.items[max(at - 1, 0) : at], *self.items[at + 1 : at + 2])):
            return True
        measured = [place for place, other in enumerate(self.items) if other.names("metric")]
        is_metric = any(isinstance(each, Named) and each.kind == "metric" for each in item.word.meanings)
        return is_metric and any(
            other.meaning is Sign.AND for place in measured for other in self.items[min(place, at) : max(place, at)]
        )

    def _aggregate(self) -> MetricQuery | None:
        """Return the average, sum, largest or smallest of a column of numbers."""
        signs = self.signs(*AGGREGATES)
        columns = [item for item in self.named("column") if self._is_number(item)]
        if len(signs) != 1 or len(columns) != 1 or not isinstance(signs[0].meaning, Sign):
            return None
        if signs[0].meaning in (Sign.TOP, Sign.BOTTOM) and self.named("table"):
            return None  # the rows with the largest
        self._use([signs[0], columns[0]])
        signs[0].meaning = Sign.FILLER
        table = columns[0].refers_to.partition(".")[0]
        self._use([item for item in self.named("table") if item.refers_to == table])
        if signs[0].word.has(Sign.AVERAGE):  # "the average budget of each project" is that of the projects
            rows = f"{table}.{self.catalog.tables[table].label}"
            self.splits = [item for item in self.splits if self._column_of(item) != rows]
        aggregate = AGGREGATES[aggregate_sign(signs[0].word)]
        metric = known.aggregating(self.catalog, columns[0].refers_to, aggregate)
        asked = {made.column for _, made in self.conditions}
        if metric and asked <= set(dimensions_of(MetricQuery(metric=metric), self.catalog)):
            return MetricQuery(metric=metric)
        return MetricQuery(metric=columns[0].refers_to, aggregate=aggregate)

    def _dimensions(self, allowed: Sequence[str]) -> tuple[str, ...]:
        by: list[str] = []
        for item in self.splits:
            column = self._column_of(item)
            if column not in allowed:
                raise NotComposed(item.word.text)
            by.append(column)
        if len(by) > 3:
            raise NotComposed(self.splits[3].word.text)
        return tuple(dict.fromkeys(by))

    def _allowed(self, conditions: Sequence[Condition], allowed: Sequence[str]) -> tuple[Condition, ...]:
        for made in conditions:
            if made.column not in allowed:
                raise NotComposed(str(made.values[0]))
        return tuple(conditions)

    def _per(self, parts: Sequence[Item], by: Sequence[str], grain: Grain | None) -> tuple[str, ...]:
        """Return the parts of which each has a ranking of its own: "the best product of each region"."""
        steps = [item for item in self.signs(*GRAINS) if is_each_step(item)]
        columns = [self._column_of(item) for item in parts]
        per = tuple(each for each in by if each in columns)
        if grain is not None and steps:
            per = (*per, grain)
        return per if len(per) < len(by) + (grain is not None) else ()

    def _rows(self, asks_which: bool, ranked: Sequence[Item]) -> int | None:
        if self.count is not None:
            return self.count
        if all(item.word.text in _RANKINGS for item in self.signs(Sign.TOP, Sign.BOTTOM)):
            return None
        words = [item.word.text.lower() for item in ranked or self.splits] or [""]
        many = any(word.isascii() and word.endswith("s") and not word.endswith("ss") for word in words)
        if (not many or (asks_which and self.is_of_one)) and (asks_which or self.signs(Sign.TOP, Sign.BOTTOM)):
            return 1
        return _TOP_ROWS if any(item.word.text.lower() == "top" for item in self.signs(Sign.TOP)) else None

    def _trend(self, period: Period | None) -> Grain | None:
        if not self.take(Sign.TREND) or self.grain is not None:
            return self.grain
        if period is None or period.start is None:
            return "month"
        days = ((period.end or self.today) - period.start).days
        return "day" if days <= 31 else "month"

    def _share(self, split: bool) -> tuple[bool, tuple[Condition, ...]]:
        if not self.signs(Sign.SHARE):
            return False, ()
        rated = self._rated()
        self.take(Sign.SHARE)
        if rated:
            return True, rated
        if split:
            return True, self._said_behind()
        made = [condition for _, condition in self.conditions]
        if len(made) == 1:
            return True, (made[0],)
        return True, self._part()

    def _rated(self) -> tuple[Condition, ...]:
        """Return what a rate is of: 退货率, "the return rate" is the share of what was returned."""
        places = [at for at, item in enumerate(self.items) if item.meaning is Sign.SHARE and is_rate(item)]
        if not places:
            return ()
        parts = tuple(made for at, made in self.conditions if at == places[0] - 1 and len(made.values) == 1)
        if len(parts) != 1:
            raise NotComposed(self.items[places[0]].word.text)
        return parts

    def _said_behind(self) -> tuple[Condition, ...]:
        """Return the part of each row that is said right behind what is measured: "orders cancelled, by channel"."""
        measured = [at for at, item in enumerate(self.items) if item.names("metric") and item.word.text.isascii()]
        if len(measured) != 1:
            return ()
        behind = tuple(made for at, made in self.conditions if at == measured[0] + 1 and len(made.values) == 1)
        ends = measured[0] + 2
        alone = ends >= len(self.items) or self.items[ends].meaning in (Sign.AND, Sign.BY) or self._is_span(ends)
        return behind if alone and self.items[measured[0] + 1 : ends] and behind else ()

    def _rated_table(self) -> MetricQuery | None:
        """Return the number of the rows that a rate is of, where nothing else says what is measured."""
        if (
            self.named("table", "column")
            or not self.signs(Sign.SHARE)
            or self.signs(Sign.HOW_MANY, Sign.TRADE, Sign.MONEY)
        ):
            return None
        if any(is_rate(item) for item in self.signs(Sign.SHARE)):
            table = self._rated()[0].column.partition(".")[0]
        elif len(self.conditions) == 2 and self._shared():
            table = known.root(self.catalog, (made.column.partition(".")[0] for _, made in self.conditions))
            if named := known.named_like(self.catalog, table) if table else "":
                return MetricQuery(metric=named)
            return None
        else:
            return None
        if counted := known.counting(self.catalog, table):
            return MetricQuery(metric=counted)
        return MetricQuery(metric=table, aggregate="count")

    def _part(self) -> tuple[Condition, ...]:
        """Return what makes the part where several conditions hold: "which share of Berlin's orders are cancelled"."""
        measured = [at for at, item in enumerate(self.items) if item.names("metric")]
        if not measured and (part := self._shared()):
            return part
        if len(measured) != 1 or not self.items[measured[0]].word.text.isascii():
            raise NotComposed(self.signs(Sign.SHARE)[0].word.text)
        after = tuple(condition for at, condition in self.conditions if at > measured[0])
        both = len(after) < len(self.conditions)
        said = all(self.is_said_of(measured[0], at) for at, _ in self.conditions if at > measured[0])
        if len(after) != 1 or (both and not said):
            raise NotComposed(self.signs(Sign.SHARE)[0].word.text)
        return after

    def _shared(self) -> tuple[Condition, ...]:
        """Return the part of "which share of Operations is remote": what is said of the value behind "of"."""
        values = [at for at, _ in self.conditions]
        of = [at for at, item in enumerate(self.items) if item.meaning is Sign.SHARE and item.word.text.isascii()]
        if len(of) != 1 or of[0] + 1 != min(values) or not all(self.is_said_of(min(values), at) for at in values[1:]):
            return ()
        return tuple(made for at, made in self.conditions if at != min(values))


def compose(catalog: Catalog, items: Sequence[Item], today: date) -> DataQuery:
    """Return the query that these words make; NotComposed when one of them has no part in it."""
    failed: list[NotComposed] = []
    for make in (Composition.metric_query, Composition.row_query):
        composition = Composition(catalog, [Item(item.word, item.meaning) for item in items], today)
        try:
            composition.gather()
            query = make(composition)
            composition.require_all_used()
        except NotComposed as error:
            failed.append(error)
        except (QueryNotPossible, ValueError) as error:
            failed.append(NotComposed(str(error)))
        else:
            return query
    raise next((each for each in failed if isinstance(each, MeasureMissing | PeriodMissing)), failed[0])
