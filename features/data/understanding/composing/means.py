"""Means and sums of what rows say: of each row, of each of what they belong to, and what all of them are worth."""

from itertools import pairwise

from features.data.understanding.composing import known
from features.data.understanding.composing.times import TimeComposition
from features.data.understanding.words.items import Item, NotComposed, is_rate, says_per
from features.data.understanding.words.signs import CLASSIFIERS, GRAINS, MEANS, Sign
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.states import is_state
from queries.sql.metrics.building import telling_of
from queries.sql.metrics.measures import SUM, averaged, may_bound, measure_of
from queries.sql.metrics.query import Aggregate, Condition, MetricQuery

#: What asks how many kinds of something there are: 几种产品.
_KINDS = ("种", "类")
#: What is asked of the rows that a metric is made of.
_OF_EACH_ROW: dict[Sign, Aggregate] = {
    Sign.MEDIAN: "median",
    Sign.LARGEST: "largest",
    Sign.SMALLEST: "smallest",
}
#: What one row is counted by: 每单收入.
_EACH_ROW = frozenset({"每单", "每笔", "每次", "每张", "每趟"})
#: What is asked of a number, so that it is none of different things.
_MEASURED = (
    Sign.MEDIAN,
    Sign.TOP,
    Sign.BOTTOM,
    Sign.SHARE,
    Sign.AVERAGE,
    Sign.SUM,
    Sign.COMPARE,
    Sign.CHANGE,
    Sign.TREND,
)


class MeanComposition(TimeComposition):
    """The means and sums that the words ask for, where no metric is called so."""

    def _ratio(self) -> MetricQuery | None:
        """Return one number divided by another: "cost per km", 每公里成本, "the ratio of returns to orders".

        For each row of its own table that is a mean: "revenue per order" is over the orders that revenue counts.
        """
        found = self._divided()
        if found is None:
            return self._of_each_one()
        sign, what, by = found
        if self.signs(Sign.SHARE, Sign.MEDIAN, Sign.SUM):
            raise NotComposed(by.word.text)
        metric, counted = self.catalog.metrics[what.refers_to], self.catalog.metrics.get(by.refers_to)
        of_rows = by.refers_to == metric.table if by.names("table") else counted is not None and counted.counts_rows
        same = (counted.table if counted is not None else by.refers_to.partition(".")[0]) == metric.table
        if not same or (by.names("table") and not of_rows):
            return None
        self.splits = [item for item in self.splits if item is not by]
        self._use([sign, what, by])
        self.take(Sign.AVERAGE, Sign.HOW_MANY, Sign.MONEY)
        if of_rows and sign.meaning is Sign.BY:
            if SUM.fullmatch(metric.expression.strip()) is None:
                raise NotComposed(by.word.text)
            return MetricQuery(metric=what.refers_to, aggregate="average")
        if by.names("table"):
            raise NotComposed(by.word.text)
        return MetricQuery(metric=what.refers_to, over=by.refers_to)

    def _of_each_one(self) -> MetricQuery | None:
        """Return the mean of 每单收入, of each row that a sum is over."""
        for one, other in pairwise(self.items):
            if one.meaning is Sign.BY and one.word.text in _EACH_ROW and other.names("metric"):
                if SUM.fullmatch(self.catalog.metrics[other.refers_to].expression.strip()) is None:
                    raise NotComposed(one.word.text)
                self._use([one, other])
                self.take(Sign.AVERAGE, Sign.HOW_MANY, Sign.MONEY)
                return MetricQuery(metric=other.refers_to, aggregate="average")
        return None

    def _divided(self) -> tuple[Item, Item, Item] | None:
        """Return the word that divides, with what is divided, and by what."""
        for one, two, three in zip(self.items, self.items[1:], self.items[2:], strict=False):
            per = says_per(two)
            if (per or two.meaning is Sign.OVER) and one.names("metric") and self._divides(three):
                return two, one, three
            if says_per(one) and not one.word.text.isascii() and three.names("metric") and self._divides(two):
                return one, three, two
        said = [item for item in self.items if item.meaning is not Sign.AND]
        for sign, one, two in zip(said, said[1:], said[2:], strict=False):
            if sign.meaning is Sign.OVER and one.names("metric") and two.names("metric"):
                return sign, one, two
        return None

    def _divides(self, item: Item) -> bool:
        return item.names("metric", "table") or self._is_number(item)

    def _different(self) -> MetricQuery | None:
        """Return of how many things rows are: "how many different products did they buy", 客户来自几个国家.

        A table is meant so only where it is said: "how many cars did we fix" is a number of repairs.
        """
        found = self._asked_of_things()
        if found is None or self.splits or self.grain or self.bounds or self.signs(*_MEASURED):
            return None
        asked, thing = found
        column = self._column_of(thing)
        told = self.signs(Sign.DISTINCT) or asked.word.text.endswith(_KINDS)
        table, name = self.catalog.place(column) if column else ("", "")
        whole = thing.names("table") or self.catalog.tables[table].label == name
        told = told or (thing.names("table") and self._is_told_by_others(table))
        if not column or self.catalog.column(column).type != "text" or (whole and not told):
            return None
        base = self._rows_of_things(thing, column)
        if base is None:
            self.take(Sign.DISTINCT)  # "how many different products are there": no row is of two
            return None
        self._use([asked, thing, *self.named("table", "metric")])
        self.take(Sign.DISTINCT, Sign.TRADE)
        if "distinct" in measure_of(base, self.catalog).expression.lower():
            return base
        key = self._key_of(thing, measure_of(base, self.catalog).table) if thing.names("table") else ""
        self.splits = [Item(thing.word, Named("column", key or column), used=True)]
        self.counts_things = True
        return base

    def _is_told_by_others(self, table: str) -> bool:
        """Tell whether rows are told by what belongs to them: 路考没通过的学员, learners who failed an exam."""
        held = known.root(self.catalog, (made.column.partition(".")[0] for _, made in self.conditions))
        if any(made.operator != "is" or made.values == (None,) for _, made in self.conditions):
            return False  # of whom something is not so may have rows of which it is
        values = [each for at, _ in self.conditions for each in self.items[at].word.meanings if isinstance(each, Named)]
        own = any(self.catalog.path(table, each.refers_to.partition(".")[0]) is not None for each in values)
        return bool(held) and self.catalog.path(table, held) is None and not (own or self.named("metric"))

    def _asked_of_things(self) -> tuple[Item, Item] | None:
        """Return the word that asks how many, and the things beside it."""
        said = [item for item in self.items if item.meaning is not Sign.DISTINCT]
        pairs = [*pairwise(said), *((other, one) for one, other in pairwise(said) if not one.word.text.isascii())]
        return next(
            (
                (asked, thing)
                for asked, thing in pairs
                if asked.meaning is Sign.HOW_MANY and thing.names("column", "table") and not thing.used
            ),
            None,
        )

    def _rows_of_things(self, thing: Item, column: str) -> MetricQuery | None:
        """Return the number of the rows of which different things are counted; None where they are their own."""
        own = column.partition(".")[0]
        metrics = [item.refers_to for item in self.named("metric") if item is not thing]
        others = [item.refers_to for item in self.named("table") if item is not thing]
        far = {made.column.partition(".")[0] for _, made in self.conditions} - {own}
        if len(metrics) == 1:
            counted = metrics[0]
        elif self.signs(Sign.TRADE):
            counted = known.trading(self.catalog, column)
        else:
            table = known.root(self.catalog, (own, *others, *far)) if not metrics else ""
            if not table or (table == own and column == f"{own}.{self.catalog.tables[own].label}"):
                return None
            counted = known.of_rows(self.catalog, table) or known.counting(self.catalog, table)
            if not counted:
                return MetricQuery(metric=table, aggregate="count")
        if not counted or self.catalog.path(self.catalog.metrics[counted].table, own) is None:
            return None
        each = known.counting_each(self.catalog, self.catalog.metrics[counted].table, column)
        return MetricQuery(metric=each or counted)

    def _mean_of_things(self) -> MetricQuery | None:
        """Return the mean over what rows belong to: "average orders per customer", 平均每个客户下了几单.

        Those that have none at all are not among them, and the answer says so.
        """
        average = self.signs(Sign.AVERAGE)
        if len(average) != 1 or self.grain or self.signs(*GRAINS):
            return None
        metrics = self.named("metric") or self._counted_tables()
        if len(metrics) != 1:
            return None
        base = MetricQuery(metric=metrics[0].refers_to, aggregate="count" if metrics[0].names("table") else None)
        metric = measure_of(base, self.catalog)
        behind = self.items[self.items.index(average[0]) + 1 :][:1]
        each = [other for one, other in pairwise(self.items) if one.meaning is Sign.BY and _is_of_each(one)]
        if any(item.names("table") and item.refers_to == metric.table for item in each):
            return None  # "average quantity per order, by product"
        things = [item for item in (*each, *behind) if item.names("table", "column")]
        found = {self._key_of(item, metric.table): item for item in things}
        found.pop("", None)
        if len(found) != 1:
            return None
        one = metrics[0].word.text.isascii() and metrics[0].is_supposed and not _is_many(metrics[0])
        if metric.counts_rows and one and not self.signs(Sign.HOW_MANY):
            raise NotComposed(average[0].word.text)  # "the average bill per customer" is no number of bills
        if not metric.adds_up:
            raise NotComposed(average[0].word.text)  # a mean of each row is none of each customer
        ((key, thing),) = found.items()
        self.splits = [item for item in self.splits if item is not thing]
        self._use([*metrics, *average, thing])
        self.take(Sign.TRADE)
        return base.model_copy(update={"each": key})

    def _counted_tables(self) -> list[Item]:
        """Return the tables that are named and that no metric counts; else that whose number is said: 多少节课."""
        tables = self.named("table")
        if uncounted := [item for item in tables if not known.counting(self.catalog, item.refers_to)]:
            return uncounted
        numbered = [
            other
            for one, other in pairwise(self.items)
            if other in tables and (one.meaning is Sign.HOW_MANY or (one.meaning is Sign.AVERAGE and _is_many(other)))
        ]
        for item in numbered if len(numbered) == 1 else ():
            item.meaning = Named("metric", known.counting(self.catalog, item.refers_to))
        return numbered

    def _key_of(self, item: Item, table: str) -> str:
        """Return the column by which rows belong to what an item names; "" for what they do not belong to."""
        whole = item.refers_to.partition(".")[0]
        is_whole = item.names("table") or self._column_of(item) == f"{whole}.{self.catalog.tables[whole].label}"
        path = self.catalog.path(table, whole) if is_whole else None
        return ".".join(self.catalog.place(path[-1].many)) if path else ""

    def _worth(self) -> MetricQuery | None:
        """Return the money of the rows that are named: "total value of our open orders", 未完成的订单一共值多少钱."""
        money = self.signs(Sign.MONEY) if self.signs(Sign.SUM) else []
        worth = self.signs(Sign.WORTH) or money or self.amounts  # "unpaid charges, total in euros"
        things = self.named("table", "metric")
        held = known.root(self.catalog, (made.column.partition(".")[0] for _, made in self.conditions))
        if not worth or len(things) > 1 or not (things or held) or self.named("column"):
            return None
        table = self._holder(things[0]) if things else held
        if things and things[0].names("metric") and not self.catalog.metrics[things[0].refers_to].counts_rows:
            return None
        found = known.price(self.catalog, table)
        summed = (
            SUM.fullmatch(self.catalog.metrics[found].expression.strip()) if found in self.catalog.metrics else None
        )
        column = f"{table}.{summed[1]}" if summed else found
        if not found:
            return None
        metric = self.catalog.metrics.get(found)
        self._use([*worth, *things])
        self.take(Sign.SUM, Sign.HOW_MANY, Sign.MONEY)
        if self.take(Sign.AVERAGE):
            return MetricQuery(metric=column, aggregate="average")
        if metric is not None and summed:
            told = set(telling_of(MetricQuery(metric=found), self.catalog))
            scaled = metric.unit != self.catalog.column(column).unit  # rows are in cents
            made = [each for _, each in self.conditions if each.column not in told]
            if not made or (scaled and all(may_bound(self.catalog, metric, each) for each in made)):
                return MetricQuery(metric=found)
        return MetricQuery(metric=column, aggregate="sum")

    def _count_tables_for_means(self) -> None:
        """Take a table for the number of its rows where a mean of it is asked: 平均每个月有多少投诉."""
        tables = self.named("table")
        counted = known.counting(self.catalog, tables[0].refers_to) if len(tables) == 1 else ""
        means = self.signs(*MEANS) or (self.signs(Sign.AVERAGE) and (self.signs(*GRAINS) or self.grain))
        if counted and means and not self.named("metric", "column"):
            tables[0].meaning = Named("metric", counted)

    def _averaged(self, name: str) -> MetricQuery:
        """Return the mean of what a metric adds up, where one is asked for: "average invoice", 平均每场多少人参加."""
        metric = self.catalog.metrics[name]
        query = MetricQuery(metric=name)
        for sign, kind in _OF_EACH_ROW.items():
            if (sign is Sign.MEDIAN or averaged(metric)) and self.take(sign):
                return MetricQuery(metric=name, aggregate=kind)
        if not self.signs(Sign.AVERAGE) or self.grain is not None or self.signs(*GRAINS):
            return query
        of_each = self._of_each_row(metric.table)
        if metric.expression.lower().startswith("avg("):
            self.take(Sign.AVERAGE)
        summed = SUM.fullmatch(metric.expression.strip())
        column = f"{metric.table}.{summed[1]}" if summed else ""
        if summed and (found := known.aggregating(self.catalog, column, "average")):
            self.take(Sign.AVERAGE)
            return MetricQuery(metric=found)
        beside = any(one.meaning is Sign.AVERAGE and other.names("metric") for one, other in pairwise(self.items))
        if summed and (of_each or (known.named_as(self.catalog, name, column) and (beside or not self.splits))):
            self.take(Sign.AVERAGE)
            return MetricQuery(metric=name, aggregate="average")
        return query

    def _mean_of_rows(self) -> MetricQuery | None:
        """Return the mean of the one sum of money over rows that are named: "the average sale"."""
        tables = self.named("table")
        said = tables[0].word.text.lower() if len(tables) == 1 else ""
        if not self.signs(Sign.AVERAGE) or not said.isascii() or said.endswith("s") or self.named("column") or not said:
            return None
        if self.splits or self.grain or self.signs(Sign.HOW_MANY, *GRAINS):
            return None
        sums = [
            name
            for name, metric in self.catalog.metrics.items()
            if metric.table == tables[0].refers_to and metric.unit and SUM.fullmatch(metric.expression.strip())
        ]
        if len(sums) != 1:
            return None
        self._use(tables)
        self.take(Sign.AVERAGE)
        summed = SUM.fullmatch(self.catalog.metrics[sums[0]].expression.strip())
        own = known.aggregating(self.catalog, f"{tables[0].refers_to}.{summed[1]}", "average") if summed else ""
        return MetricQuery(metric=own) if own else MetricQuery(metric=sums[0], aggregate="average")

    def _of_each_row(self, table: str) -> bool:
        """Use what says that a mean is over rows: "per trip", 平均每笔; "per shop" is over something else."""
        rows = [item for item in self.splits if item.names("table") and item.refers_to == table]
        self.splits = [item for item in self.splits if item not in rows]
        bare = [item for item in self.signs(Sign.BY) if not item.used and item.word.text[1:] in CLASSIFIERS]
        self._use(bare)
        return bool(rows or bare)

    def _rated(self) -> tuple[Condition, ...]:
        """Return what a rate is of: 退货率, "the return rate" is the share of what was returned."""
        places = [at for at, item in enumerate(self.items) if item.meaning is Sign.SHARE and is_rate(item)]
        if not places:
            return ()
        parts = tuple(made for at, made in self.conditions if at == places[0] - 1 and len(made.values) == 1)
        if len(parts) != 1:
            raise NotComposed(self.items[places[0]].word.text)
        return parts

    def _rated_table(self) -> MetricQuery | None:
        """Return the number of the rows that a rate is of, where nothing else says what is measured."""
        if (
            self.named("table", "column")
            or not self.signs(Sign.SHARE)
            or self.signs(Sign.HOW_MANY, Sign.TRADE, Sign.MONEY)
        ):
            return None
        table, metric = "", ""
        if any(is_rate(item) for item in self.signs(Sign.SHARE)):
            table = self._rated()[0].column.partition(".")[0]
            metric = known.counting(self.catalog, table)
        elif len(self.conditions) == 2 and self._shared():
            of = known.root(self.catalog, (made.column.partition(".")[0] for _, made in self.conditions))
            metric, table = (known.named_like(self.catalog, of) if of else ""), of
        elif len(self.conditions) == 1:
            column = self.conditions[0][1].column
            metric, held = known.sole_count(self.catalog, column.partition(".")[0]), self.catalog.column(column)
            table = column.partition(".")[0] if held.type == "flag" or is_state(held) else ""
            metric = metric or (known.of_rows(self.catalog, table) if table else "")  # of those that still work here
        if metric:
            return MetricQuery(metric=metric)
        return MetricQuery(metric=table, aggregate="count") if table else None

    def _shared(self) -> tuple[Condition, ...]:
        """Return the part of "which share of Operations is remote": what is said of the value behind "of"."""
        values = [at for at, _ in self.conditions]
        if part := self._shared_zh():
            return part
        of = [at for at, item in enumerate(self.items) if item.meaning is Sign.SHARE and item.word.text.isascii()]
        if len(of) != 1 or of[0] + 1 != min(values) or not all(self.is_said_of(min(values), at) for at in values[1:]):
            return ()
        return tuple(made for at, made in self.conditions if at != min(values))

    def _shared_zh(self) -> tuple[Condition, ...]:
        """Return the part of 工程部里测试人员占几成: what stands right before the share."""
        share = self.signs(Sign.SHARE)
        at = self.items.index(share[0]) if len(share) == 1 and not share[0].word.text.isascii() else 0
        part = tuple(made for place, made in self.conditions if place == at - 1)
        return part if at and part and all(place < at for place, _ in self.conditions) else ()


def _is_many(item: Item) -> bool:
    """Tell whether several of a thing are meant: "average visits per vet" counts them, "average bill" does not."""
    said = item.word.text.lower()
    return said.isascii() and said.endswith("s") and not said.endswith("ss")


def _is_of_each(item: Item) -> bool:
    """Tell whether one of several is spoken of: "per customer", 每个客户; "by customer" tells them apart."""
    return item.word.text.lower().startswith(("per", "each", "every", "for e", "in e", "of e", "每"))
