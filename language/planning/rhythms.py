"""How often something comes, as people say it: "every other Friday", "the last working day of each month", 每月底."""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from language.numbers.amounts import SPELLED, whole
from language.numbers.dates import WEEKDAY
from language.planning.items import (
    COUNT,
    MONTH,
    NTH,
    NUMBER_ZH,
    WEEK_ZH,
    Form,
    RhythmSaid,
    count_of,
    first_of_month,
    form,
    month_of,
    nth_of,
    weekday_of,
)
from language.planning.plans import RULE_DAYS, WORKING_DAYS, Unclear

#: The last day that every month has.
LAST_SURE = 28
_LAST = 31
_ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "last": -1, "second to last": -2, "second-to-last": -2, "last but one": -2, "next to last": -2, "penultimate": -2,
}  # fmt: skip
_ORDINAL = (
    r"(?:second[ -]to[ -]last|last[ ]but[ ]one|next[ ]to[ ]last|penultimate|first|second|third|fourth|fifth|last|"
    r"[1-5](?:st|nd|rd|th))"
)
_KIND = rf"(?P<kind>(?:working|business|work)\ ?days?|weekdays?|days?|{WEEKDAY})"
_MONTH_OF = r"(?:(?:of|in)\ |(?=(?:every|each)\ ))(?P<of>the|every|each|this|next|a|any)(?:\ (?:calendar\ )?month)"
_AND = r"(?:,?\ and\ |,\ ?|\ ?&\ ?|\ ?/\ ?)"
LIST = rf"(?P<days>{WEEKDAY}s?(?:(?:{_AND}|\ (?:to|through|till)\ |\ ?-\ ?){WEEKDAY}s?){{0,6}})"
#: "周一三五" is a list, "每周一三点" is Monday at three.
_DAY_ZH = r"[一二三四五六日天](?![十点时刻分百])"
LIST_ZH = (
    rf"(?P<days>[一二三四五六日天](?:(?:、|和|,|，|及|到|至|-){WEEK_ZH}?[一二三四五六日天]|{WEEK_ZH}?{_DAY_ZH}){{0,6}})"
)
#: Three days or more; none of a week that is named before them.
_DAYS_ZH = rf"[一二三四五六日天](?:(?:、|和|,|，|及){{0,1}}{WEEK_ZH}?{_DAY_ZH}){{2,6}}"
_NO_WEEK, _NO_WEEK_ZH = r"(?<!next\ )(?<!this\ )(?<!last\ )", r"(?<![下这本上个])"
#: A day of each month: "15th", "the last day".
_NTH_OR_LAST = rf"(?:{NTH}|last(?:\ day)?)"
_NTHS = rf"(?:the\ )?{_NTH_OR_LAST}(?:(?:,?\ and\ |,\ ?|\ ?&\ ?)(?:the\ )?{_NTH_OR_LAST}){{1,5}}"
_NTH_ZH = r"(?:(?:\d{1,2}|[一二三四五六七八九十廿卅]{1,3})[号日]?|最后一天)"
_NTHS_ZH = rf"{_NTH_ZH}(?:(?:、|和|,|，|及){_NTH_ZH}){{1,5}}(?<=[号日天])"
_EVERY = r"(?:every|each)"


def _rule(freq: str, by: str = "", every: int = 1) -> str:
    parts = [f"FREQ={freq}", *([f"INTERVAL={every}"] if every > 1 else []), *([by] if by else [])]
    return ";".join(parts)


def _daily(_: re.Match[str], __: date) -> RhythmSaid:
    return RhythmSaid((_rule("DAILY"),))


def _every_days(found: re.Match[str], _: date) -> RhythmSaid:
    """Return "every 3 days", 每隔一天; 每隔两天 is every second or every third day."""
    said = found["count"]
    nth = re.fullmatch(NTH, said)
    count = 2 if said == "other" else nth_of(said) if nth else _whole_count(said)
    if "隔" in found[0]:
        return RhythmSaid(tuple(_rule("DAILY", every=each) for each in _after_gaps(count)))
    return RhythmSaid((_rule("DAILY", every=count),))


def _after_gaps(count: int) -> tuple[int, ...]:
    return (2,) if count == 1 else (count, count + 1)


def _whole_count(word: str) -> int:
    count = count_of(word)
    if count != int(count) or not count:
        raise ValueError
    return int(count)


def _working_days(_: re.Match[str], __: date) -> RhythmSaid:
    return RhythmSaid((_rule("WEEKLY", f"BYDAY={WORKING_DAYS}"),))


def _weekends(_: re.Match[str], __: date) -> RhythmSaid:
    return RhythmSaid((_rule("WEEKLY", "BYDAY=SA,SU"),))


def _weekly(found: re.Match[str], _: date) -> RhythmSaid:
    by = f"BYDAY={days_of(found['days'])}"
    every = (found.groupdict().get("every") or "").strip()
    if every == "second":  # every second Friday: of every month, or of every two weeks
        return RhythmSaid((_rule("WEEKLY", by, 2), _rule("MONTHLY", by.replace("=", "=2"))))
    if every in ("", "week"):
        return RhythmSaid((_rule("WEEKLY", by),))
    if every in ("other", "fortnight"):
        return RhythmSaid((_rule("WEEKLY", by, 2),))
    return RhythmSaid((_rule("WEEKLY", by, _whole_count(every)),))


def _every_two_weeks(found: re.Match[str], _: date) -> RhythmSaid:
    return RhythmSaid((_rule("WEEKLY", f"BYDAY={days_of(found['days'])}", 2),))


def _weekly_zh(found: re.Match[str], _: date) -> RhythmSaid:
    by, count = f"BYDAY={days_of(found['days'])}", found.groupdict().get("count")
    if count is None:
        return RhythmSaid((_rule("WEEKLY", by),))
    every = _after_gaps(_whole_count(count)) if found["gap"] else (_whole_count(count),)
    return RhythmSaid(tuple(_rule("WEEKLY", by, each) for each in every))


def days_of(said: str) -> str:
    """Return the days of a list or a range of weekdays, Monday first."""
    words = re.findall(rf"{WEEKDAY}|[一二三四五六日天]", re.sub(WEEK_ZH, "", said))
    days = [weekday_of(word) for word in words]
    if len(days) == 2 and re.search(r"to|through|till|-|到|至", said):
        days = list(range(days[0], days[1] + 1 + 7 * (days[1] < days[0])))
    return ",".join(RULE_DAYS[day] for day in sorted({day % 7 for day in days}))


def _day_of_month(found: re.Match[str], _: date) -> RhythmSaid:
    nth = nth_of(found["nth"])
    if not 1 <= nth <= _LAST:
        raise ValueError
    every = found.groupdict().get("count")
    months = 2 if every == "other" else _whole_count(every) if every else 1
    rule = _rule("MONTHLY", f"BYMONTHDAY={nth}", months)
    if nth <= LAST_SURE:
        return RhythmSaid((rule,))
    return RhythmSaid(unclear=Unclear.NO_SUCH_DAY, spare=_rule("MONTHLY", "BYMONTHDAY=-1"))


def _days_of_month(found: re.Match[str], _: date) -> RhythmSaid:
    """Return "the 1st and the 15th of every month", 每月1号和最后一天."""
    words = re.findall(
        rf"{NTH}|last|最后|\d{{1,2}}|[一二三四五六七八九十廿卅]{{1,3}}", found["nths"].replace("最后一天", "最后")
    )
    nths = [-1 if word in ("last", "最后") else nth_of(word) for word in words]
    if not all(nth == -1 or 1 <= nth <= _LAST for nth in nths):
        raise ValueError
    rule = _rule("MONTHLY", "BYMONTHDAY=" + ",".join(str(nth) for nth in sorted(set(nths), key=lambda nth: nth % 100)))
    if max(nths) <= LAST_SURE:
        return RhythmSaid((rule,))
    return RhythmSaid(unclear=Unclear.NO_SUCH_DAY)


def _nth_of_named(found: re.Match[str], today: date) -> RhythmSaid:
    """Return "the first working day of April", 四月第一个周一: of the coming one."""
    nth, kind, month = _nth(found["nth"]), found["kind"], month_of(found["month"])
    once = (_in_month(nth, kind, date(today.year + more, month, 1)) for more in (0, 1))
    day = next((day for day in once if day and day >= today), None)
    return RhythmSaid(once=day) if day else RhythmSaid(unclear=Unclear.NO_SUCH_DAY)


def _nth_of_month(found: re.Match[str], today: date) -> RhythmSaid:
    """Return "the last working day of the month", 每月第一个周一: of one month, of each, or of either."""
    said, every = found.groupdict(), (found.groupdict().get("every") or "").strip()
    nth, kind = _nth(found["nth"]), found["kind"]
    rule = _rule("MONTHLY", _by(nth, kind))
    of = (said.get("of") or "every").strip()
    if every in ("every", "each") or of in ("every", "each", "a", "any") or of.startswith("每"):
        return RhythmSaid((rule,))
    once = _in_month(nth, kind, first_of_month(today, 1 if of.startswith(("next", "下")) else 0))
    if of == "the":
        return RhythmSaid((rule,), once=once)
    return RhythmSaid(once=once) if once else RhythmSaid(unclear=Unclear.NO_SUCH_DAY)


def _nth(word: str) -> int:
    word = word.removesuffix("个")
    if word in _ORDINALS:
        return _ORDINALS[word]
    if word.startswith("最后"):
        return -1
    number = whole(word.rpartition("第")[2])
    return -number if word.startswith("倒数") else number


def _by(nth: int, kind: str) -> str:
    if kind.startswith(("work", "business", "weekday", "工作")):
        return f"BYDAY={WORKING_DAYS};BYSETPOS={nth}"
    if kind in ("day", "days", "天", "日"):
        return f"BYMONTHDAY={nth}"
    return f"BYDAY={nth}{RULE_DAYS[weekday_of(kind[-1] if kind[-1] in '一二三四五六日天' else kind)]}"


def _in_month(nth: int, kind: str, first: date) -> date | None:
    """Return the day of one month that is meant; None where it has none."""
    count = (first_of_month(first, 1) - first).days
    days: Iterable[date] = [first + timedelta(days=number) for number in range(count)]
    by = _by(nth, kind)
    if "BYSETPOS" in by:
        days = [day for day in days if day.weekday() < RULE_DAYS.index("SA")]
    elif by.startswith("BYDAY"):
        days = [day for day in days if RULE_DAYS[day.weekday()] == by[-2:]]
    found = list(days)
    return found[nth - (nth > 0)] if len(found) >= abs(nth) else None


def _quarterly(found: re.Match[str], today: date) -> RhythmSaid:
    """Return "quarterly on the 1st", 每季度最后一天: of January and so on, or of March."""
    is_last = bool(re.search(r"last|end|最后|[末底]", found.groupdict().get("nth_after") or found["nth"]))
    quarter = first_of_month(today, -((today.month - 1) % 3))
    begins = quarter if is_last or quarter == today else first_of_month(quarter, 3)
    first = first_of_month(quarter, 3) - timedelta(days=1) if is_last else begins
    return RhythmSaid((_rule("MONTHLY", f"BYMONTHDAY={-1 if is_last else 1}", 3),), first=first)


def _times_a_week(found: re.Match[str], _: date) -> RhythmSaid:
    """Return "twice a week, Monday and Thursday"; without days, two ways to spread them."""
    word = found["count"]
    count = {"twice": 2, "thrice": 3, "两": 2, "俩": 2}.get(word) or int(count_of(word))
    if said := found.groupdict().get("days"):
        by = days_of(said)
        if len(by.split(",")) != count:
            raise ValueError
        return RhythmSaid((_rule("WEEKLY", f"BYDAY={by}"),))
    spread = {2: ("MO,TH", "TU,FR"), 3: ("MO,WE,FR", "TU,TH,SA")}.get(count)
    if spread is None:
        raise ValueError
    return RhythmSaid(tuple(_rule("WEEKLY", f"BYDAY={by}") for by in spread))


def _month_end(_: re.Match[str], __: date) -> RhythmSaid:
    return RhythmSaid((_rule("MONTHLY", "BYMONTHDAY=-1"),))


def _yearly(found: re.Match[str], _: date) -> RhythmSaid:
    month, day = month_of(found["month"]), whole(found["day"])
    date(2_000, month, day)  # the leap year has every day that there is
    if (month, day) == (2, 29):
        return RhythmSaid(unclear=Unclear.NO_SUCH_DAY, spare=_rule("YEARLY", "BYMONTH=2;BYMONTHDAY=-1"))
    return RhythmSaid((_rule("YEARLY", f"BYMONTH={month};BYMONTHDAY={day}"),))


def _no_day(_: re.Match[str], __: date) -> RhythmSaid:
    return RhythmSaid(unclear=Unclear.NO_DAY)


def _before(_: re.Match[str], __: date) -> RhythmSaid:
    """Return "two days before": what it is counted from is not read."""
    return RhythmSaid(unclear=Unclear.NO_DAY)


def _too_often(_: re.Match[str], __: date) -> RhythmSaid:
    return RhythmSaid(unclear=Unclear.NOTHING)


_SMALL = "|".join(word for word, number in SPELLED.items() if number > 1)
_MONTHDAY = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<month>{MONTH}))"
_MONTHDAY_US = rf"(?:(?P<month>{MONTH})\ (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b)"
_YEARLY = rf"\b(?:(?:{_EVERY}\ year|yearly|annually|once\ a\ year)\ (?:on\ )?(?:the\ )?|{_EVERY}\ )"

_UNIT = r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?)"
_UNIT_ZH = rf"(?:分钟|小时|钟头|天|日|{WEEK_ZH}|月|年)"

RHYTHMS: tuple[Form, ...] = (
    form(rf"\b(?:{_EVERY}\ ?day|daily)\b|每天|每日|天天", _daily),
    form(rf"\bevery\ (?P<count>other|{NTH}|{COUNT})\ days?\b", _every_days),
    form(rf"每隔?(?P<count>{NUMBER_ZH})[天日]", _every_days),
    form(
        rf"\b(?:{_EVERY}|on)\ (?:(?:work|working|business)\ ?days?|weekdays?)\b"
        r"|\b(?:weekdays|(?:working|business)\ days)\b",
        _working_days,
    ),
    form(
        r"(?:每个?|每?逢)工作日(?:每天)?|(?<![个一二三四五几])工作日(?=每天|[早上中下晚]|\d|[一二三四五六七八九十]{1,2}点)",
        _working_days,
    ),
    form(rf"\b(?:{_EVERY}\ weekend|weekends)\b|(?:每个?|每?逢)周末", _weekends),
    form(rf"\b{_EVERY}\ (?:(?P<every>other|second)\ )?{LIST}\b", _weekly),
    form(rf"\b(?:every\ (?P<every>{COUNT}|other)\ weeks?|(?:weekly|{_EVERY}\ week))\ (?:on\ )?{LIST}\b", _weekly),
    form(rf"\b(?:every\ fortnight|fortnightly|bi-?weekly)\ (?:on\ )?{LIST}\b", _every_two_weeks),
    form(rf"双周的?(?:{WEEK_ZH}[一二三四五六日天])?", _no_day),
    form(rf"\b(?:on\ )?(?P<days>{WEEKDAY}(?<=day)s(?:(?:,?\ and\ |,\ ?){WEEKDAY}(?<=day)s){{0,6}})\b", _weekly),
    # Who names three days means each of them, every week.
    form(rf"{_NO_WEEK}\b(?:on\ )?(?P<days>{WEEKDAY}(?:(?:{_AND}|\ ){WEEKDAY}){{2,6}})\b", _weekly),
    form(rf"{_NO_WEEK_ZH}{WEEK_ZH}(?P<days>{_DAYS_ZH})", _weekly_zh),
    form(rf"\b(?:from\ )?(?P<days>{WEEKDAY}\ ?(?:to|through|till|-|–)\ ?{WEEKDAY})\b", _weekly),
    form(rf"(?<!每)隔(?:一个?)?{WEEK_ZH}的?(?:{WEEK_ZH})?{LIST_ZH}", _every_two_weeks),
    form(
        rf"(?:每(?:(?P<gap>隔)?(?P<count>{NUMBER_ZH})个?{WEEK_ZH}的?|个?{WEEK_ZH}的?)?逢?个?|逢每?个?){WEEK_ZH}{LIST_ZH}",
        _weekly_zh,
    ),
    form(rf"{WEEK_ZH}(?P<days>[一二三四五六日天](?:到|至|-){WEEK_ZH}?[一二三四五六日天])(?:每天)?", _weekly_zh),
    form(rf"\b(?:on\ )?the\ (?P<nth>{NTH})(?:\ day)?\ (?:of\ )?(?:every|each)\ month\b", _day_of_month),
    form(
        rf"\b(?:{_EVERY}\ month|monthly|every\ (?P<count>{COUNT}|other)\ months?)\ on\ the\ (?P<nth>{NTH})\b",
        _day_of_month,
    ),
    form(rf"\b{_EVERY}\ (?P<nth>{NTH})(?:\ of\ (?:the|each|every)\ month)?\b", _day_of_month),
    form(rf"\b(?:on\ )?(?P<nths>{_NTHS})\ (?:day\ )?(?:of\ (?:every|each|the)|every|each)\ month\b", _days_of_month),
    form(rf"\b(?:{_EVERY}\ month|monthly)\ on\ (?P<nths>{_NTHS})\b", _days_of_month),
    form(rf"\b{_EVERY}\ (?P<nths>{_NTHS})\b(?:\ (?:day\ )?of\ (?:the|each|every)\ month\b)?", _days_of_month),
    form(rf"每个?月的?(?P<nths>{_NTHS_ZH})", _days_of_month),
    form(
        rf"(?:每(?:(?P<count>{NUMBER_ZH}))?个?月的?|每?逢)(?P<nth>\d{{1,2}}|[一二三四五六七八九十廿卅]{{1,3}})[号日]",
        _day_of_month,
    ),
    form(rf"\b(?:on\ )?(?:(?:the|(?P<every>{_EVERY}))\ )?(?P<nth>{_ORDINAL})\ {_KIND}\ {_MONTH_OF}\b", _nth_of_month),
    form(rf"\b(?P<every>{_EVERY})\ month\ on\ the\ (?P<nth>{_ORDINAL})\ {_KIND}\b", _nth_of_month),
    form(rf"\b(?:monthly|once\ a\ month)\ on\ the\ (?P<nth>{_ORDINAL})\ {_KIND}\b", _nth_of_month),
    form(
        rf"\b(?P<every>{_EVERY})\ (?P<nth>first|third|fourth|fifth|last|[13-5](?:st|rd|th))\ (?P<kind>{WEEKDAY})\b",
        _nth_of_month,
    ),
    form(
        rf"(?P<of>每个?月|本月|这个月|下个?月)的?(?P<nth>倒数第[一二三]|最后一|第[一二三四五1-5])个?"
        rf"(?P<kind>工作日|天|{WEEK_ZH}[一二三四五六日天])",
        _nth_of_month,
    ),
    form(
        rf"\b(?:on\ )?(?:the\ )?(?P<nth>{_ORDINAL})\ (?P<kind>(?:working|business|work)\ ?days?|weekdays?|{WEEKDAY})\ "
        rf"(?:of|in)\ (?P<month>{MONTH})",
        _nth_of_named,
    ),
    form(
        rf"(?<!年)(?P<month>{NUMBER_ZH})月份?的?(?P<nth>倒数第[一二三]|最后一|第[一二三四五1-5])个?"
        rf"(?P<kind>工作日|{WEEK_ZH}[一二三四五六日天])",
        _nth_of_named,
    ),
    form(rf"(?:\bat\ )?(?:\bthe\ )?\bend\ of\ {_EVERY}\ month\b|(?:每个?|每?逢)月[底末]", _month_end),
    form(rf"{_YEARLY}{_MONTHDAY}", _yearly),
    form(rf"{_YEARLY}{_MONTHDAY_US}", _yearly),
    form(rf"每年的?(?P<month>{NUMBER_ZH})月(?P<day>{NUMBER_ZH})[日号]?", _yearly),
    form(
        rf"\bevery\ (?:other|second|{COUNT})\ (?:weeks?|months?|years?)\b|每{NUMBER_ZH}个?(?:{WEEK_ZH}|月)"
        rf"|(?<!每)隔(?:一个?)?{WEEK_ZH}",
        _no_day,
    ),
    form(rf"\b(?:{_EVERY}\ (?:week|month|year)|weekly|monthly|yearly)\b|每个?(?:{WEEK_ZH}|月)|每年", _no_day),
    form(
        rf"\b(?:{_EVERY}\ (?:{COUNT}\ )?(?:hours?|minutes?|mins?)|hourly)\b|每隔?{NUMBER_ZH}?个?半?(?:小时|钟头|分钟)",
        _too_often,
    ),
    form(
        rf"\b(?P<count>twice|thrice|{COUNT}\ times)\ (?:a|per|{_EVERY})\ week(?:[,:]|\ on)?\ (?:on\ )?{LIST}\b",
        _times_a_week,
    ),
    form(
        rf"\b(?P<count>twice|thrice|(?:two|three|2|3)(?=\ times))(?:\ times)?\ (?:a|per|{_EVERY})\ week\b"
        rf"(?![,:]?\ (?:on\ )?{WEEKDAY}\b)",
        _times_a_week,
    ),
    form(rf"(?:每个?|一个?){WEEK_ZH}(?P<count>[两俩二三23])次", _times_a_week),
    form(
        rf"\b(?:twice|thrice|(?:several|a\ few|many)\ times|{COUNT}\ times)\ (?:a|per|{_EVERY}|in\ a)\ "
        r"(?:day|week|month|year)\b",
        _too_often,
    ),
    form(
        rf"(?:每[天日]|一[天日]|每个?(?:{WEEK_ZH}|月)|一(?:{WEEK_ZH}|个月))"
        r"(?:[两俩二三四五六七八九十]|好?几|多|[2-9])次",
        _too_often,
    ),
    form(
        rf"\b(?:on\ |at\ )?(?:the\ )?(?P<nth>first|last|1st|end)(?:\ day)?\ of\ {_EVERY}\ quarter\b"
        rf"|\b(?:{_EVERY}\ quarter|quarterly),?\ (?:on|at)\ the\ (?P<nth_after>1st|first|last\ day|end)(?:\ day)?\b",
        _quarterly,
    ),
    form(r"每个?季度?的?(?P<nth>第一天|1[号日]|一[号日]|最后一天|[末底])", _quarterly),
    form(rf"\bevery\ (?:(?:[-\u2212]\ ?|minus\ |negative\ ){COUNT}|0|zero)\ {_UNIT}\b", _too_often),
    form(rf"每隔?(?:[-\u2212负]{NUMBER_ZH}|[0零])个?{_UNIT_ZH}", _too_often),
    form(rf"\b(?:{_EVERY}\ quarter|quarterly|(?:the\ )?(?:last|first)\ day\ of\ (?:the|{_EVERY})\ quarter)\b", _no_day),
    form(
        r"每?逢(?:[单双][号日]|年过节|[年季节][末底日]?|生日|休息日|假期|月初)"
        r"|\bfrom\ now\ on\b|从(?:现在|今)(?:起|开始|往?后|以后)",
        _no_day,
    ),
    form(r"每个?(?:季度?|半年)的?(?:最后一天|第一天|末|初)?", _no_day),
    form(rf"(?:下下?|本|这)个?{WEEK_ZH}[一二三四五六日天](?:到|至|-){WEEK_ZH}?[一二三四五六日天](?:每天)?", _no_day),
    form(
        rf"\b{COUNT}\ (?:working\ )?(?:minutes?|mins?|hours?|days?|weeks?|months?)\ (?:before|ahead\ of|prior\ to)\b",
        _before,
    ),
    form(
        rf"提前{NUMBER_ZH}个?(?:小时|分钟|月)|(?:之前|前)(?:{NUMBER_ZH}个?半?(?:小时|分钟|刻钟?)|半个?(?:天|小时|钟头))",
        _before,
    ),
    form(
        r"\b(?:half\ an\ hour|the\ (?:day|night|evening|morning|week|month))\ "
        r"(?:before|ahead\ of|prior\ to|after(?!\ tomorrow))\b",
        _before,
    ),
)
