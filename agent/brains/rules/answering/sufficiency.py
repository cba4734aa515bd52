"""Whether passages support an answer at all: the line between answering, naming what comes near, and abstaining.

A wrong answer is worse than none. How likely one is right the judge in `certainty` says; here stands what is asked.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.brains.rules.answering.certainty.likelihood import likelihood as likely
from agent.brains.rules.answering.passages import Passage, passages_of
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, holds_for, is_foreign_page, own_heading, satisfies
from agent.brains.rules.answering.shapes import DAY
from agent.brains.rules.answering.wanted import Wanted
from agent.brains.rules.understanding.sought import head_of, mislaid, sought
from language.scripts import is_chinese
from language.words import normalise

#: The least likelihood at which an answer is given.
LEAST = 0.5
#: … at which an answer that was found with other words than the asker's is given, or one to what may be no question.
LEAST_WIDENED = 0.6
#: … found with other English words: who is pregnant asks for no birth.
LEAST_OTHERWISE = 0.65
#: … by the judge that compares sentences, where words alone do not answer.
LEAST_CLOSELY = 0.7
#: What a heading is said by that the question says in other words.
SYNONYMOUS = 0.8
#: The share of a thing's words that the heading of its own section says.
HEADED = 0.8
#: A code, letters and then digits, that a section holds is no accident.
_CODE = re.compile(r"[a-z]{1,5}[-_]\d{2,6}")
#: … at which a section answers that holds all that is named in the question, unless more than usual is asked of it.
LEAST_NAMED = 0.4
#: What says that a section is about what is asked, though it may not answer it: its likelihood, or its cosine by the
#: language of the question. At .2 and .44 strangers lost the right section oftener than they were spared another.
#: One that says no word of the question needs the cosine: in a handful of pages the least likeness seems much.
SUBJECT, SUBJECT_COSINE = 0.1, {"en": 0.38, "zh": 0.42}
#: … and the likelihood above a report.
SUBJECT_REPORTED = 0.2
#: … and where the sentences of what was found were read: what a section and its nearest sentence mean of it together.
#: Of 60 questions off the subject of some pages one in eight is as near to one of their sections, as many as by
#: `SUBJECT`. Chinese sentences are too short for it: there it only puts the sections in order.
SUBJECT_CLOSELY = 0.68
#: What the words that a section says count beside what it means.
SAID = 0.2
#: … of the sections that are shown beside the nearest one: the share of the best cosine, and of the question's words.
#: A section that says less of them, and no time or amount though one is asked for, is not near.
BESIDE_COSINE, BESIDE_WORDS = 0.75, 0.4
#: The share of the question's words, weighed by how rare they are in the index, from which a section is about it though
#: it means something else: the only one that says "Eddystone".
NAMED = 0.6
#: What a section is named for beside the nearest one: its share of the question's words, weighed by how rare they are
#: in the index, or what it means together with its nearest sentence. As a bar for the nearest one, too, strangers lost
#: the right section more often than they were spared another.
SHARED, MEANT_ALIKE = {"en": 0.2, "zh": 0.15}, 0.8
#: … or its cosine alone: "prop guns" of a pistol.
MEANT_SURELY = 0.48
#: The least weight of a thing that is asked for, and the share of its name that a section says which speaks of it. Of
#: 30 sections of fresh companies that did not answer and lacked it 26 were spared, of 30 that did 6 are lost.
SOUGHT_WEIGHT, SOUGHT = 0.9, 0.5
#: The likelihood of a section that does not speak of the thing that somebody asks for, lost, forgot or broke, or names
#: no number of what is counted.
LEAST_MISLAID = 0.85
#: The likelihood that a Chinese section needs which lacks a thing that is asked for, and most of the words beside.
LEAST_LACKING, LACKING_WORDS = 0.75, 0.4
#: What a section holds that helps with a fault: what is wrong in such cases, what to do then, or who mends it. A list
#: of rooms and what a badge is for do not.
_REMEDY = re.compile(
    r"(?i)\b(?:if|when|unless|still|again|restart\w*|reboot\w*|unplug\w*|pull|plug|reset\w*|try|press|"
    r"(?:turn|switch) (?:it )?(?:off|on)|hold|check|clean|replace\w*|repair\w*|mend\w*|fix\w*|broken|fault\w*|"
    r"defective|jam\w*|errors?|problems?|trouble\w*|fails?|failed|(?:do|does|is|are|will|can)(?:n't| not)|cannot|"
    r"won't|no longer|lost|stolen|damaged?|call|ring|phone|report\w*|tell|ask|bring|take it|spares?|loan\w*|swap\w*|"
    r"request\w*|order\w*|apply|book|needs?|leave|evacuat\w*|at once)\b|"
    r"如果|要是|万一|还是|还不|仍|重启|重新|拔|插|重置|试|检查|清理|坏|损|修|故障|报错|出错|失败|不[了亮开上出到]|"
    r"没有?反应|卡[住纸死]|拨|打电话|打 ?\d|立即|立刻|马上|撤离|分机|联系|找|送到|拿到|备用|换|申请|领|订"
)
#: What a section stands out by: its cosine by the page's language, and how far it fits better than the next page's.
OUTSTANDING_COSINE, OUTSTANDING = {"en": 0.42, "zh": 0.45}, 3.0
#: The cosine from which a section tells of what is reported in whatever words, and below which shared words are chance.
MEANT_REPORTED, LEAST_REPORTED = 0.6, 0.2
#: The cosine and the share of a report that a section must say which says not all that is named: a place, a reason.
MEANT_SAID, SAID_REPORTED = 0.46, 0.45
#: The most sections that are named.
NEARBY = 3


@dataclass(frozen=True)
class Sufficiency:
    """How likely the passages answer the question, and whether that is enough."""

    likelihood: float
    enough: bool


def remedies(content: Any, *, befell: re.Pattern[str] | None = None) -> Any:
    """Return the result of a look-up with those of its passages alone that may help somebody who reports a fault.

    `befell` is how pages speak of what has happened to the thing: they may say what holds then.
    """
    if not isinstance(content, Mapping):
        return content
    helping = {
        each.evidence
        for each in passages_of(content)
        if _may_help(each) or (befell and befell.search(normalise(each.text)))
    }
    kept = [item for item in content["passages"] if item.get("evidence") in helping] if helping else []
    return {**content, "passages": kept}


def _may_help(passage: Passage) -> bool:
    """Tell whether a section, by its heading or text, says what is wrong in such cases, what to do, or who mends it."""
    texts = (passage.heading, passage.before, passage.text, passage.after)
    return any(_REMEDY.search(each) for each in texts)


def judge(question: Question, ranked: Sequence[Ranked], *, least: float = LEAST) -> Sufficiency:
    """Return whether the best passage supports an answer: likely enough, with each code that is asked about in it."""
    if not ranked or question.weight <= 0 or ranked[0].passage.is_navigation:
        return Sufficiency(likelihood=0.0, enough=False)
    likelihood = likely(question, ranked)
    missing = question.missing(ranked[0].whole)
    identified = all(not term.exact for term in missing)
    coded = any(term.exact and _CODE.fullmatch(term.word) for term in question.terms)
    bar = LEAST_NAMED if least <= LEAST and question.is_said_by(ranked[0].whole) else least
    if ranked[0].coverage < LACKING_WORDS and question.language == "zh" and question.unsaid(ranked[0].whole):
        bar = max(bar, LEAST_LACKING)  # "can I keep a cat in the dormitory" where only the dormitory is spoken of
    thing = sought(question.text)
    speaks = _means_it(ranked[0]) or all(_names(question, each, ranked[0]) for each in (thing, head_of(thing)))
    mislays = not _names(question, mislaid(question.text), ranked[0])  # a clock, and not a password
    if not speaks or mislays or _counts_nothing(question, ranked[0]):
        bar = LEAST_MISLAID
    told = coded or (likelihood >= bar and not _is_beside(question, ranked[0])) or _heads_both(question, ranked)
    return Sufficiency(likelihood=likelihood, enough=identified and told)


def may_answer(question: Question, item: Ranked) -> bool:
    """Tell whether a section lacks neither a code that is named nor a day or an amount that is asked for."""
    lacks_code = any(term.exact for term in question.missing(item.whole))
    return not (lacks_code or _is_beside(question, item) or _counts_nothing(question, item))


def _counts_nothing(question: Question, item: Ranked) -> bool:
    """Tell whether a section names no number of what is counted, no price or no day, and is not headed by it either."""
    headed = own_heading(question, item.passage) > SYNONYMOUS
    return question.exactly is not None and not headed and satisfies(question, item.passage) == 0


def _heads_both(question: Question, ranked: Sequence[Ranked]) -> bool:
    """Tell whether both of two compared things have sections of their own."""
    headings = [Text.of(item.passage.title, item.passage.heading) for item in ranked]
    return bool(question.compared) and all(
        any(each.coverage(heading) >= HEADED for heading in headings) for each in question.compared
    )


def nearby(question: Question, ranked: Sequence[Ranked], *, reported: bool = False) -> tuple[Ranked, ...]:
    """Return the nearest sections in the question's language, where they are about the same; one of them may answer.

    Where none of them speaks of the thing that is asked for, only the nearest one is, which may call it otherwise.
    Above a report, which goes to people anyway, stands only what is likelier to be about it, and what says all of it or
    means it: a laptop's repair is nothing to try with a coffee machine.
    """
    own = [
        item
        for item in ranked
        if not (item.passage.is_navigation or is_foreign_page(question, item.passage) or _is_beside(question, item))
    ]
    own = [item for item in own if holds_for(question, item.passage)] or own
    own = [item for item in own if not reported or _speaks_of_it(question, item)]
    is_read = any(item.passage.likeness for item in own)
    if is_read:
        own.sort(key=lambda item: -(_meaning(item) + SAID * item.coverage))
    near: dict[tuple[str, str], Ranked] = {}
    for item in own:
        near.setdefault((item.passage.source, item.passage.section), item)
    nearest = tuple(near.values())[:NEARBY]
    if not any(_means_it(item) or _names(question, mislaid(question.text), item) for item in nearest):
        return ()
    likelihood = likely(question, own)
    if likelihood < LEAST and any(term.exact for term in question.missing(nearest[0].whole)):
        return ()
    lacks = not any(_means_it(item) or _holds_sought(question, item) for item in nearest)
    beside = [] if lacks else [item for item in nearest[1:] if _shares(question, item)]
    together = _meaning(nearest[0])
    if is_read and question.language == "en" and together >= SUBJECT_CLOSELY:
        return (nearest[0], *(item for item in beside if _meaning(item) >= BESIDE_COSINE * together))
    meant = max(item.passage.cosine or 0.0 for item in nearest)
    least = SUBJECT_COSINE[question.language]
    is_named = nearest[0].passage.coverage >= NAMED and not lacks
    if meant < least and not is_named and (lacks or likelihood < SUBJECT or nearest[0].coverage == 0.0):
        return ()
    if reported and likelihood < SUBJECT_REPORTED:
        return ()
    likened = BESIDE_COSINE * max(meant, least)
    near_too = (each for each in beside if (each.passage.cosine or 0) >= likened or each.coverage >= BESIDE_WORDS)
    return (nearest[0], *near_too)


def unsaid(question: Question, found: Sequence[Ranked]) -> str:
    """Return the name of the thing that is asked for where nothing that was found speaks of it; "" else."""
    thing = sought(question.text)
    named = Question.of(thing, question.language)
    is_said = any(_says_name(named, item) for item in found)
    return "" if is_said or not (named.weight >= SOUGHT_WEIGHT or is_chinese(thing)) else thing


def _says_name(named: Question, item: Ranked) -> bool:
    """Tell whether a section speaks of a thing by its name, in Chinese by each part: 托儿补贴 is no other 补贴."""
    if named.language != "zh":
        return named.coverage(item.whole) > SOUGHT
    literally = named.text in item.whole.plain  # 年会 is of light characters alone, and stands in no 今年会
    return literally or (named.coverage(item.whole) > SOUGHT and not named.unsaid(item.whole))


def _holds_sought(question: Question, item: Ranked) -> bool:
    """Tell whether a section speaks of the thing that is asked for; where it is not clear which that is, it may."""
    asked = head_of(sought(question.text))
    return _names(question, asked, item) and _names(question, mislaid(question.text), item)


def _names(question: Question, thing: str, item: Ranked) -> bool:
    """Tell whether a section speaks of a thing; of what is too little to tell, it may."""
    named = Question.of(thing, question.language)
    return named.weight < SOUGHT_WEIGHT or named.coverage(item.whole) >= SOUGHT


def _shares(question: Question, item: Ranked) -> bool:
    """Tell whether a section says a rare word of the question, or means much the same."""
    is_meant = _means_it(item) or _meaning(item) >= MEANT_ALIKE
    return is_meant or item.passage.coverage >= SHARED[question.language]


def _means_it(item: Ranked) -> bool:
    """Tell whether a section is as near in meaning as few are, whatever words it says it in."""
    return (item.passage.cosine or 0.0) >= MEANT_SURELY


def _speaks_of_it(question: Question, item: Ranked) -> bool:
    """Tell whether a section says all that is reported or its code, or means it."""
    return _means_it(item) or question.names_code(item.whole) or not question.unsaid(item.whole)


def _meaning(item: Ranked) -> float:
    """Return how near a section and the nearest of its sentences are to the question, together."""
    nearest = max((each[0] for each in item.passage.likeness if each), default=0.0)
    return (item.passage.cosine or 0.0) + nearest


def _is_beside(question: Question, item: Ranked) -> bool:
    """Tell whether a section lacks the day that is asked for, or a time or amount and most words of the question."""
    counted = question.wants_one_fact and bool(question.wanted & {Wanted.TIME, Wanted.AMOUNT})
    little = item.coverage < BESIDE_WORDS or question.exactly is DAY
    return counted and little and satisfies(question, item.passage) == 0


def tells_of(question: Question, passage: Passage) -> bool:
    """Tell whether a section names the thing that is reported and its trouble, or means it.

    The title of a page of many things says nothing of one of its sections.
    """
    own, meant = Text.of(passage.heading, passage.before, passage.text, passage.after), passage.cosine
    if question.names_code(own) or (meant or 0.0) >= MEANT_REPORTED:
        return True
    if not question.unsaid(own):
        return meant is None or meant >= LEAST_REPORTED
    return (meant or 0.0) >= MEANT_SAID and question.coverage(own) >= SAID_REPORTED


def stands_out(ranked: Sequence[Ranked]) -> bool:
    """Tell whether the best section is about what is said, clearly before all others."""
    if not ranked or ranked[0].passage.is_navigation:
        return False
    best = ranked[0]
    others = (item.fit for item in ranked if item.passage.section != best.passage.section)
    least = OUTSTANDING_COSINE["zh" if is_chinese(best.passage.text) else "en"]
    return (best.passage.cosine or 0.0) >= least and best.fit - max(others, default=0.0) >= OUTSTANDING
