"""Days as people say them, seen from another day: "next Friday", "the 3rd", 下周五, 大后天, "in two working days"."""

import calendar
import re
from dataclasses import replace
from datetime import date, timedelta

from language.numbers.dates import WEEKDAY
from language.planning.items import (
    ABOUT,
    ABOUT_ZH,
    COUNT,
    MONTH,
    NTH,
    NUMBER_ZH,
    WEEK_ZH,
    DaySaid,
    Form,
    count_of,
    first_of_month,
    form,
    month_of,
    months_later,
    nth_of,
    weekday_of,
)
from language.planning.plans import Unclear

_NEAR = {
    "day after tomorrow": 2, "yesterday": -1, "today": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "tomorow": 1,
    "tommorow": 1, "tommorrow": 1, "2day": 0, "tdy": 0, "前天": -2, "昨天": -1, "昨日": -1,
    "今天": 0, "今日": 0, "明天": 1, "明日": 1,
    "后天": 2, "大后天": 3, "大大后天": 4, "今": 0, "明": 1, "昨": -1, "今儿": 0, "明儿": 1, "后儿": 2, "昨儿": -1,
}  # fmt: skip
_WEEK = timedelta(weeks=1)
#: Which week is meant, as seen from this one; "next Friday" may be of either.
_WEEKS = {
    "this": 0, "this week": 0, "next week": 1, "last": -1, "past": -1, "这": 0, "这个": 0, "本": 0, "本周": 0,
    "这周": 0, "下": 1, "下周": 1, "下星期": 1, "下礼拜": 1, "下下": 2, "下下个": 2, "上": -1, "上个": -1,
}  # fmt: skip
#: A day without its year that is over for less is taken for that day, not for the one of next year.
_JUST_PASSED = timedelta(days=60)
_YEAR_WORDS = {"今年": 0, "明年": 1, "后年": 2, "去年": -1, "前年": -2, "this year": 0, "next year": 1, "last year": -1}
_WORKING = 5
_SATURDAY, _SUNDAY = 5, 6
#: Years in which a day without its year is looked for: the 29th of February is rare.
_YEARS = 9


def _near(found: re.Match[str], today: date) -> DaySaid:
    ahead = _NEAR.get(found["near"], 1)  # the ways in which "tomorrow" is misspelled are many
    return DaySaid((today + timedelta(days=ahead),), today=ahead == 0)


def _today_later(found: re.Match[str], today: date) -> DaySaid:
    """Return 三个月后的今天: the day of today so many weeks, months or years later."""
    return DaySaid((_later(today, int(count_of(found["count"])), found["unit"]),))


def _ahead(found: re.Match[str], today: date) -> DaySaid:
    """Return the day in so many days, weeks, months, years, or working days."""
    count, unit = count_of(found["count"]), found["unit"]
    if count != int(count):
        raise ValueError
    return DaySaid((_later(today, int(count), unit),), same_time=True)


def _later(today: date, count: int, unit: str) -> date:
    if unit.startswith(("work", "business", "工作")):
        return _working_days_later(today, count)
    if unit.startswith(("month", "月", "year", "年")):
        return months_later(today, count * (12 if unit.startswith(("year", "年")) else 1))
    days = {"d": 1, "天": 1, "f": 14}.get(unit[0], 7)
    return today + timedelta(days=count * days)


def _working_days_later(day: date, count: int) -> date:
    for _ in range(count):
        day += timedelta(days=1)
        while day.weekday() >= _WORKING:
            day += timedelta(days=1)
    return day


def _week_from(found: re.Match[str], today: date) -> DaySaid:
    """Return "a week from Friday", "two weeks from today"."""
    word = found["from"]
    base = today + timedelta(days=_NEAR[word]) if word in _NEAR else _coming(weekday_of(word), today)
    return DaySaid((base + int(count_of(found["count"])) * _WEEK,))


def _week_on(found: re.Match[str], today: date) -> DaySaid:
    """Return "Thursday week", "a week on Thursday", "three weeks on Thursday"."""
    word, count = found["from"], found["count"]
    base = today + timedelta(days=_NEAR[word]) if word in _NEAR else _coming(weekday_of(word), today)
    weeks = {"week": 1, "fortnight": 2}.get(count) or count_of(count)
    if weeks != int(weeks):
        raise ValueError
    return DaySaid((base + int(weeks) * _WEEK,))


def _next_working_day(_: re.Match[str], today: date) -> DaySaid:
    return DaySaid((_working_days_later(today, 1),))


def _weeks_later(found: re.Match[str], today: date) -> DaySaid:
    """Return 两周后的周五: the Friday of the week that is so many weeks later."""
    monday = today - timedelta(days=today.weekday())
    return DaySaid((monday + int(count_of(found["count"])) * _WEEK + timedelta(days=weekday_of(found["weekday"])),))


def _coming(weekday: int, today: date) -> date:
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def _weekday(found: re.Match[str], today: date) -> DaySaid:
    """Return a weekday by its week: of this week, the coming one, of the next."""
    weekday, which = weekday_of(found["weekday"]), (found["which"] or "").strip().removesuffix("的")
    this, coming = today + timedelta(days=weekday - today.weekday()), _coming(weekday, today)
    weeks = _WEEKS.get(which)
    if weeks is not None:
        return DaySaid((this + weeks * _WEEK,), weekday=True)
    if which in ("next", "下个"):
        # Who plans on a Sunday may see its week behind it or before it.
        later = coming + _WEEK if which == "next" and today.weekday() == _SUNDAY else this + _WEEK
        return DaySaid((coming,) if coming == later else (coming, later), weekday=True)
    if which or weekday != today.weekday():
        return DaySaid((coming,), weekday=True)
    return DaySaid((today, coming), spare=coming, weekday=True)


def _weekend(found: re.Match[str], today: date) -> DaySaid:
    saturday = today - timedelta(days=today.weekday()) + timedelta(days=_SATURDAY)
    if (found["which"] or "").strip() in ("next", "下", "下个"):
        saturday += _WEEK
    days = (saturday, saturday + timedelta(days=1))
    return DaySaid(tuple(day for day in days if day >= today))


def _on(year: int, month: int, day: int) -> date | None:
    """Return a day of a year; None where the year has none."""
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        raise ValueError
    return date(year, month, day) if day <= calendar.monthrange(year, month)[1] else None


def _in_year(year: int, month: int, day: int) -> DaySaid:
    found = _on(year, month, day)
    return DaySaid((found,)) if found else DaySaid(unclear=Unclear.NO_SUCH_DAY)


def _without_year(month: int, day: int, today: date) -> DaySaid:
    """Return the coming day of a month; one that has just passed stays, with the coming one to spare."""
    coming = [found for more in range(_YEARS) if (found := _on(today.year + more, month, day)) and found >= today]
    if not coming:
        return DaySaid(unclear=Unclear.NO_SUCH_DAY)
    before = [found for more in (0, -1) if (found := _on(today.year + more, month, day)) and found < today]
    if before and today - before[0] < min(_JUST_PASSED, coming[0] - today):
        return DaySaid((before[0],), spare=coming[0])
    return DaySaid((coming[0],), spare=coming[1] if len(coming) > 1 else None)


def _month_day(found: re.Match[str], today: date) -> DaySaid:
    month, day, year = month_of(found["month"]), nth_of(found["day"]), found["year"]
    if year:
        relative = _YEAR_WORDS.get(year)
        return _in_year(int(year.rstrip("年")) if relative is None else today.year + relative, month, day)
    return _without_year(month, day, today)


def _iso(found: re.Match[str], _: date) -> DaySaid:
    return _in_year(int(found["year"]), int(found["month"]), int(found["day"]))


def _slashes(found: re.Match[str], today: date) -> DaySaid:
    """Return "03/04": the 3rd of April or the 4th of March, unless only one can be; in Chinese the month is first."""
    one, two, year = int(found["one"]), int(found["two"]), found["year"]
    orders = {(one, two)} if re.search(r"[\u4e00-\u9fff]", found.string) else {(one, two), (two, one)}
    weak = found["on"] is None and year is None
    said = [
        _in_year(int(year), month, day) if year else _without_year(month, day, today)
        for month, day in sorted(orders)
        if 1 <= month <= 12 and 1 <= day <= 31
    ]
    days = tuple(sorted({day for each in said for day in each.days}))
    if not said:
        raise ValueError
    if not days:
        return said[0]
    return DaySaid(days, spare=said[0].spare if len(said) == 1 else None, weak=weak)


def _nth(found: re.Match[str], today: date) -> DaySaid:
    """Return "the 3rd": of this month, or of the next one where it has passed."""
    nth = nth_of(found["nth"])
    which = (found["which"] or "").strip()
    if which in ("this", "本", "这", "这个", "next", "下", "下个"):
        first = first_of_month(today, 1 if which.startswith(("next", "下")) else 0)
        return _in_year(first.year, first.month, nth)
    first = first_of_month(today, 0 if nth >= today.day else 1)
    said = _in_year(first.year, first.month, nth)
    after = first_of_month(first, 1)
    spare = _on(after.year, after.month, nth)
    return DaySaid(said.days, said.unclear, spare=spare)


def _month_end(found: re.Match[str], today: date) -> DaySaid:
    after = 2 if (found["which"] or "").startswith(("next", "下")) else 1
    return DaySaid((first_of_month(today, after) - timedelta(days=1),))


def _year_end(found: re.Match[str], today: date) -> DaySaid:
    later = (found["which"] or "").startswith(("next", "明"))
    return DaySaid((date(today.year + later, 12, 31),))


def _end_of_named(found: re.Match[str], today: date) -> DaySaid:
    """Return "the last day of February": of the coming one."""
    month = month_of(found["month"])
    ends = (first_of_month(date(today.year + more, month, 1), 1) - timedelta(days=1) for more in (0, 1))
    return DaySaid((next(day for day in ends if day >= today),))


def _half_year(_: re.Match[str], today: date) -> DaySaid:
    return DaySaid((months_later(today, 6),), same_time=True)


def _same_day_of_month(_: re.Match[str], today: date) -> DaySaid:
    """Return the day of today in the next month."""
    day = _on(first_of_month(today, 1).year, first_of_month(today, 1).month, today.day)
    return DaySaid((day,)) if day else DaySaid(unclear=Unclear.NO_SUCH_DAY)


def _same_time(found: re.Match[str], today: date) -> DaySaid:
    """Return "this time tomorrow", 下周这个时候: a day at the time of now."""
    word = found["near"]
    ahead = 7 if word.startswith(("next week", "下周", "下星期", "下礼拜")) else _NEAR[word]
    return DaySaid((today + timedelta(days=ahead),), same_time=True)


def _weekday_same_time(found: re.Match[str], today: date) -> DaySaid:
    """Return 下周五这个时候: a weekday at the time of now."""
    return replace(_weekday(found, today), same_time=True)


def _holiday(found: re.Match[str], today: date) -> DaySaid:
    """Return a holiday that is on the same day of each year."""
    month, day = _FIXED_HOLIDAYS[found["holiday"].replace("'", "").replace("xmas", "christmas").removesuffix("节")]
    if year := found["year"]:
        relative = _YEAR_WORDS.get(year)
        return _in_year(int(year.rstrip("年")) if relative is None else today.year + relative, month, day)
    return _without_year(month, day, today)


def _no_day(_: re.Match[str], __: date) -> DaySaid:
    return DaySaid(unclear=Unclear.NO_DAY)


_ON = r"(?:\bon\ )?"
_NEAR_EN = (
    r"(?P<near>day\ after\ tomorrow|yesterday|today|tomorrow|tmrw|tmr|tmw|tomorow|tommorr?ow|tomorro|tomorrw|"
    r"tomrrow|tomoz|2morrow|2day|tdy|[2t]o?moro?w?)"
)
#: "In three days at this time" is as late in the day as now.
_THEN_NOW = r"(?:,?\ (?:at\ )?(?:about\ )?(?:this|the\ same|same)\ time\b)?"
_THEN_NOW_ZH = r"(?:的?(?:这个?|同一个?|同样的?)(?:时候|时间|时刻|点))?"
_AHEAD_EN = r"tomorrow|tmrw|day\ after\ tomorrow|next\ week"
_UNIT = r"(?P<unit>days?|weeks?|fortnights?|months?|years?|(?:working|business|work)\ ?days?)"
_HOLIDAYS_ZH = (
    r"国庆节?|春节|元旦|中秋节?|端午节?|清明节?|劳动节|五一|圣诞节?|平安夜|除夕|元宵节?|七夕节?|重阳节?|腊八节?|冬至|"
    r"感恩节|万圣节|复活节|情人节|[母父]亲节|[教儿][师童]节|双十一|大年(?:初[一二三四五六七八九十]|三十|夜)|小年夜?|"
    r"(?:农历|阴历|旧历|正月|腊月|冬月)[正一二三四五六七八九十冬腊月初廿]{0,6}"
)
#: Holidays whose day is the same each year.
_FIXED_HOLIDAYS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "boxing day": (12, 26),
    "new years day": (1, 1), "new year day": (1, 1), "new years eve": (12, 31), "new year eve": (12, 31),
    "nye": (12, 31), "valentines": (2, 14), "valentines day": (2, 14), "valentine day": (2, 14),
    "halloween": (10, 31), "圣诞": (12, 25), "平安夜": (12, 24), "元旦": (1, 1), "劳动": (5, 1), "五一": (5, 1),
    "国庆": (10, 1), "情人": (2, 14), "儿童": (6, 1), "教师": (9, 10), "双十一": (11, 11), "双11": (11, 11),
    "跨年夜": (12, 31),
}  # fmt: skip
#: What follows a holiday that is a day: 圣诞节早上, 圣诞节前一天, and not 圣诞节礼物, 圣诞节前.
_IS_DAY_ZH = (
    r"(?:当[天日]的?|那[天日]的?|的)?(?=[早晚]上|[早晚]\d|清[早晨]|一?大早|凌晨|上午|中午|正午|下午|傍晚|夜里|晚|\d"
    rf"|[一二两三四五六七八九十]{{1,2}}点|[之以]?[前后]{NUMBER_ZH}个?(?:天|日|工作日|{WEEK_ZH})|提前|请?提醒|通知|[叫喊]我"
    r"|[，,\ ])"
)
#: Days whose names hold a weekday.
_NAMED_WEEKDAY = rf"(?:good|black|holy|maundy|easter|palm|whit|cyber|ash|shrove|super|bank\ holiday|giving)\ {WEEKDAY}"
_HOLIDAYS = (
    r"(?:christmas|xmas|(?:chinese\ |lunar\ )?new\ year|easter|thanksgiving|halloween|boxing|valentine|"
    r"bank\ holiday(?!s)|diwali|ramadan|eid|hanukkah|passover|pentecost|"
    r"(?:lab(?:ou)?r|memorial|mother|father|independence|king|national)(?='?s?\ day)|"
    r"spring\ festival|mid-autumn(?:\ festival)?)"
)
_ROUGHLY = (
    r"early(?:\ in)?|mid|late(?:\ in)?|(?:the\ )?(?:beginning|start|middle)(?:\ of)?|(?:the\ )?"
    r"(?:first|last|second|1st|2nd)\ (?:half|week|weekend|day)\ (?:of|in)|(?:the\ )?end\ of"
)
_SPAN = r"(?:(?:the|this|next)\ )?(?:week|quarter|term|semester|summer|winter|spring|autumn|month|year)\b"
#: "On the second at 9" is a day, "the second parcel at 9" is none.
_OF_NO_THING = (
    r"(?!\ (?!(?:at|on|in|by|of|to|and|or|for|about|that|from|this|next|before|around|remind|ping|"
    r"please|noon|midnight|midday|half|quarter|first|early|late|morning|afternoon|evening|night)\b)[a-z])"
)
_OF_YEAR = r"(?:,?\ (?:of\ )?(?P<year>\d{4}|(?:next|this|last)\ year)\b)?"
_UNIT_ZH = rf"(?P<unit>天|{WEEK_ZH}|月|年|工作日)"

DAYS: tuple[Form, ...] = (
    form(
        rf"(?:(?:{_ON}\bthe\ )?|\b(?:later|earlier)\ )\b{_NEAR_EN}\b",
        _near,
    ),
    form(r"(?P<near>大{1,2}后天|后天|前天|昨天|昨日|今天|今日|明天|明日|[今明后昨]儿(?!子|女|童|媳))个?", _near),
    form(rf"\b(?:in|after)\ {ABOUT}(?P<count>{COUNT})\ {_UNIT}(?:'\ time\b|\b(?:'?s?\ time\b)?){_THEN_NOW}", _ahead),
    form(rf"\b(?P<count>{COUNT})\ {_UNIT}\ (?:from\ (?:now|today)|later)\b{_THEN_NOW}", _ahead),
    form(rf"(?:再?过)?{ABOUT_ZH}(?P<count>{NUMBER_ZH})\ ?个?{_UNIT_ZH}(?:之|以)?后{_THEN_NOW_ZH}", _ahead),
    form(rf"再?过(?P<count>{NUMBER_ZH})\ ?个?{_UNIT_ZH}", _ahead),
    form(rf"\b(?P<count>{COUNT})\ weeks?\ (?:from|after)\ (?P<from>today|tomorrow|{WEEKDAY})\b", _week_from),
    form(
        rf"{_ON}(?:\b(?P<which>this\ coming|the\ coming|coming|this|next|last|past)\ )?\b(?P<weekday>{WEEKDAY})\b",
        _weekday,
    ),
    form(rf"{_ON}\b(?P<weekday>{WEEKDAY})\ (?P<which>next\ week|this\ week)\b", _weekday),
    form(rf"{_ON}\b(?P<from>{WEEKDAY}|today|tomorrow)\ (?P<count>week|fortnight)\b(?!\ (?:on|from|after)\b)", _week_on),
    form(rf"\b(?:a\ )?(?P<count>week|fortnight)\ on\ (?P<from>{WEEKDAY})\b", _week_on),
    form(rf"(?<!in\ )\b(?P<count>{COUNT})\ weeks\ on\ (?P<from>{WEEKDAY})\b", _week_on),
    form(rf"{_ON}(?:\bthe\ )?\bnext\ (?:working|business|work)\ ?day\b|下一?个?工作日", _next_working_day),
    form(rf"\b(?P<which>next\ week|this\ week)\ (?:on\ )?(?P<weekday>{WEEKDAY})\b", _weekday),
    form(rf"(?P<which>下下个?|这个?|本|下个?|上个?)?{WEEK_ZH}(?P<weekday>[一二三四五六日天])", _weekday),
    form(rf"(?P<which>(?:下|本|这){WEEK_ZH}的?){WEEK_ZH}(?P<weekday>[一二三四五六日天])", _weekday),
    form(r"(?:\b(?:on|at|over|during)\ )?(?:\bthe\ )?(?:\b(?P<which>this|next)\ )?\bweekend\b", _weekend),
    form(r"(?P<which>这个?|本|下个?)?周末", _weekend),
    form(
        rf"{_ON}(?:\bthe\ )?\b(?P<day>{NTH}|\d{{1,2}})\ (?:of\ )?(?P<month>{MONTH}){_OF_YEAR}",
        _month_day,
    ),
    form(
        rf"{_ON}\b(?P<month>{MONTH})\ (?:the\ )?(?P<day>{NTH}|\d{{1,2}})\b(?!:){_OF_YEAR}",
        _month_day,
    ),
    form(
        rf"(?:\bin\ )?\b(?P<month>{MONTH})\ (?P<year>\d{{4}}),?\ (?:on\ )?(?:the\ )?(?P<day>{NTH})\b",
        _month_day,
    ),
    form(
        rf"(?P<year>\d{{4}}年|今年|明年|后年|去年|前年)?的?(?P<month>{NUMBER_ZH})月(?P<day>{NUMBER_ZH})[日号]?",
        _month_day,
    ),
    form(rf"{_ON}(?<![\d-])(?P<year>\d{{4}})[-/](?P<month>\d{{1,2}})[-/](?P<day>\d{{1,2}})(?!\d)t?", _iso),
    form(rf"{_ON}(?<![\d.])(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>\d{{4}})(?!\d)", _iso),
    form(rf"{_ON}(?<![\d.])(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.(?P<year>)(?![\d.])", _month_day),
    form(r"(?<![\d.])(?P<month>\d{1,2})\.(?P<day>\d{1,2})(?P<year>)(?=[日号早上下晚中凌])[日号]?", _month_day),
    form(
        r"(?P<on>\b(?:on|by|before)\ )?(?<![\d/])(?P<one>\d{1,2})/(?P<two>\d{1,2})(?:/(?P<year>\d{4}))?(?![\d/])",
        _slashes,
    ),
    form(
        rf"{_ON}\bthe\ (?P<nth>{NTH}){_OF_NO_THING}(?:\ (?:of\ )?(?P<which>this|next)\ month)?\b"
        rf"(?!\ of\ |\ (?:(?:working|business|work|week)?\ ?days?|week|month|{WEEKDAY})\b)",
        _nth,
    ),
    form(rf"{_ON}(?P<which>)\b(?P<nth>\d{{1,2}}(?:st|nd|rd|th))\b(?=,?\ (?:at|by)\ \d)", _nth),
    form(rf"\b(?P<which>this|next)\ month,?\ (?:on\ )?the\ (?P<nth>{NTH})\b", _nth),
    form(
        rf"(?:(?<=day)|(?<=\bmon)|(?<=\btue)|(?<=\bwed)|(?<=\bthu)|(?<=\bfri)|(?<=\bsat)|(?<=\bsun)|(?<=\btues)|(?<=\bthurs))"
        rf",?\ (?P<which>)(?P<nth>\d{{1,2}}(?:st|nd|rd|th))\b(?!\ (?:of\ )?(?:{MONTH}))",
        _nth,
    ),
    form(
        r"(?:(?P<which>下个?|本|这个?)月的?|(?<![\d月初零一二三四五六七八九十廿卅]))(?P<nth>\d{1,2}|[一二三四五六七八九十廿卅]{1,3})[号日](?![楼线房室桌机])",
        _nth,
    ),
    form(
        r"(?:\b(?:on|at)\ )?(?:\b(?:this|the\ coming)\ )?\b(?P<holiday>(?:christmas|xmas)\ (?:day|eve)|boxing\ day"
        rf"|new\ year'?s?'?\ (?:day|eve)|nye|valentine'?s?\ day)\b{_OF_YEAR}{_OF_NO_THING}",
        _holiday,
    ),
    form(
        rf"(?:\b(?:on|at)\ |(?<=before\ )|(?<=after\ ))(?P<holiday>christmas|xmas|halloween|valentine'?s)\b{_OF_YEAR}"
        rf"{_OF_NO_THING}(?!'|\ (?:day|eve))",
        _holiday,
    ),
    form(
        r"(?P<year>\d{4}年|今年|明年)?的?(?P<holiday>圣诞节?|平安夜|元旦节?|劳动节|五一|国庆节?|情人节|儿童节|教师节|双十一|双11|跨年夜)"
        rf"{_IS_DAY_ZH}",
        _holiday,
    ),
    form(r"(?:\b(?:at|by|on)\ )?(?:\bthe\ )?\bend\ of\ (?P<which>the|this|next)\ month\b", _month_end),
    form(r"(?P<which>下个?|本|这个?)?月[底末]", _month_end),
    form(r"(?:\b(?:at|by|on)\ )?(?:\bthe\ )?\b(?:end|last\ day)\ of\ (?P<which>the|this|next)\ year\b", _year_end),
    form(
        r"(?P<which>今年|明年)(?:的?最后一天|年?[底末](?:的?最后一天)?)|(?<![今明后每])年[底末](?:的?最后一天)?",
        _year_end,
    ),
    form(rf"{_ON}(?:\bthe\ )?\b(?:end|last\ day)\ of\ (?P<month>{MONTH})", _end_of_named),
    form(rf"(?P<month>{NUMBER_ZH})月(?:的?最后一天|[底末])", _end_of_named),
    form(rf"(?P<count>{NUMBER_ZH})个?(?P<unit>月|年|{WEEK_ZH})(?:之|以)?后的今[天日]", _today_later),
    form(
        rf"(?P<count>{NUMBER_ZH})个?{WEEK_ZH}(?:之|以)?后的?{WEEK_ZH}(?P<weekday>[一二三四五六日天])(?![十点时刻分])",
        _weeks_later,
    ),
    form(r"(?:再?过)?半年(?:之|以)?后|再?过半年", _half_year),
    form(r"下个?月的?今[天日]", _same_day_of_month),
    form(rf"\b(?:(?:at\ )?(?:about\ )?(?:this|the\ same|same)\ time\ )(?P<near>{_AHEAD_EN})\b", _same_time),
    form(rf"\b(?P<near>{_AHEAD_EN})\ (?:at\ )?(?:about\ )?(?:this|the\ same|same)\ time\b", _same_time),
    form(
        rf"(?P<near>后天|明天|明日|明儿|下{WEEK_ZH})的?(?:这个?|同一个?|相同的?|同样的?|这会儿?的?)(?:时候|时间|点|时刻)",
        _same_time,
    ),
    form(
        rf"(?P<which>下下个?|这个?|本|下个?)?{WEEK_ZH}(?P<weekday>[一二三四五六日天])的?(?:这个?|同一个?)(?:时候|时间|时刻)",
        _weekday_same_time,
    ),
    form(rf"{_ON}(?:\bthe\ )?\b(?:{WEEKDAY}|week|month)\ after\ next\b", _no_day),
    form(r"\b(?:next|this)\ (?:week|month|year|quarter)\b", _no_day),
    form(rf"{_ON}\b(?:in\ )?(?:{_ROUGHLY})[\ -](?:{_SPAN}|{MONTH})(?!\ ?\d)", _no_day),
    form(rf"\b(?:some\ ?time\ )?in\ {MONTH}(?!\ ?\d)", _no_day),
    form(
        r"\b(?:q[1-4]|pay\ ?day|mid-?week|(?:before|after|during)\ (?:the|my|our)\ (?:holidays?|vacation|break))\b",
        _no_day,
    ),
    form(
        r"(?<![今明后去每\d零一二三四五六七八九十半])年[前后](?!半)|(?:下个?|本|这个?)?(?:(?:[月年]|季度?)[初中]|季度?末)|"
        r"[上中下]旬",
        _no_day,
    ),
    form(rf"(?:下下?个?|这个?|本)(?:{WEEK_ZH}|月)|明年", _no_day),
    form(rf"{_ON}\b(?:{_NAMED_WEEKDAY}|{_HOLIDAYS}(?:'?s)?(?:\ (?:day|eve))?)\b", _no_day),
    form(
        rf"(?:{_HOLIDAYS_ZH})(?:之|以)?[前后]的?{WEEK_ZH}[一二三四五六日天]",
        _no_day,
    ),
    form(
        rf"(?:{_ON}(?:\bthe\ )?)?(?<!\ba\ )(?<!\bone\ )(?<!\b1\ )\b(?:{WEEKDAY}|week|weekend)\ (?:after|before)\ "
        rf"{_HOLIDAYS}\b",
        _no_day,
    ),
    form(rf"{_HOLIDAYS_ZH}", _no_day),
)
