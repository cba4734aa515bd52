"""Where the documents are asked, one look-up after the other, and what each of them answers.

A question that goes on with its thread is asked of the page that was cited last, then of everything together with its
subject. One that may go on or be a matter of its own is asked by itself, and the better of the two answers. What its
own language does not answer is asked in the words of the other one, last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from agent.brains.output import MAX_CLAIMS, Abstain, Claim, Reply
from agent.brains.rules.answering.extractive import MAX_LIST_CHARS, Chosen, choose
from agent.brains.rules.answering.followups import followups
from agent.brains.rules.answering.passages import Passage, passages_of
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, rank
from agent.brains.rules.answering.sufficiency import LEAST, LEAST_WIDENED, is_meant, judge
from agent.brains.rules.answering.threads import (
    answer_contact,
    answer_elsewhere,
    answer_on_page,
    is_cited,
    nearest,
    rest_of_section,
)
from agent.brains.rules.translated import (
    FOUND,
    FOUND_IN_THREAD,
    answer_translated,
    coverage_translated,
    in_other_language,
    is_foreign,
)
from agent.brains.rules.understanding.message import GoingOn, Message, answered_last, going_on, may_go_on
from agent.brains.rules.understanding.parts import questions_of
from agent.tools.context import Turn
from language import words

#: The share of a question that title and headings say where it is a matter of its own, and the least weight of that:
#: one shared word is none.
OWN_MATTER, OWN_WEIGHT = 0.6, 1.5
#: The least weight of what a question names that may be a matter of its own.
LEAST_MATTER = 1.0

#: Pages of the answer before that are looked at, and questions of one message.
PAGES, PARTS = 2, 2
#: The share of each question of a message that one section must say to answer them all.
SAID_OF_PART = 0.5
#: The share of a question's words below which a passage answers only where no page in the other language does.
WEAK = 0.7
#: … and how much more of them the page in the other language must hold to be shown before one's own.
CLEARER = 0.4


class Manner(StrEnum):
    """How the documents are asked."""

    OWN = "own"  # in the person's own words
    PART = "part"  # one of several questions of the message
    PAGE = "page"  # the page that was cited last
    JOINED = "joined"  # together with the subject before
    WIDENED = "widened"  # with other words for the same things
    TRANSLATED = "translated"  # in the words of the other language


@dataclass(frozen=True)
class Inquiry:
    """One question to the documents."""

    manner: Manner
    query: str
    page: str = ""

    @property
    def arguments(self) -> dict[str, str]:
        """Return what it adds to the arguments of the tool."""
        return {"page": self.page} if self.page else {}


@dataclass(frozen=True)
class Lookups:
    """The look-ups of a message, in order."""

    text: str
    language: str
    each: tuple[Inquiry, ...]
    more: GoingOn | None  # what it goes on with, or may go on with
    surely: bool  # it does go on
    before: Turn | None
    nearly: bool  # what says it in other words may answer, unsure
    parts: tuple[str, ...] = ()  # the questions of a message that asks several

    @classmethod
    def of(
        cls, message: Message, language: str, *, alone: bool, widened: bool, translated: bool, nearly: bool
    ) -> "Lookups":
        """Return the look-ups of a message.

        `alone`: the words before in the thread do not belong to it. `widened`, `translated`: it is asked in other words
        too, and in those of the other language. `nearly`: where nothing answers, what seems to is better than nothing.
        """
        text, memory = message.asked, message.memory
        tells = message.tells
        surely = None if alone or tells else going_on(text, memory)
        more = surely or (None if alone else may_go_on(text, memory, tells=tells))
        pages = more.before.pages[:PAGES] if more and more.before else ()
        parts = () if surely else questions_of(message)[:PARTS]
        first = [] if surely else [Inquiry(Manner.OWN, text)]
        asked = [Inquiry(Manner.PART, part) for part in parts]
        on_page = [Inquiry(Manner.PAGE, more.whole, page) for page in pages] if more else []
        joined = [Inquiry(Manner.JOINED, more.whole)] if more else []
        whole = surely.whole if surely else text
        other_words = words.widened(whole) if language == "zh" and widened and not more else ""
        wider = [Inquiry(Manner.WIDENED, other_words)] if other_words else []
        foreign = in_other_language(whole, language) if translated and not ((surely or tells) and pages) else None
        last = [Inquiry(Manner.TRANSLATED, foreign.text)] if foreign else []
        each = (*first, *asked, *on_page, *joined, *wider, *last)
        return cls(text, language, each, more, surely is not None, answered_last(memory), nearly and not more, parts)

    def answer(self, contents: Sequence[Any], *, least: float = LEAST, is_last: bool = False) -> Reply | Abstain | None:
        """Return what the newest look-up answers, given what all of them found; None where the next one is to be asked.

        `is_last`: no other will be asked.
        """
        lookup = self.each[min(len(contents), len(self.each)) - 1]
        answer = self._answer(lookup, contents, least=least)
        if isinstance(answer, Reply) or is_last:
            return answer
        if len(contents) < len(self.each):
            return None
        return self._meant(contents[0]) if self.nearly else self._rest(contents) or answer

    @cached_property
    def question(self) -> Question:
        """Return the message's own words, taken apart."""
        return Question.of(self.text, self.language)

    def _meant(self, content: Any) -> Reply | Abstain:
        """Answer from the section that says the question in other words, where one stands clearly before the rest."""
        ranked = rank(self.question, passages_of(content))
        if not is_meant(self.question, ranked):
            return Abstain()
        return reply(self.question, ranked, choose(self.question, ranked))

    def _rest(self, contents: Sequence[Any]) -> Reply | None:
        """Return all of the section that was cited, for what names nothing else and is answered nowhere."""
        more = self.more
        if more is None or more.reaches or not (more.tells or (self.surely and (more.points or more.bare))):
            return None
        found = rest_of_section(more, self.language, self._pages(contents))
        answer = reply(*found) if found else None
        return answer if isinstance(answer, Reply) else None

    def _pages(self, contents: Sequence[Any]) -> list[Passage]:
        """Return what stands on the pages that were cited, as far as they were read."""
        asked = zip(self.each, contents, strict=False)
        return [each for one, told in asked if one.manner is Manner.PAGE for each in passages_of(told)]

    def _answer(self, lookup: Inquiry, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        content, more = contents[-1], self.more
        match lookup.manner:
            case Manner.TRANSLATED:
                return self._translated(contents, least=least)
            case Manner.PART:
                return self._together(contents, least=least)
            case Manner.PAGE if more is not None:
                return self._on_page(more, contents, least=least)
            case Manner.JOINED if more is not None:
                passages = passages_of(content)
                found = answer_elsewhere(more, self.language, passages, least=least)
                if more.reaches:
                    found = answer_contact(more, self.language, passages)
                return reply(*found) if found else self._nothing(contents)
            case Manner.WIDENED:
                return answer_from(self.text, self.language, content, least=max(least, LEAST_WIDENED))
            case _:
                return self._first(content, least=least)

    def _together(self, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer every question of the message by itself, once all were asked; else what its words answer together."""
        if any(each.manner is Manner.PART for each in self.each[len(contents) :]):
            return Abstain()
        found = (
            answer_from(one.query, self.language, told, least=least)
            for one, told in zip(self.each, contents, strict=False)
            if one.manner is Manner.PART
        )
        answers = [each for each in found if isinstance(each, Reply)]
        if len(answers) < len(self.parts):
            return self._by_itself(contents[0], least=least)
        claims = {claim.text: claim for answer in answers for claim in answer.claims}
        return Reply(claims=list(claims.values())[:MAX_CLAIMS], followups=answers[-1].followups)

    def _on_page(self, more: GoingOn, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer from the pages that were cited, once all of them were read."""
        if any(each.manner is Manner.PAGE for each in self.each[len(contents) :]):
            return Abstain()
        page = self._pages(contents)
        if is_foreign(page, self.language):
            return answer_translated(more.whole, self.language, contents[-1])
        strictly = not (self.surely or more.tells)
        found = answer_on_page(more, self.language, page, strictly=strictly) if not more.reaches else None
        return reply(*found) if found else self._by_itself(contents[0], least=least)

    def _translated(self, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer from the other language; where that holds nothing, from one's own, however few words it shares."""
        query = self.more.whole if self.more and self.surely else self.text
        found = FOUND if self.more is None else FOUND_IN_THREAD
        answer = answer_translated(query, self.language, contents[-1], found=found)
        if self.more:
            return answer if isinstance(answer, Reply) else self._nothing(contents)
        own = self._by_itself(contents[0], least=least)
        if isinstance(own, Abstain) and self.nearly:
            own = self._meant(contents[0])
        if isinstance(answer, Abstain) or (isinstance(own, Reply) and not self._is_clearer(contents)):
            return own
        return answer

    def _is_clearer(self, contents: Sequence[Any]) -> bool:
        """Tell whether the other language's best section says clearly more of the question than one's own."""
        ranked = rank(self.question, passages_of(contents[0]))
        own = ranked[0].coverage if ranked else 0.0
        return coverage_translated(self.text, self.language, contents[-1]) - own >= CLEARER

    def _first(self, content: Any, *, least: float) -> Reply | Abstain:
        """Answer by itself, unless the page that was cited, or for want of words the other language, may know more."""
        answer = answer_from(self.text, self.language, content, least=least, near=self.before)
        if isinstance(answer, Abstain):
            return answer
        best = {passage.evidence: passage for passage in passages_of(content)}[answer.claims[0].evidence[0]]
        question = self.question
        whole = Text.of(best.title, best.section, best.text)
        if any(Question.of(part, self.language).coverage(whole) < SAID_OF_PART for part in self.parts):
            return Abstain()
        if self.more is None:
            said = question.coverage(whole)
            is_weak = said < WEAK and self.each[-1].manner is Manner.TRANSLATED
            return Abstain() if is_weak else answer
        if self.more.before is None:
            return answer
        headings = Text.of(best.title, best.section)
        is_own_matter = question.coverage(headings) >= OWN_MATTER and question.found_weight(headings) >= OWN_WEIGHT
        return answer if is_own_matter or is_cited(best, self.before) else Abstain()

    def _by_itself(self, content: Any, *, least: float) -> Reply | Abstain:
        """Answer what turned out not to go on from what was found for its own words."""
        if self.surely:
            return Abstain()
        if self.more and self.question.weight < LEAST_MATTER:
            return Abstain()  # light words alone are no matter of their own
        return answer_from(self.text, self.language, content, least=least, near=self.before)

    def _nothing(self, contents: Sequence[Any]) -> Abstain:
        """Abstain, and name the page that was cited before as a place to look."""
        asked = [lookup.manner for lookup in self.each]
        at = asked.index(Manner.PAGE) if Manner.PAGE in asked and self.surely else len(contents)
        page = passages_of(contents[at]) if at < len(contents) else ()
        return Abstain(look_in=page[0].evidence) if page else Abstain()


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


def reply(question: Question, ranked: Sequence[Ranked], chosen: Sequence[Chosen]) -> Reply | Abstain:
    """Return the reply that says what was chosen, with questions that may be asked next."""
    if not chosen:
        return Abstain()
    cited = tuple(dict.fromkeys(item.evidence for item in chosen))
    return Reply(
        claims=[Claim(text=item.text[:MAX_LIST_CHARS], evidence=[item.evidence]) for item in chosen],
        followups=list(followups(question, ranked, cited)),
    )
