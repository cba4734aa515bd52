"""What somebody wants: one intent for every message, decided from the person's own words and the thread.

It reads no document and knows no company. What is not clearly something else is a question for the documents.
"""

import re

from agent.brains.rules.patterns import fault_phrases, phrases, scope_phrases, ticket_phrases
from agent.brains.rules.understanding.intent import Analysis, Intent
from agent.brains.rules.understanding.message import Message, completed, draft_waits, read
from agent.brains.rules.understanding.references import assignee, ticket_reference
from agent.brains.rules.understanding.reporting import new_ticket
from agent.brains.rules.understanding.ticket_talk import about_ticket
from agent.tools.context import Recollection


def analyse(text: str, memory: Recollection | None = None, *, prefix: str = "TCK") -> Analysis:
    """Return what the message asks for, given the thread before it."""
    remembered = memory or Recollection()
    message = read(text, remembered, prefix)
    return (
        _small_talk(message)
        or _forbidden(message)
        or _answer_to_question(message)
        or _about_draft(message)
        or about_ticket(message)
        or _off_topic(message)
        or new_ticket(message)
        or _completing(message)
        or Analysis(Intent.ASK, query=completed(text, remembered))
    )


def _small_talk(message: Message) -> Analysis | None:
    plain = message.plain
    if not re.search(r"\w", plain) or phrases.HELP.match(plain) or phrases.HELP.match(message.core):
        return Analysis(Intent.HELP)
    if phrases.GREETING.match(plain):
        return Analysis(Intent.GREETING)
    offered = bool(message.memory.turns) and message.memory.turns[-1].outcome in ("no_evidence", "asked_back")
    if phrases.THANKS.match(plain) and not (offered and ticket_phrases.OFFER_ACCEPTED.match(plain)):
        return Analysis(Intent.THANKS)
    return None


def _forbidden(message: Message) -> Analysis | None:
    if scope_phrases.OVERRIDE.search(message.plain) or scope_phrases.SECRETS.search(message.plain):
        return Analysis(Intent.NOT_ALLOWED)
    return None


def _answer_to_question(message: Message) -> Analysis | None:
    """Take a message as the answer to what the desk asked back, or to its offer of a ticket."""
    if not message.memory.turns:
        return None
    last = message.memory.turns[-1]
    if last.outcome == "no_evidence" and ticket_phrases.OFFER_ACCEPTED.match(message.plain):
        return Analysis(Intent.DRAFT, detail=last.asked)
    if last.outcome != "asked_back" or message.procedural:
        return None
    earlier = Recollection(turns=message.memory.turns[:-1], last=message.memory.last)
    open_matter = analyse(last.asked, earlier, prefix=message.prefix)
    return _filled(open_matter, message)


def _filled(matter: Analysis, message: Message) -> Analysis | None:
    match matter.missing:
        case "problem":
            return Analysis(Intent.DRAFT, detail=message.text)
        case "ticket":
            named = ticket_reference(message.text, message.prefix) or _bare_number(message.plain)
            return Analysis(matter.intent, ticket=named, detail=matter.detail) if named else None
        case "comment" | "resolution":
            return Analysis(matter.intent, ticket=matter.ticket, detail=message.text)
        case "assignee":
            return Analysis(matter.intent, ticket=matter.ticket, detail=assignee(message.text) or message.text.strip())
        case _:
            return None


def _bare_number(plain: str) -> str:
    found = re.fullmatch(r"#?(\d{1,9})", plain.strip(" .。"))
    return found.group(1) if found else ""


def _about_draft(message: Message) -> Analysis | None:
    plain = message.plain
    has_draft = bool(message.memory.last.get("draft"))
    if ticket_phrases.DRAFT_NOUN.search(plain) and not message.procedural:
        if ticket_phrases.CANCEL.search(plain) or re.search(r"\bdiscard\b|\bthrow away\b|丢弃|放弃|扔掉", plain):
            return Analysis(Intent.DISCARD)
        if ticket_phrases.CONFIRM_WORDS.match(plain):
            return Analysis(Intent.CONFIRM)
    if has_draft and not message.question:
        if ticket_phrases.CONFIRM_WORDS.match(plain) or (
            draft_waits(message.memory) and ticket_phrases.OFFER_ACCEPTED.match(plain)
        ):
            return Analysis(Intent.CONFIRM)
        if re.fullmatch(
            r"(?:discard|never ?mind|forget it|cancel)(?: it| that| this)?[.!]*"
            r"|(?:(?:还是)?(?:算了|不提了|不用了|不用|取消|放弃)[吧啦]?[，, 。]*)+",
            plain,
        ):
            return Analysis(Intent.DISCARD) if draft_waits(message.memory) else None
    return None


def _completing(message: Message) -> Analysis | None:
    """Take a statement in a thread with a waiting draft as what the draft still lacks, or as a change to it."""
    if not message.memory.last.get("draft") or message.procedural:
        return None
    if draft_waits(message.memory) and not message.plain.endswith(("?", "?")):
        return Analysis(Intent.REVISE, detail=message.text)
    changes = re.search(
        r"\b(?:change|set|update|make|edit|correct)\b.*\b(?:priority|title|location|contact|category|"
        r"description|draft|device|system|phone|floor|room)\b"
        r"|\b(?:the )?(?:priority|title|location|contact|category) (?:is|should be)\b"
        r"|(?:优先级|标题|地点|位置|联系方式|电话|类别|分类|描述|草稿)[^。?]{0,6}(?:改|换|设|是|为|成)|(?:改|"
        r"换|修改)[^。?]{0,8}(?:优先级|标题|地点|位置|联系方式|类别|草稿)",
        message.plain,
    )
    return Analysis(Intent.REVISE, detail=message.text) if changes else None


def _off_topic(message: Message) -> Analysis | None:
    """Refuse only what is clearly no matter of a workplace's documents; everything else is asked."""
    plain, core = message.plain, message.core
    always = (scope_phrases.WRITING, scope_phrases.ADVICE, scope_phrases.TRIVIA)
    if scope_phrases.COMPANY_MATTER.search(plain) or fault_phrases.FAULT.search(core) or draft_waits(message.memory):
        return None
    if (
        any(pattern.search(core) for pattern in always)
        or scope_phrases.CHIT_CHAT.search(core)
        or scope_phrases.OUT_CHINESE.search(plain)
    ):
        return Analysis(Intent.OUT_OF_SCOPE)
    return None
