"""What words say is measured: a metric, a difference of two, the mean of a column, the number of rows."""

from collections.abc import Sequence
from itertools import pairwise

from features.data.understanding.composing import known
from features.data.understanding.composing.bounds import LIMITS, traded
from features.data.understanding.composing.counting import CountComposition
from features.data.understanding.composing.rows import is_who
from features.data.understanding.words.forms import root
from features.data.understanding.words.items import (
    Item,
    MeasureMissing,
    NotComposed,
    ranked_thing,
)
from features.data.understanding.words.signs import CLASSIFIERS, Sign
from features.data.understanding.words.units import counts_things
from features.data.understanding.words.vocabulary import CutWord, Named
from queries.sql.catalog.catalog import Metric
from queries.sql.metrics.building import telling_of
from queries.sql.metrics.query import Aggregate, MetricQuery

#: What a word of measuring makes of a column.
AGGREGATES: dict[Sign, Aggregate] = {
    Sign.AVERAGE: "average",
    Sign.MEDIAN: "median",
    Sign.SUM: "sum",
    Sign.LARGEST: "largest",
    Sign.SMALLEST: "smallest",
    Sign.TOP: "largest",
    Sign.BOTTOM: "smallest",
}
_OWNER_AND_OWNED = 2
#: What is asked of a count, and not of rows.
_OF_COUNTS = (Sign.SHARE, Sign.COMPARE, Sign.CHANGE, Sign.PREVIOUS, Sign.YEAR_EARLIER, Sign.TREND)
#: What a price is asked for with.
_COSTS = frozenset({"cost", "costs", "charge", "charged", "pay", "paid", "earn", "收", "收费", "卖", "要", "花"})
_MUCH = frozenset({"how much", "多少", "了多少", "是多少"})


class MeasureComposition(CountComposition):
    """What the query measures."""

    def _measure(self) -> MetricQuery:
        self._sum_of_columns()
        found = (
            self._ratio()
            or self._different()
            or self._difference()
            or self._mean_of_things()
            or self._worth()
            or self._price_of_one()
            or self._of_metrics()
        )
        if found is None and self.named("metric"):
            raise NotComposed(self.named("metric")[-1].word.text)
        found = (
            found
            or self._mean_of_rows()
            or self._aggregate()
            or self._rated_table()
            or self._counted_most()
            or self._counted_by_values()
            or self._counted_by_day()
            or self._ranked_by_day()
            or self._who_traded()
        )
        return found or self._of_table()

    def _sum_of_columns(self) -> None:
        """Take a column for the metric that adds it up, where things are ranked or a period is named.

        "Who fitted the most panels", "what did the workshops cost last year".
        """
        if self.named("metric") or not (self.signs(Sign.TOP, Sign.BOTTOM) or self.spans()):
            return
        numbers = [item for item in self.named("column") if self._is_number(item)]
        others = [item for item in self.items if item.names("table", "column", "value") and item not in numbers]
        asked = others or self.signs(Sign.HOW_MANY, Sign.SUM)
        summed = known.aggregating(self.catalog, numbers[0].refers_to, "sum") if len(numbers) == 1 and asked else ""
        if summed:
            numbers[0].meaning = Named("metric", summed)

    def _of_metrics(self) -> MetricQuery | None:
        """Return the metric that is named, those that are listed, or what a bound is about; None for none."""
        self._take_new()
        self._take_cost()
        self._absorb_objects()
        metrics = list(dict.fromkeys(item.refers_to for item in self.named("metric")))
        if self.bounds and not metrics:
            if counted := self._bounded_table() or self._bounded_value():
                return counted
            metrics = [traded(self.items, self.catalog)]
        self._refuse_one_twice()
        if len(metrics) != 1 and not (metrics and self._are_listed()):
            return None
        said = any(item.word.end for item in self.named("metric"))  # not one that is offered
        if len(metrics) == 1 and said and (listed := self._those_counted(metrics[0])):
            return listed
        self._use(self.named("metric"))
        base = (
            self._averaged(metrics[0]) if len(metrics) == 1 else MetricQuery(metric=metrics[0], also=tuple(metrics[1:]))
        )
        table = self.catalog.metrics[metrics[0]].table
        ranked = self.signs(Sign.TOP, Sign.BOTTOM) and not (self.splits or self.catalog.tables[table].label)
        kinds = ranked and known.kind_of(self.catalog, table)  # "the top treatments by billings"
        own = [item for item in self.named("table") if item.refers_to == table and not self._beside_and(item)]
        self._refuse_number_of(own, metrics[0])
        if any(item.word.text.lower().startswith("how ") for item in self.named("metric")):
            own += [item for item in self.named("table") if known.holds_people(self.catalog, item.refers_to)]
        self._use([] if kinds else own)
        self.take(Sign.TRADE)
        return base

    def _refuse_number_of(self, things: Sequence[Item], metric: str) -> None:
        """Refuse 开了多少张抗生素处方 as the units of them: what is asked is how many of these rows there are."""
        if "count(" in self.catalog.metrics[metric].expression.lower():
            return
        for thing in things:
            before = self.items[: self.items.index(thing)]
            last = [item for item in before if not (item.names("value") or self._is_flag(item))][-1:]
            if any(item.meaning is Sign.HOW_MANY for item in last) and counts_things(last):
                raise NotComposed(thing.word.text)

    def _of_table(self) -> MetricQuery:
        """Return the number of the rows of a table that are told apart."""
        bare_count = self.signs(Sign.HOW_MANY) and self.conditions and not self.named("column")
        if (bare_count or self.signs(Sign.TRADE, Sign.MONEY)) and not self.named("table"):
            raise MeasureMissing
        tables = self.named("table")
        told_apart = bool(self.splits or self.grain or self.signs(Sign.EACH, *_OF_COUNTS) or self.is_on_days)
        told_apart = (
            told_apart or self.is_of_either or self._split_by_asked(tables) or self._are_side_by_side(self.spans())
        )
        if self._split_by_owner(tables):
            return self._number_of(tables[-1])
        if len(tables) == 1 and told_apart and not self.signs(Sign.TOP, Sign.BOTTOM):
            self._use(tables)
            return self._number_of(tables[0])
        if (thing := self._ranked_thing()) is not None:
            self._use([thing])
            return self._number_of(thing)
        if self.signs(Sign.TOP, Sign.BOTTOM) or self.splits:
            raise MeasureMissing
        raise NotComposed(tables[0].word.text if tables else "")

    def _split_by_owner(self, tables: list[Item]) -> bool:
        """Take "which hotels have rooms out of order" as such rooms by hotel."""
        if len(tables) != _OWNER_AND_OWNED or self.splits or self.grain or self.bounds or not self.conditions:
            return False
        owner, owned = tables
        places = [self.items.index(item) for item in tables]
        asked = places[0] and self.items[places[0] - 1].meaning in (Sign.WHICH, Sign.LIST)
        steps = self.catalog.path(owned.refers_to, owner.refers_to)
        held = all(
            self.catalog.path(owned.refers_to, made.column.partition(".")[0]) is not None for _, made in self.conditions
        )
        if not (asked and held and steps and self.catalog.tables[owner.refers_to].label):
            return False
        self.items[places[0] - 1].used = owned.used = True
        self.take(Sign.HOW_MANY)
        self._split(owner)
        return True

    def _split_by_asked(self, tables: list[Item]) -> bool:
        """Take "in which countries do we have customers" as customers by country: several of a kind are asked for."""
        if len(tables) != 1 or self.signs(Sign.TOP, Sign.BOTTOM, Sign.HOW_MANY) or self.bounds:
            return False
        table = self.catalog.tables[tables[0].refers_to]
        for which, column in pairwise(self.items):
            said = column.word.text.lower()
            several = which.word.text.startswith("哪") or (said.endswith("s") and not said.endswith("ss"))
            if which.meaning not in (Sign.WHICH, Sign.LIST) or not column.names("column") or not several:
                continue
            own, _, name = column.refers_to.partition(".")
            kind = own == tables[0].refers_to and name != table.label and table.columns[name].type == "text"
            if kind and not column.used:
                which.used = True
                self._split(column)
                return True
        return False

    def _number_of(self, thing: Item) -> MetricQuery:
        """Return the number of a table's rows, of those that count: buses are those that are not retired."""
        counted = known.of_rows(self.catalog, thing.refers_to)
        return MetricQuery(metric=counted) if counted else MetricQuery(metric=thing.refers_to, aggregate="count")

    def _ranked_thing(self) -> Item | None:
        """Return the table whose rows are counted where they are ranked by how many there are."""
        if self.signs(Sign.TRADE, Sign.MONEY) or not (
            self.splits or self.grain or len(self.named("column", "table")) > 1
        ):
            return None
        thing = ranked_thing(self.items)
        return thing if thing is not None and not thing.used else None

    def _difference(self) -> MetricQuery | None:
        """Return one metric less another, or with it: "revenue minus cost", "profit", "the cost of repairs"."""
        named = self.named("metric")
        if len(named) == 1 and (reckoned := str(getattr(named[0].meaning, "value", ""))):
            self._use(named)
            self._use([item for item in self.named("table") if item.refers_to == self._holder(named[0])])
            less, more = (reckoned[1:] if reckoned[0] == sign else "" for sign in "-+")
            return MetricQuery(metric=named[0].refers_to, minus=less, plus=more)
        for one, sign, other in zip(self.items, self.items[1:], self.items[2:], strict=False):
            if len(named) == 2 and sign.meaning is Sign.NET and one.names("metric") and other.names("metric"):
                self._use([one, sign, other])
                return MetricQuery(metric=one.refers_to, minus=other.refers_to)
        return None

    def _price_of_one(self) -> MetricQuery | None:
        """Return what one of a kind costs in the mean: "how much is a filling", 一辆货运车多少钱."""
        costs = [item for item in self.items if item.word.text.lower() in _COSTS]
        much = [item for item in self.signs(Sign.HOW_MANY) if item.word.text.lower() in _MUCH]
        money = self.signs(Sign.MONEY) or costs or any(item.word.text.lower() == "how much" for item in much)
        averages = bool(costs) and self.signs(Sign.AVERAGE)
        each = self.splits if all(item.names("table") for item in self.splits) else []  # 每次骑行
        others = (
            self.grain or self.bounds or self.signs(Sign.TOP, Sign.BOTTOM, Sign.SHARE, *(() if each else (Sign.BY,)))
        )
        if not much or not money or not (self.is_of_a_thing or averages or each) or others:
            return None
        things = [*each, *(item for item in self.named("table", "metric") if item not in costs)]
        counts = all(item.names("table") or self.catalog.metrics[item.refers_to].counts_rows for item in things)
        tables = {*map(self._holder, things), *(made.column.partition(".")[0] for _, made in self.conditions)}
        table = known.root(self.catalog, tables)
        found = known.price(self.catalog, table) if counts else ""
        rows = all(item.refers_to == table for item in self.splits) and found in self.catalog.metrics
        if not found or (self.splits and not rows):
            return None
        self.splits = []
        self._use([*costs, *things])
        self.take(Sign.AVERAGE, Sign.HOW_MANY, Sign.MONEY)
        return MetricQuery(metric=found, aggregate="average")

    def _absorb_objects(self) -> None:
        """Use what a deed is done to, each time a row: "how many cars did we fix" counts what was fixed."""
        named = self.named("metric")
        if len(named) != 1 or not named[0].is_supposed or not self.signs(Sign.HOW_MANY, Sign.AVERAGE):
            return
        metric = self.catalog.metrics[named[0].refers_to]
        at = self.items.index(named[0])
        for near, item in enumerate(self.items):
            beside = self.items[near - 1] if near else None
            asked = beside is None or beside.meaning is Sign.HOW_MANY
            if not item.names("table", "column") or item.used or not (asked or abs(near - at) == 1):
                continue
            path = self.catalog.path(metric.table, item.refers_to.partition(".")[0]) is not None
            means = metric.expression.lower().startswith("avg(")
            people = known.holds_people(self.catalog, item.refers_to.partition(".")[0])
            stays = people and metric.is_count and self._is_called(named[0], metric)  # "how many guests stayed"
            if path and (metric.counts_rows or means or stays) and not self.splits:
                item.used = True

    def _is_called(self, item: Item, metric: Metric) -> bool:
        """Tell whether a word is a form of a metric's name: "stayed" of stays."""
        said = root(item.word.text.lower())
        return any(said == root(each.lower()) for each in metric.called.en)

    def _those_counted(self, name: str) -> MetricQuery | None:
        """Return those that a metric counts, with how many rows each has: "customers who bought Trackline"."""
        metric = self.catalog.metrics[name]
        distinct = known.DISTINCT.fullmatch(metric.expression.strip())
        word = self.named("metric")[0].word.text.lower()
        lists = self.signs(Sign.LIST, Sign.WHICH) or " who " in word
        whose = self.catalog.belonging(f"{metric.table}.{distinct[1]}") if distinct else ""
        counted = known.counting(self.catalog, metric.table)
        others = self.splits or self.grain or self.signs(Sign.HOW_MANY, Sign.TOP, Sign.BOTTOM, *_OF_COUNTS)
        if not (lists and whose and counted) or others or not self.catalog.tables[whose].label:
            return None
        self._use(self.named("metric"))
        self.take(Sign.LIST, Sign.WHICH, Sign.TRADE)
        label = f"{whose}.{self.catalog.tables[whose].label}"
        self.splits = [Item(self.items[0].word, Named("column", label), used=True)]
        return MetricQuery(metric=counted)

    def _who_traded(self) -> MetricQuery | None:
        """Return who did it, each with how often: "who bought a Yard Camera this month"."""
        who = [item for item in self.named("column") if is_who(item)]
        if len(who) != 1 or not self.signs(Sign.TRADE) or self.splits or self.grain or not self.conditions:
            return None
        table = who[0].refers_to.partition(".")[0]
        counts = [
            name
            for name, metric in self.catalog.metrics.items()
            if metric.counts_rows and not metric.where and known.is_traded(self.catalog, metric)
            if self.catalog.path(metric.table, table) is not None
        ]
        if len(counts) != 1 or self.signs(Sign.HOW_MANY, Sign.TOP, Sign.BOTTOM, Sign.SHARE):
            return None
        self.take(Sign.TRADE, Sign.WHICH, Sign.LIST)
        self._split(who[0])
        return MetricQuery(metric=counts[0])

    def _bounded_value(self) -> MetricQuery | None:
        """Return the number of the rows with a value that a bound is about: 退货超过3次的客户."""
        for item, sign in pairwise(self.items):
            if item.names("value") and sign.meaning in LIMITS and sign.used and not item.word.text.isascii():
                counted = known.counting(self.catalog, item.refers_to.partition(".")[0])
                return MetricQuery(metric=counted) if counted else None
        return None

    def _bounded_table(self) -> MetricQuery | None:
        """Return the number of the rows that a bound is about: "which shop has more than 8 mechanics"."""
        for at, item in enumerate(self.items):
            before = self.items[at - 1].meaning if at else None
            behind = self.items[at + 1].meaning if at + 1 < len(self.items) else None
            bounds = isinstance(before, float) or (behind in LIMITS and not item.word.text.isascii())
            if item.names("table") and not item.used and bounds:
                self._use([item])
                counted = known.of_rows(self.catalog, item.refers_to) or known.counting(self.catalog, item.refers_to)
                return MetricQuery(metric=counted) if counted else MetricQuery(metric=item.refers_to, aggregate="count")
        return None

    def _take_new(self) -> None:
        """Take "new members since May" for the one metric that counts them by their first day."""
        named = self.named("metric")
        if not (self.signs(Sign.NEW) and self.spans() and len(named) == 1):
            return
        table = self.catalog.metrics[named[0].refers_to].table
        counts = known.by_first_day(self.catalog, table)
        if counts and not self.catalog.metrics[named[0].refers_to].time:
            named[0].meaning = Named("metric", counts)
            self.take(Sign.NEW)

    def _take_cost(self) -> None:
        """Take what a deed costs for its number where money is asked for: 今年修车花了多少钱."""
        named = self.named("metric")
        if len(named) != 1 or not named[0].is_supposed or not self.signs(Sign.MONEY):
            return
        counts = self.catalog.metrics[named[0].refers_to]
        sums = [
            name
            for name, metric in self.catalog.metrics.items()
            if metric.table == counts.table and metric.unit and metric.adds_up
        ]
        if counts.counts_rows and len(sums) == 1:
            named[0].meaning = Named("metric", sums[0])

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
        columns = [item for item in self.named("column") if self._is_number(item)]
        signs = self.signs(Sign.MEDIAN) or self.signs(*AGGREGATES) or self._asked_how_many(columns)
        if len(signs) != 1 or len(columns) != 1 or not isinstance(signs[0].meaning, Sign):
            return None
        if signs[0].meaning in (Sign.TOP, Sign.BOTTOM) and self.named("table"):
            return None  # the rows with the largest
        self._use([signs[0], columns[0]])
        signs[0].meaning = Sign.FILLER
        table = columns[0].refers_to.partition(".")[0]
        far = columns[0].is_supposed
        self._use(
            [
                item
                for item in self.named("table")
                if item.refers_to == table or (far and self.catalog.path(table, item.refers_to))
            ]
        )
        if signs[0].word.has(Sign.AVERAGE):  # "the average budget of each project" is that of the projects
            rows = f"{table}.{self.catalog.tables[table].label}"
            self.splits = [item for item in self.splits if self._column_of(item) != rows]
        aggregate = AGGREGATES[aggregate_sign(signs[0].word)] if signs[0].word.has(*AGGREGATES) else "sum"
        metric = known.aggregating(self.catalog, columns[0].refers_to, aggregate)
        if aggregate == "median":
            return self._median_of(columns[0].refers_to)
        asked = {made.column for _, made in self.conditions}
        if metric and asked <= set(telling_of(MetricQuery(metric=metric), self.catalog)):
            return MetricQuery(metric=metric)
        return MetricQuery(metric=columns[0].refers_to, aggregate=aggregate)

    def _median_of(self, column: str) -> MetricQuery:
        """Return the median of a column over the rows that its mean or sum counts: those who left earn nothing."""
        asked = {made.column for _, made in self.conditions}
        kinds: tuple[Aggregate, ...] = ("average", "sum")
        for aggregate in kinds:
            metric = known.aggregating(self.catalog, column, aggregate)
            if metric and asked <= set(telling_of(MetricQuery(metric=metric), self.catalog)):
                return MetricQuery(metric=metric, aggregate="median")
        return MetricQuery(metric=column, aggregate="median")

    def _asked_how_many(self, columns: list[Item]) -> list[Item]:
        """Return what asks for a column's sum: "how many beds do our general hospitals have"."""
        asked = [one for one, other in pairwise(self.items) if one.meaning is Sign.HOW_MANY and other in columns]
        plural = any(item.word.text.lower().endswith("s") or not item.word.text.isascii() for item in columns)
        counted = [item for item in asked if item.word.text.lower() == "how many" or item.word.text[-1:] in CLASSIFIERS]
        ranked = self.signs(Sign.TOP, Sign.BOTTOM, Sign.BY) or self.splits
        return counted if len(counted) == len(columns) == 1 and plural and not ranked else []


def aggregate_sign(word: CutWord) -> Sign:
    """Return the meaning of a word that says how a column is measured."""
    return next(each for each in word.meanings if isinstance(each, Sign) and each in AGGREGATES)
