"""How people name a ticket or a person: a number, "my last ticket", 上一单, "to Ben" (C6)."""

import re

from agent.brains.rules.understanding.message import Message, read
from agent.brains.rules.understanding.phrases import any_of
from features.tickets.understanding import phrases
from language.words import chinese_runs, content_words, is_generic, normalise, stems
from tickets.reference import mentions

_SHORT = re.compile(
    r"(?:(?:ticket|case|request|issue|(?<!\w )(?:no\.?|number)|(?:ticket|about|is|"
    r"on|to|of|show|close) (?:no\.?|number)|"
    r"工单|单号|(?<![\u4e00-\u9fff])编号) ?#?|#|№)(\d{1,9})(?!\d)|(\d{1,9}) ?号(?:工单|单)"
)
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)++")
_ASSIGNEE = (
    re.compile(r"\bto @?(me|myself|[\w.'-]+(?: [A-Z][\w'-]+)?)", re.IGNORECASE),
    re.compile(r"(?:分配|指派|转派|转|派|交|分|指)(?:给)?\s*@?(我自己|我|自己|[\u4e00-\u9fff]{2,4}|[A-Za-z][\w.]*)"),
)
_TO_ME = re.compile(
    r"\b(?:i'll|i will|i can|let me|me|myself)\b|^(?:take|grab|claim|pick up|handle)\b|我来|我接|认领|由我|归我"
)


#: Which of those that were just listed: "the second one", 第二单.
_PLACE_IN_LIST = re.compile(
    r"\b(?:the )?(?P<word>first|1st|top|second|2nd|third|3rd|fourth|4th|fifth|5th|last|bottom)"
    r"(?: (?:one|ticket)|(?=[:.!,]|$))"
    r"|第(?P<count>[一二三四五六七八九\d])[个单条张项]?(?:工单)?|(?P<last>最后)[一]?[个单条张]"
)
_PLACES = (
    *("first 1st top 一 1", "second 2nd 二 2", "third 3rd 三 3", "fourth 4th 四 4", "fifth 5th 五 5"),
    *("六 6", "七 7", "八 8", "九 9"),
)


def pointed_out(message: Message) -> Message:
    """Return the message with the number of the ticket that it points out in the list that was just shown."""
    listed = message.memory.last.get("listed", "").split(",")
    found = _PLACE_IN_LIST.search(message.plain) if listed[0] and not message.question else None
    if found is None:
        return message
    said = found["word"] or found["count"] or "last"
    at = -1 if said in ("last", "bottom") else next(at for at, words in enumerate(_PLACES) if said in words.split())
    if at >= len(listed):
        return message
    meant = f"{message.plain[: found.start()]} {listed[at]} {message.plain[found.end() :]}".strip()
    return read(meant, message.memory, message.things)


def ticket_number(text: str, prefix: str) -> str:
    """Return the number that a text names, in full or short form; "" when it names none."""
    full = mentions(text, prefix)
    if full:
        return full[0]
    found = _SHORT.search(normalise(text))
    return next((group for group in found.groups() if group), "") if found else ""


def ticket_reference(text: str, prefix: str) -> str:
    """Return a number, "last" or "that" as the ticket tools take it; "" when nothing is named."""
    number = ticket_number(text, prefix)
    if number:
        return number
    plain = normalise(text)
    if phrases.LAST.search(plain):
        return "last"
    return "that" if phrases.THAT.search(plain) else ""


def names_ticket(message: Message, prefix: str) -> bool:
    """Tell whether it speaks of a ticket, by number, by noun, or by a pronoun that the thread resolves."""
    spoken_of = bool(message.memory.last.get("ticket")) and phrases.PRONOUN.search(message.plain) is not None
    return bool(ticket_number(message.text, prefix)) or phrases.TICKET.search(message.plain) is not None or spoken_of


def assignee(text: str) -> str:
    """Return who shall have a ticket: an e-mail, a name as it was written, or "me"; "" when nobody is named."""
    email = _EMAIL.search(text)
    if email:
        return email.group()
    for pattern in _ASSIGNEE:
        found = pattern.search(text)
        if found:
            named = found.group(1)
            return "me" if named.lower() in {"me", "myself", "我", "我自己", "自己"} else named
    return "me" if _TO_ME.search(normalise(text)) else ""


#: Who asks after what they have reported: it says so, or it is asked of somebody who should have come.
_SENT = r"(?:sent in|reported|filed|raised|logged|submitted|put in|told you about|complained about|flagged)"
_SOMEBODY = r"(?:anyone|anybody|someone|somebody|they|maintenance|facilities)"
_DOES = (
    r"(?:look(?:ed|ing)?|been|picked?(?: up)?|seen?|com(?:e|ing)|fix(?:ed|ing)?|work(?:ed|ing)?|deal(?:t|ing)|"
    r"sort(?:ed|ing)?|doing|handling|on (?:it|to))"
)
_DID = r"(?:came|come|showed up|turned up|been|picked up|looked|seen|fixed|answered|called|got back|replied|done)"
_ASKS_AFTER = any_of(
    r"\b(?!(?:do|does|can|could|should|must|may|shall|how|if)\b)\w+ (?:that )?"
    rf"(?:i|we)(?:'ve| have| had| just|'d){{0,2}} {_SENT}\b",
    rf"\b(?:did|has|have|is|was|were) {_SOMEBODY} (?:\w{{1,8}} )?{_DOES}\b",
    rf"\b(?:nobody|no ?one|none)(?:'s| has| have)? (?:\w{{1,8}} )?{_DID}\b",
    r"\b(?:any|some) (?:news|updates?|progress|word|joy) (?:yet )?(?:on|about|with|regarding) (?:my|the|that|our)\b",
    r"\bhow(?:'?s| is| are) (?:it|things|that) (?:going|coming along|looking) with (?:my|the|that|our)\b",
    r"\bwhat(?:'?s| is) (?:happening|going on|up|the (?:news|status|state|latest)) (?:with|on|of|about) (?:my|that)\b",
    r"\bwhere are we with (?:my|the|that)\b",
    r"\b(?:picked up|looked at|fixed|sorted|dealt with|assigned) my (?:ticket|report|request)\b",
    r"(?:我|咱们?|我们)(?:刚|刚才|刚刚|昨[天晚]|前天|今[天早]|上周|上次|早上|之前|前几天){0,2}"
    r"(?:报修?|提交?|反映|说|申报)(?:过|了)?的(?!话)",
    r"(?<!人)(?:怎么|咋|为什么|为啥)还?(?:没|不)(?:有)?(?:人|见人)?(?:来|修|处理|弄|回复?|管|看)",
    r"(?:还|都|一直)没(?:有)?人(?:来|修|处理|弄|回|管|看|理|接)|有人(?:来|管|看|处理|修|接|跟)(?:了|过)?(?:没|吗|"
    r"么|不)",
)
#: What such a question says of the asking, and not of the thing.
_OF_ASKING = frozenset(
    stems(
        "thing stuff problem issue fault report reported sent send filed raised logged submitted told flagged news "
        "update progress happening going status story latest look looked looking picked seen come came coming fixed "
        "fixing work working deal dealing sort sorted handling anyone anybody someone somebody nobody maintenance "
        "facilities ticket request yet still already ago yesterday today week last morning put called answered done"
    )
)
_OF_ASKING_CHINESE = re.compile(
    r"[我咱您你]们?|刚才?|刚刚|昨[天晚]|前天|今[天早]|上周|上次|早上|之前|前几天|报修?|提交?|反映|申报|的|了|"
    r"没有?|有人|人|来|修|"
    r"上一?(?:个|条|张|次)?(?=单|工单|的|$)|管|处理|弄|回复?|看|理|接|跟|还|怎么样?|咋|为什么|为啥|都|一直|那个|"
    r"这个|单子?|工单|吗|呢|么|进展|进度|情况|如何|什么时候|好|在|是|不|能|过"
)


def asks_after(message: Message) -> bool:
    """Tell whether somebody asks how their report stands: "any news on the shower", 我报的灯修了没."""
    return _ASKS_AFTER.search(message.plain) is not None and not mentions_how(message)


def mentions_how(message: Message) -> bool:
    """Tell whether it asks for a rule: "what happens if nobody has come after an hour?"."""
    return re.search(r"\bif\b|\bhow (?:do|can|long|should)\b|如果|要是|多久|怎么办", message.plain) is not None


def named_of(text: str) -> frozenset[str]:
    """Return what a text names beside the asking: stems of words, and pairs of Chinese characters."""
    words = frozenset(stems(" ".join(word for word in content_words(text) if word.isascii() and not is_generic(word))))
    runs = [run for each in chinese_runs(normalise(text)) for run in _OF_ASKING_CHINESE.split(each)]
    pairs = frozenset(run[at : at + 2] for run in runs for at in range(len(run) - 1))
    return (words - _OF_ASKING) | pairs | frozenset(run for run in runs if len(run) == 1)
