"""Words that change what a number is of, and have to show in the query: "both", "only", "other", 都, 只.

A query is put together from what each word adds to it. These words add nothing by themselves, but say how the others
hold together; where the query does not say the same, there is none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from features.data.understanding.composing import known
from features.data.understanding.composing.kinds import require_kind
from features.data.understanding.words.concepts import KINDS_OF_PLACES
from features.data.understanding.words.deeds import ON_LOAN, deeds_of, lasts
from features.data.understanding.words.items import Item, NotComposed, is_since, sums_amounts
from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.units import unit_of
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.catalog.states import is_state
from queries.sql.metrics.measures import measure_of, time_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, RowQuery

#: Of several values: each of them for the same thing.
_BOTH = frozenset({"both", "都", "既"})
_ONLY = frozenset({"only", "just", "只", "仅"})
#: What is to come.
_ARTICLES, _INSIDE = frozenset({"the", "our"}), frozenset({"at", "in", "of", "的"})
_AHEAD = frozenset({"will", "shall", "要"})
_ASKED_TO = frozenset({"you", "please"})
_ONE = frozenset({"one", "一"})
#: Verbs behind "only" that tell what somebody does: 只用, "who only use".
_HOLDS = frozenset(
    {"have", "has", "had", "use", "uses", "used", "using", "with", "有", "用", "做", "在", "通过", "来自"}
)
#: What is said of how long something takes, or is.
_LASTS = frozenset({"longest", "shortest", "slowest", "fastest", "quickest", "最长", "最久", "最慢", "最短", "最快"})
#: What says by itself that a period is of the first day.
_BEGUN = (Sign.NEW, Sign.NEWEST, Sign.OLDEST, Sign.GUIDANCE)


def require_heeded(query: DataQuery, items: Sequence[Item], catalog: Catalog) -> None:
    """Raise NotComposed with the word that a query does not heed."""
    require_kind(query, items, catalog)
    heeding = _Heeding(query, items, catalog)
    if word := next(heeding.unheeded(), ""):
        raise NotComposed(word)


@dataclass(frozen=True)
class _Heeding:
    query: DataQuery
    items: Sequence[Item]
    catalog: Catalog

    def unheeded(self) -> Iterator[str]:
        """Yield the words that the query does not heed."""
        yield from self._of_several()
        yield from self._of_those_alone()
        yield from self._of_the_others()
        yield from self._to_come()
        yield from self._said_of_one()
        yield from self._done()
        yield from self._begun()
        yield from self._asked_what()
        yield from self._asked_which()
        yield from self._counted()
        yield from self._of_another_kind()
        yield from self._within()
        if self.query.period is not None:  # what is out today is not what was in October
            yield from (item.word.text for item in self.items if item.word.text.lower() in ON_LOAN)

    def _within(self) -> Iterator[str]:
        """Yield "restaurant" of "the restaurant at the Grand", which is not the hotel itself."""
        said = [item for item in self.items if item.word.text.lower() not in _ARTICLES]
        for one, joint, other in zip(said, said[1:], said[2:], strict=False):
            place, value = (other, one) if joint.word.text == "的" else (one, other)
            label = self.catalog.tables[place.refers_to].label if place.names("table") else ""
            kind = {place.word.text.lower(), f"{place.word.text.lower()}s"} & KINDS_OF_PLACES
            inside = joint.word.text.lower() in _INSIDE and kind and place.is_supposed
            if inside and label and value.names("value") and value.refers_to == f"{place.refers_to}.{label}":
                yield place.word.text

    def _of_another_kind(self) -> Iterator[str]:
        """Yield "most often" where no number of times is told, and a sum that is told as a number of rows."""
        query = self.query
        if isinstance(query, RowQuery):
            ranked = query.order and unit_of(self.catalog.column(query.order).unit) == "money"
            yield from (item.word.text for item in self.items if ranked and item.word.text.lower() in _LASTS)
            return
        counts = measure_of(query, self.catalog).is_count
        for item in self.items:
            if not counts and not query.share and "often" in item.word.text.lower():
                yield item.word.text
            takes = counts or unit_of(measure_of(query, self.catalog).unit) == "money"
            if takes and item.word.text.lower() in _LASTS:
                yield item.word.text  # the longest repair is not the dearest one
            sure = (each for each in item.word.meanings if isinstance(each, Named) and each not in item.word.supposed)
            sums = any(each.kind == "column" and self.catalog.column(each.refers_to).type == "number" for each in sure)
            if counts and sums and item.is_supposed and item.names("metric", "table"):
                yield item.word.text  # "rental charges" are no number of rentals

    @property
    def _conditions(self) -> tuple[Condition, ...]:
        query = self.query
        if isinstance(query, MetricQuery):
            return (*query.where, *query.part)
        return (*query.where, *(query.without.where if query.without is not None else ()))

    @property
    def _is_of_things(self) -> bool:
        """Tell whether things are counted or listed to which other rows belong: customers by what they ordered."""
        query = self.query
        if isinstance(query, RowQuery):
            return True
        measured = measure_of(query, self.catalog)
        labels = {f"{name}.{table.label}" for name, table in self.catalog.tables.items()}
        others = any(item.names("table") and item.refers_to != measured.table for item in self.items)
        distinct = "distinct" in measured.expression.lower()
        return distinct or query.groups or bool(query.each) or bool(labels & {*query.by}) or others

    def _of_several(self) -> Iterator[str]:
        """Yield "both" where a thing is meant that has several values, and the query takes any of them."""
        several = any(each.operator == "is" and len(each.values) > 1 for each in self._conditions)
        apart = isinstance(self.query, MetricQuery) and bool(self.query.by)
        done = self._is_of_things or any(map(self._is_deed, self.items))
        for item in self._said(_BOTH):
            english = item.word.text.isascii()
            if (several and (done or not (english or apart))) or (not several and english):
                yield item.word.text
        for each in self._conditions:
            others = [other for other in self._conditions if other.column == each.column and other is not each]
            if each.operator == "is" and any(other.operator == "is_not" for other in others):
                yield str(each.values[0])  # who bought one thing, but not another

    def _of_those_alone(self) -> Iterator[str]:
        """Yield "only" beside a deed: who only bought one thing is not everybody who did."""
        if isinstance(self.query, MetricQuery) and self.query.having:
            return
        for at, item in enumerate(self.items):
            if item.word.text.lower() not in _ONLY:
                continue
            beside = (self.items[near] for near in (at - 1, at + 1) if 0 <= near < len(self.items))
            held = bool(at) and any(each.word.text.lower() in _HOLDS for each in beside)
            if (held and self._is_of_things) or any(map(self._is_deed, self.items)):
                yield item.word.text
            yield from (each.word.text for each in self.items[at:] if each.word.text.lower() in _ONE)

    def _is_deed(self, item: Item) -> bool:
        """Tell whether a word says what things do: bought, "customers who bought"."""
        others = (meaning for each in self.items if each is not item for meaning in each.word.meanings)
        things = any(isinstance(each, Named) and each.kind == "table" for each in others)
        if item.meaning is Sign.TRADE or (things and item.is_supposed and item.names("metric", "table")):
            return True
        metric = self.catalog.metrics.get(item.refers_to) if item.names("metric") else None
        return metric is not None and "distinct" in metric.expression.lower()

    def _of_the_others(self) -> Iterator[str]:
        """Yield "other" where nothing is left out."""
        left_out = any(each.operator == "is_not" and each.values != (None,) for each in self._conditions)
        yield from (item.word.text for item in self.items if item.meaning is Sign.OTHER and not left_out)

    def _to_come(self) -> Iterator[str]:
        """Yield "will", where what is counted has been."""
        query, table = self.query, self._table
        day = query.time or time_of(self.catalog, table)
        if day and self.catalog.column(day).ahead:
            return
        means = any(item.meaning is Sign.AVERAGE for item in self.items)  # 平均要几个小时
        for one, other in pairwise([*self.items, *self.items[:1]]):
            said = one.word.text.lower()
            if said in _AHEAD and other.word.text.lower() not in _ASKED_TO and not (means and said == "要"):
                yield one.word.text

    def _said_of_one(self) -> Iterator[str]:
        """Yield words that describe things, where they were taken for a turn of speech: "working environments"."""
        people = known.holds_people(self.catalog, self._table)
        ranks = any(item.meaning in (Sign.TOP, Sign.BOTTOM, Sign.BY, Sign.EACH) for item in self.items)
        for item in self.items:
            said = item.word.text.lower()
            if (said == "working" and not people) or (said == "single" and not ranks):
                yield item.word.text

    def _done(self) -> Iterator[str]:
        """Yield a deed that the query is not of: of who joined and left, those who joined."""
        query = self.query
        own = query.time or time_of(self.catalog, self._table)
        if isinstance(query, MetricQuery) and (measured := measure_of(query, self.catalog)).time:
            own = ".".join(self.catalog.place(measured.time, measured.table))
        told = {own, *(each.column for each in self._conditions)}
        told |= {*query.columns, query.order} if isinstance(query, RowQuery) else {*query.by}
        filled = self._days_done() if any(item.meaning is Sign.FILLER for item in self.items) else {}
        for item in self.items:
            if item.meaning is Sign.FILLER and filled.get(item.word.text.lower(), own) not in told:
                yield item.word.text  # "made" says nothing, but where a day is called so
            if item.names("column") and item.refers_to not in told and not item.is_supposed:
                column = self.catalog.column(item.refers_to)
                name = item.refers_to.rpartition(".")[2]
                if column.type in ("date", "time") and item.word.text.lower() in deeds_of(column, name):
                    yield item.word.text

    def _days_done(self) -> dict[str, str]:
        """Return the days of the query's table by what is done on them."""
        columns = self.catalog.tables[self._table].columns.items()
        return {deed: f"{self._table}.{name}" for name, column in columns for deed in deeds_of(column, name)}

    def _begun(self) -> Iterator[str]:
        """Yield a period of what lasts, where nobody said that it began then: "projects running in March"."""
        query = self.query
        span = next((item for item in self.items if isinstance(item.meaning, DaySpan)), None)
        if span is None or query.period is None or query.time or is_since(span):
            return
        table = self._table
        if isinstance(query, MetricQuery) and query.aggregate != "count":
            return
        timed = [each for each in self.catalog.metrics.values() if each.table == table and each.time]
        if any(each.is_count for each in timed) or (timed and not lasts(self.catalog.tables[table])):
            return
        day = time_of(self.catalog, table)
        states = any(is_state(self.catalog.column(each.column)) for each in self._conditions)
        if not self.catalog.tables[table].label and not states:
            return  # complaints have no name: they are what happened, and the answer says on which day
        named = any(item.refers_to == day for item in self.items)
        if not named and not any(item.meaning in _BEGUN for item in self.items):
            yield span.word.text

    def _asked_what(self) -> Iterator[str]:
        """Yield "what" where a number alone is the answer: "what did they buy" asks for things."""
        said = [item.word.text.lower() for item in self.items]
        query = self.query
        if not isinstance(query, MetricQuery) or query.grain:
            return
        measured = measure_of(query, self.catalog)
        if not (measured.is_count or any(item.meaning is Sign.TRADE for item in self.items)) or measured.unit:
            return  # "what did the average customer spend"
        known_ones = {each.column for each in self._conditions if each.operator == "is"}
        if set(query.by) - known_ones:
            return
        if said[:1] == ["what"] and said[1:2] in (["did"], ["do"], ["does"]):
            yield self.items[0].word.text
        if said[-1:] == ["什么"] and any(item.meaning is Sign.TRADE or item.is_supposed for item in self.items[-2:-1]):
            yield self.items[-1].word.text

    def _asked_which(self) -> Iterator[str]:
        """Yield 多 of 哪个投诉多 where nothing is ranked or told apart."""
        asked = any(item.word.text.startswith("哪") for item in self.items)
        apart = isinstance(self.query, MetricQuery) and (self.query.by or self.query.rows or self.query.grain)
        last = self.items[-1].word.text
        if asked and not apart and last in ("多", "少", "高", "低", "大", "小", "好", "差"):
            yield last

    def _counted(self) -> Iterator[str]:
        """Yield "how many" where a rate or a mean is the answer: "how many visits had no rating" is no rate of them."""
        query = self.query
        counts = isinstance(query, RowQuery) or measure_of(query, self.catalog).is_count
        if counts and (amount := sums_amounts(self.items)):
            yield amount[0].word.text
        asked = [item for item in self.items if item.meaning is Sign.HOW_MANY and item.word.text.lower() == "how many"]
        if not isinstance(query, MetricQuery) or not asked or query.share or query.each or query.mean or query.over:
            return
        means = any(item.meaning in (Sign.AVERAGE, Sign.MEDIAN) for item in self.items) or query.aggregate
        measured = measure_of(query, self.catalog)
        if not (means or measured.adds_up or "distinct" in measured.expression.lower()):
            yield asked[0].word.text

    @property
    def _table(self) -> str:
        query = self.query
        return query.table if isinstance(query, RowQuery) else measure_of(query, self.catalog).table

    def _said(self, words: frozenset[str]) -> list[Item]:
        return [item for item in self.items if item.word.text.lower() in words]
