"""The periods that words name, and what each is compared with."""

from collections.abc import Sequence
from datetime import date, timedelta

from features.data.understanding.composing.rows import RowComposition
from features.data.understanding.words.items import Item, NotComposed, PeriodMissing
from features.data.understanding.words.periods.spans import DaySpan
from features.data.understanding.words.periods.turned import (
    after,
    in_one_year,
    latest_of,
    once_compared,
    period_of,
    same_part,
    until,
    within_open,
)
from features.data.understanding.words.signs import Sign
from queries.sql.metrics.query import Period

#: Periods that have one after them.
_STEPS = ("day", "week", "month", "quarter", "half", "year")


class TimeComposition(RowComposition):
    """The periods of a query that the parts make."""

    def periods(self) -> tuple[Period | None, Period | None]:
        """Return the period, and the one that it is compared with."""
        named = self.spans()
        self._use(named)
        spans = within_open([item.meaning for item in named if isinstance(item.meaning, DaySpan)])
        compares = self.take(Sign.COMPARE, Sign.CHANGE)
        spans = in_one_year(spans) if compares else spans
        previous, year = self.take(Sign.PREVIOUS), self.take(Sign.YEAR_EARLIER)
        spans = once_compared(spans) if year or previous else spans
        if not (compares or previous or year):
            if self._are_side_by_side(named) and not self.signs(Sign.SHARE):
                late, early = sorted(spans, key=lambda span: span.start or date.min, reverse=True)
                return period_of(late), period_of(early)
            if len(spans) > 1:
                raise NotComposed(named[-1].word.text)
            return (period_of(spans[0]) if spans else None), None
        if len(spans) > 2 or any(span.unit in ("range", "open") for span in spans):
            raise NotComposed(named[-1].word.text)
        if len(spans) == 2 and not (previous or year):
            late, early = sorted(spans, key=lambda span: span.start or date.min, reverse=True)
            return period_of(late), period_of(same_part(late, early))
        if len(spans) != 1:
            raise PeriodMissing
        return self._against(spans[0], named[0], year=year, named_against=not previous and not year)

    def _are_side_by_side(self, named: Sequence[Item]) -> bool:
        """Tell whether two periods of one length are joined: 昨天和前天, "in May and June"."""
        spans = [item.meaning for item in named if isinstance(item.meaning, DaySpan)]
        if len(spans) != 2 or spans[0].unit != spans[1].unit or spans[0].unit in ("range", "open", "days"):
            return False
        first, last = (self.items.index(item) for item in named)
        joined = last - first == 2 and self.items[first + 1].meaning is Sign.AND
        if not joined or self.grain or self.bounds:
            return False
        self._use(self.signs(Sign.EACH, Sign.BY) if not self.splits else self.signs(Sign.EACH))
        return True

    def _against(
        self, span: DaySpan, item: Item, *, year: bool, named_against: bool
    ) -> tuple[Period | None, Period | None]:
        if year:
            return period_of(span), period_of(self.year_earlier(span))
        if self._is_same_part() and self._is_running(span):
            return period_of(span), period_of(until(span, span.before(), self.today))
        if span.rolls and self.signs(Sign.COMPARE) and not self.signs(Sign.CHANGE, Sign.PREVIOUS):
            raise PeriodMissing  # 这两年对比 is one year with the other
        if named_against and self._is_compared_with(item):
            later = after(span) if span.unit in _STEPS else span
            if later.end is not None and later.end <= self.today:  # "than October last year" is this October
                later = latest_of(span, self.today)
            if later is span or span.unit == "days":
                raise PeriodMissing
            return period_of(later), period_of(self._as_far(later, span))
        return period_of(span), period_of(self._as_far(span, span.before()))

    def _is_same_part(self) -> bool:
        """Tell whether it is compared with as many days of the period before: 上月同期."""
        said = [item.word.text.lower() for item in self.signs(Sign.PREVIOUS)]
        return any("same" in each or each.endswith("同期") for each in said)

    def _as_far(self, span: DaySpan, earlier: DaySpan) -> DaySpan:
        """Return what a period is compared with: where it is not over yet, growth is over as many days of both."""
        grows = self.signs(Sign.CHANGE) and self._is_running(span)
        return until(span, earlier, self.today) if grows else earlier

    def year_earlier(self, span: DaySpan) -> DaySpan:
        """Return a period of a year earlier, as far as this one has come."""
        return until(span, span.year_before(), self.today) if self._is_running(span) else span.year_before()

    def _is_running(self, span: DaySpan) -> bool:
        return (
            span.start is not None and span.end is not None and span.start <= self.today < span.end - timedelta(days=1)
        )

    def _is_compared_with(self, item: Item) -> bool:
        """Tell whether a period is what is compared with: "than last month", 比上月."""
        at = self.items.index(item)
        before = at > 0 and self.items[at - 1].meaning is Sign.COMPARE
        after = not item.word.text.isascii() and at + 1 < len(self.items) and self.items[at + 1].meaning is Sign.COMPARE
        return before or after
