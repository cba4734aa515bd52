"""A wish to have a saved question sent: which one, when, and where, out of somebody's words."""

import re
from dataclasses import dataclass
from datetime import datetime

from agent.brains.rules.slots import Lacks, Utterance
from language.planning.plans import Again
from language.planning.reading import plan_in
from queries.sql.saved.saved import LONGEST_NAME
from storage.ids import JsonValue

_QUOTED = re.compile(
    r"[“\"「『《](?P<name>[^“”\"「」『』《》]{1,200})[”\"」』》]|(?:^|(?<=\s))['‘](?P<single>[^'‘’]{1,200})['’]"
)
_HERE = re.compile(
    r"(?i)\b(?:(?:in|to|into) (?:this|the) (?:channel|chat|room)|here)\b"
    r"|发?到?(?:这里|这儿|本频道|这个频道|此频道|频道里|群里)"
)
#: What stands before the name under which something is saved: "save this as", 保存为.
_SAVED_AS = re.compile(
    r"\b(?:as|under|named|called)\s+(?:the name\s+)?"
    r"|(?:为|成|[，,]?\s?(?:名字)?叫做?)[:：]?\s?",
    re.IGNORECASE,
)
#: What stands around the name of a question in such a wish, at either end of what is left.
_AROUND = re.compile(
    r"^(?:please|can|could|you|send|post|deliver|schedule|me|us|to|the|a|my|our|saved|question|results?|answers?|of|from|"
    r"and|in|on|at|with|请|帮我|帮忙|麻烦|把|将|给我们?|发给我们?|发送给我们?|推送给我们?|发送|推送|发|已?保存的问题|问题|"
    r"结果|的|定时|[\s,，:：.。!！?？、]+)(?![A-Za-z])"
    r"|(?<![A-Za-z])(?:please|to|me|us|the|results?|question|in|on|at|请|给我们?|发给我们?|发送给我们?|推送给我们?|发送|推送|"
    r"发|的结果|结果|[\s,，:：.。!！?？、]{1,20})$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Wish:
    """What somebody wants to be sent; what they left out is "" or None."""

    name: str
    when: Again | None
    here: bool


def wish_in(text: str, *, now: datetime) -> Wish:
    """Return the wish that a message holds; `now` is the time on the wall of the person, without tzinfo."""
    quoted = _QUOTED.search(text)
    name = (quoted["name"] or quoted["single"] or "") if quoted else ""
    rest = text[: quoted.start()] + " " * (quoted.end() - quoted.start()) + text[quoted.end() :] if quoted else text
    said, here = plan_in(rest, now=now), _HERE.search(rest)
    if not quoted:
        name = _left(rest, [*said.spans, *([here.span()] if here else [])])
    when = said.plan if isinstance(said.plan, Again) else None
    return Wish(" ".join(name.split())[:LONGEST_NAME], when, here is not None)


def read_wish(said: Utterance) -> dict[str, JsonValue] | Lacks:
    """Return the arguments of the tool, or what has to be asked for."""
    wish = wish_in(said.text, now=said.now.replace(tzinfo=None))
    if not wish.name:
        return Lacks("data_which")
    return {"when": said.text} if wish.when is not None else Lacks("data_when")


def read_name(said: Utterance) -> dict[str, JsonValue] | Lacks:
    """Return the name under which the last result is to be saved; none where nobody says one."""
    quoted, behind = _QUOTED.search(said.text), _SAVED_AS.search(said.text)
    bare = said.text[behind.end() :].strip(" .。!！?？吧") if behind else ""
    name = (quoted["name"] or quoted["single"] or "") if quoted else bare
    return {"name": " ".join(name.split())[:LONGEST_NAME]} if name else {}


def _left(text: str, spans: list[tuple[int, int]]) -> str:
    """Return the longest part of a text that is left between the spans, without the words around a name."""
    for start, end in spans:
        text = text[:start] + "\n" * (end - start) + text[end:]
    return max((_bare(part) for part in text.split("\n")), key=len, default="")


def _bare(part: str) -> str:
    while (shorter := _AROUND.sub("", part.strip())) != part:
        part = shorter
    return part
