"""Choosing an answer out of passages: the right section first, then the sentences, items, rows or code that answer.

Everything that is returned stands verbatim in the passage that is named with it; nothing is composed.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.passages import Passage, Piece, PieceKind, bare
from agent.question import Question, Text, Wanted
from agent.words import is_chinese, normalise

#: Longest answer, in pieces and in characters.
MAX_PIECES = 4
MAX_CHARS = 1_600
#: Another passage is quoted too when its fit is this near to the best one's.
CLOSE = 0.45
#: An older page is quoted for comparison when its fit is this near.
RIVAL = 1.6
#: A numbered list is given whole up to this many items.
MAX_STEPS = 14

_DIGITS = re.compile(
    r"\d|[一二三四五六七八九十两百千半]+\s?(?:天|日|周|个月|年|小时|分钟|元|次|个工作日|%)|\b(?:one|two|three|four|five|six|seven|eight|ten|twelve|twenty|thirty|half|once|twice|daily|weekly|monthly|quarterly|annually|yearly)\b"
)
_TIME = re.compile(
    r"\b(?:day|days|hour|hours|minute|minutes|week|weeks|month|months|year|years|monday|tuesday|wednesday|thursday|friday|noon|midnight|"
    r"am|pm|january|february|march|april|may|june|july|august|september|october|november|december|daily|weekly|monthly|quarter\w*|annual\w*|before|after|until|by|within|deadline|business days)\b|\d{1,2}:\d\d"
    r"|天|日|周|月|年|小时|分钟|点|之前|以内|之内|截止|工作日|季度"
)
_PERSON = re.compile(
    r"@|\b(?:team|manager|lead|head|officer|desk|department|group|partner|owner|director|engineer|contact|administrator|approve[sd]?|approval|responsible)\b|部|组|经理|主管|负责|联系|审批|团队|专员|总监"
)
_PLACE = re.compile(
    r"https?://|/|\b(?:room|floor|building|portal|page|site|intranet|folder|channel|desk|drive|cupboard|reception|kitchen|app|menu|settings?|office|under|at|in)\b|#\w|楼|室|门户|页面|网站|目录|频道|前台|系统|菜单|设置|柜"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|reason|due to|caused?|therefore|means|otherwise|to avoid|to prevent)\b|因为|由于|原因|导致|所以|以免|避免|为了"
)
_RULE = re.compile(
    r"\b(?:can|may|must|cannot|can't|not|allowed|permitted|required|need|needs|only|never|always|without|forbidden|prohibited|mandatory|no|yes)\b|可以|必须|不得|不能|禁止|允许|需要|无需|不可|仅|应当|不允许|严禁"
)
_SHAPES: tuple[tuple[Wanted, re.Pattern[str], float], ...] = (
    (Wanted.TIME, _TIME, 0.12),
    (Wanted.TIME, _DIGITS, 0.14),
    (Wanted.AMOUNT, _DIGITS, 0.26),
    (Wanted.PERSON, _PERSON, 0.22),
    (Wanted.PLACE, _PLACE, 0.16),
    (Wanted.REASON, _REASON, 0.26),
    (Wanted.PERMISSION, _RULE, 0.14),
)
_LEADS_ON = re.compile(r"[:：]\s*[*_`]*$")


@dataclass(frozen=True)
class Chosen:
    """One statement of the answer and the evidence it stands in."""

    text: str
    evidence: str


@dataclass(frozen=True)
class Ranked:
    """A passage with how well it fits the question, beside what search thought."""

    passage: Passage
    order: int  # its place in the search result
    fit: float  # only ranks; a difference of one makes one passage about three times as likely as the other
    coverage: float  # share of the question's words in title, headings and text, synonyms included
    heading: float  # share of the question's words in title and headings alone
    best_piece: float
    whole: Text


@dataclass(frozen=True)
class _Fit:
    """What each sign of a passage is worth when the passages of one search are compared.

    Fitted by a softmax over the hits of questions whose section is known: documentation headings in English and
    Chinese, paraphrases of a question-and-answer set, questions of our own; not those of the evaluation.
    """

    score: float
    search_coverage: float
    coverage: float
    heading: float
    own_heading: float
    asked_heading: float
    cosine: float
    piece: float
    shape: float
    root: float


_FIT = {
    "en": _Fit(3.35, 0.0, 1.5, 2.35, 1.0, 0.2, 3.7, 0.45, 0.26, root=-0.86),
    "zh": _Fit(2.52, 1.3, 1.85, 1.95, 1.35, 1.9, 0.0, 0.85, 0.12, root=-1.24),
}
#: A page in another language, and one that only leads elsewhere, answer last.
_FOREIGN, _NAVIGATION = -3.0, -2.0


def rank(question: Question, passages: Sequence[Passage]) -> tuple[Ranked, ...]:
    """Order the passages by how well they answer; those in the question's language go before the others."""
    top = max((passage.score for passage in passages), default=1.0) or 1.0
    scored = [_ranked(question, passage, order, top) for order, passage in enumerate(passages)]
    return tuple(sorted(scored, key=lambda ranked: -ranked.fit))


def _ranked(question: Question, passage: Passage, order: int, top: float) -> Ranked:
    whole = Text.of(passage.title, passage.section, passage.text)
    headings = Text.of(passage.title, passage.section)
    coverage, heading = question.coverage(whole), question.coverage(headings)
    best = max((_overlap(question, piece, headings) for piece in passage.pieces), default=0.0)
    weights = _FIT.get(question.language, _FIT["en"])
    parts = (
        weights.score * passage.score / top,
        weights.search_coverage * passage.coverage,
        weights.coverage * coverage,
        weights.heading * heading,
        weights.own_heading * question.coverage(Text.of(passage.heading)),
        weights.asked_heading * _own_heading(question, passage),
        weights.cosine * (passage.cosine or 0.0),
        weights.piece * best,
        weights.shape * _shape_bonus(question, passage),
        weights.root * float(len(passage.path) <= 1),
        0.0 if _same_language(question, passage) else _FOREIGN,
        _NAVIGATION if passage.kind == "navigation" else 0.0,
    )
    return Ranked(passage, order, sum(parts), coverage, heading, best, whole)


def satisfies(question: Question, passage: Passage) -> float:
    """Return 1 when the passage holds what kind of thing is asked for, 0 when not, a half when nothing is."""
    if Wanted.COMMAND in question.wanted:
        return float(any(piece.kind is PieceKind.CODE for piece in passage.pieces))
    wanted = [pattern for kind, pattern, _ in _SHAPES if kind in question.wanted]
    plain = normalise(passage.text)
    return float(all(pattern.search(plain) for pattern in wanted)) if wanted else 0.5


def _own_heading(question: Question, passage: Passage) -> float:
    """Return how much of the section's own heading the question says: 1 for a heading that is asked word for word."""
    heading = Question.of(passage.heading, question.language)
    return heading.coverage(Text.of(question.text)) if heading.weight else 0.0


def _same_language(question: Question, passage: Passage) -> bool:
    language = passage.language or ("zh" if is_chinese(passage.text) else "en")
    return language == question.language


def _shape_bonus(question: Question, passage: Passage) -> float:
    kinds = {piece.kind for piece in passage.pieces}
    if Wanted.COMMAND in question.wanted and PieceKind.CODE in kinds:
        return 1.0
    if Wanted.STEPS in question.wanted and any(piece.ordered for piece in passage.pieces):
        return 0.7
    return 0.0


def _overlap(question: Question, piece: Piece, headings: Text) -> float:
    """Return the share of the question that a piece says itself; what the headings say counts for a third."""
    own = Text.of(piece.header, piece.text)
    both = Text.of(headings.plain, piece.header, piece.text)
    said = question.coverage(own)
    return said + (question.coverage(both) - said) / 3


def choose(question: Question, ranked: Sequence[Ranked]) -> tuple[Chosen, ...]:
    """Return the one to four statements that answer, from the best passage and those that complete it.

    Where an older page says something else about the same, the newer one speaks first and the older one is quoted
    once, so that the disagreement can be named.
    """
    if not ranked:
        return ()
    best, older = _newest(ranked)
    chosen = _from_passage(question, best, MAX_PIECES - 1 if older else MAX_PIECES)
    if older:
        chosen = [*chosen[: MAX_PIECES - 1], *_from_passage(question, older, 1)[:1]]
    for other in ranked:
        if len(chosen) < MAX_PIECES and other not in (best, older) and _completes(best, other, chosen):
            chosen += _from_passage(question, other, 1)[: MAX_PIECES - len(chosen)]
    return _within_budget(chosen)


def _newest(ranked: Sequence[Ranked]) -> tuple[Ranked, Ranked | None]:
    """Return the passage to follow, and an older one about the same where there is one."""
    best = ranked[0]
    for other in ranked[1:]:
        if _rivals(best, other):
            newer, older = sorted((best, other), key=lambda item: item.passage.updated, reverse=True)
            return newer, older
    return best, None


def _rivals(best: Ranked, other: Ranked) -> bool:
    """Tell whether two passages of different pages and dates speak of the same thing under like headings."""
    one, two = best.passage, other.passage
    if one.source == two.source or not one.updated or not two.updated or one.updated == two.updated:
        return False
    near = other.fit >= best.fit - RIVAL and other.coverage >= 0.9 * best.coverage
    return near and one.language == two.language and _alike(one.heading, two.heading)


def _alike(heading: str, other: str) -> bool:
    language = "zh" if is_chinese(heading) else "en"
    one, two = Question.of(heading, language), Question.of(other, language)
    return max(one.coverage(Text.of(other)), two.coverage(Text.of(heading))) >= 0.5


def _completes(best: Ranked, other: Ranked, chosen: Sequence[Chosen]) -> bool:
    """Tell whether another passage is so nearly as good that it may be the one that answers."""
    return bool(chosen) and other.fit >= best.fit - CLOSE and other.coverage >= 0.8 * best.coverage


def _within_budget(chosen: Sequence[Chosen]) -> tuple[Chosen, ...]:
    kept: list[Chosen] = []
    left = MAX_CHARS
    seen: set[str] = set()
    for item in chosen:
        if item.text in seen or (kept and len(item.text) > left):
            continue
        kept.append(item)
        seen.add(item.text)
        left -= len(item.text)
    return tuple(kept)


def _from_passage(question: Question, ranked: Ranked, most: int) -> list[Chosen]:
    passage = ranked.passage
    pieces = passage.pieces
    if not pieces:
        return []
    headings = Text.of(passage.title, passage.section)
    scores = _scores(question, pieces, headings)
    whole = _whole_block(question, pieces, scores)
    if whole is not None:
        return [Chosen(text, passage.evidence) for text in whole]
    top = max(scores)
    floor = max(0.62 * top, 0.12)
    picked = {at for at, score in enumerate(scores) if score >= floor}
    order = sorted(picked, key=lambda at: (-scores[at], at))[:most]
    wanted = _with_company(question, pieces, set(order))
    return [Chosen(text, passage.evidence) for text in _rendered(pieces, sorted(wanted))]


def _scores(question: Question, pieces: Sequence[Piece], headings: Text) -> list[float]:
    texts = [Text.of(piece.header, piece.text) for piece in pieces]
    rarity = _rarity(question, texts)
    return [
        _overlap(question, piece, headings)
        + rarity[at]
        + _shape(question, piece)
        + (0.10 if at == 0 and question.wanted & {Wanted.DEFINITION, Wanted.ANY} else 0.0)
        - 0.01 * at / max(1, len(pieces))
        for at, piece in enumerate(pieces)
    ]


def _rarity(question: Question, texts: Sequence[Text]) -> list[float]:
    """Return a bonus for pieces that say a word of the question that few other pieces of the passage say."""
    bonus = [0.0] * len(texts)
    count = len(texts)
    for term in question.terms:
        holders = [at for at, text in enumerate(texts) if Question.match(term, text) > 0]
        if holders and count > 1:
            weight = 0.3 * term.weight * math.log(count / len(holders)) / math.log(count) / max(1.0, question.weight)
            for at in holders:
                bonus[at] += weight
    return bonus


def _shape(question: Question, piece: Piece) -> float:
    plain = normalise(piece.text)
    bonus = sum(weight for wanted, pattern, weight in _SHAPES if wanted in question.wanted and pattern.search(plain))
    if piece.kind is PieceKind.CODE:
        bonus += 0.35 if Wanted.COMMAND in question.wanted else 0.10 if Wanted.STEPS in question.wanted else -0.05
    if piece.ordered and Wanted.STEPS in question.wanted:
        bonus += 0.12
    if _LEADS_ON.search(piece.text) and piece.kind is PieceKind.SENTENCE:
        bonus -= 0.05
    return bonus


def _whole_block(question: Question, pieces: Sequence[Piece], scores: Sequence[float]) -> list[str] | None:
    """Return the whole numbered list, with its lead-in, when steps are asked for and there is one."""
    if Wanted.STEPS not in question.wanted or question.wanted & {
        Wanted.PERSON,
        Wanted.REASON,
        Wanted.TIME,
        Wanted.AMOUNT,
    }:
        return None
    lists: dict[int, float] = {}
    for at, piece in enumerate(pieces):
        if piece.ordered:
            lists[piece.block] = max(lists.get(piece.block, 0.0), scores[at])
    if not lists:
        return None
    block = max(lists, key=lambda number: lists[number])
    members = [at for at, piece in enumerate(pieces) if piece.block == block]
    if len(members) > MAX_STEPS or max(scores) > 1.5 * lists[block] + 0.2:
        return None
    before = members[0] - 1
    lead = [before] if before >= 0 and pieces[before].kind is PieceKind.SENTENCE else []
    after = [at for at in (members[-1] + 1,) if at < len(pieces) and pieces[at].kind is PieceKind.CODE]
    return _rendered(pieces, [*lead, *members, *after])


def _with_company(question: Question, pieces: Sequence[Piece], picked: set[int]) -> set[int]:
    """Add what a picked piece leads on to ("…:" and its list or code), and the lead-in of picked code."""
    wanted = set(picked)
    for at in picked:
        following = at + 1
        if _LEADS_ON.search(pieces[at].text) and following < len(pieces):
            block = pieces[following].block
            wanted.update(n for n, piece in enumerate(pieces) if piece.block == block and n > at)
        if pieces[at].kind is PieceKind.CODE and at > 0 and pieces[at - 1].kind is PieceKind.SENTENCE:
            wanted.add(at - 1)
        runs_code = Wanted.COMMAND in question.wanted or Wanted.STEPS in question.wanted
        if runs_code and following < len(pieces) and pieces[following].kind is PieceKind.CODE:
            wanted.add(following)
    return wanted


def _rendered(pieces: Sequence[Piece], picked: Sequence[int]) -> list[str]:
    """Return the picked pieces as statements: neighbours of one block joined, rows under their header."""
    statements: list[str] = []
    at = 0
    while at < len(picked):
        group = [picked[at]]
        while at + 1 < len(picked) and _belongs(pieces, group[-1], picked[at + 1]):
            at += 1
            group.append(picked[at])
        statements.append(_statement([pieces[member] for member in group]))
        at += 1
    return statements


def _belongs(pieces: Sequence[Piece], left: int, right: int) -> bool:
    """Tell whether two pieces make one statement: rows or items of one block; sentences only when adjacent items do."""
    one, other = pieces[left], pieces[right]
    return one.block == other.block and one.kind is other.kind and one.kind in (PieceKind.ROW, PieceKind.ITEM)


def _statement(group: Sequence[Piece]) -> str:
    first = group[0]
    if first.kind is PieceKind.ROW:
        return "\n".join((first.header, *(piece.text for piece in group)))
    if first.kind is PieceKind.ITEM and len(group) == 1:
        return bare(first.text).strip()
    return "\n".join(piece.text for piece in group)
