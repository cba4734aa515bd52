"""What the different kinds of answers look like: a time has digits or a day, a person a role or an address."""

import re

from agent.brains.rules.answering.wanted import Wanted
from language.numbers.dates import MONTHS, WEEKDAY, WHOLE_MONTH

_DIGITS = re.compile(
    r"\d|[一二三四五六七八九十两百千半]{1,8}\s?(?:天|日|周|个月|年|小时|分钟|元|次|个工作日|%)|\b(?:one|two|"
    r"three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|half|"
    r"once|twice|daily|weekly|monthly|quarterly|annually|yearly)\b"
)
_TIME = re.compile(
    rf"\b(?:(?:day|hour|minute|second|week|month|year)s?|{WEEKDAY}(?<=day)|noon|midnight|am|pm|{WHOLE_MONTH}|daily|"
    r"weekly|monthly|quarter\w*|annual\w*|before|after|until|by|within|deadline|business days)\b|\d{1,2}:\d\d"
    r"|天|日|周|月|年|小时|分钟|秒|点|之前|以内|之内|截止|工作日|季度"
)
_PERSON = re.compile(
    r"@|\b(?:team|manager|lead|head|officer|desk|department|group|partner|owner|director|engineer|contact|"
    r"administrator|approve[sd]?|approval|responsible)\b|部(?!分)|组|经理|主管|负责|联系|审批|团队|专员|总监"
)
_CONTACT = re.compile(
    r"@|#\w|\b(?:call|ring|phone|dial|extension|ext|hotline|write to|message|report)\b.{0,60}(?:\d{3}|@|`)|"
    r"\b\d{4}\b|分机|电话|打 ?\d{3}|\d{3}-?\d{4}"
)
_PLACE = re.compile(
    r"https?://|/|\b(?:room|floor|building|portal|page|site|intranet|folder|channel|desk|drive|cupboard|"
    r"reception|kitchen|app|menu|settings?|office|under|at|in)\b|#\w|楼|[\d一二三四五六七八九] ?层|室|"
    r"门户|页面|网站|目录|频道|前台|系统|菜单|设置|柜"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|reason|due to|caused?|therefore|means|otherwise|to avoid|to prevent)\b|因为|"
    r"由于|原因|导致|所以|以免|避免|为了"
)
RULE = re.compile(
    r"\b(?:can|may|must|cannot|can't|not|allowed|permitted|required|need|needs|only|never|always|without|"
    r"forbidden|prohibited|mandatory|no|yes)\b|可以|必须|不得|不能|禁止|允许|需要|无需|不可|仅|应当|不允许|"
    r"严禁"
)
#: What how long is answered with.
DURATION = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|ten|twelve)\*{0,2} (?:working |business |calendar )?"
    r"(?:second|minute|hour|day|week|month|year)s?\b"
    r"|[\d一二三四五六七八九十两]\*{0,2} ?个?(?:秒|分钟|小时|天|工作日|周|星期|月|年)"
)
#: What whether something may be or is, is answered with.
VERDICT = re.compile(r"\W*(?:yes|no)\b[,.:;!]|\W*(?:可以|不可以|不能|不行|能|是的|不是|不会|不得|无需|不需要)")
_COUNTED = re.compile(
    r"\bhow many (?:[a-z-]{2,20} ){0,2}?([a-z-]{3,20})"
    r"(?=[?.!]?$| (?:do|does|did|are|is|can|may|should|must|will|have|has|in|on|at|per|of|a|to|for|i|we)\b)"
    r"|(?:多少|几)个 ?([a-z\u4e00-\u9fff]{1,6})"
)
_NUMBER_OF = (
    r"(?:(?<!\d)\d[\d,.]{{0,12}}+|\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b|[一二两三四五六七八九十])"
    r"\W{{0,3}}(?:个 ?)?(?:[a-z-]{{1,20}} ){{0,2}}{}"
)


#: Who asks on which day, and how a day is written.
_WHICH_DAY = re.compile(r"\b(?:what|which) (?:week)?(?:day|date)\b|(?<!好)几号|哪一?[天日]|星期几|周几")
DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)\b|\b{WEEKDAY}(?<=day)s?\b|\b\d{{1,2}} (?:{'|'.join(MONTHS)})[a-z]{{0,6}}\b"
    r"|(?:\d{1,2}|[一二三十]{1,3}) ?[日号]|(?:星期|周)[一二三四五六日天末]|月[底末初]"
)


#: Who asks when something is or comes, and not up to when something is to be done; and how a point in time is written:
#: it is no span ("26 weeks").
_WHICH_MOMENT = re.compile(
    r"^(?:and |so |ok |hi )?when (?:is|are|do|does|will|was|were)\b(?!.*\b(?:have to|need|must|should|can|may|ask|"
    r"apply|hand|submit|claim|send|return|tell|report|use|lapse|expire|change|end|stop|allowed|due|back)\b)|"
    r"(?:什么时候|何时)(?:才|会|再|能)?(?:发|到账|开|举行|举办|放|公布|出|是)"
)
MOMENT = re.compile(
    rf"{DAY.pattern}|\d{{1,2}}[:.]\d\d|\b\d{{1,2}} ?(?:am|pm|o'clock)\b|"
    r"\b(?:noon|midnight|morning|afternoon|evening|night)\b|"
    rf"\b{WHOLE_MONTH}\b|"
    r"\b(?:spring|summer|autumn|fall|winter|easter|christmas|ramadan|daily|weekly|monthly|quarterly|annually|yearly|"
    r"weekdays?|weekends?|fortnight\w*)\b|"
    r"\b(?:first|last|next|same|working) (?:of|working|business|day|week|month|monday|friday)\b|"
    r"\b(?:every|each|end of|start of|beginning of|middle of|twice a|once a|as soon as|before|after|until|by|from)\b|"
    r"[点號号]|[\d一二三四五六七八九十]\s?月|每(?:天|日|周|月|年|季|个)|月[底末初]|年[底末初]|季度|当[天日月]|次[日月]|上旬|中旬|下旬|节|[前后]"
)


#: Who asks at or until what time, and how one is written, or what it is counted from.
_WHICH_CLOCK = re.compile(
    r"\b(?:what|which) time\b(?! (?:off|limit|zone|frame|span|of|sheet))|\bhow late (?:can|may|do|does|is|are|will)\b"
    r"|几点"
)
_CLOCK = re.compile(
    r"\d{1,2}[:.]\d\d|\b\d{1,2} ?(?:am|pm|o'clock)\b|\b\d{1,2} ?(?:to|-|–|until|till) ?\d{1,2}\b|"
    r"\b(?:at|by|from|until|till|before|after|between) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|twelve)\b(?! ?%| (?:day|week|month|year|hour|minute)s?)|"
    r"\b(?:noon|midnight|midday|sunrise|sunset|dusk|dawn|any ?time|around the clock|24/7)\b|"
    r"\b(?:hours?|minutes?) (?:before|after (?:the|last|closing|opening))\b|"
    r"[\d一二三四五六七八九十] ?[点時时]|(?:分钟|小时)[前后]"
)


#: Who asks for a price, and how one is written.
_WHICH_PRICE = re.compile(
    r"\b(?:costs?|prices?|fees?|how expensive)\b(?! cent)|多少钱|几块钱|价格|价钱|票价|收费多少|"
    r"\bhow much (?:do|does|did|will|would|must|is) (?:\w{1,12} ){1,2}"
    r"(?:take off|charged?|deduct|pay|cost|earn|owe|get paid)\b"
)
PRICE = re.compile(
    r"[€$£¥]|\b(?:euros?|eur|pounds?|dollars?|usd|gbp|free)\b|元|块|镑|免费|(?<![\d.,])\d[\d.,]{0,12}p\b"
)
#: Who asks which version, and how one is written.
_WHICH_VERSION = re.compile(r"\b(?:what|which) (?:[\w.-]{1,20} ){0,2}versions?\b|(?:什么|哪个|哪些|多少)版本")
_VERSION = re.compile(r"(?<![\w.])v?\d{1,4}(?:\.\d{1,4}){1,3}|\bversions? \d|\b\d{4}[a-z]\d?\b")


def exactly(plain: str) -> re.Pattern[str] | None:
    """Return what "how many pods", "on which day", "which version" or a price is answered with; None for none."""
    if _WHICH_DAY.search(plain):
        return DAY
    if _WHICH_CLOCK.search(plain):
        return _CLOCK
    if _WHICH_MOMENT.search(plain):
        return MOMENT
    if _WHICH_VERSION.search(plain):
        return _VERSION
    return PRICE if _WHICH_PRICE.search(plain) else _number_of_counted(plain)


def _number_of_counted(plain: str) -> re.Pattern[str] | None:
    """Return a number and what is counted; None where nothing is."""
    found = _COUNTED.search(plain)
    named = found and (found[1] or found[2])
    return re.compile(_NUMBER_OF.format(re.escape(named.removesuffix("s")))) if named else None


#: What carries digits and counts nothing: the address of a link, a name, a code.
_UNCOUNTED = re.compile(
    r"```[^`]*```|\]\([^)\s]{0,300}+\)|https?://\S++|(?<![\w./:-])[A-Za-z_][A-Za-z_./:-]*+\d[\w./:-]*+"
)


def counts(text: str, wanted: frozenset[Wanted]) -> bool:
    """Tell whether a normalised text holds a number where an amount is wanted, or a time where that is."""
    plain = _UNCOUNTED.sub(" ", text)
    told = (Wanted.AMOUNT, _DIGITS), (Wanted.TIME, _DIGITS), (Wanted.TIME, _TIME)
    asked = [pattern for kind, pattern in told if kind in wanted]
    return not asked or any(pattern.search(plain) for pattern in asked)


SHAPES: tuple[tuple[Wanted, re.Pattern[str], float], ...] = (
    (Wanted.TIME, _TIME, 0.12),
    (Wanted.TIME, _DIGITS, 0.14),
    (Wanted.AMOUNT, _DIGITS, 0.26),
    (Wanted.PERSON, _PERSON, 0.22),
    (Wanted.CONTACT, _CONTACT, 0.35),
    (Wanted.PLACE, _PLACE, 0.16),
    (Wanted.REASON, _REASON, 0.26),
    (Wanted.PERMISSION, RULE, 0.14),
)
