"""What is asked of the documents: pages in short; and whatever nothing else claims, in the person's own words."""

import re

from agent.brains.rules.routes import Route
from agent.brains.rules.talk import Step, Talk
from agent.brains.rules.understanding.message import Message
from features.knowledge.tools import MAX_QUERY, OUTLINE

_PAGE = r"(?:page|document|policy|guide|handbook|runbook|article)"
_ENGLISH = re.compile(
    rf"(?:summari[sz]e|sum up|outline|tl;?dr(?: of)?:?|(?:give me |show me |i need )?(?:an? |the )?"
    rf"(?:short |quick |brief )?(?:summary|overview|outline|gist) (?:of|on|about))"
    rf" (?:for me )?(?:the |our )?(?:{_PAGE} (?:on|about|called) )?(?P<topic>[^?.!\n]{{2,120}})[?.!]*"
    rf"|what(?:'s| is) in (?:the |our )?(?P<inside>[^?.!\n]{{2,120}}) {_PAGE}[?.!]*",
    re.IGNORECASE,
)
_KIND_OF_PAGE = re.compile(rf"(?<=\w) {_PAGE}$", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?:请|帮我|麻烦)?(?:总结|概括|概述|归纳)(?:一下|下)?(?P<topic>[^？?。！!\n]{2,60})[？?。！!]*"
    r"|(?:请|帮我|给我)?(?P<of>[^？?。！!\n]{2,60}?)(?:的(?:总结|概要|摘要|大纲|概述|主要内容)|(?:主要|大概)?(?:讲|说)了(?:些)?什么)[？?。！!]*"
)
#: What stands in no page: a conversation, tickets, what happens now.
_NO_PAGE = re.compile(r"\b(?:tickets?|threads?|conversations?|chats?|incidents?|alerts?)$|(?:工单|对话|聊天|告警)$")


def topic_of(text: str) -> str:
    """Return what a message wants in short; "" where it wants something else."""
    found = _ENGLISH.fullmatch(text.strip()) or _CHINESE.fullmatch(text.strip())
    said = next((each for each in found.groups() if each), "").strip(" “”\"'《》「」") if found else ""
    return "" if _NO_PAGE.search(said.lower()) else _KIND_OF_PAGE.sub("", said)


def _suppose(message: Message, offered: frozenset[str]) -> Step | None:
    topic = topic_of(message.core) or topic_of(message.text)
    return Step(OUTLINE, {"topic": topic}) if topic and OUTLINE in offered else None


TALK = Talk(tools=frozenset({OUTLINE}), suppose=_suppose)
ROUTE = Route("search_knowledge", lambda said: {"query": said.text[:MAX_QUERY]}, last_resort=True)
