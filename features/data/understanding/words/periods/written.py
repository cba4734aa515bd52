"""Periods of days as people write them about what has been, English and Chinese: "last month", "since Monday", 近7天.

A month, quarter or weekday without its year is the latest that has begun. "Last week" is the calendar's, from Monday;
"past week" and "last 7 days" are the days until today, today included.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Literal

from features.data.understanding.words.periods.feasts import (
    FEASTS,
    SEASONS,
    feast_on,
    holiday,
    season_of,
    third_of_month,
    year_of,
)
from features.data.understanding.words.periods.months import MONTH, number_of
from features.data.understanding.words.periods.spans import DaySpan, SpanUnit, calendar_span, moved
from features.data.understanding.words.periods.weekdays import weekends_in
from language.moments import Spotted, days_in, folded
from language.numbers.amounts import SPELLED, whole
from language.numbers.dates import WHOLE_WEEKDAYS

_SPELLED = "|".join(word for word in SPELLED if word != "zero")
_WEEKDAY = rf"(?:{'|'.join(WHOLE_WEEKDAYS)})"
_WHICH_YEAR = r"(?:20\d\d|(?:this|last|the\ previous)\ year)"
_YEAR_ZH = r"(?:20\d\d年|今年|本年度?|去年|前年|明年|上一?年)"
_NUMBER_ZH = r"(?:(?<!\d)\d{1,3}|[一二两三四五六七八九十]{1,3})"
_ATOMS = re.compile(
    rf"""\b(?:the\ )?(?:last|past|previous|recent)\ (?P<count>\d{{1,3}}|{_SPELLED})\ (?=\w)
     (?P<unit>day|week|month|quarter|year)s?\b
    |\b(?:the\ )?(?:next|coming)\ (?P<ahead>\d{{1,3}}|{_SPELLED})\ (?=\w)(?P<ahead_unit>day|week|month|quarter|year)s?\b
    |\bolder\ than\ (?P<old>a|\d{{1,3}}|{_SPELLED})\ (?=\w)(?P<old_unit>day|week|month)s?\b
    |\b(?:the\ )?past\ (?P<rolling>day|week|month|quarter|year)\b
    |\b(?P<to_date>(?:this\ )?(?:year|month)[ -]to[ -]date|ytd|mtd|so\ far\ this\ (?:year|month)
     |the\ (?:year|month)\ so\ far)\b
    |\b(?:since|from)\ the\ (?:start|beginning|first\ day)\ of
     \ (?P<begins>(?:the|this|last)\ (?:week|month|quarter|year))\b
    |\b(?:the\ )?(?:last|past|previous)\ (?P<half_year>half[ -](?:a\ )?year)\b
    |\b(?:(?P<owner>{_WHICH_YEAR})(?:'s)?\ )?(?:the\ )?
     (?:q(?P<quarter>[1-4])|(?P<nth_quarter>first|second|third|fourth|1st|2nd|3rd|4th)\ quarter
     |h(?P<half>[12])\b|(?P<nth_half>first|second|1st|2nd)\ half(?:\ of\ the\ year\b)?)
     (?:[ ,/-]{{0,2}}(?:of\ )?(?P<its_year>{_WHICH_YEAR}))?(?!\w)
    |\b(?P<which>this|the\ current|current|last|the\ last|the\ previous|previous|next)\ (?=\w)
     (?P<calendar>week|month|quarter|year)\b
    |\b(?:(?P<season_which>last|this)\ )?(?P<season>spring|summer|autumn|winter)\b
     (?:\ (?:of\ )?(?P<season_year>{_WHICH_YEAR})\b)?
    |\b(?:the\ )?end\ of\ (?P<ends>(?:the|this|next|last)\ (?:week|month|quarter|year))\b
    |(?P<ends_zh>本?[年月])底
    |(?:(?P<third_year>{_YEAR_ZH})?的?(?:(?P<third_of>(?<!\d)1[0-2]|(?<!\d)0?[1-9]|十[一二]|[一二三四五六七八九十])月|
     (?P<third_which>上上|上|本|这|当)个?月))份?的?(?P<third>[上中下])旬
    |(?<![\w.])(?:last\ |this\ )?(?P<month>{MONTH})(?!\ \d{{1,2}}\b(?!\d))
     (?:,?\ (?:of\ )?(?P<months_year>{_WHICH_YEAR})\b)?
    |\b(?:last\ |this\ |on\ )?(?P<weekday>{_WEEKDAY})\b
    |\b(?:the\ )?(?P<two_off>day\ (?:before\ yesterday|after\ tomorrow))\b
    |\b(?P<near>today|yesterday|tomorrow|tmrw?)\b(?:'s\b)?
    |(?<![\w.,:-])(?P<year>20[0-4]\d)(?![\w%€$,.:-]?\d|年|\ ?(?:eur|euros?|usd|%|€|people|orders)\b)\b
    |(?<!\w)(?:'|(?:(?<=^and\ )|(?<=^about\ )|(?<=\ about\ ))(?=\d\d\ (?:so\ far|as\ a\ whole|in\ total|overall)\b))
     (?P<short_year>2\d)(?!\w)
    |\b(?:for|in)\ (?:over\ |more\ than\ |at\ least\ )?(?P<idle>a|\d{{1,3}}|{_SPELLED})\ (?=\w)
     (?P<idle_unit>week|month|year)s?\b
    |(?:超过|至少)?(?P<idle_zh>{_NUMBER_ZH}|半)(?P<idle_unit_zh>天|个?(?:周|星期|季度)|个月|年)(?:多|以上)?(?=都?[没未])
    |(?:最近|过去|近|这)的?(?P<count_zh>{_NUMBER_ZH}|半)\ ?个?(?P<unit_zh>天|日|周|星期|礼拜|月|季度|年)(?:以?来|内|里)?
    |(?P<year_of>{_YEAR_ZH})?的?(?:第?(?P<quarter_zh>[一二三四1-4])个?季度|(?<![a-z\d])q(?P<quarter_q>[1-4])(?![a-z\d])|(?P<half_zh>[上下]半年)
     |(?P<season_zh>[春夏秋冬])[天季](?!度)
     |双(?P<double_zh>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])(?!\d)
     |(?P<holiday_zh>国庆|五一)(?:节|黄金周|长假|假期)?(?:的?那一?[周天]|那几天|期间)?
     |(?P<feast_zh>圣诞节?|元旦)
     |(?P<month_zh>(?<!\d)1[0-2]|(?<!\d)0?[1-9]|十[一二]|[一二三四五六七八九十])月(?!\d|[一二三四五六七八九十])份?)
    |(?P<which_zh>上上|上一|上|本|这一|这|当|下)个?(?P<calendar_zh>(?:周|星期|礼拜)(?:(?![一二三四五六日天])|(?=一共))|月(?![一二三四五六七八九十\d]{{1,3}}[日号])|季度|季)
    |(?:未来|今后|接下来)的?(?P<ahead_zh>{_NUMBER_ZH})个?(?P<ahead_unit_zh>天|日|周|星期|月|季度|年)内?
    |(?P<last_week_zh>上|这|本)?(?:周|星期|礼拜)(?P<weekday_zh>(?!一共)[一二三四五六日天])
    |(?P<begun_zh>自?(?:(?:今年)?年初|开年|本?月初)(?:至今|到现在|以来|到今天))
    |\b(?:(?P<feast_which>last|this)\ )?(?P<feast>christmas(?:\ day|\ eve)?|new\ year's\ eve|black\ friday)
     (?:,?\ (?:of\ )?(?P<feast_year>{_WHICH_YEAR})\b)?(?!\w)
    |(?P<near_zh>前天|昨天|昨日|今天|今日|明天|明日|后天)
    |(?P<year_zh>{_YEAR_ZH})度?(?:初至今)?""",
    re.VERBOSE,
)
#: "Not ordered for a year", "no orders in 6 months".
_UNDONE = re.compile(r"\b(?:no|not|never|without|haven't|hasn't|hadn't|didn't|don't|doesn't)\b")
_YEAR_AHEAD = re.compile(rf"(?P<year>{_YEAR_ZH})的?$")
_YEAR_BEHIND = re.compile(rf"(?:,|\ of)?\ (?P<year>{_WHICH_YEAR})\b")
_TO_DAY = r"\ ?(?:to|until|till|through|[-–—~])\ ?(?:the\ )?"
_NTH = r"(?:st|nd|rd|th)?"
_DAYS = re.compile(
    rf"""(?:\b(?:from|in|on|during)\ )?(?:the\ )?
     (?:(?:\bbetween\ (?:the\ )?(?P<between>\d{{1,2}}){_NTH}\ and\ (?:the\ )?)
     |(?<![\w.,:-])(?P<from>\d{{1,2}}){_NTH}{_TO_DAY})(?P<to>\d{{1,2}}){_NTH}\ (?:of\ )?(?P<month>{MONTH})
     (?:,?\ (?P<year>20\d\d)\b)?
    |(?:\b(?:from|in|on|during)\ )?(?<!\w)(?P<month_first>{MONTH})\ (?P<from_2>\d{{1,2}}){_NTH}{_TO_DAY}
     (?P<to_2>\d{{1,2}}){_NTH}(?![\w:.]?\d)(?!\w)(?!\ {MONTH})(?:,?\ (?P<year_2>20\d\d)\b)?
    |从?(?P<year_zh>{_YEAR_ZH})?(?<!\d)(?P<month_zh>1[0-2]|0?[1-9])月(?P<from_zh>\d{{1,2}})[日号]?\ ?(?:到|至|[-–—~])\ ?
     (?P<to_zh>\d{{1,2}})[日号](?:之?间|期间)?""",
    re.VERBOSE,
)
_SINCE = re.compile(r"(?:\b(?:since|from|starting|beginning)(?:\ the)?|自从|自|从)\ ?$")
#: What leaves "from last week" open; else it is of that week.
_ON = re.compile(r"\ (?:on(?:wards?)?|onwards?|up\ to\ now|(?:un)?til\ now|to\ date)\b")
#: A year that is named by itself, so that "before July this year" is within it.
_OWN_YEAR = re.compile(r"\b(?:this|last|previous)\ year|今年|本年|去年|前年|上一?年")
_PARTS_OF_YEAR = ("day", "month", "quarter", "half")
_UNTIL = re.compile(r"\b(?:until|till|up\ to|through|by)(?:\ the)?\ $|(?:截[至止]|直到)到?$")
_BEFORE = re.compile(r"\b(?:before|prior\ to)(?:\ the)?\ $")
_AFTER = re.compile(r"\bafter(?:\ the)?\ $")
_LEAD = re.compile(r"\b(?:in|during|for|of|on|within|over)(?:\ the)?\ $|在$")
_BETWEEN_AND = re.compile(r"\bbetween(?: the)? $")
_BETWEEN = re.compile(r"(?:\b(?:between|from)(?:\ the)?|从|自)\ ?$")
_TO = re.compile(r"\ ?(?:to|and|until|till|through|[-–—~～]|到|至)\ ?(?:the\ )?")
_SINCE_ZH = re.compile(r"(?:以来|至今|开始|以后|之后|起|后)")
_BEFORE_ZH = re.compile(r"(?:以前|之前|前(?![0-9一二三四五六七八九十几]))")
_NEARLY = re.compile(
    r"\b(?:in|since|from|until|till|during|for|of|to|and|between|before|after|through|last|this|vs\.?|versus|than|with)"
    r"(?: the)? $"
)
_LENGTHS: dict[str, SpanUnit] = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter",
    "季": "quarter", "年": "year",
}  # fmt: skip
_NEAR = {"today": 0, "yesterday": -1, "昨天": -1, "昨日": -1, "前天": -2, "明天": 1, "明日": 1, "后天": 2}
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}


#: Characters before a period in which words that lead up to it are looked for, and those that say "not".
_LEADING, _UNDONE_WITHIN = 40, 300


def periods_in(text: str, today: date) -> Iterator[Spotted[DaySpan]]:
    """Yield the periods that a text names, as seen from `today`, each with all words that belong to it."""
    plain = folded(text)
    atoms = [_with_owner(each, plain) for each in _atoms(plain, today)]
    while atoms:
        first = atoms.pop(0)
        to = _TO.match(plain, first.end)
        if atoms and to and to.end() == atoms[0].start and _is_range(plain, first.start, to.group()):
            last = atoms.pop(0)
            begin = _leading(_BETWEEN, plain, first.start)
            yield Spotted(_range(first.value, last.value), begin.start() if begin else first.start, last.end)
        elif (spotted := _within_year(_with_words(first, plain), first, plain)).value.unit != "end":
            yield spotted


def _leading(words: re.Pattern[str], plain: str, start: int) -> re.Match[str] | None:
    """Return the words that lead up to a place: looked for just before it, whatever the length of the text."""
    return words.search(plain, max(0, start - _LEADING), start)


_COMPARED = re.compile(r"\ (?:vs|versus|compared)\b")
_OWNS = re.compile(r"'s(?!\w)")


def _with_owner(found: Spotted[DaySpan], plain: str) -> Spotted[DaySpan]:
    """Return a period with the "'s" of "October's revenue"."""
    owns = _OWNS.match(plain, found.end)
    return replace(found, end=owns.end()) if owns else found


def _is_range(plain: str, start: int, to: str) -> bool:
    """Tell whether the words between two periods make one of them: "and" does only after "between"."""
    return "and" not in to or _leading(_BETWEEN_AND, plain, start) is not None


def _range(first: DaySpan, last: DaySpan) -> DaySpan:
    start, end = first.start, last.end
    if start is not None and end is not None and start >= end:
        start = moved(start, -12)
    return DaySpan(start, end, "range")


def _with_words(found: Spotted[DaySpan], plain: str) -> Spotted[DaySpan]:
    """Return a period with what stands around it: "since", "until", 以来."""
    value, start, end = found.value, found.start, found.end
    if value.unit == "range":
        return found
    tail = _SINCE_ZH.match(plain, end)
    leads: tuple[tuple[re.Pattern[str], date | None, date | None], ...] = (
        (_SINCE, value.start, None),
        (_UNTIL, None, value.end),
        (_BEFORE, None, value.end if value.unit == "end" else value.start),
        (_AFTER, value.end, None),
    )
    for pattern, begin, until in leads:
        if said := _leading(pattern, plain, start):
            if said.group().startswith("from"):
                if not (on := _ON.match(plain, end)) and value.unit != "day":
                    return Spotted(value, said.start(), end)  # "orders from last week"
                end = on.end() if on else end
            opened = DaySpan(begin, until, "open", any_year=value.any_year and begin is None)
            return Spotted(opened, said.start(), tail.end() if tail else end)
    if tail:
        later = value.end if tail.group() in ("以后", "之后", "后") else value.start
        return Spotted(DaySpan(later, None, "open"), start, tail.end())
    if (tail := _BEFORE_ZH.match(plain, end)) and value.unit != "days":
        until = value.end if value.unit == "end" else value.start
        return Spotted(DaySpan(None, until, "open", any_year=value.any_year), start, tail.end())
    said = _leading(_LEAD, plain, start)
    return Spotted(value, said.start() if said else start, end)


def _within_year(found: Spotted[DaySpan], of: Spotted[DaySpan], plain: str) -> Spotted[DaySpan]:
    """Return "before July this year", "through September" as of that year; "before July 2024" has no beginning."""
    value, named = found.value, of.value
    if value.unit != "open" or value.start is not None or named.unit not in _PARTS_OF_YEAR or named.start is None:
        return found
    own = _OWN_YEAR.search(plain[of.start : of.end]) is not None
    through = named.any_year and plain[found.start : of.start].startswith("through")
    first = named.start.replace(month=1, day=1)
    if not (own or through) or (value.end is not None and value.end <= first):
        return found
    return replace(found, value=DaySpan(first, value.end, "range"))


def _atoms(plain: str, today: date) -> list[Spotted[DaySpan]]:
    ranges = [*_day_ranges(plain, today)]
    days = [
        _in_year(Spotted(DaySpan(day, day + timedelta(days=1), "day"), spotted.start, spotted.end), plain, today)
        for spotted in days_in(plain, today)
        if any(map(str.isdecimal, plain[spotted.start : spotted.end]))
        and "后" not in plain[spotted.start : spotted.end]
        if (day := _past(spotted.value, plain[spotted.start : spotted.end], today)) is not None
    ]
    taken = bytearray(len(plain) + 1)
    _take(taken, ranges)
    days = [*ranges, *(day for day in days if not any(taken[day.start : day.end]))]
    found = [*days, *weekends_in(plain, today)]
    _take(taken, found)
    for match in _ATOMS.finditer(plain):
        if any(taken[match.start() : match.end()]) or _is_word(match, plain):
            continue
        try:
            span = _span(match, today)
        except ValueError:
            continue
        start = match.start() + (1 if match.group().startswith("的") else 0)
        found.append(Spotted(span, start, match.end()))
    return sorted(found, key=lambda each: each.start)


def _take(taken: bytearray, found: list[Spotted[DaySpan]]) -> None:
    """Mark the characters of periods as taken."""
    for each in found:
        taken[each.start : each.end] = b"\1" * (each.end - each.start)


def _in_year(found: Spotted[DaySpan], plain: str, today: date) -> Spotted[DaySpan]:
    """Return a day in the year that stands beside it: 去年11月11日, "11 November last year"."""
    ahead, behind = _leading(_YEAR_AHEAD, plain, found.start), _YEAR_BEHIND.match(plain, found.end)
    named = ahead or behind
    day = found.value.start
    if named is None or day is None or re.search(r"20\d\d", plain[found.start : found.end]):
        return found
    year = year_of(named["year"], today)
    value = calendar_span("day", moved(day, 12 * (year - day.year)))
    return Spotted(value, ahead.start() if ahead else found.start, behind.end() if behind and not ahead else found.end)


def _day_ranges(plain: str, today: date) -> Iterator[Spotted[DaySpan]]:
    """Yield days of one month: "1 to 15 November", 10月1日到7日."""
    for match in _DAYS.finditer(plain):
        said = {name.partition("_")[0]: value for name, value in match.groupdict().items() if value}
        month = said["month"] if said["month"].isdecimal() else str(number_of(said["month"]))
        year = year_of(said["year"], today) if "year" in said else today.year
        first, last = int(said.get("from") or said["between"]), int(said["to"])
        try:
            start, end = date(year, int(month), first), date(year, int(month), last)
        except ValueError:
            continue
        if "year" not in said and start > today:
            start, end = moved(start, -12), moved(end, -12)
        if start < end:
            yield Spotted(DaySpan(start, end + timedelta(days=1), "range"), match.start(), match.end())


def _is_word(match: re.Match[str], plain: str) -> bool:
    """Tell whether a month is rather a word: "may I", a march."""
    if match.group() not in ("may", "mar", "march") or match["months_year"]:
        return False
    alone = match.group() == plain.strip(" ?.!") or _COMPARED.match(plain, match.end())
    return not alone and _leading(_NEARLY, plain, match.start()) is None


def _past(day: date, written: str, today: date) -> date | None:
    """Return a day of a month as the latest that has been; None for a bare number of a day ("the 3rd")."""
    if not re.search(r"[a-z]{3}|月|-", written):
        return None
    return day if day <= today or re.search(r"20\d\d", written) else moved(day, -12)


def _span(found: re.Match[str], today: date) -> DaySpan:  # noqa: C901, PLR0911, PLR0912 - a line for each way of writing
    said = {name: value for name, value in found.groupdict().items() if value}
    match said:
        case {"count": count, "unit": unit}:
            return _rolling(whole(count), unit, today)
        case {"rolling": unit}:
            return _rolling(1, unit, today)
        case {"count_zh": "半", "unit_zh": unit}:
            if unit != "年":
                raise ValueError("half of what?")
            return _rolling(6, "month", today)
        case {"count_zh": count, "unit_zh": unit}:
            return _rolling(whole(count), _LENGTHS[unit], today)
        case {"idle": count, "idle_unit": unit}:
            if not _UNDONE.search(found.string, max(0, found.start() - _UNDONE_WITHIN), found.start()):
                raise ValueError("how long something took is no period")
            return _rolling(1 if count == "a" else whole(count), unit, today)
        case {"idle_zh": count, "idle_unit_zh": unit}:
            half = count == "半" and unit == "年"
            return _rolling(6, "month", today) if half else _rolling(whole(count), _LENGTHS[unit.lstrip("个")], today)
        case {"ahead": count, "ahead_unit": unit} | {"ahead_zh": count, "ahead_unit_zh": unit}:
            return _ahead(whole(count), _LENGTHS.get(unit, unit), today)
        case {"old": count, "old_unit": unit}:
            begun = _rolling(1 if count == "a" else whole(count), unit, today).start
            return DaySpan(None, None if begun is None else begun - timedelta(days=1), "open")
        case {"begun_zh": _} | {"begins": _} | {"half_year": _}:
            return _begun(said, today)
        case {"short_year": year}:
            return calendar_span("year", date(2000 + int(year), 1, 1))
        case {"to_date": words}:
            return calendar_span("year" if "y" in words.replace("day", "") else "month", today)
        case {"ends": ending}:
            which, _, unit = ending.partition(" ")
            return _last_day(_calendar(unit, which, today))
        case {"ends_zh": ending}:
            return _last_day(calendar_span("year" if ending.endswith("年") else "month", today))
        case {"calendar": unit, "which": which}:
            return _calendar(unit, which.removeprefix("the "), today)
        case {"calendar_zh": unit, "which_zh": which}:
            return _calendar(_LENGTHS[unit], which, today)
        case {"quarter": number} | {"quarter_q": number} | {"quarter_zh": number}:
            return _part("quarter", whole(number), said, today)
        case {"nth_quarter": number}:
            return _part("quarter", _ORDINALS[number], said, today)
        case {"half": number}:
            return _part("half", int(number), said, today)
        case {"nth_half": number}:
            return _part("half", _ORDINALS[number], said, today)
        case {"half_zh": half}:
            return _part("half", 1 if half[0] == "上" else 2, said, today)
        case {"season": season}:
            which = said.get("season_which") or ("in" if _leading(_NEARLY, found.string, found.start()) else "")
            return season_of(SEASONS[season], which, said.get("season_year", ""), today)
        case {"season_zh": season}:
            return season_of(SEASONS[season], "in", said.get("year_of", ""), today)
        case {"month": month}:
            return _before_this(_part("month", number_of(month), said, today), found, today)
        case {"month_zh": month}:
            return _part("month", whole(month), said, today)
        case {"weekday": weekday}:
            return _weekday(("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(weekday[:3]), today)
        case {"weekday_zh": weekday}:
            return _weekday_zh(weekday, said.get("last_week_zh", ""), today)
        case {"double_zh": number}:
            return feast_on((whole(number), whole(number)), said.get("year_of", ""), today)
        case {"third": third}:
            return third_of_month(third, _month_of_third(said, today))
        case {"holiday_zh": name}:
            return holiday(name, said.get("year_of", ""), today)
        case {"feast": feast} | {"feast_zh": feast}:
            return feast_on(FEASTS[feast], said.get("feast_year") or said.get("year_of", ""), today)
        case {"two_off": said_of}:
            return calendar_span("day", today + timedelta(days=2 if "after" in said_of else -2))
        case {"near": near} | {"near_zh": near}:
            return calendar_span("day", today + timedelta(days=_NEAR.get(near, int(near.startswith("t")))))
        case _:
            return calendar_span(
                "year", date(year_of(said["year"] if "year" in said else said["year_zh"], today), 1, 1)
            )


def _before_this(span: DaySpan, found: re.Match[str], today: date) -> DaySpan:
    """Return the month of the year before for "last November" while November runs."""
    last = found.group().startswith("last ") and not found["months_year"]
    runs = span.start is not None and span.end is not None and span.start <= today < span.end
    return span.year_before() if last and runs else span


def _begun(said: dict[str, str], today: date) -> DaySpan:
    """Return 年初至今, "since the start of the year" and "last half year"."""
    if words := said.get("begun_zh"):
        return calendar_span("month" if "月" in words else "year", today)
    if "half_year" in said:
        return _rolling(6, "month", today)
    which, _, unit = said["begins"].partition(" ")
    return DaySpan(_calendar(unit, which, today).start, None, "open")


def _rolling(count: int, unit: str, today: date) -> DaySpan:
    """Return so many days, weeks, months or years until today, today included."""
    if not 1 <= count <= 999:
        raise ValueError("no such period")
    end = today + timedelta(days=1)
    if unit in ("day", "week"):
        start = end - timedelta(days=count * (1 if unit == "day" else 7))
        return DaySpan(start, end, "days", "week" if unit == "week" else "")
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    kept: Literal["month", "quarter", "year"] = (
        "month" if unit == "month" else "quarter" if unit == "quarter" else "year"
    )
    return DaySpan(moved(end, -count * months), end, "days", kept)


def _ahead(count: int, unit: str, today: date) -> DaySpan:
    """Return so many days, weeks, months or years from tomorrow on."""
    begin = today + timedelta(days=1)
    days = {"day": 1, "week": 7}.get(unit, 0)
    end = begin + timedelta(days=count * days)
    return DaySpan(begin, end if days else moved(begin, count * {"month": 1, "quarter": 3}.get(unit, 12)), "days")


def _calendar(unit: str, which: str, today: date) -> DaySpan:
    kind: SpanUnit = (
        "week" if unit == "week" else "month" if unit == "month" else "quarter" if unit == "quarter" else "year"
    )
    here = calendar_span(kind, today)
    match which:
        case "last" | "previous" | "上" | "上一":
            return here.before()
        case "上上":
            return here.before().before()
        case "next" | "下":
            return calendar_span(kind, here.end or today)
        case _:
            return here


def _last_day(span: DaySpan) -> DaySpan:
    """Return the last day of a period: who asks what is before it means the whole of it."""
    end = span.end or date.max
    return DaySpan(end - timedelta(days=1), end, "end")


def _part(unit: SpanUnit, number: int, said: dict[str, str], today: date) -> DaySpan:
    """Return a month, quarter or half of a year: of the year that is named, or the latest that has begun."""
    months = {"month": 1, "quarter": 3, "half": 6}[unit]
    named = next((said[key] for key in ("owner", "its_year", "months_year", "year_of") if key in said), "")
    year = year_of(named, today) if named else today.year
    span = calendar_span(unit, date(year, (number - 1) * months + 1, 1))
    if named or span.start is None:
        return span
    return replace(span.year_before() if span.start > today else span, any_year=True)


def _month_of_third(said: dict[str, str], today: date) -> date:
    """Return the first day of the month of 十月上旬, 上个月下旬."""
    if "third_which" in said:
        return _calendar("month", said["third_which"], today).start or today
    year = year_of(said["third_year"], today) if "third_year" in said else today.year
    month = date(year, whole(said["third_of"]), 1)
    return moved(month, -12) if month > today and "third_year" not in said else month


def _weekday_zh(weekday: str, which: str, today: date) -> DaySpan:
    """Return 上周三, 本周三 of that week, a mere 周三 as the latest."""
    number = "一二三四五六日".index(weekday.replace("天", "日"))
    if not which:
        return _weekday(number, today)
    monday = calendar_span("week", today - timedelta(days=7 if which == "上" else 0)).start or today
    return calendar_span("day", monday + timedelta(days=number))


def _weekday(number: int, today: date) -> DaySpan:
    """Return the latest such day that is over: who means today says so."""
    return calendar_span("day", today - timedelta(days=(today.weekday() - number - 1) % 7 + 1))
