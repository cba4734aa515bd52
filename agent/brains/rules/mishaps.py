"""What has happened to a thing: lost, forgotten, missed, cancelled, broken, spilt, empty, dropped; and what pages say.

Whoever tells a mishap and the page that says what to do then share the thing and the kind of what happened, mostly in
other words: "lost the key" and "who loses a key pays", 发票弄丢了 and 发票丢了的.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.brains.rules.answering.extractive import Chosen, in_short, is_little, with_company
from agent.brains.rules.answering.passages import Passage, PieceKind
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, is_foreign_page, rank
from agent.brains.rules.understanding.sought import mislaid
from language.scripts import is_chinese
from language.words import normalise

#: The share of the thing's name that a piece or its heading says which is about it, and the least weight of that name.
NAMED, NAMED_WEIGHT = 0.6, 0.5
#: … that its whole section says of which one place speaks of what happened, or how near the section means it.
ALL, ALIKE = 0.8, 0.4

#: Kind → how it is told, what tells the thing ("the key" stands behind "lost"), how pages speak of it, one word for it.
_KINDS = tuple(
    (re.compile(said), behind, re.compile(told), word)
    for said, behind, told, word in (
        (
            r"\b(?:lost|mislaid|misplaced|(?:can't|cannot|can not|cant) find)\b|丢|遗失|不见了|找不[到着]",
            True,
            r"\b(?:lost|los(?:es?|ing|s)|missing|without an?)\b|\bno (?=\w+\?)|丢|遗失|挂失|补[办卡发]|不见|找不[到着]",
            "lost",
        ),
        (
            r"\b(?:gone|missing|vanished|disappeared)\b",
            False,
            r"\b(?:lost|los(?:es?|ing|s)|missing|gone|emptied|cleared|thrown)\b",
            "lost",
        ),
        (
            r"\b(?:forgot|forgotten|left (?=.{1,24} (?:at home|behind)))\b|忘[了记带]{0,2}|没带",
            True,
            r"\b(?:forg(?:ot|et|ets|otten|etting)|left (?:at|behind|in))\b|忘|没带|补[卡签登]",
            "forgot",
        ),
        (
            r"\b(?:missed|(?:was |am )?too late for|late for)\b|没赶上|误了|错过",
            True,
            r"\b(?:miss(?:ed|es|ing)?|late)\b|没赶上|误|错过|迟到|赶不上",
            "missed",
        ),
        (
            r"\b(?:cancell?ed|delayed|overbooked|called off)\b|取消了|被取消|延误|晚点",
            False,
            r"\b(?:cancel\w*|delay\w*|overbook\w*|strand\w*)\b|取消|延误|晚点",
            "cancelled",
        ),
        (
            (
                r"\b(?:broke|broken|cracked|smashed|snapped|torn|tore|dented|damaged|fell off|came off|burst)\b"
                r"|摔|碎|裂|断了|坏了|掉了"
            ),
            False,
            r"\b(?:brok\w+|crack\w*|smash\w*|damag\w*|dent\w*|torn|tears?|snap\w*|repair\w*|defect\w*)\b|摔|碎|裂|断|坏|损|修",
            "broken",
        ),
        (
            (
                r"\b(?:spilt|spilled|knocked over)\b(?:.{1,24}\b(?:over|on|into)\b(?= (?:my|the)))?"
                r"|\ball over (?=my|the)|洒|泼|进水|弄湿"
            ),
            True,
            r"\b(?:spil\w+|liquids?|wet|soaked|water)\b|洒|泼|进水|液体|湿",
            "spilt",
        ),
        (
            r"\b(?:is empty|(?:is|are|has|gone|went) (?:flat|dead)|ran out|run out)\b|没[电纸墨粉水气]|用完|用光|空了",
            False,
            r"\b(?:empty|flat|charg\w+|refill\w*|spare|out of|low)\b|没[电纸墨粉水气]|缺[纸墨]|电量|充电|用完|空了",
            "empty",
        ),
        (r"\bdropped\b|掉(?![线电头色价了])", True, r"\b(?:drop\w*|fall\w*|fell)\b|掉|坠|跌落", "dropped"),
    )
)


#: What stands around a thing: what is said behind it, and before it.
_EDGES = " ,.!?，。！？了的把"
_ENDS = re.compile(
    r"[,.;!?，。；！？]|\b(?:at|in|on|for|from|to|and|but|because|when|while|yesterday|today|again|so|what|who|how)\b.*$"
)
_BEGINS = re.compile(
    r"^(?:.*[,.;!?，。；！？] ?)?"
    r"(?:(?:hi|hello|hey|so|oh|and|my|our|the|a|an|i|we|just|have|has|got|get|was|is|been)\b ?)*|^(?:我|我们|的|把)+"
)
_AUXILIARY = re.compile(
    r"(?: (?:home|back|here|there))?(?: (?:got|gets|was|is|were|been|just|has|have|suddenly)){0,2} ?$"
)


@dataclass(frozen=True)
class Mishap:
    """What happened: the name of the thing, how pages speak of what happened to it, and one word for that."""

    thing: str
    told: re.Pattern[str]
    word: str

    @property
    def query(self) -> str:
        """Return what it is looked for with, without all else that was said."""
        return f"{self.thing} {self.word}" if self.thing.isascii() else self.thing


def mishap_of(text: str) -> Mishap | None:
    """Return what a message tells to have happened; None where it tells nothing of the kind."""
    plain = normalise(text)
    for said, behind, told, word in _KINDS:
        if found := said.search(plain):
            after = _ENDS.sub("", plain[found.end() :].strip(_EDGES))
            before = _AUXILIARY.sub("", _BEGINS.sub("", plain[: found.start()]))
            first, second = (after, before) if behind and plain.isascii() else (before, after)
            thing = mislaid(text) or (first if _names(first) else second)
            return Mishap(thing.strip(_EDGES), told, word) if _names(thing) else None
    return None


def _names(thing: str) -> bool:
    return Question.of(thing, "zh" if is_chinese(thing) else "en").weight >= NAMED_WEIGHT


def answer_mishap(
    mishap: Mishap, question: Question, passages: Sequence[Passage]
) -> tuple[Question, tuple[Ranked, ...], tuple[Chosen, ...]] | None:
    """Return what pages say of a thing to which the same has happened; None where none says both in one place."""
    named = Question.of(mishap.thing, question.language)
    best: tuple[float, Passage, int] | None = None
    for item in rank(question, passages):
        passage = item.passage
        if passage.is_navigation or passage.not_in_force or is_foreign_page(question, passage):
            continue
        heading = normalise(passage.heading)
        for at, piece in enumerate(passage.pieces):
            here = mishap.told.search(normalise(f"{piece.lead} {piece.text}")) is not None
            if not (here or mishap.told.search(heading)):
                continue
            said = named.coverage(Text.of(piece.lead, piece.text)) + 0.5 * named.coverage(Text.of(heading)) + 0.5 * here
            is_named = named.coverage(Text.of(heading, piece.lead, piece.text)) >= NAMED
            is_named |= here and (named.coverage(item.whole) >= ALL or (passage.cosine or 0.0) >= ALIKE)
            if is_named and (best is None or said > best[0]):
                best = (said, passage, at)
    if best is None:
        return None
    _, passage, at = best
    chosen = _shown(question, passage, at)
    return question, rank(question, [passage]), (chosen,)


def _shown(question: Question, passage: Passage, at: int) -> Chosen:
    """Return the section of a place where that is little, else its paragraph, or its row."""
    pieces = passage.pieces
    if is_little(piece for piece, _ in passage.around):
        return in_short(question, passage)
    block = [other for other, piece in enumerate(pieces) if piece.block == pieces[at].block]
    is_one = pieces[at].kind is PieceKind.SENTENCE and is_little(pieces[other] for other in block)
    return with_company(question, passage, block if is_one else [at])
