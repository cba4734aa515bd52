"""What somebody wants: one intent for every message, decided from the person's own words and the thread.

It reads no document and knows no company. What is not clearly something else is a question for the documents.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from agent import phrases
from agent.context import Recollection
from agent.references import assignee, ticket_number, ticket_reference
from agent.word_tables import TRADITIONAL
from agent.words import content_words, normalise


class Intent(StrEnum):
    """Everything that the rules brain can be asked for."""

    ASK = "ask"
    DRAFT = "draft"
    REVISE = "revise"
    DISCARD = "discard"
    CONFIRM = "confirm"
    LIST = "list"
    QUEUE = "queue"
    SHOW = "show"
    COMMENT = "comment"
    URGE = "urge"
    ASSIGN = "assign"
    RESOLVE = "resolve"
    REOPEN = "reopen"
    CANCEL = "cancel"
    HELP = "help"
    GREETING = "greeting"
    THANKS = "thanks"
    OUT_OF_SCOPE = "out_of_scope"
    NOT_ALLOWED = "not_allowed"  # other people's secrets, or an attempt to talk the desk out of its rules


@dataclass(frozen=True)
class Analysis:
    """An intent with what belongs to it, and what is still missing."""

    intent: Intent
    ticket: str = ""  # a number, "last" or "that"
    detail: str = ""  # a comment, a resolution, a reason, an assignee, or what a draft is about: verbatim
    status: str = ""  # for lists
    query: str = ""  # for questions: with the thread's subject put in
    missing: str = ""  # "problem", "ticket", "comment", "resolution", "assignee"
    else_draft: bool = False  # a fault that the documents may explain: a ticket when they do not


@dataclass(frozen=True)
class _Message:
    """A message in the forms that the rules look at."""

    text: str
    plain: str
    core: str  # without salutation and politeness
    question: bool
    number: str
    memory: Recollection
    prefix: str

    @property
    def names_ticket(self) -> bool:
        """Tell whether it speaks of a ticket, by number, by noun, or by a pronoun that the thread resolves."""
        spoken_of = bool(self.memory.last.get("ticket")) and phrases.PRONOUN.search(self.plain) is not None
        return bool(self.number) or phrases.TICKET.search(self.plain) is not None or spoken_of

    @property
    def procedural(self) -> bool:
        """Tell whether it asks how something is done and not that it be done."""
        return (
            phrases.QUESTION_START.match(self.core) is not None or phrases.QUESTION_INSIDE.search(self.core) is not None
        )


def analyse(text: str, memory: Recollection | None = None, *, prefix: str = "TCK") -> Analysis:
    """Return what the message asks for, given the thread before it."""
    remembered = memory or Recollection()
    message = _read(text, remembered, prefix)
    return (
        _small_talk(message)
        or _forbidden(message)
        or _answer_to_question(message)
        or _about_draft(message)
        or _about_ticket(message)
        or _off_topic(message)
        or _new_ticket(message)
        or _completing(message)
        or Analysis(Intent.ASK, query=completed(text, remembered))
    )


def completed(text: str, memory: Recollection) -> str:
    """Return the question with its subject: "and on a Mac?" takes it from the question before."""
    earlier = _last_question(memory)
    plain = normalise(text)
    words = content_words(text)
    characters = len(re.findall(r"[\u4e00-\u9fff]", plain))
    short = len(words) <= 3 and characters <= 10
    leads = phrases.FOLLOW_UP.match(plain) is not None and len(words) <= 5 and characters <= 14
    points = phrases.BARE_PRONOUN.search(plain) is not None and len(words) <= 4 and characters <= 12
    if not earlier or not (leads or (points and short)):
        return text
    return f"{earlier} {text}"


def _last_question(memory: Recollection) -> str:
    """Return the latest question of the thread, itself completed where it hung on the one before."""
    asked = [turn.asked for turn in memory.turns if turn.outcome in ("answered", "no_evidence")]
    if not asked:
        return ""
    standing = [question for question in asked if phrases.FOLLOW_UP.match(normalise(question)) is None]
    return standing[-1] if standing else asked[-1]


def _read(text: str, memory: Recollection, prefix: str) -> _Message:
    plain = normalise(text)
    core = strip_politeness(plain)
    requested = phrases.REQUEST_START.match(phrases.SALUTATION.sub("", plain, count=1)) is not None
    asks = (core.endswith("?") and not requested) or bool(
        phrases.QUESTION_START.match(core) or phrases.QUESTION_INSIDE.search(core)
    )
    return _Message(
        text=text,
        plain=plain,
        core=core,
        question=asks,
        number=ticket_number(text, prefix),
        memory=memory,
        prefix=prefix,
    )


def strip_politeness(plain: str) -> str:
    """Return a normalised message without greeting, "could you please" and "thanks in advance"."""
    core = phrases.SALUTATION.sub("", plain, count=1) or plain
    for _ in range(4):
        shorter = phrases.POLITE_START.sub("", core, count=1)
        if shorter == core or not shorter:
            break
        core = shorter
    found = phrases.POLITE_TAIL.search(core)
    if found and found.start() > 0:
        core = core[: found.start()]
    return core.rstrip(" ,，、.。!！~;；") or plain


def _small_talk(message: _Message) -> Analysis | None:
    plain = message.plain
    if not re.search(r"\w", plain) or phrases.HELP.match(plain) or phrases.HELP.match(message.core):
        return Analysis(Intent.HELP)
    if phrases.GREETING.match(plain):
        return Analysis(Intent.GREETING)
    offered = bool(message.memory.turns) and message.memory.turns[-1].outcome in ("no_evidence", "asked_back")
    if phrases.THANKS.match(plain) and not (offered and phrases.OFFER_ACCEPTED.match(plain)):
        return Analysis(Intent.THANKS)
    return None


def _forbidden(message: _Message) -> Analysis | None:
    if phrases.OVERRIDE.search(message.plain) or phrases.SECRETS.search(message.plain):
        return Analysis(Intent.NOT_ALLOWED)
    return None


def _answer_to_question(message: _Message) -> Analysis | None:
    """Take a message as the answer to what the desk asked back, or to its offer of a ticket."""
    if not message.memory.turns:
        return None
    last = message.memory.turns[-1]
    if last.outcome == "no_evidence" and phrases.OFFER_ACCEPTED.match(message.plain):
        return Analysis(Intent.DRAFT, detail=last.asked)
    if last.outcome != "asked_back" or message.procedural:
        return None
    earlier = Recollection(turns=message.memory.turns[:-1], last=message.memory.last)
    open_matter = analyse(last.asked, earlier, prefix=message.prefix)
    return _filled(open_matter, message)


def _filled(matter: Analysis, message: _Message) -> Analysis | None:
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


def _about_draft(message: _Message) -> Analysis | None:
    plain = message.plain
    has_draft = bool(message.memory.last.get("draft"))
    if phrases.DRAFT_NOUN.search(plain) and not message.procedural:
        if phrases.CANCEL.search(plain) or re.search(r"\bdiscard\b|\bthrow away\b|丢弃|放弃|扔掉", plain):
            return Analysis(Intent.DISCARD)
        if phrases.CONFIRM_WORDS.match(plain):
            return Analysis(Intent.CONFIRM)
    if has_draft and not message.question:
        if phrases.CONFIRM_WORDS.match(plain) or (draft_waits(message.memory) and phrases.OFFER_ACCEPTED.match(plain)):
            return Analysis(Intent.CONFIRM)
        if re.fullmatch(
            r"(?:discard|never ?mind|forget it|cancel)(?: it| that| this)?[.!]*|算了|不提了|不用了|取消|放弃", plain
        ):
            return Analysis(Intent.DISCARD) if draft_waits(message.memory) else None
    return None


def draft_waits(memory: Recollection) -> bool:
    """Tell whether the thread's last turn left a draft that waits for the person."""
    return (
        bool(memory.turns)
        and bool(memory.last.get("draft"))
        and memory.turns[-1].outcome in ("needs_approval", "asked_back")
    )


def _about_ticket(message: _Message) -> Analysis | None:
    if phrases.QUEUE.search(message.core) and not _asks_how(message):
        return Analysis(Intent.QUEUE, status=_status(message.plain))
    if phrases.LIST.search(message.core) and not message.number and not _asks_how(message):
        if not _single(message):
            return Analysis(Intent.LIST, status=_status(message.plain))
    if not message.names_ticket:
        return None
    if _opens_one(message):
        return None
    return _change(message) or _shown(message)


def _single(message: _Message) -> bool:
    """Tell whether it means one ticket ("上一单", "my last ticket") and not a list of them."""
    return phrases.ONE_TICKET.search(message.core) is not None and not re.search(
        r"tickets\b|哪些|列表|所有", message.core
    )


def _asks_how(message: _Message) -> bool:
    return (
        re.search(
            r"\bhow (?:do|does|can|could|should|would|to|long)\b|\bcan i\b|\bwhat (?:is|happens|does)\b|怎么(?!样)|如何|怎样|多久|什么是",
            message.core,
        )
        is not None
    )


def _opens_one(message: _Message) -> bool:
    """Tell whether the ticket that is spoken of is yet to be made."""
    return (
        not message.number
        and phrases.OPEN_TICKET.search(message.core) is not None
        and not phrases.REOPEN.search(message.core)
    )


_CHANGES: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (Intent.REOPEN, phrases.REOPEN),
    (Intent.COMMENT, phrases.COMMENT),
    (Intent.ASSIGN, phrases.ASSIGN),
    (Intent.CANCEL, phrases.CANCEL),
    (Intent.RESOLVE, phrases.RESOLVE),
    (Intent.URGE, phrases.URGE),
)


def _change(message: _Message) -> Analysis | None:
    if message.procedural and not _urging(message):
        return None
    head = re.split(r"[:：]", message.core, maxsplit=1)[0]  # what stands behind a colon is content
    for intent, pattern in _CHANGES:
        if pattern.search(head):
            return _with_details(intent, message)
    return None


def _urging(message: _Message) -> bool:
    return re.search(r"怎么还没|催|still waiting", message.core) is not None


def _with_details(intent: Intent, message: _Message) -> Analysis:
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
        r"\b(?:because|since|as in|saying|that says|noting|to say|with (?:the )?(?:note|comment|message))\b[ ,]*(?P<said>\S.*)$",
        re.I | re.S,
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


def _shown(message: _Message) -> Analysis | None:
    reference = ticket_reference(message.text, message.prefix)
    mine = re.search(r"\bmy\b|我的|我(?:提|报|开)", message.core) is not None
    if _asks_how(message) and not (reference and phrases.SHOW.search(message.core) and "how do" not in message.core):
        return None
    only_reference = bool(message.number) and len(content_words(message.core)) <= 3
    if (reference or mine) and (phrases.SHOW.search(message.core) or only_reference):
        return Analysis(Intent.SHOW, ticket=reference or "last")
    return None


def _status(plain: str) -> str:
    return next((status for status, pattern in phrases.STATUS_WORDS if pattern.search(plain)), "")


def _new_ticket(message: _Message) -> Analysis | None:
    """Tell a statement of a fault, a wish, or "open a ticket" from a question about one."""
    if phrases.HOW_TO_WISH.search(message.plain):
        return None
    explicit = phrases.OPEN_TICKET.search(message.core)
    if explicit and not message.procedural:
        subject = without_command(message.text)
        if subject:
            return Analysis(Intent.DRAFT, detail=message.text)
        earlier = _subject_of_thread(message.memory)
        return Analysis(Intent.DRAFT, detail=earlier, missing="" if earlier else "problem")
    if message.question or draft_waits(message.memory) and not _new_fault(message):
        return None
    if _fault(message.core) and _ERROR_CODE.search(message.text) and not _ASKS_FOR_PERSON.search(message.plain):
        return Analysis(Intent.ASK, query=message.text, else_draft=True)
    if _fault(message.core) or _wish(message) or _LEAVES_NUMBER.search(message.plain):
        return Analysis(Intent.DRAFT, detail=message.text)
    return None


#: Who says where to call back wants somebody to do something.
_LEAVES_NUMBER = re.compile(r"\b(?:ext(?:ension)?\.? ?\d|(?:call|reach|phone|ring) me\b)|分机 ?\d|电话[:：是]? ?\d|手机[:：是]? ?\d|联系我")


#: A code that documents may explain: E-31, TG-305, 0x80070005. A fault that names one is looked up first.
_ERROR_CODE = re.compile(r"(?<![\w-])(?:[A-Z]{1,6}-?\d{2,6}|0x[0-9A-Fa-f]{4,}|[A-Z]\d{3,5}|HTTP \d{3})(?![\w-])")
#: Signs that somebody wants a person to come or call.
_ASKS_FOR_PERSON = re.compile(
    r"\b(?:call|reach|contact|phone|ext|extension|please|pls|urgent|asap|room|floor|someone|somebody)\b|分机|电话|请|麻烦|帮|紧急|派人|楼|室|@"
)


def _subject_of_thread(memory: Recollection) -> str:
    """Return what the thread was about, for "open a ticket for that": the question that was last asked."""
    asked = [turn.asked for turn in memory.turns if turn.outcome in ("answered", "no_evidence", "failed")]
    return asked[-1] if asked else ""


def _fault(core: str) -> bool:
    if phrases.FAULT.search(core):
        return True
    return phrases.WEAK_FAULT.search(core) is not None and phrases.OWN.search(core) is not None


def _wish(message: _Message) -> bool:
    return phrases.WISH.search(message.core) is not None or phrases.WISH.search(message.plain) is not None


def _new_fault(message: _Message) -> bool:
    """Tell a second matter from more about the draft that waits."""
    return _fault(message.core) and re.match(r"(?:it|it's|also it|and it|它|还|而且|就是)\b", message.plain) is None


def _completing(message: _Message) -> Analysis | None:
    """Take a statement in a thread with a waiting draft as what the draft still lacks, or as a change to it."""
    if not message.memory.last.get("draft") or message.procedural:
        return None
    if draft_waits(message.memory) and not message.plain.endswith(("?", "?")):
        return Analysis(Intent.REVISE, detail=message.text)
    changes = re.search(
        r"\b(?:change|set|update|make|edit|correct)\b.*\b(?:priority|title|location|contact|category|description|draft|device|system|phone|floor|room)\b"
        r"|\b(?:the )?(?:priority|title|location|contact|category) (?:is|should be)\b"
        r"|(?:优先级|标题|地点|位置|联系方式|电话|类别|分类|描述|草稿)[^。?]{0,6}(?:改|换|设|是|为|成)|(?:改|换|修改)[^。?]{0,8}(?:优先级|标题|地点|位置|联系方式|类别|草稿)",
        message.plain,
    )
    return Analysis(Intent.REVISE, detail=message.text) if changes else None


_COMMAND = re.compile(
    r"^.*?(?:tickets?|tiket|support request|service request|incident report|incident|"
    r"report (?:an?|the|this|that|my|our)(?: \w+){0,2}? (?:problem|issue|fault|bug|outage|error)|report|工单|报修单|故障单|服务单|单子|报修|报障|单)"
    r"(?: (?:for|about|regarding|on|saying|because|that|with|to|as)\b)?(?:一下|吧|的)?[\s:：,，.。!！\-–—]*",
    re.IGNORECASE | re.DOTALL,
)
_EMPTY_SUBJECT = re.compile(
    r"^(?:please|pls|for me|for us|for this|for that|for it|about this|about that|this|that|it|me|us|now|thanks|thank you|quickly|asap|one|"
    r"谢谢|请|吧|帮我|一下|啊|呢|了|的|这个|那个|[\s,.!?，。！？])*$",
    re.IGNORECASE,
)


def without_command(text: str) -> str:
    """Return what a "please open a ticket: …" is about; "" when it says nothing but that a ticket is wanted."""
    core = text.strip()
    simplified = core.translate(TRADITIONAL)  # character for character, so that positions agree
    command = _COMMAND.match(simplified)
    if command and not _EMPTY_SUBJECT.match(core[command.end() :]):
        return core[command.end() :].strip()
    found = re.search(
        r"(?P<before>.+?)[\s,，.。;；!！]+(?:please|pls|can you|could you|请|麻烦|帮我|帮忙|i want to|i'd like to|so )?[^,，.。;；]{0,30}"
        r"(?:ticket|tiket|工单|报修单|报修|报障|单子|单)[^,，.。;；]{0,12}$",
        simplified,
        re.IGNORECASE | re.DOTALL,
    )
    before = core[: found.end("before")].strip() if found else ""
    empty = _EMPTY_SUBJECT.match(before) or phrases.SALUTATION.fullmatch(normalise(before))
    return "" if empty else before


def _off_topic(message: _Message) -> Analysis | None:
    """Refuse only what is clearly no matter of a workplace's documents; everything else is asked."""
    plain, core = message.plain, message.core
    always = (phrases.WRITING, phrases.ADVICE, phrases.TRIVIA)
    if phrases.COMPANY_MATTER.search(plain) or phrases.FAULT.search(core) or draft_waits(message.memory):
        return None
    if (
        any(pattern.search(core) for pattern in always)
        or phrases.CHIT_CHAT.search(core)
        or phrases.OUT_CHINESE.search(plain)
    ):
        return Analysis(Intent.OUT_OF_SCOPE)
    return None
