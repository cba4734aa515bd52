"""Days of the week of which all are meant: "on Mondays", at weekends, 每周一, 周末."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from features.data.understanding.words.periods.spans import DaySpan, OnDays
from language.moments import Spotted
from language.numbers.dates import CHINESE_WEEKDAYS, WHOLE_WEEKDAYS, chinese_weekday

_WORKING = ("on weekdays", "during weekdays", "working days", "on working days", "business days", "workdays", "工作日")
_WEEKEND = ("weekends", "at weekends", "on weekends", "at the weekend", "on the weekend", "on a weekend", "周末")

_BARE = re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])")

#: One weekend, which is over or runs: Saturday and Sunday.
_ONE = re.compile(
    r"\b(?:(?:on|at|over) )?(?:the )?(?P<which>last|past|this|previous) weekend\b|(?P<zh>上上|上|这|本)个?周末"
)


def weekends_in(plain: str, today: date) -> Iterator[Spotted[DaySpan]]:
    """Yield the weekends that a folded text names; the last one is over, or is that of last week in Chinese."""
    monday = today - timedelta(days=today.weekday())
    for match in _ONE.finditer(plain):
        weeks = {"上上": 2, "上": 1}.get(match["zh"] or "", 0 if match["zh"] or match["which"] == "this" else 1)
        saturday = monday + timedelta(days=5 - 7 * weeks)
        yield Spotted(DaySpan(saturday, saturday + timedelta(days=2), "range"), match.start(), match.end())


def on_days() -> Iterator[tuple[str, OnDays]]:
    """Yield each phrase with the days that it is of."""
    for number, (english, chinese) in enumerate(zip(WHOLE_WEEKDAYS, CHINESE_WEEKDAYS, strict=True), start=1):
        for lead in ("", "on ", "every ", "each ", "on a "):
            yield f"{lead}{english}", OnDays((number,))
        for each in (chinese, "天") if chinese == "日" else (chinese,):
            for week in ("周", "星期", "礼拜"):
                yield from ((f"{lead}{week}{each}", OnDays((number,))) for lead in ("每个", "每", "所有"))
    yield from ((each, OnDays((1, 2, 3, 4, 5))) for each in _WORKING)
    yield from ((each, OnDays((6, 7))) for each in _WEEKEND)


def weekly(text: str, start: int, end: int) -> tuple[OnDays, ...]:
    """Return the day of the week that 周一的 may be of, all of them; none where one day is meant."""
    said = _BARE.fullmatch(text, start, end)
    if said is None or text[end : end + 1] != "的":
        return ()
    return (OnDays((chinese_weekday(said[1]) + 1,)),)
