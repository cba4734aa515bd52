"""Questions that may be asked next: the headings of what was found beside the answer, put as questions."""

import re
from collections.abc import Sequence

from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked
from language.scripts import is_chinese
from language.words import normalise

#: Most questions that are offered.
MOST = 3
#: A passage of another page leads on only when it holds this share of the question's words.
NEAR = 0.5

_QUESTION = re.compile(
    r"[?？]\s*$|^(?:how|what|when|where|who|why|which) (?:do|does|is|are|can|should|to|must|will)\b"
    r"|^(?:can|do|does|is|are|should|may|must) (?:i|we|you|my|the)\b",
    re.IGNORECASE,
)
_QUESTION_CHINESE = re.compile(r"怎么|如何|什么|多少|哪|谁|吗|多久|几[个天次点]")
#: Headings that say nothing about what stands below them.
_EMPTY = re.compile(
    r"^(?:overview|introduction|summary|before you begin|contacts?|contents?|faq|notes?|appendix|changelog|"
    r"version history|the short version|rows? [\d–]+|page \d+|"
    r"第 [\d–]+ [行页]|概述|简介|总结|目录|附录|准备开始|教程|背景|联系|找谁问)$",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"^(?:\d+(?:\.\d+)*[.)、]?|第[一二三四五六七八九十百\d]+[章节条]|[一二三四五六七八九十]+、|step \d+:?)\s*",
    re.IGNORECASE,
)
_TASK_WORDS = """
    add apply approve arrange ask assign book build buy cancel carry change charge check choose claim clean clear close
    collect configure connect create debug define delete deploy disable drain edit enable encrypt escalate expose file
    find fix forward get give grant hand handle hire inspect install invite join limit list log make manage mount move
    onboard open order pause pay plan prepare print promote publish pull read rebuild recover register reinstall release
    remove renew replace report request reserve reset resize restart restore resume return review revoke roll rotate run
    scale scan sell send set share sign silence start stop store submit swap switch take test trace transfer
    troubleshoot undo unlock update upgrade upload use verify view work write
    """
#: What is done at work, in the imperative.
TASKS = frozenset(word for word in _TASK_WORDS.split() if word)


def _gerund(verb: str) -> str:
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    short = re.search(r"[^aeiou][aeiou][^aeiouwxy]$", verb) is not None and len(verb) <= 4
    doubled = short or verb in {"cancel", "submit", "forget"}
    return verb + verb[-1] + "ing" if doubled and verb != "open" else verb + "ing"


#: What a task is not put to: "opening hours", "report it first", "stop the loop while you think".
_NO_TASK = re.compile(r"\b\w{3,}ing\b|^(?:hours|times?|rules)\b|\b(?:it|you|first)\b", re.IGNORECASE)

_GERUNDS = {_gerund(verb): verb for verb in TASKS}


def followups(question: Question, ranked: Sequence[Ranked], cited: Sequence[str]) -> tuple[str, ...]:
    """Return up to three questions whose answers stand in the other passages, those of the cited page first."""
    sources = {item.passage.source for item in ranked if item.passage.evidence in cited}
    used = {item.passage.section for item in ranked if item.passage.evidence in cited}
    others = [
        item
        for item in ranked
        if item.passage.section not in used and len(item.passage.path) > 1 and not item.passage.is_navigation
    ]
    others.sort(key=lambda item: item.passage.source not in sources)
    found: dict[str, None] = {}
    for item in others:
        near = item.passage.source in sources or item.coverage >= NEAR
        worded = _worded(item.passage.heading, item.passage.title, question.language) if near else ""
        if worded and question.coverage(Text.of(worded)) < 0.9:
            found[worded] = None
    return tuple(found)[:MOST]


def _worded(heading: str, title: str, language: str) -> str:
    """Put a heading as a question in the asker's language; "" when it says too little."""
    plain = _NUMBERING.sub("", re.sub(r"[*_`#]+", "", heading)).strip(" .:：。")
    if is_chinese(plain) != (language == "zh") or _EMPTY.match(plain) or not 2 <= len(plain) <= 70:
        return ""
    page = title if title and normalise(title) != normalise(plain) else ""
    return _chinese(plain, page) if language == "zh" else _english(plain, page)


def _english(plain: str, page: str) -> str:
    first, _, rest = plain.partition(" ")
    verb = first.lower() if first.lower() in TASKS else _GERUNDS.get(first.lower(), "")
    if _QUESTION.search(plain):
        return plain.rstrip("?") + "?"
    if verb and rest and not _NO_TASK.search(rest):
        mine = re.sub(r"\byour\b", "my", rest)
        return f"How do I {verb} {mine}?"
    return f"What does “{page}” say about “{plain}”?" if page else f"What is said about “{plain}”?"


def _chinese(plain: str, page: str) -> str:
    if _QUESTION_CHINESE.search(plain):
        whole = plain.rstrip("?？") + "？"
        return f"{page}：{whole}" if page and len(plain) < 6 else whole
    return f"“{page}”里“{plain}”是怎么说的？" if page else f"“{plain}”是怎么说的？"
