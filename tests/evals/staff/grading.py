"""Right or wrong: what was read, against what must be read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tests.evals.staff.cases import Conversation, Turn
from tests.evals.staff.playing import Seen

_MARKS = re.compile(r"[*_`\\]+")


@dataclass(frozen=True)
class Verdict:
    """What came of a judged turn: `missed` says what is wrong; "" when it is right."""

    turn: Turn
    seen: Seen
    missed: str


def verdicts(conversation: Conversation, seen: Sequence[Seen]) -> tuple[Verdict, ...]:
    """Return the verdict of every judged turn of a conversation that was played."""
    number, judged = "", []
    for turn, shown in zip(conversation.turns, seen, strict=True):
        number = shown.number or number
        if not turn.unjudged:
            judged.append(Verdict(turn, shown, _missed(turn, shown, number)))
    return tuple(judged)


def _missed(turn: Turn, seen: Seen, number: str) -> str:
    text = _plain(seen.text)
    if turn.ends and seen.ends not in turn.ends:
        return f"ended as {seen.ends or 'nothing'}"
    if lacks := [each for each in turn.reads if not _stands(each, text, number)]:
        return f"lacks {lacks[0]!r}"
    if says := [each for each in turn.never if _stands(each, text, number)]:
        return f"says {says[0]!r}"
    return "" if text else "nothing was shown"


def _stands(words: str, text: str, number: str) -> bool:
    return any(_plain(each.replace("{ticket}", number or "?")) in text for each in words.split(" | "))


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", text).casefold().split())
