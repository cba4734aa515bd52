"""What the words count where nothing is called a number: values, what is done on a day, what is most common."""

from itertools import pairwise, takewhile

from features.data.understanding.composing import known
from features.data.understanding.composing.means import MeanComposition
from features.data.understanding.words.items import COUNTING, Item, counts_each
from features.data.understanding.words.signs import Sign
from queries.sql.metrics.measures import time_of
from queries.sql.metrics.query import MetricQuery

#: Words with which values alone do not say what is counted.
_OTHERS_COUNTED = (Sign.TRADE, Sign.MONEY, Sign.TOP, Sign.BOTTOM, Sign.NEW)
#: What ranks values by how many rows have them.
_COMMON = frozenset(
    {"most common", "commonest", "most frequent", "least common", "最常见", "最常见的", "最普遍", "最少见"}
)
#: What people are counted by.
_PERSONS = ("位", "名")
_POPULAR = frozenset({"most popular", "least popular", "最受欢迎", "最热门", "最常用", "最常用的", "最冷门"})
_USED = frozenset({"used", "chosen", "picked", "用", "使用", "选", "选择"})
_WHOEVER = frozenset({"people", "persons", "人"})


class CountComposition(MeanComposition):
    """The numbers of rows that the words ask for."""

    def _counted_most(self) -> MetricQuery | None:
        """Return what counts the rows of which there are most: "most no-shows", 哪个品种的狗最多."""
        for one, other in pairwise(self.items) if not self.signs(Sign.TRADE) else ():
            rank, value = (one, other) if one.word.text.isascii() else (other, one)
            if value.names("value") and rank.meaning in (Sign.TOP, Sign.BOTTOM) and rank.word.text.lower() in COUNTING:
                table = value.refers_to.partition(".")[0]
                counted = known.sole_count(self.catalog, table)
                if counted or not known.counting(self.catalog, table):
                    return MetricQuery(metric=counted) if counted else MetricQuery(metric=table, aggregate="count")
        return self._counted_commonest()

    def _counted_commonest(self) -> MetricQuery | None:
        """Return what counts the rows of the "most common breed", 最常见的品种."""
        used = bool(_USED & self.said)
        common = [
            item
            for item in self.signs(Sign.TOP, Sign.BOTTOM)
            if (said := item.word.text.lower()) in _COMMON | _POPULAR or (used and said in COUNTING)
        ]
        named = [item for item in (*self.splits, *self.named("column")) if item.names("column")]
        texts = {item.refers_to for item in named if self.catalog.column(item.refers_to).type == "text"}
        if not common or len(texts) != 1 or self.named("metric"):
            return None
        table = next(iter(texts)).partition(".")[0]
        if any(item.refers_to != table for item in self.named("table")):
            return None
        label = f"{table}.{self.catalog.tables[table].label}"
        if label in texts and not any(item.word.text.lower() in _COMMON for item in common):
            return None  # how popular a product is, its own row does not tell
        counted = known.counting(self.catalog, table)
        return MetricQuery(metric=counted) if counted else MetricQuery(metric=table, aggregate="count")

    def _counted_by_values(self) -> MetricQuery | None:
        """Return what counts the rows that values alone name: "how many developers in Berlin"; None for nothing.

        Of a period it may be another number, and what is done is of another table.
        """
        table = known.root(self.catalog, {made.column.partition(".")[0] for _, made in self.conditions})
        if not table or self.named("table", "column") or self.signs(Sign.SHARE, *_OTHERS_COUNTED):
            return None
        sole = known.sole_count(self.catalog, table)
        asked = self.signs(Sign.HOW_MANY) or [item for item in self.signs(Sign.EACH) if counts_each(item)]
        counted = sole if asked or self.signs(Sign.COMPARE, Sign.CHANGE) or self.splits or self.grain else ""
        if counted or self._counts_events(table):
            return MetricQuery(metric=counted or table, aggregate=None if counted else "count")
        if self.spans() or not asked:
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

    def _counts_events(self, table: str) -> bool:
        """Tell whether rows that have a day, and that no metric counts, are counted: "emergencies per month"."""
        counted = known.counting(self.catalog, table) or known.named_like(self.catalog, table)
        if counted or not time_of(self.catalog, table):
            return False
        told = (self.grain or self.splits) and not self.signs(Sign.HOW_MANY, Sign.AVERAGE, Sign.SUM, Sign.MEDIAN)
        return bool(told) or self._asks_how_many_of_value()

    def _asks_how_many_of_value(self) -> bool:
        """Tell whether "how many" is asked of a value itself: "how many shippers"."""
        return any(
            near.names("value") and (not near.word.text.isascii() or near.word.text.lower().endswith("s"))
            for at, item in enumerate(self.items)
            if item.meaning is Sign.HOW_MANY or counts_each(item)
            for near in (
                *self.items[max(at - 1, 0) : at],
                *takewhile(lambda each: each.names("value"), self.items[at + 1 :]),  # "how many abnormal blood tests"
            )
        )

    def _counted_by_day(self) -> MetricQuery | None:
        """Return what counts the rows of the day on which something is done: "how many testers were hired in May"."""
        day = self.day_done()
        table = day.partition(".")[0]
        if not day or self.signs(*_OTHERS_COUNTED):
            return None
        people = self.signs(Sign.HOW_MANY) and known.holds_people(self.catalog, table)
        done_to = [
            item
            for item in self.named("table")
            if self._is_done_to(item, day)
            or (people and item.refers_to != table and item.word.text.lower() in _WHOEVER)
        ]
        self._use(done_to)
        if any(item.refers_to != table for item in self.named("table")):
            return None
        metric = known.dated(self.catalog, day)
        held = [made.column.partition(".")[0] for _, made in self.conditions]
        of_table = table in held or bool(
            self.signs(Sign.HOW_MANY) and held and all(self.catalog.path(table, each) for each in held)
        )
        sure = any(item.refers_to == day and not item.is_supposed for item in self.items)
        of_table = of_table or bool(self.named("table") or done_to or (self.signs(Sign.HOW_MANY) and sure))
        told_apart = self.splits or self.grain or self.signs(Sign.SHARE)
        alone = not self.named("table") and (metric or self.signs(Sign.HOW_MANY))
        if not of_table or not (told_apart or alone):
            return None
        self._use(self.named("table"))
        self.use_day(day)
        return MetricQuery(metric=metric) if metric else MetricQuery(metric=table, aggregate="count", time=day)

    def _ranked_by_day(self) -> MetricQuery | None:
        """Return what counts what is done most or least often: 离职最多的是哪个部门."""
        days = {item.refers_to for item in self.named("column") if self._is_done(item) and not item.is_supposed}
        others = self.signs(Sign.SHARE, Sign.TRADE, Sign.MONEY, Sign.NEW)
        if len(days) != 1 or others or not self.signs(Sign.TOP, Sign.BOTTOM):
            return None
        day = days.pop()
        metric = known.done_on(self.catalog, day)
        if not metric:
            return None
        self.use_day(day)
        return MetricQuery(metric=metric)

    def _is_done_to(self, item: Item, day: str) -> bool:
        """Tell whether something is done to a thing, each time a row: 借出了多少本书 counts what was lent."""
        at, table = self.items.index(item), day.partition(".")[0]
        done = [place for place, other in enumerate(self.items[:at]) if other.refers_to == day]
        asked = any(other.meaning is Sign.HOW_MANY for other in self.items[done[0] : at]) if done else False
        belongs = item.refers_to != table and self.catalog.path(table, item.refers_to) is not None
        return asked and belongs and not item.word.text.isascii()
