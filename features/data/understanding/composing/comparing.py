"""What the words tell apart: values that are compared or asked for one by one, days on which something is done."""

import re
from collections.abc import Mapping, Sequence

from features.data.understanding.composing.gathering import Gathering
from features.data.understanding.words.concepts import spellings
from features.data.understanding.words.items import OR, Item, NotComposed
from features.data.understanding.words.periods.spans import DaySpan, calendar_span
from features.data.understanding.words.signs import Sign
from features.data.understanding.words.units import is_currency
from features.data.understanding.words.vocabulary import Named
from queries.sql.metrics.measures import time_of
from queries.sql.metrics.query import Grain, Period
from queries.sql.metrics.steps import step_of

#: Steps that a number of weeks, months, quarters or years until today is made of.
_STEPS: Mapping[str, tuple[Grain, ...]] = {
    "": (),
    "week": ("week",),
    "month": ("month",),
    "quarter": ("month", "quarter"),
    "year": ("month", "quarter", "year"),
}
#: What is said of rows that stand in the order of their days.
_AGES = re.compile(r"old|new|early|earliest|latest|recent|[旧新早晚]")
_DIFFERENCES = frozenset({"差多少", "相差多少", "相差", "差距", "差了多少"})


class ComparedParts(Gathering):
    """What is told apart, and by which day."""

    def tell_apart(self) -> None:
        """Split by the column of which several values are compared or asked for one by one.

        "Berlin vs Hamburg" compares two values, "Berlin and Hamburg than last year" two periods.
        """
        several = [(at, made) for at, made in self.conditions if made.operator == "is" and len(made.values) > 1]
        compared = [at for at, item in enumerate(self.items) if item.meaning is Sign.COMPARE]
        between = [at for at in compared if self._compares_values(at)]
        apart = [at for at in compared if self._is_value(at + 1) and at not in between and not self._is_span(at - 1)]
        if any(item.names("value") for at in apart for item in self.items[:at]):
            raise NotComposed(self.items[apart[0]].word.text)  # "more in the Nordics than in France"
        free = [at for at in compared if not any(self._is_span(near) for near in (at - 1, at + 1))]
        alone = not self.signs(Sign.CHANGE) or not self.spans()  # "does Finance have more people than Sales"
        loose = free if alone and len(self.spans()) < 2 else []
        each = self.signs(Sign.EACH)
        if between and not several:
            raise NotComposed(self.items[between[0]].word.text)
        which = self._chosen_among(several[0][1].column) if several else []
        differ = [item for item in self.signs(Sign.CHANGE) if item.word.text in _DIFFERENCES]
        which += differ if several and not self.spans() else []
        told = [*(self.items[at] for at in (between or (loose if several else []))), *each, *which]
        if (
            (between or which or (loose and several))
            and len(self.spans()) < 2
            and not self.signs(Sign.PREVIOUS, Sign.YEAR_EARLIER)
        ):
            told += self.signs(Sign.CHANGE, Sign.MORE, Sign.LESS, Sign.HIGH)
        if each and not several:
            self._split_each(each)
        for item in told:
            item.used = True
            item.meaning = Sign.EACH
        split = {self._column_of(item) for item in self.splits}
        if not told or len(several) != 1 or several[0][1].column in split:
            return
        word = self.items[several[0][0]].word
        self.splits.append(Item(word, Named("column", several[0][1].column), used=True))

    def _split_each(self, each: Sequence[Item]) -> None:
        """Split by the one column of which each value is asked for by itself: 其他地区的退货率分别是多少."""
        columns = [item for item in self.named("column") if self.catalog.column(item.refers_to).type == "text"]
        if len(columns) == 1 and not self.splits:
            self._split(columns[0])
        for item in each if self.splits else ():
            item.used = True

    def _chosen_among(self, column: str) -> list[Item]:
        """Return the words that ask which of some values has more: 哪个收入高, "which is higher"."""
        ranks = self.signs(Sign.HIGH, Sign.TOP, Sign.BOTTOM, Sign.MORE, Sign.LESS, Sign.CHANGE)
        either = [item for item in self.items if item.meaning is Sign.AND and item.word.text.lower() in OR]
        which = self.signs(Sign.WHICH)
        others = [item for item in self.named("column", "table") if item.refers_to != column.partition(".")[0]]
        free = not self.bounds and self.count is None and not others and not self.splits
        return [*which, *either, *ranks] if free and (which or (either and ranks)) else []

    def _compares_values(self, at: int) -> bool:
        """Tell whether a comparison is of two values: "Berlin vs Hamburg", "higher for online visits than by phone"."""
        if not self._is_value(at + 1):
            return False
        column = self.items[at + 1].refers_to
        before = [item for item in self.items[:at] if item.names("value")]
        return bool(before) and before[-1].refers_to == column and not self._is_span(at - 1)

    def is_said_of(self, measured: int, value: int) -> bool:
        """Tell whether a value is said of what is measured, rather than where that is: "in Berlin"."""
        begin, end = (self.items[at].word.start for at in (measured, value))
        return any(begin < start < end for start in self.said_of)

    def in_whole_steps(self, period: Period | None, grain: Grain | None) -> Period | None:
        """Return "the last 6 months" by month as six months, this one among them: a part of a month is none."""
        spans = [item.meaning for item in self.spans() if isinstance(item.meaning, DaySpan)]
        if period is None or period.start is None or grain is None or len(spans) != 1:
            return period
        step = step_of(grain)
        if step is None or step not in _STEPS[spans[0].rolls]:
            return period
        first = calendar_span(step, period.start)
        return period if first.start == period.start else period.model_copy(update={"start": first.end})

    def _by_age(self, table: str) -> tuple[str, bool]:
        """Return the day by which all rows stand, and whether the first stands first: "oldest first"; "" for none."""
        told = [item for item in self.signs(Sign.ASCENDING, Sign.DESCENDING) if _AGES.search(item.word.text.lower())]
        empty = {made.column for _, made in self.conditions if made.values == (None,)}
        columns = self.catalog.tables[table].columns.items()
        days = [f"{table}.{name}" for name, each in columns if each.type in ("date", "time") and not each.ahead]
        day = next((each for each in days if told and each not in empty), "")
        self._use(told if day else [])
        return day, not day or told[0].meaning is Sign.ASCENDING

    @staticmethod
    def _use(items: Sequence[Item]) -> None:
        for item in items:
            item.used = True

    def _use_money(self, unit: str) -> None:
        """Take "euros", "minutes", of what is measured so: pounds are no euros."""
        for item in self.signs(Sign.MONEY) if unit else ():
            item.used = is_currency(item.word.text, unit)
        self._use([item for item in self.named("column") if item.word.text.lower() in spellings(unit)])

    def _use_new(self, *, of_all: bool) -> None:
        """Take "new", which is said of what began in a period: of all that there is it would be another number."""
        if self.signs(Sign.NEW) and self.spans() and not of_all:
            self.take(Sign.NEW)

    def day_done(self, table: str = "") -> str:
        """Return the column of the day on which something is done in a period: "left this year"; "" for none.

        The table's own time comes first: "the due dates of projects that started in May".
        """
        if not self.spans():
            return ""
        own = time_of(self.catalog, table) if table else ""
        days = {item.refers_to for item in self.named("column") if self._is_done(item) or item.refers_to == own}
        found = {each for each in days if not table or each.partition(".")[0] == table}
        if own in found:
            return own
        return found.pop() if len(found) == 1 else ""

    def use_day(self, day: str) -> None:
        """Use the words that name this column."""
        self._use([item for item in self.named("column") if day and item.refers_to == day])


def period_of(span: DaySpan) -> Period:
    """Return the period that a stretch of days is."""
    return Period(start=span.start, end=span.end)
