"""A wish to have a digest sent: of what, when and where, out of somebody's words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from agent.brains.rules.slots import Lacks, Utterance
from features.anatomy.sections import DigestSection
from features.anatomy.texts import LANGUAGES, say
from language.planning.moving import moved
from language.planning.plans import Again, Unclear
from language.planning.reading import plan_in
from storage.ids import JsonValue

_HERE = re.compile(
    r"\b(?:(?:in|to|into) (?:this|the) (?:channel|chat|room|team)|here)\b"
    r"|这里|这儿|本频道|这个频道|此频道|频道里|群里|本群"
)
_ALONE = re.compile(r"\b(?:send|give|message|tell) me\b|\bto me\b|发给我(?!们)|给我(?!们)|发我(?!们)|推送给我(?!们)")
#: A span of time that it tells of, and says nothing of when it comes: "this week's tickets", 本周的工单.
_CONTENT = re.compile(
    r"\b(?:this|last|the past) (?:week|month|day)(?:'s)?\b|(?:本|这|上)个?(?:周|星期|月)的?|(?:今|昨)天的"
)
#: "New and overdue tickets" are new tickets, too.
_BOTH = re.compile(r"\b(\w{2,20})((?:, \w{2,20}){0,3},? (?:and|&|or) \w{2,20}) (tickets|pages|questions|approvals)\b")


@dataclass(frozen=True)
class DigestWish:
    """What somebody wants: `plan` is None where it is not said when; no sections are all of them."""

    plan: Again | None
    sections: tuple[str, ...]
    here: bool  # to the channel that it is said in
    alone: bool  # to the person who says it


def wish_in(text: str, offered: Iterable[DigestSection], *, now: datetime) -> DigestWish:
    """Return the wish of a message and of what was said of it later, a line each; `now` is the person's wall time."""
    said = plan_in(text, now=now)
    rest = text
    for start, end in said.spans:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    folded = rest.casefold()
    alone = _ALONE.search(folded) is not None
    return DigestWish(plan_of(text, now=now), sections_in(rest, offered), _HERE.search(folded) is not None, alone)


def read_digest_wish(said: Utterance) -> dict[str, JsonValue] | Lacks:
    """Return the arguments of the tool, or what has to be asked for."""
    text = "\n".join(" ".join(each.split()) for each in reversed(said.texts))
    return {"when": text} if plan_of(text, now=said.now.replace(tzinfo=None)) else Lacks("digest_when")


def plan_of(text: str, *, now: datetime) -> Again | None:
    """Return when it is sent by the first line that says so, as each line below it changes that."""
    plan: Again | None = None
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if plan is None:
            said = plan_in(_CONTENT.sub(" ", " ".join(lines[: number + 1])), now=now)
            again = {each for each in (said.plan, *said.choices) if isinstance(each, Again)}
            timed = said.plan is not None or said.unclear is Unclear.TWO_WAYS
            plan = again.pop() if timed and len(again) == 1 else None
        else:
            choices = [each for each in moved(plan, line, now=now) if isinstance(each, Again)]
            plan = min(choices, key=_from_noon, default=plan)
    return plan


def _from_noon(plan: Again) -> int:
    """Return how many minutes lie between a plan's time and noon: five is rather five in the afternoon."""
    return abs(plan.at.hour * 60 + plan.at.minute - 12 * 60)


def sections_in(text: str, offered: Iterable[DigestSection]) -> tuple[str, ...]:
    """Return the names of the sections that a text asks for by their words, in their order.

    A longer phrase takes its characters: "new tickets" does not mean all that "tickets" means, nor does "overdue
    tickets", where "overdue" alone is a phrase.
    """
    phrases: dict[str, set[str]] = {}
    every = tuple(offered)
    text = _BOTH.sub(r"\1 \3\2 \3", text)
    for section in every:
        for language in LANGUAGES:
            for phrase in say(language, f"section.{section.name}.said").splitlines():
                phrases.setdefault(phrase.strip().casefold(), set()).add(section.name)
    found: set[str] = set()
    rest = text.casefold()
    for phrase in sorted(filter(None, phrases), key=len, reverse=True):
        if re.search(_whole(phrase), rest):
            found |= phrases[phrase]
            wider = "|".join(_whole(each) for each in phrases if phrases[each] > phrases[phrase])
            rest = re.sub(rf"{_whole(phrase)}(?:[ 的]?(?:{wider}))?" if wider else _whole(phrase), " ", rest)
    return tuple(section.name for section in every if section.name in found)


def _whole(phrase: str) -> str:
    return rf"\b{re.escape(phrase)}\b" if phrase.isascii() else re.escape(phrase)
