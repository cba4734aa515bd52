"""Messages about tickets that exist: which one, what shall be done to it, and in whose words."""

import re

from agent.brains.rules.patterns import ticket_phrases
from agent.brains.rules.understanding.intent import Analysis, Intent
from agent.brains.rules.understanding.message import Message, draft_waits
from agent.brains.rules.understanding.references import assignee, ticket_reference
from language.words import content_words


def about_ticket(message: Message) -> Analysis | None:
    """Return what shall be done with which ticket, or None when the message is not about a ticket that exists."""
    mine = re.search(r"\bmy\b|我的|我(?:提|报|开)", message.core) is not None
    if ticket_phrases.QUEUE.search(message.core) and not mine and not _asks_how(message):
        return Analysis(Intent.QUEUE, status=_status(message.plain))
    if ticket_phrases.BARE_URGE.fullmatch(message.core) and not draft_waits(message.memory):
        return _with_details(Intent.URGE, message)
    lists = ticket_phrases.LIST.search(message.core) and not message.number and not _single(message)
    if lists and not _asks_how(message) and not _urging(message):
        return Analysis(Intent.LIST, status=_status(message.plain))
    if not message.names_ticket:
        return None
    if _opens_one(message):
        return None
    return _change(message) or _shown(message)


def _single(message: Message) -> bool:
    """Tell whether it means one ticket ("上一单", "my last ticket") and not a list of them."""
    return ticket_phrases.ONE_TICKET.search(message.core) is not None and not re.search(
        r"tickets\b|哪些|列表|所有", message.core
    )


def _asks_how(message: Message) -> bool:
    return (
        re.search(
            (
                r"\bhow (?:do|does|can|could|should|would|to|long)\b|\bcan i\b|\bwhat (?:is|happens|does)\b|"
                r"怎么(?!样)|如何|怎样|多久|什么是"
            ),
            message.core,
        )
        is not None
    )


def _opens_one(message: Message) -> bool:
    """Tell whether the ticket that is spoken of is yet to be made."""
    return (
        not message.number
        and ticket_phrases.OPEN_TICKET.search(message.core) is not None
        and not ticket_phrases.REOPEN.search(message.core)
    )


_CHANGES: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (Intent.REOPEN, ticket_phrases.REOPEN),
    (Intent.COMMENT, ticket_phrases.COMMENT),
    (Intent.ASSIGN, ticket_phrases.ASSIGN),
    (Intent.CANCEL, ticket_phrases.CANCEL),
    (Intent.RESOLVE, ticket_phrases.RESOLVE),
    (Intent.URGE, ticket_phrases.URGE),
)


def _change(message: Message) -> Analysis | None:
    if message.procedural and not _urging(message):
        return None
    head, _, rest = message.core.replace("：", ":").partition(":")  # what stands behind a colon is content
    if not re.search(r"[^\W\d]", re.sub(r"^[a-z]{2,10}-[\d -]+", "", head)):
        head = rest  # "#15: add that …"
    for intent, pattern in _CHANGES:
        if pattern.search(head):
            return _with_details(intent, message)
    return None


def _urging(message: Message) -> bool:
    return re.search(r"怎么还没|催|快点|尽快|加急|still waiting", message.core) is not None


def _with_details(intent: Intent, message: Message) -> Analysis:
    ticket = ticket_reference(message.text, message.prefix) or ("that" if message.memory.last.get("ticket") else "last")
    match intent:
        case Intent.COMMENT:
            said = after_mark(message.text)
            return Analysis(intent, ticket=ticket, detail=said, missing="" if said else "comment")
        case Intent.RESOLVE:
            said = after_mark(message.text)
            return Analysis(intent, ticket=ticket, detail=said, missing="" if said else "resolution")
        case Intent.ASSIGN:
            whom = assignee(message.text)
            return Analysis(intent, ticket=ticket, detail=whom, missing="" if whom else "assignee")
        case Intent.CANCEL | Intent.REOPEN:
            return Analysis(intent, ticket=ticket, detail=after_mark(message.text))
        case _:
            return Analysis(intent, ticket=ticket)


_AFTER = (
    re.compile(r"[:：]\s*(?P<said>\S.*)$", re.DOTALL),
    re.compile(r"[\"“「](?P<said>[^\"”」]+)[\"”」]"),
    re.compile(
        (
            r"\b(?:because|since|as in|saying|that says|noting|to say|with (?:the )?(?:note|comment|"
            r"message))\b[ ,]*(?P<said>\S.*)$"
        ),
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(r"(?:因为|由于|原因是|说明|备注|补充|评论|留言)(?:一下|道)?[，,、 ]*(?P<said>\S.*)$", re.DOTALL),
    re.compile(r"\b(?:that|with|by|,)\s+(?P<said>(?:\S+\s+){1,}\S.*)$", re.IGNORECASE | re.DOTALL),
    re.compile(r"[，,。;；]\s*(?P<said>\S.*)$", re.DOTALL),
)


def after_mark(text: str) -> str:
    """Return what is said after a colon, in quotes, or after "because", "that", 因为: verbatim; "" when nothing is."""
    for pattern in _AFTER:
        found = pattern.search(text.strip())
        if found:
            return found["said"].strip()
    return ""


def _shown(message: Message) -> Analysis | None:
    reference = ticket_reference(message.text, message.prefix)
    mine = re.search(r"\bmy\b|我的|我(?:提|报|开)", message.core) is not None
    if _asks_how(message) and not (
        reference and ticket_phrases.SHOW.search(message.core) and "how do" not in message.core
    ):
        return None
    only_reference = bool(message.number) and len(content_words(message.core)) <= 3
    if (reference or mine) and (ticket_phrases.SHOW.search(message.core) or only_reference):
        return Analysis(Intent.SHOW, ticket=reference or "last")
    return None


def _status(plain: str) -> str:
    return next((status for status, pattern in ticket_phrases.STATUS_WORDS if pattern.search(plain)), "")
