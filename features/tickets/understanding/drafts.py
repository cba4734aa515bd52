"""Messages about a draft that waits in the thread: what it lacks, what changes, and words for its buttons."""

import re
from dataclasses import dataclass

from agent.brains.rules.understanding.asking import DEMANDS
from agent.brains.rules.understanding.calling_off import begins_to_call_off, calls_off, is_over
from agent.brains.rules.understanding.manners import is_noted
from agent.brains.rules.understanding.message import Message
from agent.brains.rules.understanding.phrases import ACCEPTED, UNDO
from features.tickets.understanding import phrases
from features.tickets.understanding.faults import is_fault
from features.tickets.understanding.matter import Intent, Matter
from language.numbers.ranges import values_in
from language.words import chinese_characters, chinese_runs, content_words, is_generic, normalise, stems
from storage.ids import digest

#: What was wrong and what was meant, in at most so many characters.
_WRONG = r"[^,，。.;；!?]{1,40}?"
_REPENTS = r"(?:(?:oh|no|nope|ah|oops|whoops|sorry|wait|hang on|actually|my (?:bad|mistake)|and|but|ok)[\s,.!-]{1,3})"
_MEANT = (
    r"(?:i (?:actually |really )?meant?(?: to (?:say|write|type))?|(?:it |that )?should(?: have)? be(?:en)?"
    r"|make (?:it|that)|correction[:,]?|typo[:,]?|(?:the )?(?:right|correct) (?:one|room|number|name|word) is"
    r"|wrong (?:room|number|one|thing|floor|name|table|word)[,.:;]?(?: (?:it'?s|should be|it is))?)"
)
_THE = "(?:the |my |our |an? |in )?"
_WRONG_ZH = "[^，,。 ]{1,14}?"
_REPENTS_ZH = "(?:不对|不|说错了|打错了|写错了|搞错了|抱歉|不好意思|哦|啊)?[，,。 ]{0,2}"
_IS = r"(?:it'?s|that'?s|it is|that is)"
_SORRY = r"(?:[\s,.!]{1,3}(?:sorry|actually|instead|i meant?|please|my (?:bad|mistake)))"
#: "I meant the washing machine, not the dryer", "its 46 actually", 打错了 是318, 是烘干机不是洗衣机.
_CORRECTED = tuple(
    re.compile(each, re.IGNORECASE)
    for each in (
        (
            f"{_REPENTS}{{0,4}}(?:{_MEANT} |{_IS} )?(?P<new>{_WRONG})"
            rf"(?:, ?(?:and )?not |(?<!,) not (?=the |my |our |an? |in |\d)){_THE}(?P<old>{_WRONG})"
            rf"{_SORRY}{{0,2}}[.! ]*"
        ),
        (
            rf"{_REPENTS}{{0,4}}(?:{_IS} )?not {_THE}(?P<old>{_WRONG})[,;]? (?:but |{_IS} |i meant? |rather |(?<=, ))"
            rf"(?P<new>{_WRONG}){_SORRY}{{0,2}}[.! ]*"
        ),
        rf"{_REPENTS}{{0,4}}{_MEANT} (?P<new>{_WRONG}){_SORRY}{{0,2}}[.! ]*",
        rf"{_REPENTS}{{1,4}}(?:{_IS} )(?P<new>{_WRONG}){_SORRY}{{0,2}}[.! ]*",
        rf"{_REPENTS}{{1,4}}(?P<new>(?:room |floor |table )?[a-z]?\d[\w-]{{0,6}}){_SORRY}{{0,2}}[.! ]*",
        rf"(?:{_IS} )?(?P<new>{_WRONG}){_SORRY}{{1,2}}[.! ]*",
        rf"{_REPENTS_ZH}(?:应该)?不是(?P<old>{_WRONG_ZH})[，,。 ]{{0,2}}(?:而|应该)?是(?P<new>{_WRONG_ZH})[。! ]*",
        rf"{_REPENTS_ZH}(?:应该|其实)?是(?P<new>{_WRONG_ZH})[，,。 ]{{0,2}}(?:而)?不是(?P<old>{_WRONG_ZH})[。! ]*",
        (
            r"(?:(?:刚才?|我|前面|上面|房号|地点|楼层|房间|名字){0,2}(?:打错字?|写错|说错|搞错|弄错|填错|输错|"
            r"错)了?|口误"
            rf"|(?:更正|纠正)(?:一下)?|不对)[，,。：: ]{{0,2}}(?:应该|其实)?(?:是|为)?(?P<new>{_WRONG_ZH})[。! ]*"
        ),
        rf"应该是(?P<new>{_WRONG_ZH})(?:才对)?[。! ]*",
    )
)
#: What stands in no name of a thing or a place.
_NO_VALUE = re.compile(
    r"\b(?:i|you|we|he|she|they|it|this|that|one|ones|does|did|is|are|was|were|has|have|had|can|will|do|still|"
    r"also|urgent|priority|important|asap|"
    r"working|broken|fine|ok|not|nothing|because|but|yes|no)\b|[我你您他她它吗呢没]|不[^锈]|已经|还是|坏了|一样",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Correction:
    """What was meant, and in place of what; "" where nobody said what was wrong."""

    old: str
    new: str


def correction_of(text: str) -> Correction | None:
    """Return what a message corrects: "I meant the washer, not the dryer", 打错了 是318; None for any other."""
    for pattern in _CORRECTED if len(text) <= _LONGEST_CORRECTION else ():
        found = pattern.fullmatch(text.strip().replace("’", "'"))
        if found is None:
            continue
        said = found.groupdict()
        new, old = (_ARTICLE.sub("", (said.get(name) or "").strip()).rstrip("的啊哈哦") for name in ("new", "old"))
        named = (
            len(new.strip("了的")) > (0 if new[:1].isdigit() else 1)
            and not is_generic(new)
            and not _NO_VALUE.search(new)
        )
        return Correction(old, new) if named and not (old and _NO_VALUE.search(old)) else None
    return None


_ARTICLE = re.compile(r"^(?:the|an?|my|our)\s+", re.IGNORECASE)
_LONGEST_CORRECTION = 120


#: Since when something is so belongs to the report.
_SINCE = re.compile(r"\b(?:since|ago|for (?:\w{1,6} )?(?:days|weeks|months|hours))\b|开始|以来|之前就|前就")
#: Of a message that was answered beside a draft, this much is remembered, to know it again.
_BESIDE_CHARS = 120


def mark_of(asked: str) -> str:
    """Return the fingerprint under which a thread remembers a message, whose words it may have to forget."""
    return digest(" ".join(asked.split())[:_BESIDE_CHARS])


def waits(message: Message) -> bool:
    """Tell whether the thread's last turn left a draft that waits for the person."""
    last = message.memory.last
    return bool(last.get("draft")) and (message.follows("needs_approval", "asked_back") or _is_beside(message))


def _is_beside(message: Message) -> bool:
    """Tell whether the thread's last turn showed an answer with a draft below it."""
    turns, last = message.memory.turns, message.memory.last
    return message.follows("answered") and last.get("beside", "") == mark_of(turns[-1].asked)


def is_tried(message: Message) -> bool:
    """Tell whether the thread's last turn showed steps to try first, above a draft."""
    return bool(message.memory.last.get("tried")) and _is_beside(message)


def about_steps(message: Message) -> Matter | None:
    """Return what came of the steps that were to be tried first: they solved it, or it is still broken."""
    last, plain = message.memory.last, message.plain
    if not (last.get("draft") and last.get("tried")):
        return None
    if phrases.SOLVED.fullmatch(plain):  # "did that, all good now" begins as a question does, …
        return Matter(Intent.SOLVED)
    in_vain = was_in_vain(plain) and not plain.endswith(("?", "？"))  # … and so does "did all that, no luck"
    if message.question and not in_vain:
        return None
    if phrases.STILL_BROKEN.match(plain) or in_vain or (is_tried(message) and phrases.NO.fullmatch(plain)):
        bare = phrases.STILL_BROKEN.fullmatch(plain) or phrases.NO.fullmatch(plain) or only_in_vain(plain)
        return Matter(Intent.CONTINUE, detail="" if bare else message.text)
    unclear = is_tried(message) and ACCEPTED.match(plain)
    return Matter(Intent.SOLVED, missing="steps") if unclear else None


def was_in_vain(plain: str) -> bool:
    """Tell whether what was shown was done, or helped nothing: "did all that, it came again after ten minutes"."""
    return only_in_vain(plain) or phrases.TRIED.fullmatch(_clauses(plain)[0]) is not None


def only_in_vain(plain: str) -> bool:
    """Tell whether a message says that and nothing else: "tried everything, no luck"."""
    ways = (phrases.TRIED, phrases.IN_VAIN, phrases.STILL_BROKEN)
    return all(any(way.fullmatch(clause) for way in ways) for clause in _clauses(plain))


def _clauses(plain: str) -> list[str]:
    return [each for each in _CLAUSES.split(plain) if each] or [""]


def about_draft(message: Message) -> Matter | None:
    """Return which button of the draft somebody writes instead of pressing it, or what they correct in it."""
    found = _corrected(message) or about_steps(message) or _in_vain(message)
    found = found or _named(message) or _taken_back(message) or _asked_of_it(message)
    if found is not None or not message.memory.last.get("draft") or message.question:
        return found
    if phrases.CONFIRM_WORDS.match(message.plain):
        return Matter(Intent.CONFIRM)
    if phrases.BARE_DISCARD.fullmatch(message.plain) or calls_off(message.plain):
        return Matter(Intent.SOLVED if is_mended(message.plain) else Intent.DISCARD)
    if (decided := _decided(message)) is not None:
        return Matter(decided)
    if phrases.CHANGES_FIELD.search(message.plain) and not message.procedural:
        return Matter(Intent.REVISE, detail=message.text)
    return _before_it(message) if waits(message) else None


def _corrected(message: Message) -> Matter | None:
    """Return that words of a draft were wrong; after an answer from pages it is that which is meant."""
    held = bool(message.memory.last.get("draft")) and (waits(message) or not message.follows_pages)
    corrects = held and not message.question and correction_of(message.text) is not None
    return Matter(Intent.REVISE, detail=message.text) if corrects else None


def _in_vain(message: Message) -> Matter | None:
    """Return what "did that, same" means below a draft: it goes on, though nothing was surely to be tried first."""
    vain = waits(message) and only_in_vain(message.plain)
    return Matter(Intent.CONTINUE, detail=message.text) if vain else None


#: What stands between two clauses, and a clause that only makes room for the next one.
_CLAUSES = re.compile(r"[,，;；。.!！]\s*| but |(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])")
_HOLDS_ON = re.compile(r"(?:stop|wait|no|停|等等?|不)")
#: Who looks after it without the desk: "stop, I'll phone them".
_MYSELF = re.compile(
    r"i(?:'?ll| will|'?m going to| am going to) (?:just )?(?:phone|call|ring|ask|go|see|do|fix|handle|sort|tell|mail|"
    r"e-?mail|write)\b|我(?:自己|直接|去|会)?(?:打电话|打给|去找|去问|联系|来(?!不)|弄|解决)"
)


def is_mended(plain: str) -> bool:
    """Tell whether what was to be reported works again: "it's fixed, close it", 已经修好了，不用报了."""
    if phrases.RECOVERED.fullmatch(plain) or (phrases.SOLVED.fullmatch(plain) and phrases.WORKS_AGAIN.search(plain)):
        return True
    first, *rest = _clauses(plain)
    ends = (phrases.CLOSE_IT, phrases.BARE_DISCARD, phrases.SOLVED)
    mended = phrases.SOLVED.fullmatch(first) and phrases.WORKS_AGAIN.search(first)
    return bool(mended) and all(calls_off(clause) or any(each.fullmatch(clause) for each in ends) for clause in rest)


def _decided(message: Message) -> Intent | None:
    """Return what the clauses of a message decide of the draft: each sends it, or the first or last gives it up.

    "Looks good, send it" sends it; "forget it, I found the plug" and "Bronwyn will ask, cancel that" give the reason.
    """
    plain = message.plain
    if is_mended(plain):
        return Intent.SOLVED
    if is_over(plain):
        return Intent.DISCARD
    if not waits(message):  # something else was spoken of meanwhile
        return Intent.DISCARD if begins_to_call_off(plain) and _HOLDS_ON.fullmatch(_clauses(plain)[0]) is None else None
    clauses = _clauses(plain)
    if len(clauses) < 2:
        return None
    sends = [phrases.CONFIRM_WORDS.match(each) is not None for each in clauses]
    agrees = [ACCEPTED.match(each) or phrases.APPROVES.fullmatch(each) for each in clauses]
    if any(sends) and all(one or other for one, other in zip(sends, agrees, strict=True)):
        return Intent.CONFIRM
    first, last = clauses[0], clauses[-1]
    gives_up = begins_to_call_off(plain) or phrases.BARE_DISCARD.fullmatch(first)
    holds_on = _HOLDS_ON.fullmatch(first) and not _MYSELF.match(clauses[1])
    ends = phrases.BARE_DISCARD.fullmatch(last) or calls_off(last)
    return Intent.DISCARD if ends or (gives_up and not holds_on) else None


def _asked_of_it(message: Message) -> Matter | None:
    """Return what is wanted of a draft that was not filed yet, though something else was spoken of meanwhile.

    Whoever asks how it goes sees that it waits for them.
    """
    last = message.memory.last
    if not last.get("draft") or (last.get("ticket") and not waits(message)):
        return None
    if phrases.ASKS_NEWS.fullmatch(message.plain):
        return Matter(Intent.CONFIRM)
    hurries = any(phrases.BARE_URGE.fullmatch(each) for each in (message.plain, message.core))
    adds = phrases.MAKE_URGENT.search(message.core) or phrases.ADDS.match(message.plain)
    return Matter(Intent.REVISE, detail=message.text) if hurries or (adds and not message.question) else None


def _named(message: Message) -> Matter | None:
    """Return what shall be done with "the draft", or with "the ticket" where none was filed yet."""
    if message.procedural:
        return None
    last, is_draft = message.memory.last, phrases.DRAFT_NOUN.search(message.plain) is not None
    unfiled = last.get("draft") and not last.get("ticket") and phrases.THE_NOUN.search(message.plain)
    gives_up = phrases.CANCEL.search(message.plain) or phrases.THROW_AWAY.search(message.plain)
    if gives_up and (is_draft or unfiled):
        return Matter(Intent.DISCARD)
    if not is_draft:
        return None
    shows = phrases.CONFIRM_WORDS.match(message.plain) or phrases.SHOW_DRAFT.search(message.plain)
    return Matter(Intent.CONFIRM) if shows else None


def _taken_back(message: Message) -> Matter | None:
    """Return what "undo" means: the draft that was discarded last comes back, or the ticket filed last is withdrawn."""
    last = message.memory.last
    if not UNDO.fullmatch(message.plain):
        return None
    if last.get("draft"):
        return Matter(Intent.DISCARD) if waits(message) else None
    if last.get("discarded"):
        return Matter(Intent.RESTORE)
    return Matter(Intent.CANCEL, ticket="that") if last.get("ticket") else None


def _before_it(message: Message) -> Matter | None:
    """Return what a word or two mean to somebody who has a draft before them."""
    plain = message.plain
    if phrases.SOLVED.fullmatch(plain):
        return Matter(Intent.SOLVED)
    if ACCEPTED.match(plain) or phrases.APPROVES.fullmatch(plain) or is_noted(plain):
        return Matter(Intent.CONFIRM)
    if phrases.NO.fullmatch(plain):
        return Matter(Intent.REVISE, missing="change")
    return Matter(Intent.REVISE, missing="filed") if phrases.OF_FILED.match(message.core) else None


def completing(message: Message) -> Matter | None:
    """Take a statement in a thread with a waiting draft as what the draft still lacks, or as more about it."""
    if not message.memory.last.get("draft") or message.procedural:
        return None
    if not waits(message) or message.plain.endswith("?"):
        return None
    return Matter(Intent.REVISE, detail=message.text, explained=_gives_case(message), apart=names_another(message))


#: How somebody begins who says more about what was just spoken of.
_MORE = re.compile(
    r"(?:(?:no|yes|also|and|but|sorry|well|ok|actually|still)[\s,]{1,3}){0,3}(?:it|it's|its|that|this|they|"
    r"still|add|the same|same)\b|"
    r"(?:add|since|only|because|when|after|always|sometimes|every|mostly|usually|but|yesterday|today|maybe|now|"
    r"happens?|happened|gets?|got|seems?|looks|comes|started|stopped|worse|"
    r"(?:(?:i|we)(?:'ve| have)? (?:already )?)?(?:tried|checked|restarted|did))\b|"
    r"它|还(?!有)|而且|就是|补充|现在|越来越|里面|上面|下面|旁边|[挺很好]急|比较急|有时|只有|偶尔|完全"
)
#: How somebody begins who gives details of what they have just reported, or answers what they were asked about it:
#: with a number, a time, yes or no, or with a verb or a denial that has no subject of its own.
_DETAIL = re.compile(
    r"(?:yes|yep|yeah|no|nope|nah)(?:[,.!]| (?=not |it|he|she|they|there|only|just|a |an |the |i |we |but))"
    r"|[a-z]{1,4}-?\d{3,}\b|(?:about|around|roughly|approx\w*|nearly|almost|some|over|under|like) \d|\d"
    r"|(?:yesterday|today|tonight|this|last|on|since|from|until|around|about) "
    r"(?:morning|noon|afternoon|evening|night|week|month|(?:mon|tues|wednes|thurs|fri|satur|sun)day|about|at|\d)"
    r"|(?:nobody|no one|none|nothing|not|never|he|she|they|there|both|all of|same|probably|only|just)\b"
    r"|(?:doesn|don|won|isn|aren|can|didn|wasn|couldn)['’]?t\b|(?:keeps?|says?|shows?|still|makes?|smells?)\b"
    r"|不?是|没|有(?!没有)|都|从|大概|差不多|大约|约|已经|提示|显示|报错|屏幕上|说是|少了|多了|昨|今[天早]|早上|晚上"
    r"|[上下中]午|刚|一直|每|第|只|[左右]边|[一二三四五六七八九十]+[号楼层个点]|一个?(?:小时|星期|月|多)"
)
_UTTERED = re.compile(r"^(?:(?:oh|ah|uh|hm)\b|[哦噢啊嗯](?:对(?!了))?)[\s,，.!。]{0,3}(?=[^\s])")
#: How somebody begins who adds something: "oh and", "different thing:", 对了; and who has forgotten to say it.
_ADDED = re.compile(
    r"^(?:(?:(?:and|also|btw|by the way|plus|besides|something else|"
    r"(?:(?:a )?different|another|one more|new) (?:thing|problem|issue|one))\b|"
    r"对了|还有(?:一?[个件]?(?:事|问题))?|再[有者](?=[,，])|另外|此外|顺便)[\s,，:：.!。]{0,3})+(?=[^\s])"
)
_FORGOTTEN = re.compile(
    r"(?:(?:oh|and|sorry|ah)[\s,]{1,3}){0,2}(?:i )?forgot (?:to (?:say|mention|add|tell(?: you)?)|one thing)"
    r"[\s,:]{0,3}(?:that )?|(?:哦|对了)?[，,]?(?:刚才|刚刚)?忘(?:了|记)(?:说|讲|提|写)(?:了|明)?[，,：: ]{0,2}"
)
#: How somebody begins who says where or when: what a draft may lack.
_WHERE = re.compile(
    r"(?:in|on|at|near|by|from|next to|behind|under|above|opposite|between|the|my|our|for)\b|(?:就|是|就是)?[在靠从]"
)
#: What belongs to a report: when it happened, and that people complain, wait, or have slipped on it.
_OF_REPORT = re.compile(
    r"\b(?:this morning|last night|yesterday|all (?:day|night|week)|every (?:time|day|morning|night|few))\b"
    r"|\b(?:guests?|customers?|clients?|patients?|visitors?|passengers?|people|everyone|they|he|she)"
    r"(?: (?:is|are|have|has|already|all|still|keep|keeps|just)|'s|'re|'ve){0,2} (?:\w{1,10} )?"
    r"(?:complain\w*|moan\w*|wait\w*|angry|furious|cross|upset|slipp\w+|trip\w+|queu\w*|leaving|annoyed|fuming)\b"
    r"|昨[晚天夜]|今[早天晨]|早上|刚才|前天|上周"
    r"|(?:客人|顾客|病人|患者|住客|大家|同事|家属|乘客|学生)[^，,。]{0,6}(?:投诉|生气|着急|抱怨|不满|等|催|骂|火|"
    r"闹|滑倒)"
)
#: The least words, or Chinese characters, of another matter: fewer may be a name or a place.
_NAMES_WORDS, _NAMES_CHARACTERS = 3, 5


def goes_on(message: Message) -> bool:
    """Tell whether a message says more about what was reported, from how it begins."""
    begins = (message.plain, without_lead(message.plain))
    return any(map(_MORE.match, begins)) or has_forgotten(message) or (waits(message) and gives_detail(message))


def gives_detail(message: Message) -> bool:
    """Tell whether a message begins as details of a report do: "HV204, at reception", "nobody hurt", 早上开始的."""
    return not message.question and _DETAIL.match(message.plain) is not None


def without_lead(plain: str) -> str:
    """Return a message without the words that only lead to something more: "oh and", "forgot to say", 对了."""
    return _ADDED.sub("", _FORGOTTEN.sub("", without_interjection(plain), count=1), count=1)


def without_interjection(plain: str) -> str:
    """Return a message without what is only uttered before it: "oh", 哦对."""
    return _UTTERED.sub("", plain, count=1)


def has_forgotten(message: Message) -> bool:
    """Tell whether somebody says what they forgot to say before."""
    return _FORGOTTEN.match(message.plain) is not None


def names_another(message: Message) -> bool:
    """Tell whether a message below a draft may be a matter of its own: it names things, and none that was reported."""
    if goes_on(message) or tells_where(message) or _SINCE.search(message.plain) or _OF_REPORT.search(message.plain):
        return False
    words = [word for word in content_words(message.text) if not is_generic(word)]
    if len(words) < _NAMES_WORDS and chinese_characters(message.plain) < _NAMES_CHARACTERS:
        return False
    return not shares_words(message)


def tells_since(plain: str) -> bool:
    """Tell whether a message says since when something is so."""
    return _SINCE.search(plain) is not None


def tells_where(message: Message) -> bool:
    """Tell whether a message begins as one that says where something is."""
    return _WHERE.match(message.core) is not None


#: Messages of the thread in which what was reported is named.
_EARLIER = 4


def shares_words(message: Message) -> bool:
    """Tell whether a message names what the thread's last messages named."""
    before = " ".join(turn.asked for turn in message.memory.turns[-_EARLIER:])
    shared = stems(" ".join(content_words(message.text))) & stems(" ".join(content_words(before)))
    return any(not is_generic(word) for word in shared) or _shares_pairs(message.plain, before)


def _shares_pairs(plain: str, before: str) -> bool:
    earlier = "".join(chinese_runs(normalise(before)))
    runs = chinese_runs(plain)
    return any(run[at : at + 2] in earlier for run in runs for at in range(len(run) - 1))


def _gives_case(message: Message) -> bool:
    """Tell whether a statement below an answer may put a case to it: "and if it was 80", "it's my second this year"."""
    if not message.follows_pages or is_fault(message.core) or _SINCE.search(message.plain):
        return False
    return message.hangs_on or bool(values_in(message.text))


#: What a display says, of which the pages may tell.
_DISPLAYED = re.compile(
    r"\b(?:says?|shows?|reads?|displays?|flashes) (?:err(?:or)?|code|e|fault)[ -]?\d{1,5}\b|\berr(?:or)? ?\d{1,4}\b"
    r"|(?:显示|报错?|提示)[^，,。]{0,4}\d{1,4}"
)


def reads_more(message: Message) -> bool:
    """Tell whether the pages may answer what is told of a report: "he wants half the night off", "says err 30"."""
    return any(each.search(message.plain) for each in (DEMANDS, _DISPLAYED))


#: What follows steps that were in vain, in what a page says.
_LEFT = re.compile(
    r"(?i)\b(?:still (?:nothing|not|no|broken|stuck)|if (?:not|that|this|it) (?:\w+ ){0,3}(?:fails?|help|work)|if not|"
    r"otherwise|anything else|spare|support|hotline)\b|还不行|仍然?不|再不行|不行的?话|否则|其他情况|备用|热线"
)


def tells_what_is_left(answered: str) -> bool:
    """Tell whether an answer says what to do when its first steps were in vain, or whom to call."""
    return _LEFT.search(answered) is not None
