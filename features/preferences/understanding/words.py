"""What people say of their settings: languages, time zones, quiet hours and ways, in English and Chinese."""

import re
from collections.abc import Mapping
from datetime import time
from functools import cache
from pathlib import Path
from zoneinfo import available_timezones

from features.anatomy.texts import read_yaml
from identity.actor import QuietHours
from language.numbers.amounts import whole
from language.words import normalise

#: When quiet hours end whose end nobody names, and what begins them.
_MORNING = time(7)
_FROM = re.compile(r"\b(?:after|from|past)\b|(?:以|之)后")
#: What stands for nothing chosen.
OFF = "off"
_LANGUAGES = {
    "en": ("english", "en", "英文", "英语"),
    "zh": ("chinese", "mandarin", "zh", "中文", "汉语", "普通话", "华语"),
}
_WAYS = {
    "mail": ("e-mail", "email", "mail", "邮件", "邮箱", "电子邮件"),
    "slack": ("slack",),
    "teams": ("teams", "microsoft teams"),
    "web": ("browser", "web", "浏览器", "网页"),
    "webhook": ("webhook",),
    "chat": ("chat", "聊天", "where i last wrote"),
}
_TIME = re.compile(
    r"(?P<part>上午|早上|早晨|凌晨|中午|下午|晚上|夜里|夜间|傍晚)?\s?(?<![\d:.])"
    r"(?P<hour>\d{1,2}(?!\d)|[一二两三四五六七八九十]{1,3}(?=[点时]))"
    r"(?:(?::|：|点|时)(?:(?P<minute>\d{2})(?!\d)|(?P<thirty>半)))?(?:点|时)?\s?(?P<half>[ap]\.?m\b)?"
)
_EVENING = ("下午", "晚上", "夜里", "夜间", "傍晚")
_NOTHING = re.compile(r"\b(?:off|none|no|without|remove|cancel|delete|stop|end)\b|取消|关闭|关掉|不要|删除|去掉")
_ANY = re.compile(r"\b(?:any|whichever|both|as i write|default)\b|随我|都可以|跟随")


def language_called(words: str) -> str:
    """Return the language that words name, `off` for the one that each message is in, "" where they name none."""
    plain = normalise(words)
    found = next((code for code, names in _LANGUAGES.items() if _names(plain, names)), "")
    return found or (OFF if _ANY.search(plain) else "")


def way_called(words: str) -> str:
    """Return the way of news that words name, "" where they name none."""
    plain = normalise(words)
    return next((way for way, names in _WAYS.items() if _names(plain, names)), "")


def zone_called(words: str) -> str:
    """Return the time zone that words name, by its own name or by a city, "" where they name none."""
    plain = normalise(words).strip(" .,!?。，！？的")
    zones = _zones()
    for called in (plain, plain.replace(" ", "_"), re.sub(r"(?: time|时间|时区)$", "", plain)):
        if called in zones:
            return zones[called]
    return next((zone for name, zone in _longest_first() if _names(plain, (name,))), "")


def quiet_called(words: str) -> QuietHours | None:
    """Return the quiet hours that two times of day name, or one after which they begin; None where nothing does."""
    plain = normalise(words)
    times = [each for found in _TIME.finditer(plain) if (each := _time(found)) is not None]
    if len(times) == 1 and _FROM.search(plain):
        times.append(_MORNING)
    return QuietHours(times[0], times[1]) if len(times) == 2 and times[0] != times[1] else None


def says_nothing(words: str) -> bool:
    """Return whether words take away what was chosen."""
    return _NOTHING.search(normalise(words)) is not None


def _time(found: re.Match[str]) -> time | None:
    hour, minute = whole(found["hour"]), 30 if found["thirty"] else int(found["minute"] or 0)
    late = (found["half"] or "").startswith("p") or found["part"] in _EVENING
    if late and hour < 12:
        hour += 12
    if (found["half"] or "").startswith("a") and hour == 12:
        hour = 0
    if hour == 24 and minute == 0:
        hour = 0
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _names(plain: str, names: tuple[str, ...]) -> bool:
    return any(re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", plain) is not None for name in names)


@cache
def _zones() -> Mapping[str, str]:
    """Return every zone by what people call it, in lower case."""
    known = sorted(available_timezones())
    cities = {zone.rpartition("/")[2].casefold().replace("_", " "): zone for zone in known if "/" in zone[:-1]}
    own = {zone.casefold(): zone for zone in known}
    said: Mapping[str, list[str]] = read_yaml(Path(__file__).with_name("zones.yaml"))
    return {**cities, **own, **{name: zone for zone, names in said.items() for name in names}}


@cache
def _longest_first() -> tuple[tuple[str, str], ...]:
    """Return the names that may stand among other words: no short one, which would be a word of its own."""
    chosen = ((name, zone) for name, zone in _zones().items() if len(name) > 3 or not name.isascii() or name == "utc")
    return tuple(sorted(chosen, key=lambda each: -len(each[0])))
