"""Messages about tickets that exist: which one, what shall be done to it, and in whose words."""

import re
from dataclasses import replace

from agent.brains.rules.understanding.calling_off import calls_off
from agent.brains.rules.understanding.message import Message
from features.tickets.understanding import phrases
from features.tickets.understanding.drafts import (
    goes_on,
    has_forgotten,
    is_mended,
    shares_words,
    waits,
    without_lead,
)
from features.tickets.understanding.faults import is_fault
from features.tickets.understanding.matter import Intent, Matter
from features.tickets.understanding.references import (
    asks_after,
    assignee,
    named_of,
    names_ticket,
    ticket_number,
    ticket_reference,
)
from features.tickets.understanding.reporting import is_another, is_report, is_told_apart
from features.tickets.understanding.statements import states_of_thing
from language.words import chinese_runs, content_words, is_generic, normalise
from tickets.reference import mentions


def about_ticket(message: Message, prefix: str) -> Matter | None:
    """Return what shall be done with which ticket, or None when the message is not about a ticket that exists."""
    mine, numbered = phrases.MINE.search(message.core) is not None, bool(ticket_number(message.text, prefix))
    if phrases.COUNT.search(message.core) and not numbered:
        period = next((name for name, said in phrases.PERIODS if said.search(message.plain)), "all")
        return Matter(Intent.COUNT, detail=period, status="mine" if mine or _BY_ME.search(message.plain) else "")
    if phrases.QUEUE.search(message.core) and not mine and not _asks_how(message):
        return Matter(Intent.QUEUE, status=_status(message.plain))
    if (bare := _bare(message, prefix)) is not None:
        return bare
    lists = phrases.LIST.search(message.core) and not numbered and not _single(message)
    if lists and not _asks_how(message) and not _urging(message):
        return Matter(Intent.LIST, status=_status(message.plain))
    if not numbered and asks_after(message) and (named_of(message.asked) or not names_ticket(message, prefix)):
        return Matter(Intent.FIND, detail=message.text)
    opens = not numbered and _opens_one(message)
    return None if opens or not names_ticket(message, prefix) else _of_named(message, prefix)


def _of_named(message: Message, prefix: str) -> Matter | None:
    """Return what shall be done with a ticket that is named, or spoken of."""
    return _change(message, prefix) or _shown(message, prefix) or _told_of(message, prefix)


#: The ticket's name before a colon, and whether anything is said beside it.
_OF_TICKET = re.compile(r"^(?:(?:on|to|for|re|about|in|关于|对|给) ?)?(?:ticket )?#?(?:[a-z]{2,10}-)?[\d -]+")
_SAYS_MORE = re.compile(r"[^\W\d]")
#: Words that say something, in a message that names no ticket and means one.
_FEW_WORDS, _FEW_CHARACTERS = 3, 2
#: Chinese characters of a question about nothing but one's own ticket: 我的工单呢.
_FEW_ASKED = 5
_ALL = re.compile(r"\ball (?:of )?(?:my|our|the) |所有|全部")
_BY_ME = re.compile(r"\b(?:do|did|have) i\b|我(?:提|报|开|有)")


def _bare(message: Message, prefix: str) -> Matter | None:
    """Return what a word or two want done with the ticket that was just spoken of: 催一下, 取消, "make it urgent"."""
    if waits(message) or ticket_number(message.text, prefix):
        return None
    if phrases.BARE_URGE.fullmatch(message.core):
        return _with_details(Intent.URGE, message, prefix)
    if not message.memory.last.get("ticket"):
        asks = phrases.ASKS_NEWS.fullmatch(message.plain) and not message.memory.last.get("draft")
        return Matter(Intent.LIST) if asks else _of_unnamed(message)
    if phrases.ASKS_NEWS.fullmatch(message.plain):
        return Matter(Intent.SHOW, ticket="that")
    if message.question:
        return None
    return next((matter for said, matter in _said_of_it(message) if said), None)


def _of_unnamed(message: Message) -> Matter | None:
    """Return what a few words want done with "it" where the thread knows no ticket: which one has to be asked."""
    few = message.is_short or (message.plain.isascii() and len(content_words(message.text)) <= _FEW_WORDS)
    if message.question or message.memory.last.get("draft") or not few or calls_off(message.plain):
        return None
    gives = phrases.BARE_GIVE.fullmatch(message.plain) or phrases.OF_FILED.match(message.core)
    to_whom, level = assignee(message.text) if gives else "", priority_named(message.plain)
    if to_whom:
        return Matter(Intent.ASSIGN, detail=to_whom, missing="ticket")
    if phrases.MAKE_URGENT.search(message.core):
        return Matter(Intent.URGE, missing="ticket")
    if level and phrases.PRIORITISE.search(message.core):
        return Matter(Intent.PRIORITISE, detail=level, missing="ticket")
    cancels = phrases.CANCEL.match(message.core) and phrases.PRONOUN.search(message.core)
    if cancels and not phrases.TICKET.search(message.core):
        return Matter(Intent.CANCEL, missing="ticket")
    return Matter(Intent.REOPEN, missing="ticket") if phrases.BARE_REOPEN.fullmatch(message.plain) else None


def _said_of_it(message: Message) -> tuple[tuple[object, Matter], ...]:
    """Return what may be said of the ticket that was just spoken of without naming it, and what each of it wants."""
    plain, core = message.plain, without_lead(message.core)
    adds = phrases.ADDS.match(plain) or phrases.BROKEN_AGAIN.fullmatch(plain)
    return (
        (phrases.BARE_CANCEL.fullmatch(plain), Matter(Intent.CANCEL, ticket="that")),
        (
            is_mended(plain) and not message.follows_pages,
            Matter(Intent.RESOLVE, ticket="that", detail=message.text),
        ),
        (phrases.PRIORITISE.search(core), _with_details(Intent.PRIORITISE, message, "")),
        (phrases.MAKE_URGENT.search(core), Matter(Intent.URGE, ticket="that")),
        (phrases.BARE_REOPEN.fullmatch(plain), Matter(Intent.REOPEN, ticket="that")),
        (phrases.BARE_GIVE.fullmatch(plain), Matter(Intent.ASSIGN, ticket="that", detail=assignee(message.text))),
        (adds, Matter(Intent.COMMENT, ticket="that", detail=message.text)),
    )


def about_news(message: Message) -> Matter | None:
    """Take what somebody says right after news of a ticket as a comment on it: the answer to who works it.

    A question, or something else that is broken, is a matter of its own. What they have just filed themselves is only
    meant by words that say so: "it happened again", "the handle came off, too".
    """
    last = message.memory.last
    told, filed = last.get("told", ""), last.get("filed", "")
    if message.question or waits(message):
        return None
    more = phrases.SAYS_MORE.search(message.plain) is not None
    if told:
        is_other = is_fault(message.core) and not (more or phrases.GOES_ON.match(message.plain))
        return None if is_other else Matter(Intent.COMMENT, ticket=told, detail=message.text)
    if filed:
        return _said_of_filed(message, filed, more=more)
    is_more = has_forgotten(message) or (more and is_report(message))
    asks = last.get("ticket") and is_more  # something else was spoken of since
    return Matter(Intent.COMMENT, ticket="that", missing="same") if asks else None


def _said_of_filed(message: Message, number: str, *, more: bool) -> Matter | None:
    """Return what is said right after a ticket was filed: more of it, or, where that is not clear, what is asked."""
    if calls_off(message.plain):
        return Matter(Intent.CANCEL, ticket=number)
    comment = Matter(Intent.COMMENT, ticket=number, detail=message.text)
    if has_forgotten(message):
        return comment
    says = more or is_report(message) or goes_on(message) or _states(message)
    if not says or (is_another(message) and is_told_apart(message)):
        return None
    is_more = (more or goes_on(message) or shares_words(message)) and not is_another(message)
    return comment if is_more else replace(comment, missing="same")


def _states(message: Message) -> bool:
    """Tell whether a message states something: "the band is the blue one", 里面有样品."""
    return not message.directed and (_STATES.search(message.core) is not None or states_of_thing(message.core))


_STATES = re.compile(r"\b(?:is|are|was|were|has|have|had)\b|[了着过]|[是有在](?=[\u4e00-\u9fff])")


def is_same(message: Message, number: str) -> Matter | None:
    """Return what was meant by words after a filed ticket, once it was asked: more about that, or something new."""
    return _as_said(message, SAME_OR_NEW, Matter(Intent.COMMENT, ticket=number or "that"), is_named=bool(number))


def is_of_draft(message: Message) -> Matter | None:
    """Return what was meant by words below a draft, once it was asked: more about that, or something new."""
    return _as_said(message, DRAFT_OR_NEW, Matter(Intent.REVISE))


def _as_said(message: Message, code: str, more: Matter, *, is_named: bool = False) -> Matter | None:
    """Return what the words before were, once it was asked under a code: something new, or more of what waits.

    `is_named`: that is named, which is the same as yes.
    """
    turns = message.memory.turns
    if not message.follows("asked_back") or turns[-1].answered != code:
        return None
    if _SOMETHING_NEW.fullmatch(message.plain):
        return Matter(Intent.DRAFT, detail=turns[-1].asked)
    return replace(more, detail=turns[-1].asked) if is_named or _THE_SAME.match(message.plain) else None


#: The codes under which it is asked whether words belong to the ticket that was filed, or to the draft that waits.
SAME_OR_NEW, DRAFT_OR_NEW = "same_or_new", "draft_or_new"
_SOMETHING_NEW = re.compile(
    r"(?:it'?s |it is |that'?s )?(?:something|a|an|another|no)?[ ,]{0,2}(?:new|else|different|other)"
    r"(?: one| ticket| thing| problem| matter)?[.!]?"
    r"|no|另外的?(?:事|问题)?|(?:是)?(?:另一[件个](?:事|问题)?|新的?(?:问题|事|工单)?|别的(?:事|问题)?)|不是"
)
_THE_SAME = re.compile(r"(?:yes|yep|add|same|the same|it belongs|belongs|that one)\b|是|加|补充|同一|一样|属于")


def _single(message: Message) -> bool:
    """Tell whether it means one ticket ("上一单", "my last ticket") and not a list of them."""
    return phrases.ONE_TICKET.search(message.core) is not None and not re.search(
        r"tickets\b|哪些|列表|所有", message.core
    )


def _asks_how(message: Message) -> bool:
    return (
        re.search(
            (
                r"\bhow (?:do|does|can|could|should|would|to|long)\b|\bcan i\b|\bwhat (?:is an?|happens|does)\b|"
                r"怎么(?!样)|(?<!进展)(?<!进度)(?<!情况)(?<!状态)(?<!处理得)如何|怎样|多久|什么是"
            ),
            message.core,
        )
        is not None
    )


def _opens_one(message: Message) -> bool:
    """Tell whether the ticket that is spoken of is yet to be made."""
    opens = phrases.OPEN_TICKET.search(message.core) is not None
    return opens and not phrases.REOPEN.search(message.core)


_CHANGES: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (Intent.PRIORITISE, phrases.PRIORITISE),
    (Intent.UNWATCH, phrases.UNWATCH),
    (Intent.WATCH, phrases.WATCH),
    (Intent.REOPEN, phrases.REOPEN),
    (Intent.COMMENT, phrases.COMMENT),
    (Intent.ASSIGN, phrases.ASSIGN),
    (Intent.CANCEL, phrases.CANCEL),
    (Intent.RESOLVE, phrases.RESOLVE),
    (Intent.URGE, phrases.URGE),
    (Intent.URGE, phrases.MAKE_URGENT),
)


def _change(message: Message, prefix: str) -> Matter | None:
    if message.procedural and not _urging(message):
        return None
    head, _, rest = message.core.replace("：", ":").partition(":")  # what stands behind a colon is content
    if not _SAYS_MORE.search(_OF_TICKET.sub("", head)):
        head = rest  # "on #15: add that …"
    for intent, pattern in _CHANGES:
        if pattern.search(head):
            return _with_details(intent, message, prefix)
    return None


def _urging(message: Message) -> bool:
    return re.search(r"怎么还没|催|快点|尽快|加急|still waiting", message.core) is not None


def _with_details(intent: Intent, message: Message, prefix: str) -> Matter:
    ticket = ticket_reference(message.text, prefix) or ("that" if message.memory.last.get("ticket") else "last")
    if intent is Intent.REOPEN and not ticket_number(message.text, prefix):
        ticket = next((state for state, said in phrases.CLOSED_ONE if said.search(message.plain)), ticket)
    match intent:
        case Intent.COMMENT | Intent.RESOLVE:
            detail, wanted = after_mark(message.text), "comment" if intent is Intent.COMMENT else "resolution"
        case Intent.PRIORITISE:
            detail, wanted = priority_named(message.plain), "priority"
        case Intent.ASSIGN:
            detail, wanted = assignee(message.text), "assignee"
        case Intent.CANCEL | Intent.REOPEN:
            detail, wanted = after_mark(message.text), ""
        case _:
            detail, wanted = "", ""
    if intent is Intent.CANCEL and _ALL.search(message.plain):
        return Matter(intent, missing="ticket")  # one at a time
    return Matter(intent, ticket=ticket, detail=detail, missing="" if detail else wanted)


_PRIORITIES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("urgent", re.compile(r"\b(?:urgent|highest|top|critical|p1)\b|紧急|最高")),
    ("high", re.compile(r"\b(?:high|higher|raise|increase|bump|up|p2)\b|(?<!最)高")),
    ("low", re.compile(r"\b(?:low|lower|lowest|decrease|reduce|down|downgrade|p4)\b|低|降")),
    ("normal", re.compile(r"\b(?:normal|medium|standard|p3)\b|普通|正常|一般|中")),
)


def priority_named(plain: str) -> str:
    """Return the priority that a message names; "" for none."""
    return next((name for name, said in _PRIORITIES if said.search(plain)), "")


_AFTER = (
    re.compile(r"(?:[:：]|\s[-–—])\s*(?P<said>\S.*)$", re.DOTALL),
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


def _shown(message: Message, prefix: str) -> Matter | None:
    reference = ticket_reference(message.text, prefix)
    mine = phrases.MINE.search(message.core) is not None
    if _asks_how(message) and not (reference and phrases.SHOW.search(message.core) and "how do" not in message.core):
        return None
    only_reference = bool(ticket_number(message.text, prefix)) and not _says_more(message, prefix)
    asks = phrases.SHOW.search(message.core) or only_reference or (mine and _asks_of_it_alone(message))
    return Matter(Intent.SHOW, ticket=reference or "last") if (reference or mine) and asks else None


def _asks_of_it_alone(message: Message) -> bool:
    """Tell whether a question names nothing beside a ticket of one's own: "what's with my ticket?"."""
    rest = phrases.TICKET.sub(" ", message.core)
    named = [word for word in content_words(rest) if not is_generic(word)]
    return message.question and not named and sum(map(len, chinese_runs(rest))) <= _FEW_ASKED


def _told_of(message: Message, prefix: str) -> Matter | None:
    """Take what is said of a ticket that stands there with its whole number as a comment on it."""
    if message.question or not mentions(message.text, prefix):
        return None
    return Matter(Intent.COMMENT, ticket=ticket_reference(message.text, prefix), detail=message.text)


def _says_more(message: Message, prefix: str) -> bool:
    """Tell whether a message holds more than the name of a ticket and a word or two."""
    named = [*mentions(message.text, prefix), ""][0]
    rest = message.core.replace(normalise(named), " ") if named else message.core
    many = len([word for word in content_words(rest) if not word.isdigit()]) > _FEW_WORDS - 1
    return many or sum(map(len, chinese_runs(rest))) > _FEW_CHARACTERS


def _status(plain: str) -> str:
    return next((status for status, pattern in phrases.STATUS_WORDS if pattern.search(plain)), "")


#: Who wants something asked of the requester of a ticket.
_ASKED = re.compile(
    r"(?:(?:please|pls|can you|could you|and|then|now)[ ,]{1,2}){0,2}ask "
    r"(?:him|her|them|back|the (?:requester|reporter|user|person|customer|colleague))[ ,:]{1,2}(?P<what>\S.{2,400})",
    re.IGNORECASE | re.DOTALL,
)
_ASKED_CHINESE = re.compile(
    r"(?:请|麻烦|帮我|再|你|先){0,3}(?:追问|问问|问一下|问下|问)(?:他们|她们|他|她|对方|报修人|提单人|申请人|用户)"
    r"(?:一下|一声)?[，,：: ]{0,2}(?P<what>.{2,200})",
    re.DOTALL,
)
_ENDS = " .!?。！？"


def asked_of_requester(message: Message) -> Matter | None:
    """Return the comment that asks what is to be asked about the ticket that was just spoken of."""
    if not message.memory.last.get("ticket") or message.follows_pages or waits(message):
        return None
    if found := _ASKED_CHINESE.fullmatch(message.text.strip()):
        said = re.sub(r"[他她]们?", "您", found["what"].strip(_ENDS)) + "？"
    elif found := _ASKED.fullmatch(message.text.strip()):
        said = as_question(found["what"].strip(_ENDS))
    else:
        return None
    return Matter(Intent.COMMENT, ticket="that", detail=said)


#: Who is spoken of, what stands behind the pronoun, and that for whom is spoken to.
_SAID_OF = re.compile(r"\b(?P<who>he|she|they|it)(?P<short>'s|'re|'ve|'ll)?(?: (?P<does>[a-z]+))?\b", re.IGNORECASE)
_LONG = {"'s": "is", "'re": "are", "'ve": "have", "'ll": "will"}
_YOURS = {"is": "are", "was": "were", "has": "have", "does": "do"}
_AUXILIARY = re.compile(r"is|are|was|were|ha[sd]|have|can|could|will|would|did|do|does|should|may|must")
_OWN = ((re.compile(r"\b(?:his|her|their)\b"), "your"), (re.compile(r"\b(?:him|them)\b"), "you"))
#: A thing whose verb stands last: "where the printer is".
_OF_THING = re.compile(
    r"^(?P<asks>\w+) (?P<it>(?:the|his|her|their|its) .{1,80}) (?P<verb>is|are|was|were)$", re.IGNORECASE
)
_WHETHER = re.compile(r"(?:if|whether)\s+", re.IGNORECASE)


def as_question(what: str) -> str:
    """Return reported speech as it is put to somebody: "which browser she uses" → "Which browser do you use?"."""
    kind, _, rest = what.partition(" ")
    match kind.lower():
        case "to" if rest:
            return f"Please {_spoken_to(rest)}."
        case "for" | "about" if rest:
            return f"What is {_spoken_to(rest)}?"
    told = _OF_THING.sub(r"\g<asks> \g<verb> \g<it>", what)
    turned = _spoken_to(_SAID_OF.sub(_turned, _WHETHER.sub("", told), count=1))
    return f"{turned[:1].upper()}{turned[1:]}?"


def _turned(found: re.Match[str]) -> str:
    """Return subject and verb of a statement as those of a question; a verb in the past stays behind its subject."""
    who, does = found["who"].lower(), (found["does"] or "").lower()
    subject = "it" if who == "it" else "you"
    verb = _LONG.get(found["short"] or "", does)
    behind = f" {does}" if found["short"] and does else ""
    if _AUXILIARY.fullmatch(verb):
        return f"{verb if subject == 'it' else _YOURS.get(verb, verb)} {subject}{behind}"
    if not verb or verb.endswith("ed") or (who != "they" and not verb.endswith("s")):
        return f"{subject}{f' {verb}' if verb else ''}"
    return f"{'does' if subject == 'it' else 'do'} {subject} {verb if who == 'they' else _base(verb)}"


def _base(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:sh|ch|ss|x|o)es$", verb) else verb[:-1]


def _spoken_to(text: str) -> str:
    for said, instead in _OWN:
        text = said.sub(instead, text)
    return text
