"""Messages that report a fault or a wish, told apart from questions about one."""

import re

from agent.brains.rules.answering.threads.kinds import CASE
from agent.brains.rules.understanding.asking import TELLS_OF_OTHERS
from agent.brains.rules.understanding.deeds import asks_for_deed
from agent.brains.rules.understanding.message import GOES_ON_WORDS, Message, read
from agent.brains.rules.understanding.phrases import BARE_PRONOUN, CALLS, NO_HELP, SALUTATION
from agent.brains.rules.understanding.venting import without_venting
from agent.tools.context import Recollection
from features.tickets.understanding import faults, phrases
from features.tickets.understanding.drafts import (
    gives_detail,
    goes_on,
    names_another,
    only_in_vain,
    shares_words,
    waits,
    without_interjection,
    without_lead,
)
from features.tickets.understanding.faults import is_fault
from features.tickets.understanding.field_patterns import SHUTS_OUT, extractors
from features.tickets.understanding.matter import Intent, Matter
from features.tickets.understanding.statements import states_of_thing
from language.word_tables import TRADITIONAL
from language.words import chinese_runs, content_words, is_generic, normalise

#: Messages of the thread that a ticket carries with it whose sender wants to speak with a person.
EARLIER = 5
#: Of what the desk had answered, this much is carried along.
SHORT_CHARS = 200


def new_ticket(message: Message) -> Matter | None:
    """Tell a statement of a fault, a wish, or "open a ticket" from a question about one."""
    if faults.HOW_TO_WISH.search(message.plain) or _goes_on_asking(message):
        return None
    if _wants_person(message):
        return Matter(Intent.HAND_OVER, detail=_conversation(message))
    if (asked := _asked_for(message)) is not None:
        return asked
    if message.question and is_fault(message.core) and _ASKS_HELP.search(message.core):
        return Matter(Intent.DRAFT, detail=message.text, explained=True)
    if message.question or _is_private(message) or (waits(message) and not is_another(message)):
        return None
    reported = _reported(message)
    is_bare = reported is None and waits(message)  # it only says what another thing does
    return Matter(Intent.DRAFT, detail=message.text, tries=True) if is_bare else reported


def _wants_person(message: Message) -> bool:
    """Tell whether somebody wants to speak with a person and not with the desk.

    So does who asks whom to call because the desk was no help, or where there is nothing that it may be about.
    """
    if phrases.TO_A_PERSON.search(message.core) or phrases.CALL_BACK.fullmatch(message.plain):
        return True
    clauses = [each.strip() for each in _CLAUSES.split(message.plain) if each.strip()]
    if any(phrases.GET_SOMEBODY.fullmatch(each) for each in clauses):
        return True
    if not any(CALLS.search(each) for each in clauses):
        return False
    vented = without_venting(message.text) != message.text
    in_vain = vented or any(NO_HELP.fullmatch(each) for each in clauses) or message.follows("no_evidence")
    return in_vain or (len(clauses) == 1 and not message.memory.turns)


_CLAUSES = re.compile(r"[,.;!?，。；！？]|\b(?:and|so|but|then)\b")


def _told_before(message: Message) -> str:
    """Return the report that was answered last and that a message gives details of; "" where it gives none.

    "Lost my badge" is told what to do at once; "yesterday evening, in town" is no report of its own.
    """
    if message.memory.last.get("draft") or not message.follows("answered") or message.question:
        return ""
    if not gives_detail(message) and not _says_of_it(message.core):
        return ""
    before = read(message.memory.turns[-1].asked)
    return before.text if is_report(before) or _TO_REPORT.search(before.plain) else ""


def _says_of_it(core: str) -> bool:
    """Tell whether the first thing that is said is said of what was spoken of, and reports nothing."""
    first = re.split(r"[,.;!，。；！]", core, maxsplit=1)[0]
    return BARE_PRONOUN.search(first) is not None and not is_fault(first)


def _goes_on_asking(message: Message) -> bool:
    """Tell whether a message puts another case to what was asked: "what if it's lost", "and the one with 5 points"."""
    if message.hangs_on and CASE.search(message.plain):
        return True
    joined = _JOINED.match(message.plain) is not None
    return joined and message.follows("answered", "no_evidence") and not is_fault(message.core)


def _asked_for(message: Message) -> Matter | None:
    """Return the ticket that is asked for in so many words, or by saying that an answer of the thread did not help.

    So does who gives details of a report that was answered.
    """
    if phrases.OPEN_TICKET.search(message.core) and not message.procedural:
        if waits(message) and not without_command(message.text):
            return Matter(Intent.CONFIRM)  # the draft of what was reported is there
        about = message.text if without_command(message.text) else _subject_of_thread(message.memory)
        return Matter(Intent.DRAFT, detail=about, missing="" if about else "problem")
    if only_in_vain(message.plain) and message.follows("answered"):
        return Matter(Intent.DRAFT, detail=f"{_subject_of_thread(message.memory)}\n{message.text}")
    begun = _told_before(message)
    return Matter(Intent.DRAFT, detail=f"{begun}\n{message.text}") if begun else None


#: What somebody says who wants it to be known and not mended.
_TO_REPORT = re.compile(r"\breport (?:an?|the|my) \w+|(?:我要|想|要)(?:上报|报告|报备)")
#: How somebody begins who goes on with what was asked.
_JOINED = re.compile(r"(?:(?:ok(?:ay)?|right|so)[\s,]{1,2})?(?:and|but|or)\b|那(?!个|边|台|里)|要是|如果|换成")
#: Something is broken, and what can be done? The documents may know; where they do not, it is a report.
_ASKS_HELP = re.compile(
    r"^(?!(?:how|what|when|where|who|which|why|can|could|do|does|is|are|should|if)\b).{3,}(?:what (?:can|"
    r"should|do|must) (?:i|we) do|what to do|what now|"
    r"any (?:ideas?|help|advice)|can (?:you|someone|somebody) help|怎么办|怎么处理|咋办)",
)


def is_report(message: Message) -> bool:
    """Tell whether a message says that something is broken or wanted, or what a thing does."""
    return names_fault(message) or (not message.question and states_of_thing(message.core))


def names_fault(message: Message) -> bool:
    """Tell whether a message, or a part of one, has words for what is broken or wanted.

    What a thing merely does is no report beside a question: it is mostly what the question is about.
    """
    return not message.question and (is_fault(message.core) or _wish(message))


def _conversation(message: Message) -> str:
    """Return what was said in the thread, newest last, with what the documents answered: whoever goes on needs it."""
    told = [
        f"{turn.asked}\n→ {_short(turn.answered)}" if turn.outcome == "answered" and turn.answered else turn.asked
        for turn in message.memory.turns
    ]
    return "\n\n".join((*told[-EARLIER:], message.text))


def _short(said: str) -> str:
    line = " ".join(said.split())
    return line if len(line) <= SHORT_CHARS else f"{line[:SHORT_CHARS]}…"


def _is_private(message: Message) -> bool:
    if faults.ABSENT.search(message.core):
        return True
    mourned = faults.MOURNS.sub(" ", message.core)
    if mourned != message.core and not is_fault(mourned):
        return True
    return faults.PRIVATE.search(message.core) is not None and not is_fault(message.core)


def _reported(message: Message) -> Matter | None:
    """Return the report or the wish that a statement makes."""
    if not message.memory.turns and (faults.is_vague(message.core) or _only_points(message)):
        return Matter(Intent.DRAFT, missing="problem")
    ordered = _FOR_ME.search(message.core) and asks_for_deed(message.text)
    if ordered or (message.tells and not _names_thing(message.core)):
        # Nobody orders or approves through a draft: the page that says how it is done comes first. And "mine ran out"
        # tells of what was just answered.
        return None
    if _explained(message) and not ASKS_FOR_PERSON.search(message.plain):
        return Matter(
            Intent.DRAFT, detail=message.text, explained=True, tries=_REPEATS.search(message.plain) is not None
        )
    if is_fault(message.core):
        return Matter(Intent.DRAFT, detail=message.text, tries=True, stays=message.stays)
    if not _wish(message) and not message.tells and states_of_thing(message.core):
        others = TELLS_OF_OTHERS.search(message.core)  # what befell a customer is told to learn what to do
        # "a box of chocs then" asks on about presents
        few = len(content_words(message.text)) <= GOES_ON_WORDS and not _APART.search(message.core)
        asks_on = few and message.follows_pages
        stays = message.stays
        return None if others or asks_on else Matter(Intent.DRAFT, detail=message.text, tries=True, stays=stays)
    says_when = LEAVES_NUMBER.search(message.plain) or HOW_SOON.search(message.plain)
    wants = _wish(message) or says_when is not None
    tries = faults.COMPLAINT.search(message.core) is None
    return Matter(Intent.DRAFT, detail=message.text, tries=tries, wished=tries) if wants else None


#: Who says how soon it is wanted wants something.
HOW_SOON = re.compile(r"\b(?:not urgent|no rush|no hurry|low priority|asap)\b|不急|不着急|不紧急|加急|紧急")


def _only_points(message: Message) -> bool:
    """Tell whether something shall be done to what only a thread could tell: "can you fix it", 帮我弄一下."""
    return points(message) and (_wish(message) or message.directed)


def points(message: Message) -> bool:
    """Tell whether a message names nothing, and speaks of what only a thread could tell: "it's wrong"."""
    core = message.core
    for day in extractors("date"):
        core = day.sub(" ", core)
    named = [word for word in content_words(core) if not is_generic(word)]
    few = len(named) <= 1 and sum(map(len, chinese_runs(message.core))) <= _FEW_CHARACTERS
    return few and BARE_PRONOUN.search(message.core) is not None


_FEW_CHARACTERS = 2
#: What people do themselves, or those who have the right, in the systems for it.
_FOR_ME = re.compile(
    r"^(?:order|buy|book|reserve|approve|authori[sz]e|pay|clock|punch|check me|sign me|apply)\b|"
    r"^(?:给我|替我|帮我)*(?:订(?!单)|预订|预定|订购|采购|买|购买|下单|打卡|签到|批准|审批)"
)


#: Who has seen it before needs more than the page that explains it.
_REPEATS = re.compile(
    r"\b(?:again|once more|(?:second|third|fourth|\d(?:nd|rd|th)) time|(?:twice|\d times|three times))\b"
    r"|又|再次|反复|第[二三四\d]次|[两三四\d]次"
)


def _explained(message: Message) -> bool:
    """Tell whether documents may explain the fault: it names a code, or is an error message itself."""
    if faults.MESSAGE.search(message.core):
        return True
    return is_fault(message.core) and ERROR_CODE.search(message.text) is not None


#: Who says where to call back wants somebody to do something.
LEAVES_NUMBER = re.compile(
    r"\b(?:ext(?:ension)?\.? ?\d|(?:call|reach|phone|ring) me\b)|分机 ?\d|电话[:：是]? ?\d|手机[:：是]? ?\d|"
    r"联系我"
)
#: A code that documents may explain: E-31, TG-305, 0x80070005. A fault that names one is looked up first.
ERROR_CODE = re.compile(r"(?<![\w-])(?:[A-Z]{1,6}-?\d{2,6}|0x[0-9A-Fa-f]{4,}|[A-Z]\d{3,5}|HTTP \d{3})(?![\w-])")
#: Signs that somebody wants a person to come or call.
ASKS_FOR_PERSON = re.compile(
    r"\b(?:call|reach|contact|phone|ext|extension|please|pls|urgent|asap|room|floor|someone|somebody)\b|分机|"
    r"电话|请|麻烦|帮|紧急|派人|楼|室|@"
)


def _subject_of_thread(memory: Recollection) -> str:
    """Return what the thread was about, for "open a ticket for that": the question that was last asked."""
    asked = [turn.asked for turn in memory.turns if turn.outcome in ("answered", "no_evidence", "failed")]
    return asked[-1] if asked else ""


#: Who wants to read all of something: the documents may list it.
_LIST = re.compile(
    r"^(?:give|show|list|tell|send|get)(?: (?:me|us))?(?: (?:a|the|an))?(?: (?:full|whole|complete))? "
    r"(?:list|overview|table|all|every)\b"
    r"|^(?:给我|发我|列出|列一下|我要)?(?:所有|全部|完整)"
)


def _wish(message: Message) -> bool:
    if _LIST.match(message.core):
        return False
    if faults.WISH.search(message.core) or faults.WISH.search(message.plain):
        return True
    asked = message.directed or faults.MINE.search(message.plain) is not None
    return asked and faults.ORDER.search(message.core) is not None


#: Since when something is so tells more of what was reported, and is no fault of its own.
_SINCE_WHEN = re.compile(
    r"\bsince (?:this|yesterday|last|the|today|\w{3,6}day)\b(?: (?:morning|night|week|noon|evening))?"
    r"|从?(?:昨|今|前|上|刚)[^，,。]{0,6}(?:开始|起)的?"
)
#: What stands with a Chinese verb and names no thing.
_NO_NAME = re.compile(r"[我你您他她它们也都还就又仍老总是的了]")


#: A thing with its number: "truck 9 has …", "forklift 3 pulls …", 7号机….
_NUMBERED = re.compile(
    r"^(?:the )?(?!(?:about|around|roughly|nearly|almost|since|over|under|maybe)\b)(?:[a-z]{3,} ){1,2}"
    r"[a-z]?-?\d{1,4} (?:is|has|was|are|[a-z]{2,}(?:s|ed|n't|nt))\b"
    r"|^[\da-z一二三四五六七八九十]{1,3}[号楼][\u4e00-\u9fff]"
)
#: A thing that is told apart: by its number, by where it is, or by whose it is.
_APART = re.compile(
    rf"{_NUMBERED.pattern}|\b(?:on|in|at|near) (?:the |our |my )?[a-z]{{2,}}|^(?:my|our)\b"
    r"|^(?:我|我们|咱们)的?[\u4e00-\u9fff]"
)


def is_another(message: Message) -> bool:
    """Tell a report of something else from more about what the thread has reported.

    What a thing does, without a word for a fault, may be told of a part of what was reported: it is another matter
    where the thing has a number of its own, or is told as one thing more ("also …", 还有…).
    """
    if goes_on(message) or ("device" in message.memory.last.get("missing", "") and _names_device(message.text)):
        return False
    core, adds = without_lead(message.core), _adds(message)
    told = _SINCE_WHEN.sub("", core)
    if is_fault(told):
        return _names_thing(told) and not shares_words(message)
    if _wish(message):
        return True
    numbered = _NUMBERED.search(told) is not None
    states = states_of_thing(told) or (told.isascii() and (numbered or names_another(message)))
    return (adds or numbered or _is_own_thing(told)) and states and not shares_words(message)


def has_no_subject(message: Message) -> bool:
    """Tell whether a complaint names nothing that it is said of: "it kicked me out", 一直提示密码错误."""
    core = without_interjection(message.core)
    if message.question or not (is_report(message) or SHUTS_OUT.search(core)):
        return False
    return BARE_PRONOUN.match(core) is not None or gives_detail(message) or not _names_thing(core)


#: A thing that is told by whose it is, and not who or where somebody is.
_OWN_THING = re.compile(
    r"(?:my|our) (?!(?:\w+ )?(?:team|boss|manager|colleagues?|guests?|customers?|clients?|patients?)\b)"
    r"(?!(?:\w+ )?(?:number|name|extension|room|desk|office|seat|e-?mail|mail|address|department|site|shift|line) "
    r"(?:is|was|are)\b)(?!.{2,30}\bis (?:the|in|at|on|\d))[a-z]"
    r"|(?:我|我们|咱们)的(?!(?:电话|手机|分机|房间|办公室|工位|座位|名字|邮箱|工号|经理|同事))[\u4e00-\u9fff]"
)
#: Words that say something of it.
_OWN_WORDS = 2


def _is_own_thing(told: str) -> bool:
    """Tell whether a statement is of a thing of one's own: "my phone has no dial tone"."""
    said = [each for each in content_words(told) if not is_generic(each)]
    return _OWN_THING.match(told) is not None and (not told.isascii() or len(said) >= _OWN_WORDS)


def _names_device(text: str) -> bool:
    return any(pattern.search(text) for pattern in extractors("device"))


def is_told_apart(message: Message) -> bool:
    """Tell whether a report names its thing so that it is no part of what was reported: "my laptop", "also …"."""
    return _adds(message) or _APART.search(without_lead(message.core)) is not None or _wish(message)


def _adds(message: Message) -> bool:
    """Tell whether a message is told as one thing more."""
    return without_lead(message.core) != without_interjection(message.core)


def _names_thing(told: str) -> bool:
    """Tell whether something stands beside the words for the fault: "won't start" and 黑屏 say it of what was named."""
    rest = faults.FAULT.sub(" ", told)
    said = _NO_NAME.sub("", "".join(chinese_runs(rest)))
    return len(said) > 1 or any(not is_generic(word) for word in content_words(rest))


_COMMAND = re.compile(
    r"^.*?(?:tickets?|tiket|support request|(?<=raise a )request|(?<=file a )request|"
    r"(?<=submit a )request|service request|incident report|incident|"
    r"report (?:an?|the|this|that|my|our)(?: \w+){0,2}? (?:problem|issue|fault|bug|outage|error)|report|工单|"
    r"报修单|故障单|服务单|单子|报修|报障|单)"
    r"(?: (?:for|about|regarding|on|saying|because|that|with|to|as)\b)?(?:一下|吧|的)?[\s:：,，.。!！\-–—]*",
    re.IGNORECASE | re.DOTALL,
)
_EMPTY_SUBJECT = re.compile(
    r"^(?:please|pls|for me|for us|(?:(?:for|about|of|out of|from) )?"
    r"(?:the above|(?:this|that)(?: (?:message|thread|conversation|post))?|it)|me|us|now|"
    r"thanks|thank you|quickly|asap|one|as well|well|too|also|anyway|then|"
    r"谢谢|请|吧|帮我|一下|啊|呢|了|的|这个|那个|[\s,.!?，。！？])*$",
    re.IGNORECASE,
)


#: What stands between a clause and the one that asks for a ticket.
_BETWEEN = ",，.。;；!！?？\n"
#: A ticket that is asked for at the end, and what was said before that: the end is at most this long.
_ASKED_MAX = 160
_ASKED_LAST = re.compile(
    r"(?P<before>.+?)(?:(?<![,，.。;；!！])[,，.。;；!！]++\s*+|"
    r"(?<!\s)\s++(?=please|pls|can you|could you)|(?=请|麻烦|帮我|"
    r"帮忙))(?:please|pls|can you|could you|请|麻烦|帮我|帮忙|i want to|"
    r"i'd like to|so )?[^,，.。;；]{0,30}"
    r"(?:ticket|tiket|工单|报修单|报修|报障|单子|单)[^,，.。;；]{0,12}$",
    re.IGNORECASE | re.DOTALL,
)


def _lead(said: str) -> str:
    """Return the fault that was told before the words that ask for a ticket; "" when none was."""
    said = said.rstrip(" ,，:：.。;；")
    last = max(map(said.rfind, _BETWEEN))
    lead = said[: last + 1].rstrip(_BETWEEN).strip()
    return lead if lead and is_fault(normalise(lead)) else ""


def without_command(text: str) -> str:
    """Return what a "please open a ticket: …" is about; "" when it says nothing but that a ticket is wanted."""
    core = text.strip().rstrip(" .!?。！？")
    simplified = core.translate(TRADITIONAL)  # character for character, so that positions agree
    command = _COMMAND.match(simplified)
    if command and not phrases.OPEN_TICKET.search(normalise(command.group())):
        command = None  # "reports are empty", 订单: part of what it is about
    if command and (lead := _lead(core[: command.end()])):
        return lead
    if command and not _EMPTY_SUBJECT.match(core[command.end() :]):
        return core[command.end() :].strip()
    found = _ASKED_LAST.match(simplified, max(0, len(simplified) - _ASKED_MAX))
    asks = found is not None and phrases.OPEN_TICKET.search(normalise(simplified[found.end("before") :]))
    before = core[: found.end("before")].strip() if found and asks else ""
    empty = _EMPTY_SUBJECT.match(before) or SALUTATION.fullmatch(normalise(before))
    return "" if empty else before
