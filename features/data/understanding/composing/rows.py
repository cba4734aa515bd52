"""Rows that words ask for: a list of a table, how many there are, the largest or newest, who did what on a day."""

from collections.abc import Sequence
from itertools import pairwise

from features.data.understanding.composing import known
from features.data.understanding.composing.comparing import ComparedParts, period_of
from features.data.understanding.words.deeds import PAST, lasts
from features.data.understanding.words.items import Item, MeasureMissing, NotComposed, is_since, shows
from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.vocabulary import Named
from queries.sql.catalog.states import is_state
from queries.sql.metrics.measures import time_of
from queries.sql.metrics.query import Condition, DataQuery, MetricQuery, Period, RowQuery, Without

#: Superlatives that name what they are about: the price, the day.
_EXTREMES = (Sign.DEAREST, Sign.CHEAPEST, Sign.NEWEST, Sign.OLDEST)
_RANKS = (Sign.TOP, Sign.BOTTOM, *_EXTREMES)
#: What is said of how long somebody lives.
_AGED = frozenset({"oldest", "最老"})
_SIZES = frozenset({"largest", "biggest", "greatest", "smallest", "最大", "最小"})
#: Rows of "the newest orders" when nobody says how many.
_SOME_ROWS = 10
_LIMITED = ("more", "less", "at_least", "at_most")
#: Characters of 没有; what is longer says of what there is none.
_A_WORD = 3


class RowComposition(ComparedParts):
    """The query of rows that the parts make."""

    def _without(self) -> DataQuery | None:
        """Return the rows to which nothing of another table belongs: "guests who never booked", 没有订单的客户."""
        none = [item for item in self.signs(Sign.NONE) if item.word.text.lower() != "yet"] or self._undone_of_others()
        if len(none) != 1 or self.splits or self.grain or self.bounds:
            return None
        at = self.items.index(none[0])
        bare = not any(item.names("table") for item in self.items[at + 2 : at + 3])
        if bare and self._is_value(at + 1) and none[0].word.has(Sign.EXCEPT):
            return None  # "without the British" leaves them out
        held = [
            (place, self._holder(item))
            for place, item in enumerate(self.items)
            if item.names("table", "metric", "column") or (item in none and item.names("value"))
        ]
        if len({name for _, name in held}) == 1:  # "which vets had no visits": the value says whose
            held += [
                (place, self._holder(item))
                for place, (asked, item) in enumerate(pairwise(self.items), start=1)
                if asked.meaning in (Sign.WHICH, Sign.LIST, Sign.HOW_MANY) and item.names("value")
                if known.holds_people(self.catalog, self._holder(item))
            ]
        absent = sorted(held, key=lambda each: (each[0] < at, abs(each[0] - at)))
        if lacking := self._lacking(none[0], held) or self._absent_of(none[0]):
            return lacking
        pairs = [
            (one, other) for _, one in absent for _, other in held if one != other and self.catalog.path(one, other)
        ]
        if not pairs and len(tables := {name for _, name in held}) == 1:
            alone = tables.pop()
            belonging = self._belonging(alone)
            if len(belonging) > 1 and self.signs(Sign.TRADE):  # 没人买的产品
                counts = {name: self.catalog.metrics[known.counting(self.catalog, name)] for name in belonging}
                belonging = tuple(name for name in belonging if known.is_traded(self.catalog, counts[name]))
            pairs = [(name, alone) for name in belonging]
            pairs = pairs if len(pairs) == 1 else []
        if not pairs:
            return None
        table, whose = self._headed(pairs, at)
        if any(self.catalog.path(table, name) is None for _, name in held):
            return None
        self._use([self.items[place] for place, _ in held])
        self._use([*none, *self.signs(Sign.NONE), *self.spans()])
        self.conditions = [each for each in self.conditions if each[0] not in [self.items.index(item) for item in none]]
        self.take(Sign.LIST, Sign.WHICH, Sign.SHOW, Sign.TRADE)
        count = self.take(Sign.HOW_MANY)
        spans = [item.meaning for item in self.spans() if isinstance(item.meaning, DaySpan)]
        if len(spans) > 1:
            raise NotComposed(none[0].word.text)
        own = [
            made for _, made in self.conditions if self.catalog.path(whose, made.column.partition(".")[0]) is not None
        ]
        other = [made for _, made in self.conditions if made not in own]
        return RowQuery(
            table=whose,
            where=tuple(own),
            of=known.of_rows(self.catalog, whose),
            count=count,
            without=Without(
                table=table,
                where=tuple(other),
                period=period_of(spans[0]) if spans else None,
                of=self._some_of(table),
            ),
        )

    def _headed(self, pairs: Sequence[tuple[str, str]], none: int) -> tuple[str, str]:
        """Return what is absent with those whose it is: of several the one that is spoken of, 没租过乐器的学生.

        They stand before "never" in English, and behind what is said of them in Chinese.
        """
        table = pairs[0][0]
        whose = {whose for absent, whose in pairs if absent == table}
        tables = [(at, self._holder(item)) for at, item in enumerate(self.items) if item.names("table")]
        english = self.items[none].word.text.isascii()
        heads = [name for at, name in tables if name in whose and (not english or at < none)]
        if len(whose) > 1 and not heads:
            raise NotComposed(self.items[none].word.text)
        return (table, heads[-1]) if len(whose) > 1 else pairs[0]

    def _lacking(self, none: Item, held: Sequence[tuple[int, str]]) -> RowQuery | None:
        """Return the rows that belong to none of what stands right behind "no": "projects without a customer"."""
        at = self.items.index(none)
        behind = next((name for place, name in held if place == at + 1), "")
        others = {name for _, name in held if name != behind}
        table = next(iter(others), "")
        steps = self.catalog.path(table, behind) if len(others) == 1 and behind else None
        if not steps or len(steps) != 1 or self.spans():
            return None
        self._use([self.items[place] for place, _ in held])
        self._use([none])
        self.take(Sign.LIST, Sign.WHICH, Sign.SHOW)
        empty = Condition(column=".".join(self.catalog.place(steps[0].many)), values=(None,))
        count, where = self.take(Sign.HOW_MANY), tuple(made for _, made in self.conditions)
        return RowQuery(table=table, where=(*where, empty), of=known.of_rows(self.catalog, table), count=count)

    def _absent_of(self, none: Item) -> MetricQuery | None:
        """Return the values of a column that no row has in a period: "which sellers had no orders last week"."""
        columns = [item for item in self.named("column") if self.catalog.column(item.refers_to).type == "text"]
        things = self.named("table", "metric")
        table = columns[0].refers_to.partition(".")[0] if len(columns) == 1 else ""
        alone = (
            bool(table) and not things and len(none.word.text) > _A_WORD and not none.word.text.isascii()
        )  # 一单都没有
        named = len(things) == 1 and self._holder(things[0]) == table
        counted = known.counting(self.catalog, table) if alone or named else ""
        metric = next((item.refers_to for item in things if item.names("metric")), counted)
        spans = [item.meaning for item in self.spans() if isinstance(item.meaning, DaySpan)]
        fits = bool(alone or named) and bool(metric) and self.catalog.metrics[metric].counts_rows
        if not fits or len(spans) != 1 or self.signs(Sign.HOW_MANY):
            return None
        self._use([*columns, *things, none, *self.spans()])
        self.take(Sign.LIST, Sign.WHICH, Sign.SHOW, Sign.TRADE)
        where = tuple(made for _, made in self.conditions)
        return MetricQuery(
            metric=metric, by=(columns[0].refers_to,), where=where, period=period_of(spans[0]), absent=True
        )

    def _undone_of_others(self) -> list[Item]:
        """Return the deed that was not done with what belongs to the rows: 上个月没下单的客户."""
        tables = {item.refers_to for item in self.items if item.names("table")}
        return [
            item
            for item in self.items
            if item.names("value") and isinstance(item.meaning, Named) and item.meaning.value is None
            if item.refers_to == time_of(self.catalog, item.refers_to.partition(".")[0])  # a row is none until then
            if any(self.catalog.path(item.refers_to.partition(".")[0], each) for each in tables)
        ]

    def _some_of(self, table: str) -> str:
        """Return the metric that is named and counts some rows of a table only: "cancelled shows"."""
        metrics = {item.refers_to for item in self.items if item.names("metric")}
        found = [
            each for each in metrics if self.catalog.metrics[each].table == table and self.catalog.metrics[each].where
        ]
        return found[0] if len(found) == 1 else ""

    def _holder(self, item: Item) -> str:
        """Return the table that a word is of."""
        return self._holds_rows(item) or item.refers_to.partition(".")[0]

    def _belonging(self, table: str) -> tuple[str, ...]:
        """Return the tables whose rows are counted and belong to rows of this one, each by one step."""
        return tuple(
            name
            for name in self.catalog.tables
            if len(self.catalog.path(name, table) or ()) == 1 and known.counting(self.catalog, name)
        )

    def row_query(self) -> DataQuery:
        """Return the query of rows: a list of a table, or how many there are."""
        if without := self._without():
            return without
        tables = self.named("table")
        if found := self._superlative_of_day() or (None if tables else self._of_no_table()):
            return found
        if len(tables) != 1 or self.splits or self.grain or self.signs(Sign.SHARE, Sign.COMPARE, Sign.CHANGE):
            raise NotComposed(tables[-1].word.text if tables else "")
        self._use(tables)
        count = self._counts(tables[0])
        table = self._undone_with(tables[0].refers_to) if count else tables[0].refers_to
        shown = bool(self.conditions) and any(shows(item) for item in self.signs(Sign.SHOW))
        bounded = bool(self.conditions) and self.is_described
        bounded = bounded or any(each.operator in _LIMITED for _, each in self.conditions)
        done = self.day_done(table)
        begun = bool(self.signs(Sign.NEW) and self.spans() and time_of(self.catalog, table))  # "new clients this year"
        once = not lasts(self.catalog.tables[table]) and not any(
            is_state(self.catalog.column(made.column)) for _, made in self.conditions
        )  # "projects running in March" need not have begun then
        lately = bool(self.conditions) and any(once or is_since(item) for item in self.spans())
        lately = lately or any(made.operator == "is_not" or made.values == (None,) for _, made in self.conditions)
        told = bounded or shown or begun or lately or (done and not tables[0].is_supposed) or len(self.conditions) > 1
        if not (self.take(Sign.LIST, Sign.WHICH) or count or told or self.signs(*_RANKS)):
            raise NotComposed(tables[0].word.text)
        order, ascending, rows = self._ranking(table, count=count)
        self.use_day(done)
        self._use_new(of_all=not time_of(self.catalog, table))
        columns = tuple(item.refers_to for item in self.named("column") if item.refers_to.startswith(f"{table}."))
        if columns and count:
            raise NotComposed(self.named("column")[0].word.text)
        units = (self.catalog.column(each.column).unit for _, each in self.conditions)
        self._use_money(next(filter(None, units), ""))
        self._use([item for item in self.named("column") if item.refers_to in columns])
        spans = self.spans()
        self._use(spans)
        if len(spans) > 1:
            raise NotComposed(spans[-1].word.text)
        self.take(Sign.ALL_TIME)
        label = self.catalog.tables[table].label
        if order and columns == (f"{table}.{label}",):
            columns = ()  # 最新的客户是谁 asks for the row
        fields = tuple(dict.fromkeys([f"{table}.{label}", *columns])) if columns and label else columns
        where, period = tuple(made for _, made in self.conditions), self._period_of(spans, table, done)
        metric = known.dated(self.catalog, done) if count else ""
        if metric:
            return MetricQuery(metric=metric, where=where, period=period)
        if (columns or order) and not count:
            fields = self._with_others(table, order, fields)
        return RowQuery(
            table=table,
            columns=fields if not count else (),
            where=where,
            period=period,
            time=done if done != time_of(self.catalog, table) else "",
            of=known.of_rows(self.catalog, table) if not (spans or self.is_ended) else "",
            order=order,
            ascending=ascending,
            rows=rows,
            count=count,
        )

    def _undone_with(self, table: str) -> str:
        """Return the table that is counted: what was not given back yet, of books, are loans."""
        held = {made.column.partition(".")[0] for _, made in self.conditions}
        undone = any(made.values == (None,) and made.operator == "is" for _, made in self.conditions)
        root = known.root(self.catalog, held)
        if not undone or not root or any(self.catalog.path(table, each) is not None for each in held):
            return table
        return root if self.catalog.path(root, table) is not None else table

    def _counts(self, table: Item) -> bool:
        """Tell whether rows are counted: "how much did we throw away" is no number of entries."""
        count = self.take(Sign.HOW_MANY)
        if count and table.is_supposed and not self.conditions and known.adding(self.catalog, table.refers_to):
            raise MeasureMissing
        return count

    def _of_no_table(self) -> RowQuery | None:
        """Return the rows of a table that is not named, but what is in it."""
        found = self._who_counts() or self._people() or self._superlative_of_value() or self._table_of_rows()
        return found or self._superlative_of_number()

    def _period_of(self, spans: Sequence[Item], table: str, done: str) -> Period | None:
        """Return the period of what is done on a day: one to come where such days lie ahead, "due in December"."""
        span = spans[0].meaning if spans else None
        if not isinstance(span, DaySpan):
            return None
        day = done or time_of(self.catalog, table)
        past = span.is_nearer_behind(self.today) or any(PAST.search(item.word.text.lower()) for item in self.items)
        if not day or not self.catalog.column(day).ahead or past:
            return period_of(span)
        if span.start is None:
            span = span.to_come(self.today)
        if span.start is None and span.end is not None and span.end > self.today:
            return Period(start=self.today, end=span.end)  # what is due by the end of the year is still to come
        if span.unit == "days" and span.start is not None and span.start > self.today:
            return Period(start=self.today, end=span.end)  # "in the next 3 months", today among them
        return period_of(span.to_come(self.today))

    def _with_others(self, table: str, order: str, fields: tuple[str, ...]) -> tuple[str, ...]:
        """Return the fields with those of what the row belongs to: "which department has the project with …"."""
        others = [item for item in self.named("column") if self.catalog.path(table, item.refers_to.partition(".")[0])]
        if not order or not others:
            return fields
        self._use(others)
        label = self.catalog.tables[table].label
        own = fields or tuple(dict.fromkeys((f"{table}.{label}", order) if label else (order,)))
        return tuple(dict.fromkeys((*own, *(item.refers_to for item in others))))

    def _table_of_rows(self) -> RowQuery | None:
        """Return the rows that are named by their values alone: "list all add-ons", "the price of Trackline"."""
        columns = tuple(item.refers_to for item in self.named("column")) or self._price()
        made = tuple(condition for _, condition in self.conditions)
        tables = {name.partition(".")[0] for name in (*columns, *(each.column for each in made))}
        table = known.root(self.catalog, tables)
        if not table or not made or self.splits or self.grain or self.count or self.spans():
            return None
        label = f"{table}.{self.catalog.tables[table].label}"
        is_one = any(each.column == label and each.operator == "is" for each in made)
        if columns and not (is_one or (label not in columns and self.signs(Sign.LIST))):
            return None
        if not columns and (is_one or not self.signs(Sign.LIST)):
            return None
        self._use(self.named("column"))
        self.take(Sign.LIST, Sign.WHICH, Sign.HOW_MANY)
        return RowQuery(
            table=table,
            columns=tuple(dict.fromkeys((label, *columns))) if columns else (),
            where=made,
            of="" if is_one else known.of_rows(self.catalog, table),
        )

    def _superlative_of_number(self) -> RowQuery | None:
        """Return whose number is the largest or smallest: "who has the highest salary", 谁的工资最高."""
        numbers = [item for item in self.named("column") if self._is_number(item)]
        who = [item for item in self.signs(Sign.WHICH) if is_who(item) or item.word.text.lower() == "whose"]
        table = numbers[0].refers_to.partition(".")[0] if len(numbers) == 1 else ""
        held = {made.column.partition(".")[0] for _, made in self.conditions}
        several = not who and (self.count or 0) > 1 and held == {table}  # 金额最大的5笔未付款
        if not table or len(who) + several != 1 or self.splits or self.grain or self.spans():
            return None
        label = self.catalog.tables[table].label
        named = label and self.catalog.tables[table].columns[label].type == "text"
        masked = not several and (not named or self.catalog.column(f"{table}.{label}").masked)
        if masked or len(self.signs(Sign.TOP, Sign.BOTTOM)) != 1:
            return None
        self.take(Sign.TRADE)
        order, ascending, rows = self._ranking(table, count=False)
        self._use(who)
        return RowQuery(
            table=table,
            columns=(f"{table}.{label}", order) if label else (),
            where=tuple(made for _, made in self.conditions),
            of=known.of_rows(self.catalog, table),
            order=order,
            ascending=ascending,
            rows=rows,
        )

    def _price(self) -> tuple[str, ...]:
        """Return the one column of money of what is named: "how much is the Yard Camera", 堆场摄像头多少钱."""
        asked = self.signs(Sign.HOW_MANY)
        money = self.signs(Sign.MONEY) or [item for item in asked if item.word.text.lower() == "how much"]
        if not asked or not money or len(self.conditions) != 1:
            return ()
        table, name = self.catalog.place(self.conditions[0][1].column)
        declared = self.catalog.tables[table]
        prices = [each for each, column in declared.columns.items() if column.type == "number" and column.unit]
        if declared.label != name or len(prices) != 1:
            return ()
        self._use(money)
        return (f"{table}.{prices[0]}",)

    def _superlative_of_day(self) -> RowQuery | None:
        """Return the row of which something was done last or first: "who was hired most recently"."""
        ranks = self.signs(Sign.NEWEST, Sign.OLDEST)
        done = [item for item in self.named("column") if self._is_done(item)] or self._dated_people(ranks)
        if len(ranks) != 1 or len(done) != 1 or self.splits or self.grain or self.spans():
            return None
        table = done[0].refers_to.partition(".")[0]
        if any(item.refers_to != table for item in self.named("table")) or self.signs(Sign.HOW_MANY):
            return None
        self._use([*ranks, *done, *self.named("table")])
        self.take(Sign.WHICH, Sign.LIST)
        label = self.catalog.tables[table].label
        return RowQuery(
            table=table,
            columns=(f"{table}.{label}", done[0].refers_to) if label else (),
            where=tuple(made for _, made in self.conditions),
            order=done[0].refers_to,
            ascending=ranks[0].meaning is Sign.OLDEST,
            rows=self.count or 1,
        )

    def _dated_people(self, ranks: Sequence[Item]) -> list[Item]:
        """Return the day by which people are counted: "the last one to join"."""
        named = self.named("metric")
        metric = self.catalog.metrics[named[0].refers_to] if len(named) == 1 and ranks else None
        if metric is None or not metric.time or metric.table != known.of_people(self.catalog):
            return []
        self._use(named)
        return [Item(named[0].word, Named("column", ".".join(self.catalog.place(metric.time, metric.table))))]

    def _who_counts(self) -> RowQuery | None:
        """Return the people that a number would count: "who joined in May" asks for names."""
        metrics = self.named("metric")
        who = [item for item in self.items if item.meaning in (Sign.LIST, Sign.WHICH) and is_who(item)]
        if len(metrics) != 1 or not who or self.splits or self.grain or self.count or self.bounds:
            return None
        metric = self.catalog.metrics[metrics[0].refers_to]
        table = known.of_people(self.catalog)
        time = ".".join(self.catalog.place(metric.time, table)) if metric.time else ""
        if not metric.counts_rows or metric.table != table or not time or len(self.spans()) != 1:
            return None
        self._use([*metrics, *who, *self.spans()])
        period = self.spans()[0].meaning
        return RowQuery(
            table=table,
            where=tuple(made for _, made in self.conditions),
            period=period_of(period) if isinstance(period, DaySpan) else None,
            time=time if time != time_of(self.catalog, table) else "",
        )

    def _superlative_of_value(self) -> RowQuery | None:
        """Return the one row of those that values name: "the cheapest add-on"."""
        table = known.root(self.catalog, {made.column.partition(".")[0] for _, made in self.conditions})
        others = self.named("column") or self.splits or self.grain or self.spans()
        priced = bool(self.signs(Sign.DEAREST, Sign.CHEAPEST) and self.signs(Sign.MONEY))
        if not table or not self.signs(*_EXTREMES) or others or (self.signs(Sign.HOW_MANY) and not priced):
            return None
        self.take(*((Sign.HOW_MANY, Sign.MONEY) if priced else ()))
        order, ascending, rows = self._ranking(table, count=False)
        self.take(Sign.WHICH, Sign.LIST)
        where = tuple(made for _, made in self.conditions)
        of = known.of_rows(self.catalog, table)
        return RowQuery(table=table, where=where, of=of, order=order, ascending=ascending, rows=rows)

    def _people(self) -> RowQuery | None:
        """Return who there is, or who did something on some day: "who left last month", 人力资源部有谁."""
        whose = [item for item in self.signs(Sign.WHICH) if item.word.text.lower() == "whose"]
        day = self.day_done() or (self._day_named() if whose and self.spans() else "")
        table = day.partition(".")[0] or known.of_people(self.catalog)
        who = [item for item in self.signs(Sign.LIST, Sign.WHICH) if is_who(item)] or self.signs(Sign.LIST)[: bool(day)]
        if not who or not table or self.splits or self.grain or self.count or not (self.conditions or day):
            return None
        if day and is_who(who[0]) and not whose and not known.holds_people(self.catalog, table):
            return None  # "who started in May" is no list of projects
        of_people = any(made.column.partition(".")[0] == table for _, made in self.conditions)
        if (not day and (self.spans() or (who[0].meaning is Sign.WHICH and not of_people))) or len(self.spans()) > 1:
            return None
        self.use_day(day)
        self._use([*who, *self.spans()])
        spans = [item.meaning for item in self.spans() if isinstance(item.meaning, DaySpan)]
        return RowQuery(
            table=table,
            where=tuple(made for _, made in self.conditions),
            period=self._period_of(self.spans(), table, day) if spans else None,
            time=day if day != time_of(self.catalog, table) else "",
            of="" if day else known.of_rows(self.catalog, table),
        )

    def _day_named(self) -> str:
        """Return the one day that is named of the rows of one table: "whose contract ends in May"."""
        days = [item.refers_to for item in self.named("column") if self.catalog.column(item.refers_to).type == "date"]
        return days[0] if len(days) == 1 and not self.named("table", "metric") else ""

    def _ranking(self, table: str, *, count: bool) -> tuple[str, bool, int | None]:
        """Return the column by which rows are ranked, the direction, and how many rows."""
        ranks = self.signs(*_RANKS)
        if not ranks:
            return *self._by_age(table), None
        if self.from_place is not None:
            raise NotComposed(ranks[0].word.text)
        numbers = [item for item in self.named("column") if self._is_number(item)]
        implied = self._implied(ranks[0], table) if not numbers else ""
        busy = ranks[0].word.text.lower() == "busiest"  # it says of how many there are, and not of what one row says
        if (
            busy
            or len(ranks) != 1
            or len(numbers) > 1
            or count
            or not (numbers or implied)
            or (numbers and _is_age(ranks[0]))
        ):
            raise NotComposed(ranks[0].word.text)
        self._use([*ranks, *numbers])
        self.take(Sign.BY)
        named = [item.word.text.lower() for item in self.items if item.names("table")]
        many = implied and any(word.isascii() and word.endswith("s") and not word.endswith("ss") for word in named)
        if ranks[0].meaning in (Sign.DEAREST, Sign.CHEAPEST) and not self.spans():
            self.take(Sign.TRADE)  # "that we sell"
        ascending = ranks[0].meaning in (Sign.BOTTOM, Sign.CHEAPEST, Sign.OLDEST)
        return implied or numbers[0].refers_to, ascending, self.count or (_SOME_ROWS if many else 1)

    def _implied(self, rank: Item, table: str) -> str:
        """Return the one column that a superlative is about: of money, or of the day; "" where it is not sure."""
        columns = self.catalog.tables[table].columns.items()
        money = [f"{table}.{name}" for name, each in columns if each.type == "number" and each.unit and not each.masked]
        days = [f"{table}.{name}" for name, each in columns if each.type in ("date", "time")]
        if _is_age(rank):
            aged = rank.word.text.lower() in _AGED and known.holds_people(self.catalog, table)
            return days[0] if len(days) == 1 else "" if aged else time_of(self.catalog, table)
        sized = is_size(rank) and bool(days)  # how large a product is, its price does not say
        fits = sized or rank.meaning in (Sign.DEAREST, Sign.CHEAPEST)
        return money[0] if fits and len(money) == 1 else ""


def is_size(item: Item) -> bool:
    """Tell whether a word is said of how large one thing is."""
    return item.meaning in (Sign.TOP, Sign.BOTTOM) and item.word.text.lower() in _SIZES


def _is_age(item: Item) -> bool:
    return item.meaning in (Sign.NEWEST, Sign.OLDEST)


def is_who(item: Item) -> bool:
    """Tell whether a person is asked for."""
    return "谁" in item.word.text or item.word.text.lower().startswith("who")
