"""Replies of the rules brain: what was chosen from passages, as claims with their evidence."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from agent.brains.output import MAX_CLAIMS, UNSURE, Abstain, Claim, Reply
from agent.brains.rules.answering.certainty.closely import closest
from agent.brains.rules.answering.extractive import MAX_LIST_CHARS, Chosen, choose, in_short
from agent.brains.rules.answering.followups import followups
from agent.brains.rules.answering.passages import Passage, passages_of
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, is_foreign_page, rank, text_of
from agent.brains.rules.answering.sufficiency import (
    LEAST,
    LEAST_CLOSELY,
    MEANT_SAID,
    judge,
    may_answer,
    nearby,
    stands_out,
    tells_of,
    unsaid,
)
from agent.brains.rules.answering.threads.asking_on import holds_answer
from agent.brains.rules.answering.threads.contacts import answer_contact, list_of_contacts
from agent.brains.rules.answering.threads.going_on import Answering, answer_elsewhere, answer_on_page, nearest
from agent.brains.rules.inquiries import OWN_WEIGHT
from agent.brains.rules.translated import LEADS
from agent.brains.rules.understanding.message import GoingOn
from agent.tools.context import Turn
from language.scripts import is_chinese

#: The likelihood from which an answer helps with a report though it means something else.
SURELY_HELPS = 0.85
#: The least likelihood at which steps are shown before a ticket is drafted: what misses only stands in the way.
LEAST_BESIDE = 0.6
#: The share of a report that a section says which is shown for it though it was just told for another one.
SAID_AGAIN = 0.5
#: The likelihood from which a section that means much of a report is shown above it, said to be unsure.
SURELY_TOLD = 0.7
#: The cosine from which a section that may well answer is shown above the draft of a report.
MEANT = 0.4
#: The share of a message from which a section says all of it.
ALL = 0.9
#: The share of a question that title and headings say where it is a matter of its own, of `OWN_WEIGHT` at least: one
#: shared word is none.
OWN_MATTER = 0.6
#: A number by which a fault is called.
_CALLED = re.compile(r"(?<![\w.,])\d{3,6}(?![\w.,])")


def answered(answer: Reply | Abstain) -> Reply | None:
    """Return a reply as it is, and None for an abstention."""
    return answer if isinstance(answer, Reply) else None


def passage_of(answer: Reply, *contents: Any) -> Passage:
    """Return the passage that an answer rests on first."""
    return by_evidence(contents)[answer.claims[0].evidence[0]]


def by_evidence(contents: Iterable[Any]) -> dict[str, Passage]:
    """Return the passages of several look-ups, each once, by what an answer cites them as."""
    return {each.evidence: each for content in contents for each in passages_of(content)}


def together(replies: Iterable[Reply]) -> Reply | None:
    """Return one reply that says what several do, in order; None for none."""
    each = tuple(replies)
    claims = {claim.text: claim for one in each for claim in one.claims}
    lead = UNSURE if any(one.lead == UNSURE for one in each) else ""
    return Reply(claims=list(claims.values())[:MAX_CLAIMS], followups=each[-1].followups, lead=lead) if each else None


def answer_from(
    query: str, language: str, content: Any, *, least: float = LEAST, near: Turn | None = None
) -> Reply | Abstain:
    """Return the extractive answer to a question from a search result, or abstain.

    `near` is what was answered last in the thread: its page is looked at first.
    """
    question = Question.of(query, language)
    ranked = rank(question, passages_of(content))
    if near is not None:
        ranked = nearest(question, ranked, near)
    if not judge(question, ranked, least=least).enough:
        return Abstain()
    return reply(question, ranked, choose(question, ranked))


def answer_on(
    parts: Sequence[str], part: str, language: str, first: Reply, contents: Sequence[Any], *, least: float
) -> Reply | Abstain:
    """Answer a question that hangs on the first one of its message, from the page of that answer or from others."""
    passages = by_evidence(contents)
    source = passages[first.claims[0].evidence[0]].source
    before = Turn(asked=parts[0], answered="\n".join(claim.text for claim in first.claims), outcome="answered")
    more = GoingOn(part, parts[0], before, points=True)
    page = [each for each in passages.values() if each.source == source]
    found = answer_on_page(more, language, page, strictly=False)
    found = found or answer_elsewhere(more, language, tuple(passages.values()), least=least)
    return reply(*found) if found else Abstain()


def reached(more: GoingOn, language: str, content: Any) -> Reply | None:
    """Return how whoever the thread has named is reached, else the section that lists whom to ask; None for neither."""
    passages = [each for each in passages_of(content) if is_chinese(each.text) == (language == "zh")]
    found = answer_contact(more, language, (), passages) or list_of_contacts(more, language, passages)
    return answered(reply(*found)) if found else None


def is_own_matter(question: Question, answer: Reply, content: Any) -> bool:
    """Tell whether an answer's section holds all words of a question, or its headings say most of them."""
    best = passage_of(answer, content)
    if question.weight >= OWN_WEIGHT and question.is_said_by(text_of(best)):
        return True
    headings = Text.of(best.title, best.section)
    return question.coverage(headings) >= OWN_MATTER and question.found_weight(headings) >= OWN_WEIGHT


def closest_to(question: Question, content: Any) -> Reply | Abstain:
    """Return the answer of the section whose sentences mean what is asked; abstain where it is not likely enough."""
    found = closest(question, rank(question, passages_of(content)))
    answers = found.likelihood >= LEAST_CLOSELY and may_answer(question, found.ranked[0])
    answers = answers and not unsaid(question, found.ranked)
    return reply(question, found.ranked, choose(question, found.ranked)) if answers else Abstain()


def nearest_to(query: str, language: str, content: Any) -> Reply | Abstain:
    """Return the section that comes nearest to a question, said to be unsure; abstain where none is near."""
    question = Question.of(query, language)
    near = nearby(question, rank(question, passages_of(content)))[:1]
    said = reply(question, near, [in_short(question, item.passage) for item in near])
    return said.model_copy(update={"lead": UNSURE}) if isinstance(said, Reply) else said


def reply(question: Question, ranked: Sequence[Ranked], chosen: Sequence[Chosen]) -> Reply | Abstain:
    """Return the reply that says what was chosen, with questions that may be asked next.

    Where all of it is in the other language, it says so.
    """
    if not chosen:
        return Abstain()
    cited = tuple(dict.fromkeys(item.evidence for item in chosen))
    foreign = all(is_foreign_page(question, each.passage) for each in ranked if each.passage.evidence in cited)
    return Reply(
        claims=[Claim(text=item.text[:MAX_LIST_CHARS], evidence=[item.evidence]) for item in chosen],
        followups=list(followups(question, ranked, cited)),
        lead=LEADS["en" if question.language == "zh" else "zh"] if foreign else "",
    )


def unsure(answer: Reply) -> Reply:
    """Return an answer with the words that it may be none."""
    return answer.model_copy(update={"lead": UNSURE})


def perhaps(found: Answering | None) -> Reply | None:
    """Return what may answer, with those words; None where nothing does."""
    told = answered(reply(*found)) if found else None
    return told and unsure(told)


def helps(question: Question, answer: Reply, contents: Sequence[Any]) -> Reply | Abstain:
    """Return an answer whose section means or says all that is reported: laptops alone mend none."""
    best = passage_of(answer, *contents)
    whole = text_of(best)
    says = question.coverage(whole) >= ALL and not question.unsaid(whole)
    called = {*_CALLED.findall(question.text)} & {*_CALLED.findall(" ".join(each.text for each in answer.claims))}
    surely = judge(question, rank(question, [best])).likelihood >= SURELY_HELPS
    means = (best.cosine or 0.0) >= MEANT
    return answer if says or surely or called or question.names_code(whole) or means else Abstain()


def foremost(question: Question, content: Any, before: Turn | None) -> Reply | Abstain:
    """Answer from the section that stands out, though it may not be what is asked for."""
    ranked = rank(question, passages_of(content))
    told = before is not None and ranked and holds_answer(ranked[0].passage, before.answered)
    if told and ranked[0].coverage < SAID_AGAIN:  # it was shown just before, and says little of this message
        return Abstain()
    meant = bool(ranked) and (ranked[0].passage.cosine or 0.0) >= MEANT
    helping = (meant and judge(question, ranked, least=LEAST_BESIDE).enough) or stands_out(ranked)
    return reply(question, ranked, choose(question, ranked)) if helping else Abstain()


def told_of(question: Question, answer: Reply | Abstain, contents: Sequence[Any]) -> Reply | Abstain:
    """Return what of an answer tells of the thing that is reported and of its trouble: anything else is in the way."""
    if isinstance(answer, Abstain):
        return answer
    found = by_evidence(contents)
    kept = [claim for claim in answer.claims if any(tells_of(question, found[each]) for each in claim.evidence)]
    if kept:
        return answer.model_copy(update={"claims": kept})
    likely = _is_likely(question, tuple(found.values()), answer)
    return unsure(answer.model_copy(update={"claims": answer.claims[:1]})) if likely else Abstain()


def _is_likely(question: Question, found: Sequence[Passage], answer: Reply) -> bool:
    """Tell whether an answer's first section is the likeliest of all and near in meaning, though it may not help."""
    ranked = rank(question, found)
    if not ranked or ranked[0].passage.evidence != answer.claims[0].evidence[0]:
        return False
    meant = (ranked[0].passage.cosine or 0.0) >= MEANT_SAID
    return meant and judge(question, ranked).likelihood >= SURELY_TOLD
