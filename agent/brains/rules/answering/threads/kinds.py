"""What a question that goes on with a thread wants to be told, and what such an answer looks like."""

import re
from dataclasses import dataclass, replace

from agent.brains.rules.answering.shapes import DURATION, SHAPES
from agent.brains.rules.answering.wanted import Wanted, asks_how_long, wanted_by
from agent.brains.rules.understanding.message import GoingOn
from language.numbers.dates import WEEKDAY, WHOLE_MONTH
from language.numbers.ranges import values_in
from language.words import normalise

#: Who asks what comes of not doing it, and how that is told.
_OTHERWISE_ASKED = re.compile(
    r"\b(?:if|when) (?:i|we|you|they|he|she|somebody|someone) (?:do|does|did|can|could|will|am|have)(?: not|n't)\b"
    r"|\bif not\b|\botherwise\b|不(?:这样|这么)?(?:做|办|交|还|提交|申请)?(?:会怎么样|会怎样|怎么办|的话)|否则"
)
_OTHERWISE = re.compile(
    r"\b(?:not|never|otherwise|without|unless|late|later|after that|or else|fails?|lapses?)\b|n't\b"
    r"|未|否则|逾期|不(?!仅|但|过)|没有|超过|过期|失效"
)
#: Who asks about a case of what was spoken of, which stands beside it, and a sentence about one.
CASE = re.compile(r"^(?:and |but |so )?(?:what |even )?(?:if|when)\b|如果|要是|的话|了呢|了怎么办")
CONDITION = re.compile(r"\b(?:if|when|unless|without|who)\b|如果|要是|的话|未|没|不")
#: Whom to turn to, and who may: more than the names of teams.
_WHO = re.compile(
    r"\b(?:ask|tell|see|contact|inform|write to|speak to|talk to|call|report to|only|"
    r"people|those|by the|from the)\b|\bquestions?:|找|联系|告诉|通知|只有|任何人|所有人|由"
)
#: Who asks for the last day or the last moment, and what one looks like.
_LAST_ASKED = re.compile(r"\b(?:by|till|until|before) when\b|\bdeadline\b|几号|什么时候(?:之前|以前|截止)|截止")
_LAST = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)\b|\b(?:{WHOLE_MONTH}|{WEEKDAY}(?<=day)|noon|midnight|end of)\b|\d{{1,2}}[:：]\d\d"
    r"|[\d一二三四五六七八九十]{1,3} ?[号日]|周[一二三四五六日末]|月底|年底|年末"
)
#: Who asks how long something takes, and how that is told of a process.
_TAKES_ASKED = re.compile(
    r"\bhow long\b.{0,40}\b(?:take|takes|arrive|come|get|wait)\b|多久.{0,4}[到批能收好]|[要等]多久"
)
_TAKES = re.compile(
    r"\b(?:within|takes?|after|in|up to|arrives?|lasts?|about|until)\b[^.;]{0,24}\b(?:minute|hour|day|week|month)s?\b"
    r"|(?:分钟|小时|工作日|天|周|月)(?:之?内|以内|后|左右)?(?:到|答复|批|完成|发放|送|处理|到账)|次月|下月"
)
#: Who asks by when something must be there, and how that is told.
_SOON_ASKED = re.compile(r"\bhow (?:fast|soon|quickly)\b|多快")
_SOON = re.compile(
    r"\b(?:within|in|after|until|before)\b[^.;]{0,24}\b(?:minute|hour|day|week|month)s?\b"
    r"|(?:分钟|小时|工作日|天|周|月)(?:之?内|以内|后)|之?前"
)
#: Who asks for a time of day, and what one looks like.
_CLOCK_ASKED = re.compile(r"\bwhat time\b|几点")
_CLOCK = re.compile(r"\d{1,2}[:：]\d\d|\d ?(?:am|pm|点)|\bnoon\b|\bmidnight\b|中午|零点")
#: Who asks for a price, and what one looks like.
_MONEY_ASKED = re.compile(r"\bhow much (?:is|are|does|do|will|would)\b|\b(?:cost|price)\b|多少钱|[要花]钱|价格")
_MONEY = re.compile(r"[€$£¥]|\b(?:euros?|eur|dollars?|usd|yuan|rmb|pounds?|cents?|free)\b|元|免费|费用|收费")
#: What is asked for, more closely than by its kind: who asks it, what it looks like, and what may do in its place.
_CLOSER = (
    (_CLOCK_ASKED, _CLOCK, None),
    (_LAST_ASKED, _LAST, DURATION),
    (_TAKES_ASKED, _TAKES, DURATION),
    (_SOON_ASKED, _SOON, DURATION),
    (_MONEY_ASKED, _MONEY, None),
)
#: Headings that name the kind of what stands below them: prices, times, people, places.
_HEADS = (
    (_MONEY_ASKED, re.compile(r"\b(?:prices?|costs?|fees?|rates?|paying)\b|价|费|钱")),
    (
        re.compile(r"\bwhen\b|\bwhat time\b|几点|什么时[候间]|何时"),
        re.compile(r"\b(?:when|times?|hours|opening|dates?|days?)\b|时间|什么时候|几点|日期"),
    ),
    (re.compile(r"\bwhom?\b|谁"), re.compile(r"\b(?:who|contacts?|people|responsible)\b|谁|联系|负责")),
    (re.compile(r"\bwhere\b|哪[里儿]|在哪"), re.compile(r"\b(?:where|places?|address)\b|哪|地[点址]|位置")),
)


def heads_kind(text: str, heading: str) -> bool:
    """Tell whether a heading names the kind of answer that a question asks for."""
    plain, said = normalise(text), normalise(heading)
    return any(asks.search(plain) and heads.search(said) for asks, heads in _HEADS)


#: What looks only somewhat like what is asked for.
_SOMEWHAT = 0.7


@dataclass(frozen=True)
class Shape:
    """What an answer must look like: one pattern of each, or, somewhat, one of those in its place."""

    all_of: tuple[tuple[re.Pattern[str], ...], ...] = ()
    instead: re.Pattern[str] | None = None

    def fits(self, text: str) -> float:
        """Return 1 for what looks like it, less for what may, 0 for what does not or where nothing is asked for."""
        plain = normalise(text)
        if self.all_of and all(any(pattern.search(plain) for pattern in ways) for ways in self.all_of):
            return 1.0
        return _SOMEWHAT if self.instead is not None and self.instead.search(plain) else 0.0


def says_kind(text: str) -> bool:
    """Tell whether a question says what kind of answer it wants."""
    return Wanted.ANY not in wanted_by(normalise(text))


def shape_of(more: GoingOn) -> Shape:
    """Return what an answer must look like; nothing where the question does not say.

    A few words that ask for nothing themselves ("and a badge?") ask for the price that was asked for before.
    """
    plain = normalise(more.text)
    kind_said = says_kind(plain)
    if not kind_said and more.before and values_in(plain):
        return shape_of(replace(more, text=more.before.asked, before=None))
    if not kind_said and _MONEY_ASKED.search(normalise(more.subject)):
        return Shape(((_MONEY,),))
    if _OTHERWISE_ASKED.search(plain):
        return Shape(((_OTHERWISE,),))
    wanted = wanted_by(plain) - {Wanted.PERMISSION}  # nearly every sentence allows, forbids or needs something
    if more.calls or wanted & {Wanted.PERSON, Wanted.CONTACT}:
        contacts = tuple(pattern for kind, pattern, _ in SHAPES if kind is Wanted.CONTACT)
        people = tuple(pattern for kind, pattern, _ in SHAPES if kind is Wanted.PERSON)
        return Shape((contacts,), _WHO) if more.calls else Shape(((*people, *contacts, _WHO),))
    kinds = tuple((pattern,) for kind, pattern, _ in SHAPES if kind in wanted)
    for asks, looks, instead in _CLOSER:
        if asks.search(plain):
            return Shape((*kinds, (looks,)), instead)
    return Shape((*kinds, (DURATION,)) if asks_how_long(plain) else kinds)
