"""Answers to what goes on with a thread: "and for meals?", "what happens if I don't?", "but I am a trainee", 怎么申请.

Every sentence, row and item of the page that was cited last is a place where the answer may stand (`places`). Where
several of one section may, they are given together; where none is likely, the answer is looked for on other pages.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.brains.rules.answering.extractive import Chosen, choose, is_little, with_company
from agent.brains.rules.answering.passages import Passage, PieceKind
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, rank, text_of
from agent.brains.rules.answering.sufficiency import judge
from agent.brains.rules.answering.threads.asking_on import AskedOn, flat, holds_answer
from agent.brains.rules.answering.threads.kinds import says_kind
from agent.brains.rules.answering.threads.places import PagePlace, places_of
from agent.brains.rules.understanding.message import GoingOn
from agent.tools.context import Turn

#: The least chance at which a place of the cited page is told. Of 306 questions to a page that answers, each held back
#: from the weights with its company, 255 had the right place above it and 24 a wrong one.
LIKELY = 0.3
#: … and at which it is shown as uncertain. Of 34 follow-ups whose page answers and tells no place likely enough, 29 are
#: shown the right one by it, and of 11 whose page does not answer, 6 are shown something.
PERHAPS = 0.05
#: … where it says, looks like or means that much of what is asked: "and in Japan?" is said nowhere.
SPEAKS = 0.15
#: … and where the likeliest place neither says nor means what is named: "and from the moon?".
LIKELY_UNSAID = 0.5
#: The share of what is new that a place says whose range holds the value that is asked about.
SAID = 0.65
#: The weight of what names a matter of its own, and the least that a place of the page says or means of it. Of 40
#: follow-ups whose words do not say that they go on none that was answered rightly fails this.
NAMES, SAYS, MEANS = 1.0, 0.4, 0.45
#: The share of the best place's chance from which on another one of its section is told with it, and how many are.
BESIDE_BEST, MOST_TOGETHER = 0.4, 3
#: The chance from which on a sentence is told without the rest of its paragraph, where it does not name what is new.
SURELY = 0.8
#: … from which on a place is shown beside the likeliest one where none surely answers, and how many are.
NEARLY_AS_LIKELY, NEAREST = 0.4, 2
#: Share of what is new, and of the subject before, that a passage elsewhere must speak of.
NEW_ELSEWHERE, HEADED_ELSEWHERE, SUBJECT = 0.6, 0.75, 0.5
#: … and of what is new where another section of its page speaks of the subject.
ALL_NEW = 0.9
#: How much less a section of the cited page may fit and still go before all others.
NEARLY = 1.5
#: The least weight of words by which a heading elsewhere is known.
NAMED_ELSEWHERE = 1.0
#: Words that ask for no kind of answer.
_ANYTHING = "?"

Answering = tuple[Question, tuple[Ranked, ...], tuple[Chosen, ...]]


def answer_on_page(
    more: GoingOn, language: str, page: Sequence[Passage], *, strictly: bool, perhaps: bool = False
) -> Answering | None:
    """Return what answers on the page that was cited last; None where nothing there is likely to.

    `strictly`: the question may be a matter of its own. `perhaps`: what comes near is enough.
    """
    asked = AskedOn.of(more, language)
    places = places_of(asked, page, strictly=strictly)
    if not places:
        return None
    section = _those_told_first(_likeliest_section(places))
    if perhaps and _speaks(section[0]) < SPEAKS:
        section = [each for each in places if each.passage is places[0].passage]
    best = section[0]
    if strictly and not perhaps and not _is_of_page(asked, best):
        return None
    ranged = best.holds and best.signs["says"] >= SAID
    likely = LIKELY if _is_of_page(asked, best) else LIKELY_UNSAID
    least = PERHAPS if perhaps and _speaks(best) >= SPEAKS else likely
    if best.chance < least and not ranged:
        return None
    told = () if perhaps else _told_of(asked, section, all_of_it=more.tells and len(section) > 1)
    chosen = told or _nearest_places(asked, places)
    return (asked.whole, rank(asked.whole, [best.passage]), chosen) if chosen else None


def _speaks(place: PagePlace) -> float:
    """Return how much a place says, looks like or means of what is asked."""
    return max(place.signs[each] for each in ("says", "says_bare", "looks", "near", "headed"))


def _nearest_places(asked: AskedOn, places: Sequence[PagePlace]) -> tuple[Chosen, ...]:
    """Return the paragraphs of the likeliest places, where none of them surely answers."""
    near: dict[Chosen, None] = {}
    likely = (each for each in places if each.chance >= NEARLY_AS_LIKELY * places[0].chance)
    for each in (*_row_told(places), *likely):
        near.setdefault(_with_paragraph(asked, each))
    return tuple(near)[:NEAREST]


def _row_told(places: Sequence[PagePlace]) -> tuple[PagePlace, ...]:
    """Return the row that was told where the likeliest place is another one of its table: it is still spoken of."""
    best = places[0]
    pieces = best.passage.pieces
    if pieces[best.at].kind is not PieceKind.ROW or best.told:
        return ()
    told = [each for each in places if each.told and each.passage is best.passage]
    return tuple(each for each in told if pieces[each.at].block == pieces[best.at].block)[:1]


def _with_paragraph(asked: AskedOn, place: PagePlace) -> Chosen:
    """Return a place with the rest of its paragraph where that is little."""
    pieces = place.passage.pieces
    paragraph = [at for at, piece in enumerate(pieces) if piece.block == pieces[place.at].block]
    is_one = pieces[place.at].kind is not PieceKind.ROW and is_little([pieces[at] for at in paragraph])
    return with_company(asked.whole, place.passage, paragraph if is_one else [place.at])


def _likeliest_section(places: Sequence[PagePlace]) -> list[PagePlace]:
    """Return the places of the section of which all together are likeliest, the likeliest first."""
    sections: dict[int, list[PagePlace]] = {}
    for each in places:
        sections.setdefault(id(each.passage), []).append(each)
    first = sections[id(places[0].passage)]
    if places[0].chance >= LIKELY:
        return first
    return max(sections.values(), key=lambda section: sum(each.chance for each in section))


def _those_told_first(section: list[PagePlace]) -> list[PagePlace]:
    """Return the places of a section, first the row among several told together that says what is new as well as any.

    Below all rows about a death, "and for a parent?" asks for theirs, and not for another row with a parent.
    """
    told = [each for each in section if each.told and each.passage.pieces[each.at].kind is PieceKind.ROW]
    best = section[0]
    again = max(told, key=lambda each: each.signs["says"], default=best) if len(told) > 1 else best
    if best.told or again.signs["says"] < max(best.signs["says"], SAYS):
        return section
    return [replace(again, chance=best.chance), *(each for each in section if each is not again)]


def _is_of_page(asked: AskedOn, best: PagePlace) -> bool:
    """Tell whether a place says or means what is new, where that may be a matter of its own."""
    says, near = best.signs["says"], best.signs["near"]
    return asked.new.weight < NAMES or says >= SAYS or near >= MEANS or best.holds or best.signs["other"] > 0


def _told_of(asked: AskedOn, section: Sequence[PagePlace], *, all_of_it: bool) -> tuple[Chosen, ...]:
    """Return what is told of a section, its likeliest places first: all of it, a few, or a table's rows.

    A paragraph that words in bold head is told as a section is: all of it where that is little.
    All of it below a heading that is what is asked, unless one piece alone looks like what is asked for; and to who
    tells what holds for them, where several cases are told: which of them holds is seen from all.
    """
    best = section[0]
    pieces = best.passage.pieces
    names_it = best.holds or best.signs["own"] >= SAYS
    if pieces[best.at].lead or (best.chance < SURELY and not names_it):
        return (_with_paragraph(asked, best),)
    headed = best.headed and sum(asked.shape.fits(piece.text) > 0 for piece in pieces) != 1
    rivals = [each for each in section[1:] if each.chance >= BESIDE_BEST * best.chance and each.holds >= best.holds]
    if headed or (all_of_it and rivals):
        question = replace(asked.whole, wording=_ANYTHING)
        return choose(question, rank(question, [best.passage]))
    if pieces[best.at].kind is PieceKind.ROW:
        together = _like_rows(asked, section)
    else:
        beside = [each.at for each in rivals if pieces[each.at].kind is not PieceKind.ROW]
        together = [best.at, *beside[: MOST_TOGETHER - 1]]
    return (with_company(asked.whole, best.passage, sorted(together)),)


def _like_rows(asked: AskedOn, section: Sequence[PagePlace]) -> list[int]:
    """Return the row that answers, with those of its table that say as much of what is asked."""
    best = section[0]
    pieces = best.passage.pieces
    said = asked.says(Text.of(pieces[best.at].text))
    others = (
        each
        for each in section[1:]
        if pieces[each.at].block == pieces[best.at].block
        and (asked.says(Text.of(pieces[each.at].text)) >= said if said else each.chance >= BESIDE_BEST * best.chance)
        and each.told == best.told
    )
    return [best.at, *(each.at for each in others)]


def rest_of_section(more: GoingOn, language: str, page: Sequence[Passage]) -> Answering | None:
    """Return all of the section that was cited, where only a part of it was told; None where it has no more to say."""
    asked = AskedOn.of(more, language)
    section = next((each for each in page if holds_answer(each, asked.answered)), None)
    if section is None or section.is_navigation or not (more.tells or asked.names_nothing):
        return None
    if asked.shape.all_of and not any(asked.shape.fits(each.text) for each in section.pieces):
        return None  # it holds nothing like what is asked for
    question = replace(asked.whole, wording=_ANYTHING)
    ranked = rank(question, [section])
    chosen = choose(question, ranked)
    return (question, ranked, chosen) if chosen and (more.tells or not asked.repeats(chosen)) else None


#: A number with what belongs to it: what is said of one case and of another has two.
_VALUE = re.compile(r"\d[\d.,:]*")


def told_again(more: GoingOn, language: str, page: Sequence[Passage]) -> Answering | None:
    """Return what was told once more, for who asks of other cases: "Paris 190" stands beside what holds elsewhere."""
    asked = AskedOn.of(more, language)
    for section in page:
        told = [at for at, piece in enumerate(section.pieces) if flat(piece.text) in asked.told]
        if any(len(_VALUE.findall(section.pieces[at].text)) > 1 for at in told):
            return asked.whole, rank(asked.whole, [section]), (with_company(asked.whole, section, told),)
    return None


def answer_elsewhere(more: GoingOn, language: str, passages: Sequence[Passage], *, least: float) -> Answering | None:
    """Return what answers among passages that were found for the question with its subject; None where nothing does.

    One shared word leads nowhere: a passage must speak of what is new, and of the subject or be headed by what is new.
    """
    asked = AskedOn.of(more, language)

    def is_near(passage: Passage) -> bool:
        names = asked.new.weight >= NAMED_ELSEWHERE and not more.points
        headed = names and asked.new.coverage(Text.of(passage.heading)) >= HEADED_ELSEWHERE
        return headed or asked.subject.coverage(text_of(passage)) >= SUBJECT or is_beside(passage)

    def is_beside(passage: Passage) -> bool:
        """Tell whether a section says all that is new, and another one of its page speaks of the subject."""
        here = (each for each in passages if each.source == passage.source)
        says = not asked.names_nothing and _speaks_of(asked.new, passage) >= ALL_NEW
        return says and any(asked.subject.coverage(text_of(each)) >= SUBJECT for each in here)

    def speaks(passage: Passage) -> bool:
        if asked.names_nothing:
            return not asked.shape.all_of or asked.shape.fits(passage.text) > 0
        return _speaks_of(asked.new, passage) >= NEW_ELSEWHERE

    in_force = [passage for passage in passages if not passage.not_in_force]
    near = [passage for passage in in_force or passages if speaks(passage) and is_near(passage)]
    only_whole = asked.names_nothing or (more.points and not any(map(is_beside, near)))
    for question in (asked.whole,) if only_whole else (asked.new, asked.whole):
        ranked = rank(question, near)
        if judge(question, ranked, least=least).enough:
            chosen = _priced(asked, ranked[0].passage) or choose(question, ranked)
            if chosen and not asked.repeats(chosen):
                return question, ranked, chosen
    return None


def _priced(asked: AskedOn, best: Passage) -> tuple[Chosen, ...]:
    """Return the place of a passage that looks like the price that was asked for before."""
    if says_kind(asked.more.text) or not asked.shape.all_of:
        return ()
    fitting = [at for at, piece in enumerate(best.pieces) if asked.shape.fits(piece.text)]
    return (with_company(asked.whole, best, fitting[:1]),) if fitting else ()


def nearest(question: Question, ranked: Sequence[Ranked], before: Turn) -> tuple[Ranked, ...]:
    """Return the passages with those of the page that was cited last first, where they fit nearly as well."""
    here = [item for item in ranked if is_cited(item.passage, before) and item.fit >= ranked[0].fit - NEARLY]
    first = [item for item in here if _speaks_of(question, item.passage) >= NEW_ELSEWHERE]
    return (*first, *(item for item in ranked if item not in first))


def is_cited(passage: Passage, before: Turn | None) -> bool:
    """Tell whether the answer before rests on this page."""
    return before is not None and any(page.endswith(f":{passage.source}") for page in before.cited)


def _speaks_of(new: Question, passage: Passage) -> float:
    """Return the share of what is new that one place of the passage says: its own heading, or a piece of it."""
    heading = Text.of(passage.heading)
    return max((new.coverage(Text.of(heading.plain, piece.above, piece.text)) for piece in passage.pieces), default=0.0)
