"""The words of a message, taken one after the other: qualifiers, splits, conditions, bounds, numbers."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise

from features.data.understanding.composing import known
from features.data.understanding.composing.bounds import LIMITS, bounds_in, fraction_in, lateness_in, limits_in
from features.data.understanding.composing.kinds import other_side
from features.data.understanding.words.deeds import OVERDUE, deeds_of, overdue_by
from features.data.understanding.words.items import (
    Item,
    NotComposed,
    count_slips,
    deny_values,
    either_in,
    grain_of,
    is_one,
    place_in,
    says_per,
    says_whose,
    settle,
    splits_time,
    sums_amounts,
)
from features.data.understanding.words.periods.spans import DaySpan, OnDays, OnHours
from features.data.understanding.words.signs import GRAINS, Sign
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import MOST_ROWS
from queries.sql.metrics.measures import time_of
from queries.sql.metrics.query import Bound, Condition, Grain, Operator

#: What stands behind the values that are left out.
_LEFT_OUT_BEHIND = frozenset({"以外", "之外", "外", "不算", "不计", "不包括", "不含", "除外", "不统计", "不要"})
_USUALLY = ("一般", "通常")
#: What joins a thing with what is said of it: "parts that are out of stock".
RELATIVE = frozenset({"that", "who", "with"})
#: Rows that were spoken of.
THOSE = frozenset({"they", "them", "those", "他们", "它们", "她们"})
#: What stands between a thing and what is said of it: "orders are cancelled".
_SAYS = frozenset(
    {
        "is", "are", "was", "were", "been", "being", "works", "work", "came", "come", "comes", "went", "go", "goes",
        "got", "get", "gets",
    }
)  # fmt: skip


class Gathering:
    """The parts of a query that the words give, taken one after the other."""

    def __init__(self, catalog: Catalog, items: Sequence[Item], today: date) -> None:
        self.catalog = catalog
        self.said = {item.word.text.lower() for item in items}
        self.from_place = place_in(items)
        deny_values(items, catalog)
        count_slips(items, catalog)
        self.is_of_either = bool(either_in(items)) or any(item.word.text == "还是" for item in items)
        settle(items)
        spans = [item.meaning for item in items if isinstance(item.meaning, DaySpan)]
        ends = [(span.start, span.end) for span in spans]
        again = {id(span) for at, span in enumerate(spans) if ends[at] in ends[:at]}  # "summer 2026 (june to august)"
        self.amounts = sums_amounts(items)
        self.items = [item for item in items if item.meaning is not Sign.FILLER and id(item.meaning) not in again]
        self.is_of_those = any(item.word.text.lower() in THOSE for item in items)
        self.is_described = any(item.word.text.lower() in RELATIVE for item in items) or says_whose(items)
        self.said_of = tuple(item.word.start for item in items if item.word.text.lower() in _SAYS)
        self.is_of_one = any(item.word.text.lower() == "has" for item in items)  # "which of our sites has the most"
        self.is_of_a_thing = any(is_one(one, other) for one, other in pairwise(items))
        said = [item.word.text.lower() for item in items[:2]]
        self.is_on_days = any(isinstance(item.meaning, OnDays | OnHours) for item in items)
        self.asks_what = said[:1] == ["what"] and said[1:] in (["did"], ["do"], ["does"])
        self.today = today
        self.splits: list[Item] = []
        self.grain: Grain | None = None
        self.conditions: list[tuple[int, Condition]] = []
        self.bounds: tuple[Bound, ...] = ()
        self.measure_known = False
        self.spoken_of = ""  # the table whose rows the question before was of
        self.count: int | None = None
        self.counts_things = False  # each thing once that rows are of
        self.falls = False  # what fell most is asked for
        self.times: Decimal | None = None

    # What the words are

    def signs(self, *signs: Sign) -> list[Item]:
        """Return the items that are one of these signs."""
        return [item for item in self.items if item.meaning in signs]

    def take(self, *signs: Sign) -> bool:
        """Use the items that are one of these signs; tell whether there are any."""
        found = self.signs(*signs)
        for item in found:
            item.used = True
        return bool(found)

    def named(self, *kinds: str) -> list[Item]:
        """Return the items that name something of the catalogue and have no part yet."""
        return [item for item in self.items if item.names(*kinds) and not item.used]

    def spans(self) -> list[Item]:
        """Return the items that are periods."""
        return [item for item in self.items if isinstance(item.meaning, DaySpan)]

    def take_days(self) -> tuple[int, ...]:
        """Use the days of the week of which all are meant, and return them; 1 is Monday."""
        found = [item for item in self.items if isinstance(item.meaning, OnDays)]
        if len({item.meaning for item in found}) > 1:
            raise NotComposed(found[-1].word.text)
        for item in found:
            item.used = True
        return next((item.meaning.days for item in found if isinstance(item.meaning, OnDays)), ())

    def take_hours(self) -> tuple[int, ...]:
        """Use the hours of the day that are named, and return the first and that before which they end."""
        found = [item for item in self.items if isinstance(item.meaning, OnHours)]
        for item in found[:1]:
            item.used = True
        return next(((each.first, each.end) for item in found if isinstance(each := item.meaning, OnHours)), ())

    def require_all_used(self) -> None:
        """Refuse what ignores a word."""
        for item in self.items:
            if not item.used:
                raise NotComposed(item.word.text)

    # The parts

    def gather(self) -> None:
        """Take what means the same whatever is measured: qualifiers, splits, conditions, numbers."""
        for item, other in zip(self.items, self.items[1:], strict=False):
            if item.meaning in (Sign.MORE, Sign.LESS) and isinstance(other.meaning, DaySpan):
                item.meaning = Sign.COMPARE  # "more than last month"
        self._ask_of_what_kind()
        if word := other_side(self.items, self.catalog):
            raise NotComposed(word)
        for item, other in pairwise(self.items):
            each = item.meaning is Sign.BY and item.word.text == "各"
            if each and (other.names("metric") or other.meaning in (Sign.TRADE, Sign.HOW_MANY)):
                item.meaning = Sign.EACH  # 各花了多少
        self._leave_owners()
        if any(item.names("metric") for item in self.items) and (found := fraction_in(self.items)):
            self.times, taken = found
            self.items = [item for item in self.items if not any(item is each for each in taken)]
        self.days_late = lateness_in(self.items)
        self._count_deeds()
        self._gather_empty()
        self._absorb()
        self._absorb_caused()
        self._gather_splits()
        self.conditions += limits_in(self.items, self.catalog, spoken_of=self.spoken_of, said=self.said)
        self.bounds = bounds_in(self.items, self.catalog, known=self.measure_known)
        self._gather_values()
        self._gather_done()
        self._gather_count()
        self.take(Sign.AND, Sign.SHOW, Sign.FOLLOWS, Sign.CHART, Sign.TABLE, Sign.OTHER)

    def _count_deeds(self) -> None:
        """Take what is done more or less often for the number of its rows: 上课超过40节的学生."""
        for one, other in pairwise(self.items):
            limit = isinstance(other.meaning, Sign) and other.meaning in LIMITS
            if not limit or not one.names("column") or one.word.text.isascii() or not self._is_done(one):
                continue
            table = one.refers_to.partition(".")[0]
            named = any(self._holds_rows(item) == table for item in self.items if item is not one)
            counted = known.counting(self.catalog, table)
            if counted and one.refers_to == time_of(self.catalog, table) and not named:
                one.meaning = Named("metric", counted)

    def _holds_rows(self, item: Item) -> str:
        """Return the table whose rows an item names or measures; "" for none."""
        if item.names("metric"):
            return self.catalog.metrics[item.refers_to].table
        return item.refers_to if item.names("table") else ""

    def _gather_empty(self) -> None:
        """Take "visits without a rating", 没有评分的就诊: those whose cell is empty."""
        for at, (none, column) in enumerate(pairwise(self.items)):
            if none.meaning is not Sign.NONE or not column.names("column"):
                continue
            table, kind = column.refers_to.partition(".")[0], self.catalog.column(column.refers_to).type
            own = any(each.names("table") and each.refers_to == table for each in self.items)
            if (
                own
                and kind in ("text", "number")
                and not any(each.names("table") for each in self.items[at + 2 : at + 3])
            ):
                none.used = column.used = True
                none.meaning = Sign.FILLER
                self.conditions.append((at, Condition(column=column.refers_to, values=(None,))))

    def _ask_of_what_kind(self) -> None:
        """Take 老人一般借什么题材 for a split by what is asked for, and 各类读者 for one by their kind."""
        for item, other in pairwise(self.items):
            asked = item.meaning is Sign.WHICH and item.word.text == "什么" and other.names("column")
            if asked and self.catalog.column(other.refers_to).type == "text":
                item.meaning = Sign.BY
                self.items = [each for each in self.items if each.word.text not in _USUALLY]
            kind = self._kind_of(other) if item.meaning is Sign.BY and item.word.text == "各类" else ""
            if kind:
                other.meaning = Named("column", kind)

    def _kind_of(self, item: Item) -> str:
        """Return the one column that says of what kind the rows of a table are; "" for none."""
        columns = self.catalog.tables[item.refers_to].columns.items() if item.names("table") else ()
        found = [
            f"{item.refers_to}.{name}"
            for name, column in columns
            if column.type == "text"
            and any(called.endswith(("类别", "类型", "种类", "品类")) for called in column.called.zh)
        ]
        return found[0] if len(found) == 1 else ""

    def _leave_owners(self) -> None:
        """Leave out whose a column is where something is measured: "the customers' country" is one way to split."""
        if not any(item.names("metric") for item in self.items):
            return
        owners = [
            whole
            for one, other in pairwise(self.items)
            for whole, column in ((one, other), (other, one))
            if self._is_owner(whole, column)
        ]
        self.items = [item for item in self.items if not any(item is each for each in owners)]

    def _is_owner(self, whole: Item, column: Item) -> bool:
        if not column.names("column") or not whole.names("column", "table"):
            return False
        table = column.refers_to.partition(".")[0]
        label = f"{table}.{self.catalog.tables[table].label}"
        text = self.catalog.column(column.refers_to).type == "text"
        return text and column.refers_to != label and self._column_of(whole) == label

    def _absorb(self) -> None:
        """Use words that only say what the value beside them is: "region China", "the sales department"."""
        for at, item in enumerate(self.items):
            if not (item.names("value") or self._is_flag(item)):
                continue
            for other in (at - 1, at + 1):
                if 0 <= other < len(self.items) and self._qualifies(self.items[other], item.refers_to):
                    split = other > 0 and self.items[other - 1].meaning in (Sign.BY, Sign.AND)
                    self.items[other].used = self.items[other].used or not split
            for near in (*self.items[at + 1 : at + 2], *self.items[max(at - 1, 0) : at]):
                self._absorb_kind(item, near)

    def _absorb_kind(self, item: Item, other: Item) -> None:
        """Use "customers" of "revenue from Dutch customers", where nothing is told apart by them."""
        if not other.names("table") or item.refers_to.partition(".")[0] != other.refers_to:
            return
        counted = any(isinstance(each, Named) and each.kind == "metric" for each in other.word.meanings)
        metrics = [self.catalog.metrics[each.refers_to].table for each in self.items if each.names("metric")]
        if counted and (not metrics or other.refers_to in metrics):
            return  # "orders and cancelled orders" are two numbers
        ranks = self.signs(Sign.TOP, Sign.BOTTOM, Sign.WHICH, Sign.LIST, Sign.SPREAD, Sign.BETWEEN, *LIMITS)
        asks = (Sign.BY, Sign.HOW_MANY)  # "how many customers from France placed an order"
        ranks += [one for one, next_ in pairwise(self.items) if one.meaning in asks and next_ in (other, item)]
        split = {id(each) for one, each in pairwise(self.items) if one.meaning is Sign.BY}
        measured = any(
            each.names("metric", "table") and each is not other and id(each) not in split for each in self.items
        )
        if not ranks and measured:
            other.used = True

    def _absorb_caused(self) -> None:
        """Use "caused" of "caused by hail": the column of the value behind it."""
        for one, by, value in zip(self.items, self.items[1:], self.items[2:], strict=False):
            if by.meaning is Sign.BY and value.names("value") and self._qualifies(one, value.refers_to):
                one.used = by.used = True

    def _qualifies(self, item: Item, column: str) -> bool:
        return item.names("column", "table") and self._column_of(item) == column

    def _column_of(self, item: Item) -> str:
        """Return the column that a word names: a table stands for its label."""
        if item.names("column"):
            return item.refers_to
        label = self.catalog.tables[item.refers_to].label if item.names("table") else ""
        return f"{item.refers_to}.{label}" if label else known.kind_of(self.catalog, item.refers_to)

    def _gather_splits(self) -> None:
        for at, item in enumerate(self.items):
            if item.meaning is Sign.BY and self._split_by_kind(at):
                continue
            if item.meaning is Sign.BY:
                last = all(each.meaning is Sign.FOLLOWS for each in self.items[at + 1 :])
                if last and any(each.meaning in (Sign.BY, Sign.ADDS, *GRAINS) for each in self.items[:at]):
                    item.used = True  # 按渠道分
                behind = self.items[at + 1] if at + 1 < len(self.items) else None
                item.used = item.used or (behind is not None and behind.names("value"))  # "caused by hail"
                self._split_by(at)
            elif item.meaning is Sign.SPREAD and at and self.items[at - 1].names("column", "table"):
                item.used = True
                self._split(self.items[at - 1])
            elif item.meaning in GRAINS and not item.used:
                self._split(item)
                if splits_time(item) and at + 1 < len(self.items) and self.items[at + 1].meaning is Sign.AND:
                    self._split_by(at + 1)  # "by month and region"

    def _split_by_kind(self, at: int) -> bool:
        """Split "by vet" by the names of those who are vets, where their job is a value."""
        behind = self.items[at + 1 : at + 3]
        value = behind[0] if behind and behind[0].names("value") else None
        table = value.refers_to.partition(".")[0] if value is not None else ""
        label = self.catalog.tables[table].label if table else ""
        alone = not any(item.names("table", "column", "value") for item in behind[1:])
        if value is None or not label or not alone or not known.holds_people(self.catalog, table):
            return False
        if value.refers_to == f"{table}.{label}":
            return False
        self.items[at].used = True
        self.splits.append(Item(value.word, Named("column", f"{table}.{label}"), used=True))
        return True

    def _split_by(self, at: int) -> None:
        follow = at + 1
        while follow < len(self.items):
            target = self.items[follow]
            if target.names("metric") and follow == at + 1:
                self.items[at].used = not says_per(self.items[at])  # "by revenue" ranks
                return
            if not (target.names("column", "table") or target.meaning in GRAINS) or target.used:
                return
            if self._is_number(target) and self.signs(Sign.TOP, Sign.BOTTOM):
                self.items[at].used = True  # "top 10 orders by amount"
                return
            if follow == at + 1 and (counted := self._ranks_by(target, at)):
                self.items[at].used = True  # "top 5 titles by loans"
                target.meaning = Named("metric", counted)
                return
            self.items[at].used = True
            self._split(target)
            again = follow + 1 < len(self.items) and self.items[follow + 1].meaning in (Sign.AND, Sign.BY)
            follow += 2 if again else len(self.items)
            if again:
                self.items[follow - 1].used = True

    def _ranks_by(self, target: Item, at: int) -> str:
        """Return the metric that counts the rows by which others are ranked; "" for none."""
        things = [item for item in self.items[:at] if item.names("table", "column") and not item.used]
        if not (target.names("table") and len(things) == 1 and self.signs(Sign.TOP, Sign.BOTTOM)):
            return ""
        whole = things[0].refers_to.partition(".")[0]
        belongs = whole != target.refers_to and self.catalog.path(target.refers_to, whole) is not None
        return known.counting(self.catalog, target.refers_to) if belongs else ""

    def _split(self, item: Item) -> None:
        if item.used and item in self.splits:
            return
        item.used = True
        if isinstance(item.meaning, Sign):
            if self.grain is not None and self.grain != item.meaning.value:
                raise NotComposed(item.word.text)
            self.grain = grain_of(item.meaning)
        else:
            self.splits.append(item)

    def _is_value(self, at: int) -> bool:
        return 0 <= at < len(self.items) and self.items[at].names("value")

    def _is_span(self, at: int) -> bool:
        return 0 <= at < len(self.items) and isinstance(self.items[at].meaning, DaySpan)

    def _is_number(self, item: Item) -> bool:
        return item.names("column") and self.catalog.column(item.refers_to).type == "number"

    def _gather_values(self) -> None:
        found: dict[tuple[str, Operator], list[tuple[int, str | bool | None]]] = {}
        excluded = False
        for at, item in enumerate(self.items):
            if item.meaning is Sign.EXCEPT and item.word.text in _LEFT_OUT_BEHIND and self._is_value(at - 1):
                item.used, excluded = True, False
            elif item.meaning is Sign.EXCEPT:
                excluded = item.used = at + 1 < len(self.items) and self._leads_to_value(at + 1)
            elif isinstance(item.meaning, Named) and (item.meaning.kind == "value" or self._is_flag(item)):
                excluded = excluded and self._is_left_out_with(at)
                operator: Operator = "is_not" if excluded or self._is_left_out(at) else "is"
                value = item.meaning.value if item.meaning.kind == "value" else True
                if value == OVERDUE and self._gather_overdue(at, item):
                    continue
                found.setdefault((item.refers_to, operator), []).append((at, value))
                item.used = True
            elif item.meaning is not Sign.AND and not (item.used and item.names("column", "table")):
                excluded = False
        self._add_values(found)

    def _is_left_out_with(self, at: int) -> bool:
        """Tell whether a value is left out as the one before it: of 不在鹿特丹的开发人员 only the first is."""
        before = self.items[at - 1]
        return not before.names("value") or before.refers_to == self.items[at].refers_to

    def _add_values(self, found: Mapping[tuple[str, Operator], Sequence[tuple[int, str | bool | None]]]) -> None:
        """Take the values of each column as a condition."""
        for (column, operator), values in found.items():
            guessed = any(self.items[at].is_supposed for at, _ in values)
            pairs = pairwise(at for at, _ in values)
            apart = [other for one, other in pairs if not (self._has_and(one, other) or self._are_beside(one, other))]
            if apart:
                raise NotComposed(self.items[apart[0]].word.text)  # "in Chengdu who work from home"
            flags = {value for _, value in values}
            if len(flags) != len(values):
                raise NotComposed(self.items[values[-1][0]].word.text)
            made = Condition(column=column, values=tuple(value for _, value in values), operator=operator)
            if not (guessed and self._is_said(made)):  # 逾期没完成 says it twice
                self.conditions.append((values[0][0], made))

    def _is_said(self, made: Condition) -> bool:
        """Tell whether a condition is part of one that holds already."""
        said = (each for _, each in self.conditions if (each.column, each.operator) == (made.column, made.operator))
        return any(set(made.values) <= set(each.values) for each in said)

    def _is_left_out(self, at: int) -> bool:
        """Tell whether all but a value is meant: 中国以外, 中国和德国以外."""
        behind = (each for each in self.items[at + 1 :] if not (each.names("value") or each.meaning is Sign.AND))
        return next((each.word.text in _LEFT_OUT_BEHIND for each in behind), False)

    def _are_beside(self, one: int, other: int) -> bool:
        """Tell whether two values that the catalogue names are listed with nothing between them: 德国法国."""
        first, second = self.items[one], self.items[other]
        return (
            other == one + 1
            and second.word.start - first.word.end <= 1
            and not (first.is_supposed or second.is_supposed)
        )

    def _has_and(self, one: int, other: int) -> bool:
        between = [item.meaning for item in self.items[one:other]]
        joined = any(each in (Sign.AND, Sign.COMPARE, Sign.FOLLOWS) for each in between)
        return joined and Sign.NONE not in between  # "who bought Quaymaster but never Trackline"

    def _gather_overdue(self, at: int, item: Item) -> bool:
        """Take what should have been done by today, and was not; in which status it is may be named beside it."""
        found = overdue_by(self.catalog, item.refers_to.partition(".")[0])
        if found is None or found[0] != item.refers_to:
            return False
        due, undone = found
        item.used = True
        day = (self.today - timedelta(days=self.days_late)).isoformat()
        self.conditions.append((at, Condition(column=due, values=(day,), operator="less")))
        if not any(each.names("value") and each.refers_to == undone.column for each in self.items):
            self.conditions.append((at, undone))
        return True

    def _is_flag(self, item: Item) -> bool:
        """Tell whether it is a column of yes and no that splits nothing: "remote work" is who works remotely."""
        return item.names("column") and not item.used and self.catalog.column(item.refers_to).type == "flag"

    def _leads_to_value(self, at: int) -> bool:
        item = self.items[at]
        return (
            item.names("value")
            or self._is_flag(item)
            or (item.used and at + 1 < len(self.items) and self.items[at + 1].names("value"))
        )

    def _is_done(self, item: Item) -> bool:
        """Tell whether a word is what is done on a day, and not the name of its column."""
        column = self.catalog.column(item.refers_to)
        said = item.word.text.lower()
        if column.type not in ("date", "time"):
            return False
        deeds = deeds_of(column, item.refers_to.rpartition(".")[2])
        return said in deeds or not any(said.startswith(each.lower()) for each in column.called.every)

    def _gather_done(self) -> None:
        """Take what was done on any day: "dentists who left", 报废的单车; when a thing began says so of each."""
        ranks = self.signs(Sign.TOP, Sign.BOTTOM, Sign.NEWEST, Sign.OLDEST, Sign.BY, Sign.TREND)
        if ranks or self.spans() or self.grain or self.splits:
            return
        for at, item in enumerate(self.items):
            if not item.names("column") or item.used or not self._is_done(item):
                continue
            table = item.refers_to.partition(".")[0]
            own = any(each.names("table") and each.refers_to == table for each in self.items)
            if own and item.refers_to != time_of(self.catalog, table):
                item.used = True
                self.conditions.append((at, Condition(column=item.refers_to, values=(None,), operator="is_not")))

    @property
    def is_ended(self) -> bool:
        """Tell whether those are asked for of whom something was done, or was not, on any day."""
        return any(made.values == (None,) for _, made in self.conditions)

    def _gather_count(self) -> None:
        """Take the number of "top 5"."""
        if self.signs(Sign.TOP, Sign.BOTTOM, Sign.NEWEST, Sign.OLDEST, Sign.DEAREST, Sign.CHEAPEST):
            self.take_number()

    def take_number(self) -> None:
        """Take the one number that is left as how many rows are wanted."""
        free = [item for item in self.items if isinstance(item.meaning, float) and not item.used]
        if len(free) == 1:
            number = free[0].meaning
            if isinstance(number, float) and number.is_integer() and 1 <= number <= MOST_ROWS:
                free[0].used = True
                self.count = int(number)
