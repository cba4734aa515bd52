"""How people name a ticket or a person: a number, "my last ticket", 上一单, "to Ben" (C6)."""

import re

from agent.brains.rules.understanding.message import Message, read
from features.tickets.understanding import phrases
from language.words import normalise
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
