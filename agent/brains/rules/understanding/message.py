"""A message in the forms that the rules look at, and a question completed from the thread before it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, pairwise, takewhile

from agent.brains.rules.understanding import phrases
from agent.brains.rules.understanding.asking import QUESTION_START, asks, asks_directly
from agent.brains.rules.understanding.subjectless import leaves_subject_out, stays_with
from agent.brains.rules.understanding.venting import without_venting
from agent.tools.context import Recollection, Turn
from language.synonyms.short_forms import written_out
from language.words import OFF_WORK, chinese_characters, chinese_runs, content_words, is_generic, normalise

#: How much of a message is read, in characters; a Chinese one, which may be a word, counts as so many.
READ_AT_MOST, CHINESE_COUNTS_AS = 8_000, 4
#: A longer message is not looked up in the other language.
LONG_CHARS = 600
_FIRST_CHINESE = 0x2E80  # and all that is written without spaces after it
#: Chinese characters that say what is done and not to what: 怎么申请 after a question about leave.
NAMES_NOTHING = 2
#: English words that mean something and Chinese characters up to which a question may go on with the one before it.
GOES_ON_WORDS, GOES_ON_CHARACTERS = 6, 14
#: … up to which it does where the same page answered both.
STAYS_WORDS, STAYS_CHARACTERS = 2, 7
#: … up to which somebody tells what holds for them.
TELLS_WORDS, TELLS_CHARACTERS = 10, 20
#: Words that only add to what was said: "for trainees?", "on weekends?", "by whom?", "kids?", 导盲犬呢.
_ADDS = re.compile(
    r"^(?:for|on|in|at|with|without|after|before|during|by|until|till|from|to|since)"
    r" (?!me\b|what\b|which\b)[^?]{2,40}\??$"
    r"|^(?:the |my |our |your |any )?[a-z][a-z'-]+(?: [a-z][a-z'-]+)?\?$"
    r"|^[^，,。！？?!]{1,10}呢[?？。]*$"
)


#: Countries that are written with letters which else mean somebody: "in the US".
_COUNTRIES = {"US": "United States", "USA": "United States", "UK": "United Kingdom"}
_ABBREVIATED = re.compile(r"(?:(?<=\bthe )|(?<=\bin )|(?<=\bto )|(?<=\bof )|(?<=\bfrom ))(?:USA?|UK)\b")


@dataclass(frozen=True)
class Message:
    """A message in the forms that the rules look at."""

    text: str  # as it was written
    asked: str  # written out, without insults and swearing: what is understood and looked up
    plain: str
    core: str  # without salutation and politeness
    question: bool
    directed: bool  # somebody is asked to do something: "please", "can you", 帮我
    memory: Recollection
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # tool → names of what may be spoken of
    asker: str = ""  # id of who wrote it

    @property
    def hangs_on(self) -> bool:
        """Tell whether it goes on with what was said before: "and tomorrow?", "make it Ben"."""
        few = len(content_words(self.text)) <= 6 and chinese_characters(self.plain) <= 16
        leads = phrases.FOLLOW_UP.match(self.plain) or phrases.INSTEAD.search(self.plain)
        return bool(self.memory.turns) and few and leads is not None

    @property
    def is_long(self) -> bool:
        """Tell whether it is more than a few sentences, of which words in the other language lead anywhere."""
        return len(self.asked) > LONG_CHARS

    @property
    def is_short(self) -> bool:
        """Tell whether it may be an answer that was not understood, and is hardly a matter of its own."""
        return len(content_words(self.text)) <= 2 and chinese_characters(self.plain) <= 8

    @property
    def is_fragment(self) -> bool:
        """Tell whether it is too short to say what is wanted: "after 6 pm?", 明天呢."""
        return len(content_words(self.text)) <= 1 and chinese_characters(self.plain) <= 6

    @property
    def procedural(self) -> bool:
        """Tell whether it asks how something is done and not that it be done."""
        return asks(self.core)

    @property
    def tells(self) -> bool:
        """Tell whether it tells, after an answer, what holds for the person: "but I am a trainee", 我还没转正."""
        few = len(content_words(self.text)) <= TELLS_WORDS and chinese_characters(self.plain) <= TELLS_CHARACTERS
        if not few or self.question or self.directed or not self.follows("answered", "no_evidence"):
            return False
        says = phrases.TELLS.match(self.plain) is not None or leaves_subject_out(self.plain, self.memory)
        return says and answered_last(self.memory) is not None

    @property
    def stays(self) -> bool:
        """Tell whether it tells something, also a mishap, of what was just answered, and of no other thing."""
        return self.tells and self.follows_pages and stays_with(self.plain, self.memory)

    @property
    def follows_pages(self) -> bool:
        """Tell whether the thread's last turn was answered from pages."""
        return self.follows("answered") and bool(self.memory.turns[-1].cited)

    def follows(self, *outcomes: str) -> bool:
        """Tell whether the thread's last turn ended in one of these ways."""
        return bool(self.memory.turns) and self.memory.turns[-1].outcome in outcomes


def read(
    text: str,
    memory: Recollection | None = None,
    things: Mapping[str, tuple[str, ...]] | None = None,
    *,
    asker: str = "",
) -> Message:
    """Look at a message once; everything after asks the result."""
    asked = without_venting(beginning(text))
    asked = asked if asked.isupper() else _ABBREVIATED.sub(lambda found: _COUNTRIES[found[0]], asked)
    asked = written_out(asked)
    plain = normalise(asked)
    core = strip_politeness(plain)
    requested = phrases.REQUEST_START.match(phrases.SALUTATION.sub("", plain, count=1)) is not None
    return Message(
        text=text,
        asked=asked,
        plain=plain,
        core=core,
        question=(core.endswith("?") and not requested) or asks(core),
        directed=requested or phrases.ASKED_NICELY.search(plain) is not None,
        memory=memory or Recollection(),
        things=things or {},
        asker=asker,
    )


def beginning(text: str) -> str:
    """Return as much of a message as is read: 8,000 characters of English, 2,000 of Chinese, which take as long."""
    if len(text) * CHINESE_COUNTS_AS <= READ_AT_MOST:
        return text
    counted = accumulate(CHINESE_COUNTS_AS if ord(each) >= _FIRST_CHINESE else 1 for each in text)
    return text[: sum(1 for _ in takewhile(lambda until: until <= READ_AT_MOST, counted))]


@dataclass(frozen=True)
class GoingOn:
    """A question that goes on with what was asked and answered before in its thread."""

    text: str
    subject: str  # the questions before it, oldest first
    before: Turn | None  # what was answered last from the documents
    points: bool  # "it", "that": it means the thing that was spoken of, and does not name another one
    bare: bool = False  # it names next to nothing: "how long?", 怎么申请
    reaches: bool = False  # it asks how to reach whom the answer before has named: "what's his number?"
    calls: bool = False  # it asks whom to call about what was spoken of: "who do I call for that?"
    tells: bool = False  # it asks nothing, and tells what holds for the person: "but I am a trainee"
    others: bool = False  # it asks for other cases of what was told, or for one of several: "elsewhere?", "the last?"

    @property
    def whole(self) -> str:
        """Return the question with its subject before it."""
        return f"{self.subject} {self.text}"


#: A heading that stands before an answer, the name of somebody in it, and as much of it as names whom to reach.
_HEADING = re.compile(r"^\*\*[^*]+\*\*\s*")
_NAME = re.compile(r"\b(?:(?:Dr|Mr|Mrs|Ms)\. )?[A-Z][\w'-]+(?: [A-Z][\w'-]+)+")
_OFFICE = re.compile(
    r"\b(?:to|call|ask|tell|ring|phone|contact|see|from|at|with|by|inform|notify) (?:the |our )"
    r"([a-z][\w'-]*(?: [a-z][\w'-]+)?)"
    r"|(?:找|联系|告诉|告知|通知|问|交给|交到|打给|到|去)([\u4e00-\u9fff]{2,6}?)(?=[（(，,。；挂领报补办]|$)"
)
_WHOM_CHARS = 240


def _whom(answered: str) -> str:
    """Return what an answer names whom somebody wants to reach by: names, or offices; else its text."""
    said = _HEADING.sub("", answered).strip("*_| ")
    named = _NAME.findall(said) or [each[1] or each[2] for each in _OFFICE.finditer(said)]
    return " ".join(dict.fromkeys(named)) or said[:_WHOM_CHARS]


#: Words for how much of something is asked, which name nothing.
_HOW_MUCH = frozenset(("often", "early", "late", "soon", "fast", "quickly", "till", "even"))


#: "till when?", "by when"
_WHEN_LAST = re.compile(
    r"(?:and |but )?(?:by|till|until|since|from|before|through|with|to|at|via) (?:when|whom?|what|where)\b"
)


#: What asks for all other cases of what was told, or for one of several by its place among them, and names none.
_OTHERS = re.compile(
    r"(?:and |or |what about |how about |but )?(?:elsewhere|otherwise|normally|usually|at home|abroad|"
    r"(?:any|every)where else|(?:on |in |at |for )?(?:all |the |any )?"
    r"(?:others?|rest|other (?:places?|cit(?:y|ies)|countr(?:y|ies)|days?|cases?|times?)))[ ?]*"
    r"|(?:那|那么|在)?(?:其他|其它|别的|其余|另外|平时|平常|国外|国内)"
    r"(?:地方|城市|国家|时候|时间|日子|情况|人)?的?呢?[ ?]*"
    r"|(?:and |what about |how about |when is |when's |what's |which is )*(?:the )?"
    r"(?:first|last|final|next|second|third|latest|earliest)"
    r"(?: (?:one|bus|van|train|ferry|boat|shuttle|lift|time|day))?[ ?]*"
    r"|那?(?:第[一二三]|最后一?|末|头|首|下一?)(?:个|班车?|趟|次|条|天)呢?[ ?]*"
)


#: Who puts another case, and asks the same of it: "my mate is 24, him?".
_OF_SOMEBODY = re.compile(r", ?(?:and )?(?:him|her|them|us|that one|this one|those)(?: too| as well| then)?\?$")


class _Hanging(StrEnum):
    """How a question hangs on the one before it."""

    LEADS = "leads"  # "and on a Mac?"
    POINTS = "points"  # "how long does that take?"
    BARE = "bare"  # it names nothing: "how long?", "what happens if I don't?", 怎么申请


def going_on(text: str, memory: Recollection) -> GoingOn | None:
    """Return the question with what it goes on with; None where it stands by itself."""
    how = _hanging(text)
    subject = _subject(memory, narrowed=bool(how - {_Hanging.LEADS})) if how else ""
    if not subject:
        return None
    before = answered_last(memory)
    reaches = before is not None and _reaches(text)
    calls = before is not None and phrases.CALLS.search(normalise(text)) is not None
    subject = _whom(before.answered) if before and reaches else subject
    return GoingOn(
        text,
        subject,
        before,
        _Hanging.POINTS in how,
        bare=_Hanging.BARE in how,
        reaches=reaches,
        calls=calls,
        others=_OTHERS.fullmatch(normalise(text)) is not None,
    )


def may_go_on(text: str, memory: Recollection, *, tells: bool = False) -> GoingOn | None:
    """Return a short question with what it may go on with, though its words do not say so; None where it cannot.

    `tells`: it is no question, and tells what holds for the person.
    """
    plain = normalise(text)
    is_short = tells or (len(content_words(text)) <= GOES_ON_WORDS and chinese_characters(plain) <= GOES_ON_CHARACTERS)
    last = memory.turns[-1] if memory.turns else None
    if last is None or not is_short or last.outcome not in _ASKED:
        return None
    lost = last.outcome != "answered"  # what was not found is often asked in other words, of the same page
    before = answered_last(memory) if tells or lost else last if last.cited else None
    subject = _subject(memory, narrowed=True)
    if not subject or subject == text or (before is None and last.outcome == "answered"):
        return None
    return GoingOn(text, subject, before, points=False, tells=tells)


#: How turns ended whose words are spoken of: answered or not, or drafted as a ticket, what the person has told stands.
_ASKED = ("answered", "no_evidence", "needs_approval", "asked_back")
#: Where something is that is broken: no page about such things says it.
_PLACE = re.compile(
    r"\b(?:on|in|at|of) (?:the )?(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|ground|top) floor\b"
    r"|\b(?:on|in|at|of) (?:room|gate|bay|hall|surgery|dock|line|desk|ward|booth|counter|floor) [a-z]{0,2}-?\d[\w.-]*"
    r"|\b(?:on|in|at) [a-z]{0,2}-?\d{1,4}\b(?! ?(?:%|degrees?|minutes?|hours?|days?|o'?clock|am|pm|[:./]\d))"
    r"|[\d一二三四五六七八九十]{1,3}楼的?|[a-z]?\d{1,5}(?:室|号房|房间)的?",
    re.IGNORECASE,
)


def without_place(text: str) -> str:
    """Return a report without where it is: "on the 3rd floor", 三楼; as it is where nothing else is said."""
    return " ".join(_PLACE.sub(" ", text).split()) or text


def answered_last(memory: Recollection) -> Turn | None:
    """Return the thread's latest turn that was answered from pages; None where there is none.

    Who asked for a number in between, or who somebody is, goes on with the matter, and not with the list of numbers.
    """
    turns = [turn for turn in reversed(memory.turns) if turn.outcome == "answered" and turn.cited]
    return next((turn for turn in turns if not _asks_aside(turn.asked)), turns[0] if turns else None)


def _asks_aside(asked: str) -> bool:
    return _reaches(asked) or phrases.ASKS_WHO.fullmatch(normalise(asked)) is not None


def _reaches(asked: str) -> bool:
    return phrases.REACHES.search(normalise(asked)) is not None


def completed(text: str, memory: Recollection) -> str:
    """Return the question with its subject: "and on a Mac?" takes it from the question before."""
    more = going_on(text, memory)
    return text if more is None else more.whole


def _hanging(text: str) -> frozenset[_Hanging]:
    """Return how a question hangs on one before it, from its own words."""
    plain, words = normalise(text), content_words(text)
    runs = chinese_runs(plain)
    characters = chinese_characters(plain)
    aims = plain.startswith("for ") or phrases.REACHES.search(plain) is not None or _WHEN_LAST.match(plain) is not None
    said = [word for word in words if not (is_generic(word) or word in _HOW_MUCH)]
    names = bool(said) or sum(map(len, runs)) > NAMES_NOTHING or OFF_WORK.search(plain) is not None
    ways = {
        _Hanging.LEADS: _OF_SOMEBODY.search(plain) is not None
        or (phrases.FOLLOW_UP.match(plain) is not None and len(words) <= 5 and characters <= 14)
        or (_ADDS.match(plain) is not None and len(words) <= 3 and not QUESTION_START.match(plain))
        or _OTHERS.fullmatch(plain) is not None,
        _Hanging.POINTS: _points(plain) and len(words) <= 4 and characters <= 12,
        _Hanging.BARE: (aims or asks_directly(plain)) and not names,
    }
    return frozenset(way for way, is_so in ways.items() if is_so)


#: What a later clause may point back to: "my badge", "the canary", a code.
_NAMED_THING = re.compile(r"\b(?:my|our|your|the|a|an)\s{1,3}[a-z][\w-]++|\b[a-z]{2,6}-?\d++")
#: "when do suppliers get their invoices paid?"
_POSSESSIVE = frozenset(("its", "their", "his", "her"))
#: What is said of a thing that the message names itself: "the pages come out with lines on them".
_OF_IT = re.compile(r"\b(?:on|in|with|inside|of|around) (?:it|them)$")
#: Where another clause begins.
_CLAUSE = re.compile(r"[,.;:!?]|\b(?:if|when|while|before|after|because|since|until|once|and|but|so)\b")


def _points(plain: str) -> bool:
    """Tell whether a pronoun points out of the message: "who approves it?", not "I lost my badge, who replaces it?"."""
    found = phrases.BARE_PRONOUN.search(plain)
    if found is None:
        return False
    if found[0] in _POSSESSIVE and any(not is_generic(each) for each in content_words(plain[: found.start()])):
        return False
    named = _NAMED_THING.search(plain, 0, found.start())
    if named and _OF_IT.search(plain, named.end(), found.end()):
        return False
    clauses = [each.start() for each in _CLAUSE.finditer(plain, 0, found.start())]
    return not clauses or _NAMED_THING.search(plain, 0, clauses[-1]) is None


def _subject(memory: Recollection, *, narrowed: bool) -> str:
    """Return the thread's latest question that stands by itself; `narrowed`: with the newest one that hung on it."""
    turns = [turn for turn in memory.turns if turn.outcome in _ASKED]
    hanging: list[str] = []
    for before, turn in reversed(tuple(pairwise((None, *turns)))):
        if turn is not None and not (_hanging(turn.asked) or _stays(turn, before)):
            return " ".join((turn.asked, *hanging[:1])) if narrowed else turn.asked
        hanging += [turn.asked] if turn else []
    return hanging[0] if hanging else ""


def _stays(turn: Turn, before: Turn | None) -> bool:
    """Tell whether so little was asked that it went on with the turn before, whose page answered it or none."""
    if before is None or not set(turn.cited) <= set(before.cited):
        return False
    return len(content_words(turn.asked)) <= STAYS_WORDS and chinese_characters(turn.asked) <= STAYS_CHARACTERS


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
