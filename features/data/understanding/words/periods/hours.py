"""Hours of the day of which all days' are meant: "after 6 pm", "between 9 and 11 am", 晚上六点以后, 上午."""

import re
from collections.abc import Iterator

from features.data.understanding.words.periods.spans import OnHours
from language.moments import Spotted, folded
from language.numbers.amounts import SPELLED, whole

_DAY, _HALF_DAY = 24, 12
_SPELLED_HOURS = "|".join(sorted((each for each, value in SPELLED.items() if 0 < value <= _HALF_DAY), key=len)[::-1])
_CLOCK = rf"(?:\d{{1,2}}|{_SPELLED_HOURS})"
_HALF = r"(?:\ ?(?:[ap]\.?m\b\.?|o'?clock\b))"
_HOUR_ZH = r"(?:1\d|2[0-4]|\d|二十[一二三四]?|十[一二三四五六七八九]?|[一二两三四五六七八九])"
_PART_ZH = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?"
#: Parts of the day that everybody sets alike.
_PARTS = {
    "morning": (0, 12),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "上午": (0, 12),
    "下午": (12, 18),
    "晚上": (18, 24),
}
_HOURS = re.compile(
    rf"""\b(?:(?:between|from)\ (?P<first>{_CLOCK})(?P<first_minute>:[0-5]\d)?(?P<first_half>{_HALF})?
      \ (?:and|to|until|till)\ (?P<last>{_CLOCK})(?P<last_minute>:[0-5]\d)?(?P<last_half>{_HALF})?(?![\d:])
     |(?P<limit>after|past|later\ than|from|since|starting\ at|before|earlier\ than|until|till|by)
      \ (?P<hour>{_CLOCK})(?P<minute>:[0-5]\d)?(?P<half>{_HALF})?(?:\ (?:on(?:wards?)?|or\ later)\b)?(?![\d:])
     |in\ the\ (?P<part>morning|afternoon|evening)s?\b)
    |(?P<part_first>{_PART_ZH})(?P<first_zh>{_HOUR_ZH})[点时](?:钟|整)?(?:到|至|[-–—~])(?P<part_last>{_PART_ZH})
     (?P<last_zh>{_HOUR_ZH})[点时](?:钟|整)?(?:之间)?
    |(?P<part_zh>{_PART_ZH})(?P<hour_zh>{_HOUR_ZH})[点时](?:钟|整)?(?P<limit_zh>以后|之后|过后|后|以前|之前|前)
    |(?P<whole_zh>上午|下午|晚上)(?![一二两三四五六七八九十\d好茶])的?""",
    re.VERBOSE,
)
_UNTIL = frozenset({"before", "earlier than", "until", "till", "by", "以前", "之前", "前"})


def hours_in(text: str) -> Iterator[Spotted[OnHours]]:
    """Yield the hours of the day that a text names, whole ones alone."""
    for match in _HOURS.finditer(folded(text)):
        found = _english(match) or _chinese(match)
        if found is not None and found.first < found.end:
            yield Spotted(found, match.start(), match.end())


def _english(match: re.Match[str]) -> OnHours | None:
    if match["part"]:
        return OnHours(*_PARTS[match["part"]])
    if match["limit"]:
        if not (match["half"] or match["minute"]) or (match["minute"] or ":00") != ":00":
            return None
        at = _hour(match["hour"], match["half"] or "")
        return OnHours(0, at) if match["limit"] in _UNTIL else OnHours(at, _DAY)
    if not match["first"]:
        return None
    minutes = {match["first_minute"] or ":00", match["last_minute"] or ":00"}
    told = match["last_half"] or match["last_minute"] or match["first_half"]
    if not told or minutes != {":00"}:
        return None
    last = _hour(match["last"], match["last_half"] or "")
    half = match["first_half"] or match["last_half"] or ""
    first = _hour(match["first"], half)
    return OnHours(first if first < last or match["first_half"] else _hour(match["first"], ""), last)


def _chinese(match: re.Match[str]) -> OnHours | None:
    if match["whole_zh"]:
        return OnHours(*_PARTS[match["whole_zh"]])
    if match["hour_zh"]:
        at = _hour_zh(match["hour_zh"], match["part_zh"])
        return OnHours(0, at) if match["limit_zh"] in _UNTIL else OnHours(at, _DAY)
    if not match["first_zh"]:
        return None
    part = match["part_first"]
    return OnHours(_hour_zh(match["first_zh"], part), _hour_zh(match["last_zh"], match["part_last"] or part))


def _hour(said: str, half: str) -> int:
    number = int(said) if said.isdigit() else int(SPELLED[said])
    if "p" in half and number < _HALF_DAY:
        return number + _HALF_DAY
    return 0 if "a" in half and number == _HALF_DAY else number


def _hour_zh(said: str, part: str) -> int:
    number = int(said) if said.isdigit() else int(whole(said))
    later = part in ("下午", "傍晚", "晚上", "夜里") or (part == "中午" and number < _HALF_DAY // 2)
    return number + _HALF_DAY if later and number < _HALF_DAY else number
