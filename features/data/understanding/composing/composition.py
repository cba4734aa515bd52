"""From words, each with one meaning, to a query: every one of them has to have its part in it, or there is none."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from features.data.understanding.composing import known
from features.data.understanding.composing.comparing import period_of
from features.data.understanding.composing.measuring import MeasureComposition
from features.data.understanding.composing.rows import is_size, is_who
from features.data.understanding.composing.times import named_span, of_now, without_given_up
from features.data.understanding.words.items import (
    Item,
    MeasureMissing,
    NotComposed,
    PeriodMissing,
    grain_of,
    is_each_step,
    sign_of,
    splits_time,
)
from features.data.understanding.words.signs import GRAINS, MEANS, Sign
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.catalog import Catalog, Metric
from queries.sql.errors import QueryNotPossible
from queries.sql.metrics.building import dimensions_of, telling_of
from queries.sql.metrics.measures import may_bound, measure_of
from queries.sql.metrics.query import (
    Condition,
    DataQuery,
    Grain,
    MetricQuery,
    Period,
    Step,
)
from queries.sql.metrics.steps import step_of

#: Words that put all rows in order, and leave none out.
_RANKINGS = frozenset({"排名", "排行"})
#: What says that a share is of each part, and not of all.
_IN_EACH = frozenset({"in each", "in every", "各", "各个"})
#: What asks more of rows than a list or their number: "orders above 20,000".
_COUNTED = (Sign.SHARE, Sign.COMPARE, Sign.CHANGE, Sign.TREND, Sign.SUM, Sign.TOP, Sign.BOTTOM)
#: Columns among which the reason of a change is looked for.
_MOST_ACROSS = 12
_GROWS = frozenset(
    {
        "growth", "grow", "grew", "grown", "increase", "increased", "rise", "rose", "risen", "climb", "climbed", "up",
        "went up", "gone up", "增长", "增长了", "增幅", "涨", "涨了", "涨幅", "增加", "增加了", "上升",
    }
)  # fmt: skip
_FALLS = frozenset(
    {
        "drop", "dropped", "decrease", "decreased", "decline", "declined", "fall", "fell", "fallen", "down",
        "went down", "gone down", "下降", "下降了", "跌", "跌了", "减少", "减少了", "降幅", "下滑",
    }
)  # fmt: skip
#: By how much something changed.
_PERCENT = frozenset(
    {"percent", "percentage", "what percent", "what percentage", "per cent", "%", "百分之几", "百分之多少", "百分比"}
)
#: Where things come from, said beside what they are told apart by.
_WHENCE = frozenset({"哪", "从哪", "哪里", "哪儿"})
#: Rows of "the top products" when nobody says how many.
_TOP_ROWS = 10


class Composition(MeasureComposition):
    """The query that the parts make."""

    # Metrics

    def metric_query(self) -> MetricQuery:
        """Return the query of the one metric, count or aggregate that is named."""
        self._count_tables_for_means()
        mean = self._mean()
        self._refuse_row_of_metric()
        base = self._measure()
        allowed = self._allowed_for(base)
        self._refuse_size_of_one()
        parts = list(self.splits)  # "by region", 各大区: what is ranked is split by later
        top, bottom, asks_which = self._rank(base)
        if self.bounds:
            for item in self.named("column", "table"):
                self._split(item)
            self.take(Sign.WHICH)
        self.tell_apart()
        across = self._across(dimensions_of(base, self.catalog))
        place = self._place()
        by = self._dimensions(allowed)
        upwards = bottom
        if by or self.grain:
            self.take(Sign.LIST, Sign.DESCENDING)
            self._use([item for item in self.signs(Sign.WHICH) if item.word.text in _WHENCE])
            upwards = self.take(Sign.ASCENDING) or bottom
        groups = self.counts_things or (bool(self.bounds) and self.take(Sign.HOW_MANY))
        measured = measure_of(base, self.catalog)
        where = self._allowed([made for _, made in self.conditions], allowed, measured)
        period, against = self.periods()
        if against is not None:  # 涨了百分之几
            self._use([item for item in self.signs(Sign.SHARE) if item.word.text.lower() in _PERCENT])
        if across:
            period, against = self._with_before(period, against)
        grain = self._trend(period)
        period = self.in_whole_steps(period, grain)
        share, part = self._share(bool(by or grain))
        if self.times is not None and share:
            raise NotComposed
        sums = [item for item in self.signs(Sign.SUM) if item.word.has(Sign.WORTH)]
        if base.aggregate == "median":
            sums = self.signs(Sign.SUM)
        if sums and (measured.counts_rows or base.aggregate == "median"):
            raise NotComposed(sums[0].word.text)  # "the sum of our open orders" is no number of them
        self.take(Sign.HOW_MANY, Sign.SUM, Sign.ALL_TIME)
        of_others = measured.is_count and not measured.counts_rows  # of new customers those who bought are not all
        self._use_new(of_all=not measured.time or of_others)
        self._use_money(measured.unit)
        self.use_day(".".join(self.catalog.place(measured.time, measured.table)) if self.spans() else "")
        rows = self._rows(asks_which, [item for item in self.splits if item not in parts], ranks=top or bottom)
        per = self._per(parts, by, grain) if rows is not None else ()
        changes = rows is not None and against is not None and self._ranks_changes(bottom=bottom)
        upwards = upwards or (changes and self.falls)
        return base.model_copy(
            update={
                "by": by, "grain": grain, "where": tuple(each for each in where if each not in (*part, place)),
                "period": period,
                "against": against, "share": share, "part": part, "rows": rows, "ascending": upwards,
                "per": per, "having": self.bounds, "groups": groups, "mean": mean, "across": across,
                "times": self.times, "place": place, "weekdays": self.take_days(), "hours": self.take_hours(),
                "from_place": self.from_place, "by_change": changes,
            }
        )  # fmt: skip

    def _rank(self, base: MetricQuery) -> tuple[bool, bool, bool]:
        """Split by what is ranked; return whether the highest or the lowest are asked for, and whether one of them."""
        top, bottom = self.take(Sign.TOP), self.take(Sign.BOTTOM)
        if not (top or bottom):
            return False, False, False
        if (top and bottom) or (self.asks_what and not self.splits):
            raise NotComposed(self.signs(Sign.TOP, Sign.BOTTOM)[-1].word.text)  # "what did customers buy most"
        asks_which = self.take(Sign.WHICH)
        self._split_of_ranked(base)
        self._refuse_many_ranked(asks_which)
        if not self.splits and self.grain is None:
            raise NotComposed(self.signs(Sign.TOP, Sign.BOTTOM)[0].word.text)
        return top, bottom, asks_which

    def _ranks_changes(self, *, bottom: bool) -> bool:
        """Tell whether what changed most is asked for: "which region grew most", "the largest drop"."""
        words = [item.word.text.lower() for item in self.signs(Sign.CHANGE)]
        self.falls = any(each in _FALLS for each in words)
        if words and (bottom or not (self.falls or any(each in _GROWS for each in words))):
            raise NotComposed(words[0])  # what changed most may have grown or fallen
        return bool(words)

    def _refuse_many_ranked(self, asks_which: bool) -> None:
        """Refuse 哪个酒店的客人最多 as pairs of both: one of them is asked for."""
        joined = self.signs(Sign.BY, Sign.AND, Sign.EACH, *GRAINS)
        if asks_which and len({self._column_of(item) for item in self.splits}) > 1 and not joined:
            raise NotComposed(self.splits[-1].word.text)

    def _split_of_ranked(self, base: MetricQuery) -> None:
        """Split by what is ranked."""
        table = measure_of(base, self.catalog).table
        for item in self.named("column", "table"):
            if self.grain is not None and item.refers_to == table:
                item.used = True  # 哪天治疗最多
            else:
                self._split(item)
        self._split_of_which()
        self._split_of_who(base)

    def _split_of_which(self) -> None:
        """Rank the things that a value names: "which of our add-ons sells worst"."""
        if self.splits or self.grain is not None:
            return
        said = [each for each in self.items if not isinstance(each.meaning, float)]
        ends = said[-1:] if len(self.conditions) == 1 and not said[-1].word.text.isascii() else []
        for which, item in (*pairwise(said), *((last, each) for last in ends for each in said)):  # …最差的是哪个
            if which.meaning not in (Sign.WHICH, Sign.TOP, Sign.BOTTOM) or not item.names("value"):
                continue
            table, name = self.catalog.place(item.refers_to)
            label = self.catalog.tables[table].label
            if label and label != name:
                self.splits.append(Item(item.word, Named("column", f"{table}.{label}"), used=True))
                return

    def _split_of_who(self, base: MetricQuery) -> None:
        """Rank the people who have to do with what is measured: 谁骑得最多."""
        asked = (item for item in self.signs(Sign.WHICH) if is_who(item))
        who = next((item for item in asked if not any(isinstance(each, Named) for each in item.word.meanings)), None)
        people = known.people_behind(self.catalog, measure_of(base, self.catalog).table) if who else ""
        if who is not None and people and not self.splits and self.grain is None:
            self.splits.append(Item(who.word, Named("column", people), used=True))

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

    def _allowed_for(self, base: MetricQuery) -> tuple[str, ...]:
        """Return the columns by which all that is measured may be told apart."""
        others = [telling_of(MetricQuery(metric=each), self.catalog) for each in base.also]
        return tuple(each for each in telling_of(base, self.catalog) if all(each in other for other in others))

    def _mean(self) -> Step | None:
        """Return the step of "average orders per month": "by month" would split."""
        if not self.named("metric"):
            return None
        words = self.signs(*MEANS)
        amount = next((item for item in self.signs(Sign.HOW_MANY) if self._is_of_rows(item)), None)
        if amount is not None and (words or self.signs(Sign.AVERAGE)):
            raise NotComposed(amount.word.text)  # "the average order amount per month" is no number of orders
        if len(words) == 1 and self.grain is None:
            self._use(words)
            self._refuse_two_means()
            return step_of(grain_of(MEANS[sign_of(words[0])]))
        steps = self.signs(*GRAINS)
        average = self.signs(Sign.AVERAGE)
        if len(average) != 1 or len(steps) != 1 or splits_time(steps[0]):
            return None
        self._refuse_two_means()
        self._use(average)
        if (grain := step_of(self.grain)) is None:
            raise NotComposed(steps[0].word.text)  # the mean Monday is none of all Mondays
        self.grain = None
        return grain

    def _is_of_rows(self, item: Item) -> bool:
        """Tell whether "amount" may be what each row says."""
        return any(isinstance(each, Named) and each.kind == "column" for each in item.word.meanings)

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

    def _place(self) -> Condition | None:
        """Return the value whose place among all of its column is asked for: "what rank does Cold Chain have"."""
        if not self.take(Sign.PLACE):
            return None
        ones = [made for _, made in self.conditions if made.operator == "is" and len(made.values) == 1]
        named = {self._column_of(item) for item in (*self.splits, *self.named("table", "column"))}
        labels = {f"{table}.{declared.label}" for table, declared in self.catalog.tables.items()}
        found = [made for made in ones if made.column in named] or [made for made in ones if made.column in labels]
        found = found or ones
        if len(found) != 1 or self.grain or self.signs(Sign.TOP, Sign.BOTTOM):
            raise NotComposed(self.signs(Sign.PLACE)[0].word.text)
        of = [item for item in self.named("table", "column") if self._column_of(item) == found[0].column]
        self._use(of)
        self.take(Sign.HOW_MANY, Sign.WHICH, Sign.SHOW)
        self.splits = [Item(self.signs(Sign.PLACE)[0].word, Named("column", found[0].column), used=True)]
        return found[0]

    def _allowed(
        self, conditions: Sequence[Condition], allowed: Sequence[str], metric: Metric
    ) -> tuple[Condition, ...]:
        for made in conditions:
            listed = metric.counts_rows and not (self.splits or self.grain or self.signs(*_COUNTED) or self._is_count())
            if made.column not in allowed and (listed or not may_bound(self.catalog, metric, made)):
                raise NotComposed(str(made.values[0]))
        return tuple(conditions)

    def _is_count(self) -> bool:
        """Tell whether a number is named, and not also the rows themselves: "number of orders", 订单数."""
        return any(
            item.names("metric")
            and not any(isinstance(each, Named) and each.kind == "table" for each in item.word.meanings)
            for item in self.items
        )

    def _per(self, parts: Sequence[Item], by: Sequence[str], grain: Grain | None) -> tuple[str, ...]:
        """Return the parts of which each has a ranking of its own: "the best product of each region"."""
        steps = [item for item in self.signs(*GRAINS) if is_each_step(item)]
        columns = [self._column_of(item) for item in parts]
        per = tuple(each for each in by if each in columns)
        if grain is not None and steps:
            per = (*per, grain)
        return per if len(per) < len(by) + (grain is not None) else ()

    def _rows(self, asks_which: bool, ranked: Sequence[Item], *, ranks: bool) -> int | None:
        if not ranks and self.count is not None:
            raise NotComposed(str(self.count))  # the 5 largest are several rows
        if not ranks:
            return None
        if self.from_place is not None:
            return self.from_place
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
        if not any(not item.used for item in self.signs(Sign.SHARE)):
            return False, ()
        rated = self._rated()
        self.take(Sign.SHARE)
        if rated:
            return True, rated
        if split and self.grain is not None and not self.splits and len(self.conditions) == 1:
            return True, (self.conditions[0][1],)  # the share of web orders, month by month
        if split:
            return True, self._said_behind()
        made = [condition for _, condition in self.conditions]
        if len(made) == 1:
            return True, (made[0],)
        return True, self._part()

    def _said_behind(self) -> tuple[Condition, ...]:
        """Return the part of each row that is said right behind what is measured: "orders cancelled, by channel"."""
        named = [at for at, item in enumerate(self.items) if item.word.text.isascii()]
        of = [[at for at in named if self.items[at].names(kind)] for kind in ("metric", "table")]
        measured = of[0] or of[1][:1]  # "percentage of visits that were cancelled, by clinic"
        if not measured and (part := self._shared_zh()) and not any(item.names("metric") for item in self.items):
            return part  # 各部门远程办公的比例
        if len(measured) != 1:
            return ()
        within = any(item.word.text.lower() in _IN_EACH for item in self.signs(Sign.BY))
        said = tuple(
            made
            for at, made in self.conditions
            if len(made.values) == 1 and (self.is_said_of(measured[0], at) or (within and at == measured[0] - 1))
        )
        if said:  # "what share of visits per clinic were cancelled"
            return said
        behind = tuple(made for at, made in self.conditions if at == measured[0] + 1 and len(made.values) == 1)
        ends = measured[0] + 2
        alone = ends >= len(self.items) or self.items[ends].meaning in (Sign.AND, Sign.BY) or self._is_span(ends)
        return behind if alone and self.items[measured[0] + 1 : ends] and behind else ()

    def _said_before_share(self, measured: int) -> tuple[Condition, ...]:
        """Return the part of 漫画借阅里成人占多少: what stands between the measure and the share."""
        share = self.items.index(self.signs(Sign.SHARE)[0])
        between = tuple(made for at, made in self.conditions if measured < at < share)
        alone = len(between) == 1 and all(at < share for at, _ in self.conditions)
        return between if alone and not self.items[share].word.text.isascii() else ()

    def _part(self) -> tuple[Condition, ...]:
        """Return what makes the part where several conditions hold: "which share of Berlin's orders are cancelled"."""
        measured = [at for at, item in enumerate(self.items) if item.names("metric")]
        if not measured and (part := self._shared()):
            return part
        if len(measured) == 1 and (part := self._said_before_share(measured[0])):
            return part
        if len(measured) != 1 or not self.items[measured[0]].word.text.isascii():
            raise NotComposed(self.signs(Sign.SHARE)[0].word.text)
        if (within := self._part_within(measured[0])) is not None:
            return (within,)
        said_behind = tuple(made for at, made in self.conditions if self.is_said_of(measured[0], at))
        if said_behind and self.conditions[0][0] > measured[0] and len({each.column for each in said_behind}) > 1:
            return said_behind  # "what share of revenue was paid by card"
        after = tuple(condition for at, condition in self.conditions if at > measured[0])
        both = len(after) < len(self.conditions)
        said = all(self.is_said_of(measured[0], at) for at, _ in self.conditions if at > measured[0])
        if len(after) != 1 or (both and not said):
            raise NotComposed(self.signs(Sign.SHARE)[0].word.text)
        return after

    def _part_within(self, measured: int) -> Condition | None:
        """Return web of "the share of web orders in the Nordics"; None where what stands behind is said of it."""
        before = [made for at, made in self.conditions if at == measured - 1]
        behind = [at for at, _ in self.conditions if at > measured]
        apart = len(before) + len(behind) == len(self.conditions)
        shared = self.signs(Sign.SHARE)[0].word.start < self.items[measured].word.start
        if len(before) != 1 or not behind or not apart or not shared or len(before[0].values) != 1:
            return None
        return None if any(self.is_said_of(measured, at) for at in behind) else before[0]


def compose(catalog: Catalog, items: Sequence[Item], today: date) -> DataQuery:
    """Return the query that these words make; NotComposed when one of them has no part in it."""
    failed: list[NotComposed] = []
    for make in (Composition.metric_query, Composition.row_query):
        composition = Composition(catalog, [Item(item.word, item.meaning) for item in items], today)
        try:
            composition.gather()
            query = without_given_up(of_now(composition, make(composition)), catalog)
            composition.require_all_used()
        except NotComposed as error:
            failed.append(error)
        except (QueryNotPossible, ValueError) as error:
            failed.append(NotComposed(str(error)))
        else:
            return query
    raise next((each for each in failed if isinstance(each, MeasureMissing | PeriodMissing)), failed[0])
