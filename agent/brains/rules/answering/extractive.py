"""Choosing an answer out of ranked passages: the sentences, items, rows or code that answer.

Everything that is returned stands verbatim in the passage that is named with it; nothing is composed. The unit of an
answer is the section: a short one is given whole below its heading, of a long one the paragraph, list or table that
answers. Only where one fact is asked for, the sentence, row or item that holds it is enough.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.brains.rules.answering.certainty.likelihood import likelihood
from agent.brains.rules.answering.passages import Passage, Piece, PieceKind, bare
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import (
    Ranked,
    has_steps,
    held_in,
    holds_kind,
    newest,
    overlap,
    rarity_of,
    satisfies,
    telling,
)
from agent.brains.rules.answering.shapes import DURATION, SHAPES, VERDICT
from agent.brains.rules.answering.tables import from_table, rows_spoken_of
from agent.brains.rules.answering.wanted import Wanted
from language.words import normalise

#: Longest answer, in pieces and in characters.
MAX_PIECES = 4
MAX_CHARS = 1_600
#: Another passage is quoted too when its fit is this near to the best one's.
CLOSE = 0.7
#: A numbered list is given whole up to this many items and characters, which is what one claim may hold.
MAX_STEPS = 14
MAX_LIST_CHARS = 4_000
#: Words up to which a section is given whole; two Chinese characters count as one.
SHORT = 120
#: … up to which paragraphs of a longer one are shown together, and one that may answer is.
MUCH, LITTLE = 160, 70
#: The likelihood below which the section that fits nearly as well is shown beside the best one.
CLEAR = 0.8
#: How much more a piece is worth of the passage that search found than one that stands around it.
OWN = 0.15
#: The share of what its section says of the question that a sentence must say itself to be the whole answer to it.
ALONE = 0.8
#: … that says it all, and the share up to which another one does so in other words only.
ALL, SYNONYM = 0.99, 0.85
#: The share of the best piece's score from which code, or what leads to it, is shown to who asks how it is done.
RUN = 0.5
#: What the words of code count that nobody asks for.
OUTPUT = 0.5
#: What a piece is worth more whose range holds the amount that the question names.
MEASURED = 0.2
#: The share of the best piece's score from which on another one answers as well.
NEARLY = 0.62
_WORD = re.compile(r"[\u3400-\u9fff]{1,2}|[^\W\u3400-\u9fff]+")
#: A sentence that cannot be understood without the one before it.
_POINTS_BACK = re.compile(
    r"[\"'(*_]*(?:(?:it|its|this|that|they|their|these|those|then|otherwise|instead|in (?:this|that) case|after it)\b"
    r"|它|这|该|此|其|否则|那)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*[(（]?(\d{1,3})[.)、）]")
#: A heading that turns the sense of what stands below it.
_TURNS = re.compile(
    r"forbid|prohibit|not (?:allowed|permitted|covered)|except|old|previous|deprecated|withdrawn|"
    r"禁止|不允许|不得|例外|旧|除外|不包括",
    re.IGNORECASE,
)
#: What announces the list or code after it: a colon, or words that say so ("Follow the steps below.").
_LEADS_ON = re.compile(
    r"[:：]\s*[*_`]*$|\b(?:steps?|commands?|instructions?|procedure|options?|ways?)\b[^.]{0,30}\bbelow\b[^.]{0,120}\.$"
    r"|\bfollow(?:ing)? (?:these |the )?(?:following )?(?:steps|commands?|instructions)\b[^.]{0,120}\.$"
    r"|(?:以下|下列|如下)(?:步骤|命令|操作)[^。]{0,60}。$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Chosen:
    """One statement of the answer and the evidence it stands in."""

    text: str
    evidence: str
    whole: bool = False  # a list that something leads on to: right as a whole only, however long it is


def choose(question: Question, ranked: Sequence[Ranked]) -> tuple[Chosen, ...]:
    """Return the one to four statements that answer, from the best passage and those that complete it.

    Where an older page says something else about the same, the newer one speaks first and the older one is quoted
    once, so that the disagreement can be named.
    """
    if not ranked:
        return ()
    best, older = newest(question, ranked)
    chosen = _from_passage(question, best, MAX_PIECES - 1 if older else MAX_PIECES)
    if older:
        chosen = [*chosen[: MAX_PIECES - 1], *_from_passage(question, older, 1)[:1]]
    part = _part_that_tells(question, best, ranked)
    chosen += [in_short(question, part)] if part and len(chosen) < MAX_PIECES else []
    for asked in question.compared:
        chosen += _about_missing(question, asked, ranked, chosen)[: MAX_PIECES - len(chosen)]
    others = [other for other in ranked if other not in (best, older) and _completes(best, other, chosen)]
    if question.has_parts or (question.wants_one_fact and satisfies(question, best.passage) < 1):
        for other in others[: MAX_PIECES - len(chosen)]:
            chosen += _from_passage(question, other, 1)[:1]
    elif not older and len(chosen) < MAX_PIECES and likelihood(question, ranked) < CLEAR:
        apart = (each.passage for each in others if not (best.passage.is_beside(each.passage) or _repeats(best, each)))
        chosen += [in_short(question, passage, headed=not question.wants_one_fact) for passage in [*apart][:1]]
    return _within_budget(chosen)


def _part_that_tells(question: Question, best: Ranked, ranked: Sequence[Ranked]) -> Passage | None:
    """Return the part below a passage that only opens its page or section, where it says more of what is asked.

    An opening says what its page is about, which is what somebody asks for who wants to know what a thing is.
    """
    answers = question.wants_one_fact and satisfies(question, best.passage) >= 1
    if answers or Wanted.DEFINITION in question.wanted:
        return None
    below = (each for each in ranked if each.passage.is_below(best.passage) and each.coverage > best.coverage)
    return next((each.passage for each in below), None)


def _repeats(best: Ranked, other: Ranked) -> bool:
    """Tell whether a passage says what the best one says: a twin of it in another source."""
    return other.passage.text.strip() in best.passage.text


def in_short(question: Question, passage: Passage, *, headed: bool = True) -> Chosen:
    """Return what a section says that may answer: all of it where that is little, else what comes nearest."""
    heading = _heading(passage) if headed else ()
    return Chosen("\n\n".join((*heading, _nearest(question, passage))), passage.evidence)


def _nearest(question: Question, passage: Passage) -> str:
    pieces = [piece for piece, _ in passage.around]
    rows = [at for at, piece in enumerate(pieces) if piece.kind is PieceKind.ROW]
    if coded := [at for at in rows if question.names_code(Text.of(pieces[at].text))]:
        return _flowing(pieces, coded)
    if _words(pieces) <= SHORT:
        return _flowing(pieces, range(len(pieces)))
    own = [at for at, (_, is_own) in enumerate(passage.around) if is_own] or list(range(len(pieces)))
    computed = from_table(question, [pieces[at] for at in own])
    if computed is not None:
        return computed
    scores = _scores(question, pieces, Text.of(passage.title, passage.section))
    picked = _picked(scores, own)[:1] or own[:1]  # nothing of it is near: how it begins
    spoken_of = rows_spoken_of(question, pieces, set(picked).intersection(rows))
    whole = _paragraphs(pieces, picked)  # no list from its second item on
    together = spoken_of or _with_neighbours(pieces, _with_company(question, pieces, set(whole)))
    return _flowing(pieces, sorted(together))


def _with_neighbours(pieces: Sequence[Piece], picked: set[int]) -> set[int]:
    """Return pieces with those that follow and those before, as many as are still short together."""
    chosen = set(picked)
    for at in (*range(max(chosen) + 1, len(pieces)), *range(min(chosen) - 1, -1, -1)):
        near = {at - 1, at + 1} & chosen
        if near and pieces[at].kind is not PieceKind.ROW and _words(pieces[n] for n in {*chosen, at}) <= SHORT:
            chosen.add(at)
    return chosen


def _flowing(pieces: Sequence[Piece], picked: Sequence[int]) -> str:
    said = (_statement([pieces[at] for at in group]) for group in _groups(pieces, picked, flowing=True))
    return "\n\n".join(said)


def with_company(question: Question, passage: Passage, picked: Sequence[int]) -> Chosen:
    """Return pieces of a passage, by their places in it, with what they cannot do without."""
    pieces = passage.pieces
    rows = {at for at in picked if pieces[at].kind is PieceKind.ROW}
    together = sorted(rows or _with_company(question, pieces, set(picked)))
    said = [_statement([pieces[at] for at in group]) for group in _groups(pieces, together, flowing=True)]
    return Chosen("\n".join(said), passage.evidence, whole=len(together) > len(picked))


def _about_missing(
    question: Question, asked: Question, ranked: Sequence[Ranked], chosen: Sequence[Chosen]
) -> list[Chosen]:
    """Return what a section headed by one of two compared things says, where nothing that was chosen names it."""
    if asked.coverage(Text.of(*(each.text for each in chosen))) >= ALONE:
        return []
    cited = {each.evidence for each in chosen}
    headed = (
        item
        for item in ranked
        if item.passage.evidence not in cited
        and item.passage.language in ("", question.language)
        and asked.coverage(Text.of(item.passage.title, item.passage.heading)) >= ALONE
    )
    best = next(headed, None)
    return _from_passage(question, best, 1)[:1] if best else []


def _completes(best: Ranked, other: Ranked, chosen: Sequence[Chosen]) -> bool:
    """Tell whether another passage is so nearly as good that it may be the one that answers."""
    near = other.fit >= best.fit - CLOSE and other.coverage >= 0.8 * best.coverage
    return (
        bool(chosen) and near and not other.passage.not_in_force and has_steps(other.passage) >= has_steps(best.passage)
    )


def _within_budget(chosen: Sequence[Chosen]) -> tuple[Chosen, ...]:
    kept: list[Chosen] = []
    left = MAX_CHARS
    for item in chosen:
        said = "\n".join(each.text for each in kept)
        repeats = all(line in said for line in item.text.splitlines())
        led_to = bool(kept) and _LEADS_ON.search(kept[-1].text) is not None
        if repeats or (kept and len(item.text) > left and not (item.whole or led_to)):
            continue
        kept.append(item)
        left -= len(item.text)
    return tuple(kept)


def _from_passage(question: Question, ranked: Ranked, most: int) -> list[Chosen]:
    """Choose among the passage's own pieces; what they belong to is taken from around it, so that no list is cut."""
    passage = ranked.passage
    pieces = [piece for piece, _ in passage.around]
    own = [at for at, (_, is_own) in enumerate(passage.around) if is_own]
    if not own:
        return []
    computed = from_table(question, [pieces[at] for at in own])
    if computed is not None:
        return [Chosen(computed, passage.evidence, whole=True)]
    coded = [at for at in own if question.names_code(Text.of(pieces[at].text))]
    scores = _scores(question, pieces, Text.of(passage.title, passage.section))
    scores = [score + (OWN if is_own else 0.0) for score, (_, is_own) in zip(scores, passage.around, strict=True)]
    alone = _alone(question, passage, scores)
    in_part = most == 1 or bool(alone) or 0 < len(coded) < len(own)
    if not in_part and _words(pieces) <= SHORT:
        return [_section(question, passage, pieces)]
    whole = None if coded else _whole_block(question, pieces, scores)
    if whole is not None:
        return [Chosen(text, passage.evidence, whole=True) for text in whole]
    picked = _picked(scores, coded or alone or (own if most == 1 else range(len(pieces))))[:most]
    if not in_part:
        picked = _paragraphs(pieces, telling(question, pieces, _with_fact(question, pieces, scores, picked)))
    elif coded or (alone and question.coverage(_said_by(passage, pieces[picked[0]])) < ALONE):
        picked = _paragraph(pieces, picked)
    together = sorted(_with_company(question, pieces, set(picked)))
    groups = _groups(pieces, together, flowing=bool(alone or coded) or not in_part)
    said = [_statement([pieces[at] for at in group]) for group in groups]
    if said and _TURNS.search(passage.heading):
        said[0] = "\n\n".join((*_heading(passage), said[0]))
    return [
        Chosen(text, passage.evidence, whole=not set(picked).issuperset(group))
        for text, group in zip(said, groups, strict=True)
    ]


def _alone(question: Question, passage: Passage, scores: Sequence[float]) -> list[int]:
    """Return the piece that is the one fact that is asked for; none where others may be needed to understand it.

    It has the name of what is asked for, or it says nearly all that its section says of the question and holds the kind
    of thing that is asked for, and no other piece fits nearly as well. Whether something may be is never told by one
    sentence: another one may be the exception.
    """
    if not question.wants_one_fact or Wanted.PERMISSION in question.wanted:
        return []
    pieces = [piece for piece, _ in passage.around]
    named = [at for at, each in enumerate(pieces) if each.name and question.names(each.name)]
    if named and len({pieces[at].block for at in named}) == 1:
        return [at for at in named if holds_kind(question, pieces[at])][:1] or named[:1]
    best = max(range(len(pieces)), key=lambda at: scores[at])
    whole = question.coverage(Text.of(passage.heading, *(f"{piece.above} {piece.text}" for piece in pieces)))
    said = question.coverage(_said_by(passage, pieces[best]))
    fits = {at for at, piece in enumerate(pieces) if holds_kind(question, piece)}
    row = pieces[best].kind is PieceKind.ROW  # those beside it in its table are told apart by what each speaks of
    others = {at for at in fits - {best} if not (row and pieces[at].block == pieces[best].block)}
    if said >= ALL:  # it says every word: what says some of them in other words is about something else
        others = {at for at in others if question.coverage(_said_by(passage, pieces[at])) > SYNONYM}
    rival = max((scores[at] for at in others), default=0.0)
    heading = Text.of(passage.heading)
    new = {at: question.found_weight(_said_by(passage, pieces[at])) for at in fits}
    adds = any(new[at] > question.found_weight(heading) for at in fits & {best})
    if not adds and min(fits, default=best) < best:
        return []  # its heading is all that it says again, and what goes before it is of the kind as well
    return [best] if best in fits and said >= ALONE * whole and rival <= NEARLY * scores[best] else []


def _said_by(passage: Passage, piece: Piece) -> Text:
    return Text.of(piece.above, piece.text).joined_with(Text.of(passage.heading))


def _section(question: Question, passage: Passage, pieces: Sequence[Piece]) -> Chosen:
    """Return a section as it stands, below its heading; of a table the rows that the question speaks of."""
    tables = {at for at, piece in enumerate(pieces) if piece.kind is PieceKind.ROW}
    left_out = tables - rows_spoken_of(question, pieces, tables)
    kept = [at for at in range(len(pieces)) if at not in left_out]
    said = [_statement([pieces[at] for at in group]) for group in _groups(pieces, kept, flowing=True)]
    fact = question.wants_one_fact and Wanted.PERMISSION not in question.wanted
    bare_fact = fact and not _TURNS.search(passage.heading)
    heading = [] if bare_fact or tables.issuperset(kept) else _heading(passage)
    return Chosen("\n\n".join((*heading, *said)), passage.evidence, whole=True)


def _heading(passage: Passage) -> list[str]:
    return [f"**{heading}**"] if (heading := passage.heading.strip("*_` #")) else []


def _picked(scores: Sequence[float], candidates: Sequence[int]) -> list[int]:
    """Return the pieces that answer, best first."""
    floor = max(NEARLY * max(scores[at] for at in candidates), 0.12)
    return sorted((at for at in candidates if scores[at] >= floor), key=lambda at: (-scores[at], at))


def _with_fact(
    question: Question, pieces: Sequence[Piece], scores: Sequence[float], picked: Sequence[int]
) -> list[int]:
    """Return what was picked, and of those that hold the kind of fact, or the code, asked for the best if none does."""
    fits = [at for at, piece in enumerate(pieces) if holds_kind(question, piece)] if question.wants_one_fact else []
    if question.wanted & {Wanted.COMMAND, Wanted.STEPS} and not any(pieces[at].ordered for at in picked):
        code = [at for at, piece in enumerate(pieces) if piece.kind is PieceKind.CODE]
        fits = [at for at in code if max(scores[max(0, at - 1) : at + 1]) >= RUN * max(scores)]
    if not fits or set(fits) & set(picked):
        return list(picked)
    return [*picked[: MAX_PIECES - 1], max(fits, key=lambda at: max(scores[max(0, at - 1) : at + 1]))]


def _paragraphs(pieces: Sequence[Piece], picked: Sequence[int]) -> list[int]:
    """Return the paragraphs, lists and tables of what was picked, best first, up to what is still read at once."""
    chosen: list[int] = []
    for number in dict.fromkeys(pieces[at].block for at in picked):
        block = [at for at, piece in enumerate(pieces) if piece.block == number]
        if not chosen or _words([pieces[at] for at in (*chosen, *block)]) <= MUCH:
            chosen += block if _words([pieces[at] for at in block]) <= SHORT else [at for at in picked if at in block]
    return chosen


def _paragraph(pieces: Sequence[Piece], picked: Sequence[int]) -> list[int]:
    """Return what was picked with the rest of its paragraph where that is little: what is asked may stand beside it."""
    blocks = {pieces[at].block for at in picked if pieces[at].kind is PieceKind.SENTENCE}
    whole = [at for at, piece in enumerate(pieces) if piece.block in blocks]
    return sorted({*picked, *whole}) if _words(pieces[at] for at in whole) <= LITTLE else list(picked)


def is_little(pieces: Iterable[Piece]) -> bool:
    """Tell whether pieces are read at one glance."""
    return _words(pieces) <= LITTLE


def _words(pieces: Iterable[Piece]) -> int:
    return sum(len(_WORD.findall(piece.text)) for piece in pieces)


def _scores(question: Question, pieces: Sequence[Piece], headings: Text) -> list[float]:
    texts = [Text.of(piece.above, piece.text) for piece in pieces]
    rarity = rarity_of(question, texts)
    return [
        overlap(question, piece, headings) * (OUTPUT if _is_output(question, piece) else 1.0)
        + rarity[at]
        + _shape(question, piece)
        + MEASURED * held_in(question, piece)
        + (0.10 if at == 0 and question.wanted & {Wanted.DEFINITION, Wanted.ANY} else 0.0)
        - 0.01 * at / max(1, len(pieces))
        for at, piece in enumerate(pieces)
    ]


def _is_output(question: Question, piece: Piece) -> bool:
    """Tell whether a piece is code that is not asked for: what a command prints holds many words and explains none."""
    asked = question.wanted & {Wanted.COMMAND, Wanted.STEPS}
    return piece.kind is PieceKind.CODE and not asked and not question.names_code(Text.of(piece.text))


def _shape(question: Question, piece: Piece) -> float:
    plain = normalise(piece.text)
    bonus = sum(weight for wanted, pattern, weight in SHAPES if wanted in question.wanted and pattern.search(plain))
    if question.asks_how_long and DURATION.search(plain):
        bonus += 0.3
    if question.exactly and question.exactly.search(plain):
        bonus += 0.3
    if Wanted.PERMISSION in question.wanted and VERDICT.match(plain):
        bonus += 0.3
    if piece.kind is PieceKind.CODE:
        bonus += 0.35 if Wanted.COMMAND in question.wanted else 0.10 if Wanted.STEPS in question.wanted else -0.05
    if piece.ordered and Wanted.STEPS in question.wanted:
        bonus += 0.12
    if _LEADS_ON.search(piece.text) and piece.kind is PieceKind.SENTENCE:
        bonus -= 0.05
    return bonus


def _whole_block(question: Question, pieces: Sequence[Piece], scores: Sequence[float]) -> list[str] | None:
    """Return the whole list, with what leads on to it: the steps where they are asked for, what there is of a kind."""
    facts = {Wanted.PERSON, Wanted.REASON, Wanted.TIME, Wanted.AMOUNT}
    if Wanted.STEPS in question.wanted and not question.wanted & facts:
        lists = _lists(pieces, scores, ordered=True)
    elif question.asks_for_all:
        lists = _lists(pieces, scores, ordered=False)
    else:
        return None
    if not lists:
        return None
    block = max(lists, key=lambda number: lists[number])
    members = _in_order([at for at, piece in enumerate(pieces) if piece.block == block], pieces)
    if sum(pieces[at].kind is PieceKind.ITEM for at in members) > MAX_STEPS or max(scores) > 1.5 * lists[block] + 0.2:
        return None
    before = members[0] - 1
    lead = [before] if before >= 0 and pieces[before].kind is PieceKind.SENTENCE else []
    after = [at for at in (members[-1] + 1,) if at < len(pieces) and pieces[at].kind is PieceKind.CODE]
    groups = _groups(pieces, [*lead, *members, *after])
    rendered = ["\n".join(pieces[at].text for at in group) for group in groups]
    return None if any(len(text) > MAX_LIST_CHARS for text in rendered) else rendered


def _in_order(members: Sequence[int], pieces: Sequence[Piece]) -> list[int]:
    """Return the pieces of a list from its first step to its last: what stands between may cut it into several."""
    numbers = {at: int(found[1]) for at, piece in enumerate(pieces) if (found := _NUMBER.match(piece.text))}
    first, last = members[0], members[-1]
    for at in reversed([at for at in numbers if at < first]):
        first = at if first in numbers and numbers[at] == numbers[first] - 1 else first
    for at in [at for at in numbers if at > last]:
        last = at if last in numbers and numbers[at] == numbers[last] + 1 else last
    return list(members) if (first, last) == (members[0], members[-1]) else list(range(first, last + 1))


def _lists(pieces: Sequence[Piece], scores: Sequence[float], *, ordered: bool) -> dict[int, float]:
    """Return the blocks that are lists, each with the best score of its items and of what leads on to it."""
    lists: dict[int, float] = {}
    for at, piece in enumerate(pieces):
        if piece.ordered or (not ordered and piece.kind is PieceKind.ITEM):
            led_to = piece.block not in lists and at > 0 and _LEADS_ON.search(pieces[at - 1].text)
            lists[piece.block] = max(lists.get(piece.block, 0.0), scores[at], scores[at - 1] if led_to else 0.0)
    return lists


def _with_company(question: Question, pieces: Sequence[Piece], picked: set[int]) -> set[int]:
    """Add what the picked pieces cannot do without.

    That is what one leads on to ("…:" and its list or code), the lead-in of code, the sentence that one points back to,
    the steps before and after those of a numbered list, and the rows of a table of which none is spoken of.
    """
    wanted = set(picked) | _rest_of_lists(pieces, picked)
    wanted = (wanted - {at for at in wanted if pieces[at].kind is PieceKind.ROW}) | rows_spoken_of(
        question, pieces, wanted
    )
    for at in range(len(pieces) - 1, 0, -1):
        if at in wanted and pieces[at].kind is PieceKind.SENTENCE and _POINTS_BACK.match(pieces[at].text):
            wanted.add(at - 1)
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


def _rest_of_lists(pieces: Sequence[Piece], picked: set[int]) -> set[int]:
    """Return the numbered lists of which two steps or more were picked."""
    numbers = [pieces[at].block for at in picked if pieces[at].ordered]
    several = {number for number in numbers if numbers.count(number) > 1}
    lists = {number: [at for at, piece in enumerate(pieces) if piece.block == number] for number in several}
    return {at for steps in lists.values() if len(steps) <= MAX_STEPS for at in steps}


def _groups(pieces: Sequence[Piece], picked: Sequence[int], *, flowing: bool = False) -> list[list[int]]:
    """Return the picked pieces as statements: neighbours of one block joined, rows under their header.

    Sentences that follow each other are one statement where the text is `flowing`, else one each.
    """
    groups: list[list[int]] = []
    for at in picked:
        if groups and _belongs(pieces[groups[-1][-1]], pieces[at], flowing=flowing and groups[-1][-1] == at - 1):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups


def _belongs(one: Piece, other: Piece, *, flowing: bool) -> bool:
    joined = (PieceKind.ROW, PieceKind.ITEM, *((PieceKind.SENTENCE,) if flowing else ()))
    return one.block == other.block and one.kind is other.kind and one.kind in joined


def _statement(group: Sequence[Piece]) -> str:
    first = group[0]
    if first.kind is PieceKind.ROW:
        return "\n".join((first.header, *(piece.text for piece in group)))
    if first.kind is PieceKind.ITEM and len(group) == 1:
        return bare(first.text).strip()
    return "\n".join(piece.text for piece in group)
