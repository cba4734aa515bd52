"""Questions that may be asked next: the headings of what was found beside the answer, put as questions."""

import re
from collections.abc import Sequence

from agent.extractive import Ranked
from agent.question import Question, Text
from agent.words import is_chinese, normalise

#: Most questions that are offered.
MOST = 3

_QUESTION = re.compile(
    r"[?？]\s*$|^(?:how|what|when|where|who|why|which|can|do|does|is|are|should)\b|^(?:如何|怎么|怎样|什么|为什么|谁)",
    re.IGNORECASE,
)
_QUESTION_CHINESE = re.compile(r"(?:怎么|如何|什么|多少|哪|谁|吗|为什么|多久|几).*$")
_NAVIGATION = re.compile(
    r"^(?:what'?s next|next steps?|see also|further reading|related(?: pages| topics)?|references?|overview|introduction|summary|before you begin|contacts?|"
    r"links?|contents?|faq|notes?|appendix|changelog|version history|下一步|接下来|参考|相关(?:页面|文档|链接)?|概述|简介|总结|目录|另见|附录|准备开始|教程|背景)$",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"^(?:\d+(?:\.\d+)*[.)、]?|第[一二三四五六七八九十百\d]+[章节条]|[一二三四五六七八九十]+、|step \d+:?)\s*",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^(?:add|apply|approve|arrange|ask|assign|book|build|cancel|change|check|choose|claim|clean|clear|close|collect|configure|connect|create|debug|define|delete|"
    r"deploy|disable|drain|edit|enable|encrypt|escalate|expose|file|find|fix|get|grant|hand|handle|hire|inspect|install|invite|join|limit|list|log|make|manage|mount|"
    r"move|onboard|open|order|pause|pay|plan|prepare|print|promote|publish|pull|read|rebuild|recover|register|reinstall|release|remove|renew|replace|report|request|"
    r"reserve|reset|resize|restart|restore|resume|return|review|revoke|roll|rotate|run|scale|scan|send|set|share|sign|start|stop|store|submit|switch|take|test|trace|"
    r"transfer|troubleshoot|undo|unlock|update|upgrade|upload|use|verify|view|work|write)\b",
    re.IGNORECASE,
)
_GERUND = re.compile(r"^([a-z]+)ing\b", re.IGNORECASE)


def followups(question: Question, ranked: Sequence[Ranked], cited: Sequence[str]) -> tuple[str, ...]:
    """Return up to three questions whose answers stand in the other passages, those of the cited page first."""
    if not ranked:
        return ()
    sources = {item.passage.source for item in ranked if item.passage.evidence in cited}
    used = {item.passage.section for item in ranked if item.passage.evidence in cited}
    others = [item for item in ranked if item.passage.section not in used and item.passage.path]
    others.sort(key=lambda item: item.passage.source not in sources)
    found: dict[str, None] = {}
    for item in others:
        near = item.passage.source in sources or item.coverage >= 0.4
        worded = _worded(item.passage.heading, item.passage.title, question.language) if near else ""
        if worded and question.coverage(Text.of(worded)) < 0.9:
            found[worded] = None
    return tuple(found)[:MOST]


def _worded(heading: str, title: str, language: str) -> str:
    """Put a heading as a question in the asker's language; "" when it says too little."""
    plain = _NUMBERING.sub("", re.sub(r"[*_`#]+", "", heading)).strip(" .:：。")
    if is_chinese(plain) != (language == "zh") or _NAVIGATION.match(plain) or not 2 <= len(plain) <= 70:
        return ""
    about = "" if normalise(plain) == normalise(title) or not title else title
    return _chinese(plain, about) if language == "zh" else _english(plain, about)


def _english(plain: str, about: str) -> str:
    mine = re.sub(r"\byour\b", "my", plain)
    if _QUESTION.search(plain):
        return mine.rstrip("?") + "?"
    lower = mine if re.match(r"[A-Z]{2}|[A-Z]\S*[A-Z]", mine) else mine[:1].lower() + mine[1:]
    if _TASK.match(plain):
        return f"How do I {lower}?"
    subject = f"{lower} ({about})" if about and len(plain) < 24 else lower
    return f"What about {subject}?" if _GERUND.match(plain) else f"What should I know about {subject}?"


def _chinese(plain: str, about: str) -> str:
    if _QUESTION_CHINESE.search(plain):
        return plain.rstrip("?？") + "？"
    subject = f"{about}的{plain}" if about and len(plain) < 5 else plain
    return f"{subject}有什么规定或说明？"
