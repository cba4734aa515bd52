"""Where the documents are asked, one look-up after the other, and what each of them answers.

A question that goes on with its thread is asked of the page that was cited last, then of everything together with its
subject. One that may go on or be a matter of its own is also asked by itself, and the better of the two answers. What
its own language does not answer is asked in the words of the other one, last.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agent.brains.output import UNSURE, Abstain, Reply
from agent.brains.rules.answering.extractive import in_short
from agent.brains.rules.answering.passages import Passage, passages_of
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import holds_for, rank, text_of
from agent.brains.rules.answering.sufficiency import (
    LEAST,
    LEAST_OTHERWISE,
    LEAST_WIDENED,
    NEARBY,
    nearby,
    unsaid,
)
from agent.brains.rules.answering.threads.asking_on import holds_sentence
from agent.brains.rules.answering.threads.contacts import answer_contact, whom_to_ask
from agent.brains.rules.answering.threads.going_on import (
    answer_elsewhere,
    answer_on_page,
    is_cited,
    rest_of_section,
    told_again,
)
from agent.brains.rules.answering.threads.joined import (
    LEAST_MATTER,
    ON_PAGE,
    likelier_elsewhere,
    nearest_of_cited,
    said_beside,
    said_on,
)
from agent.brains.rules.answering.threads.roles import is_nobody_named, who_is_meant
from agent.brains.rules.inquiries import OWN_WEIGHT, Inquiry, Manner, depends, joined_to_first
from agent.brains.rules.mishaps import Mishap, answer_mishap, mishap_of
from agent.brains.rules.replies import (
    ALL,
    answer_from,
    answer_on,
    answered,
    by_evidence,
    closest_to,
    foremost,
    helps,
    is_own_matter,
    passage_of,
    perhaps,
    reply,
    together,
    told_of,
    unsure,
)
from agent.brains.rules.translated import (
    FOUND,
    FOUND_IN_THREAD,
    answer_translated,
    in_other_language,
    is_clearer,
    is_foreign,
    speaks_of_translated,
)
from agent.brains.rules.understanding.message import (
    GoingOn,
    Message,
    answered_last,
    going_on,
    may_go_on,
    without_place,
)
from agent.brains.rules.understanding.parts import questions_of
from agent.tools.context import Turn
from language import words
from language.synonyms.idioms import in_words_of_pages

#: The weight of what a question names up to which it goes on with the page before where nothing else answers. Of those
#: that went on unsaid and were told nothing most name less; of questions of their own, most more.
FEW = 1.75
#: … and that a section of it must say which comes nearest by the message's own words.
SAID_BACK = 0.4
#: The least likelihood of an answer to what went on with the thread, where nothing of the thread answers it.
LEAST_APART = 0.6
#: Sections that come near which are shown above the draft of a report.
REPORTED = 2
#: Pages of the answer before that are looked at, and questions of one message.
PAGES, PARTS = 2, 2
#: The share of each question of a message that one answer must say to answer them all.
SAID_OF_PART = 0.8
#: The share of a question's words below which a passage answers only where no page in the other language does.
WEAK = 0.7
#: … and the cosine below which one in Chinese does that says not all of them.
FAR = 0.35


@dataclass(frozen=True)
class Lookups:
    """The look-ups of a message, in order."""

    text: str
    language: str
    each: tuple[Inquiry, ...]
    more: GoingOn | None  # what it goes on with, or may go on with
    surely: bool  # it does go on
    before: Turn | None
    nearly: int  # where nothing answers, so many sections that come near are named
    reported: bool = False  # it tells what is broken: the section that stands out may help, beside the report
    parts: tuple[str, ...] = ()  # the questions of a message that asks several
    surely_told: bool = False  # something else is done where no place is likely to answer
    reworded: bool = False  # its everyday phrases stand in the words of pages
    of_page: bool = False  # only the page that was cited is asked
    along: bool = False  # it belongs to a draft, of which that page may say more

    @classmethod
    def of(
        cls,
        message: Message,
        language: str,
        *,
        alone: bool,
        widened: bool,
        translated: bool,
        nearly: int,
        reported: bool = False,
        surely_told: bool = False,
        of_page: bool = False,
        along: bool = False,
    ) -> "Lookups":
        """Return the look-ups of a message.

        `alone`: the words before in the thread do not belong to it. `widened`, `translated`: it is asked in other words
        too, and in those of the other language. `nearly`: where nothing answers, so many that come near are named.
        `surely_told`: something else is done with it where no place is likely to answer. `of_page`: only the page that
        was cited is asked; `along`: what that says of it stands beside the draft that it belongs to.
        `reported`: it tells what is broken, which may go on with the page of the answer before and needs no place; the
        answer stands beside its report.
        """
        text = without_place(message.asked) if reported else in_words_of_pages(message.asked)
        memory = message.memory
        tells, whose = message.tells, who_is_meant(message)
        text, alone = (whose, True) if whose else (text, alone)
        surely = None if alone or tells or reported else going_on(text, memory)
        names = surely is not None and not (surely.points or surely.bare or surely.reaches)
        more = surely or (None if alone else may_go_on(text, memory, tells=tells))
        if surely and names and surely.before is None:
            surely = None  # nothing was found before: it may well be a matter of its own
        pages = more.before.cited[:PAGES] if more and more.before else ()
        parts = () if surely else tuple(in_words_of_pages(each) for each in questions_of(message)[:PARTS])
        first = [] if surely else [Inquiry(Manner.OWN, text)]
        asked = [Inquiry(Manner.PART, joined_to_first(part, parts, language)) for part in parts]
        on_page = [Inquiry(Manner.PAGE, more.whole, page) for page in pages] if more else []
        joined = [Inquiry(Manner.JOINED, more.whole)] if more else []
        whole = surely.whole if surely else text
        names_much = Question.of(text, language).weight >= OWN_WEIGHT
        apart = [Inquiry(Manner.APART, text)] if surely and names and names_much else []
        other_words = words.widened(whole if surely else message.asked) if widened and not more else ""
        wider = [Inquiry(Manner.WIDENED, other_words)] if other_words else []
        foreign = in_other_language(whole, language) if translated and not ((surely or tells) and pages) else None
        last = [Inquiry(Manner.TRANSLATED, foreign.text or whole, meant=whole)] if foreign else []
        nearly = nearly if surely is None else 0
        closely = [Inquiry(Manner.CLOSELY, text)] if nearly or reported else []
        befell = mishap_of(text) if reported else None
        wider += [Inquiry(Manner.MISHAP, befell.query)] if befell else []
        each = (*on_page, *first, *asked, *joined, *apart, *wider, *closely, *last)
        each = tuple(on_page) if of_page and on_page else each
        before = answered_last(memory) if message.follows_pages or message.follows("no_evidence") else None
        reworded = not (reported or whose) and text != message.asked
        told = {"surely_told": surely_told, "reworded": reworded, "of_page": of_page, "along": along}
        return cls(text, language, each, more, surely is not None, before, nearly, reported, parts, **told)

    def found(self, contents: Sequence[Any]) -> Sequence[Any]:
        """Return what each look-up so far has found: nothing for the one that reads closely where nothing was found."""
        manners = [each.manner for each in self.each]
        at = manners.index(Manner.CLOSELY) if Manner.CLOSELY in manners else len(manners)
        left_out = at < len(manners) and len(contents) >= at and not passages_of(self._own(contents))
        return [*contents[:at], {}, *contents[at:]] if left_out else contents

    def answer(self, contents: Sequence[Any], *, least: float = LEAST, is_last: bool = False) -> Reply | Abstain | None:
        """Return what the newest look-up answers, given what all of them found; None where the next one is to be asked.

        `is_last`: no other will be asked.
        """
        if self.along:
            return self._said_beside(contents) or Abstain()
        lookup = self.each[min(len(contents), len(self.each)) - 1]
        waits = lookup.manner in (Manner.CLOSELY, Manner.MISHAP)  # it is read where no other look-up answers
        answer = Abstain() if waits else self._answer(lookup, contents, least=least)
        if self.reported and isinstance(answer, Reply):
            answer = told_of(self.question, helps(self.question, answer, contents), contents)
        if isinstance(answer, Abstain) and self.reported and (is_last or len(contents) == len(self.each)):
            answer = self._beside_report(contents)
        if isinstance(answer, Reply):
            return self._named(answer, contents)
        if is_last:
            return answer
        if len(contents) < len(self.each):
            return None
        ways = (self._again, self._likelier, self._perhaps, self._rest, self._cited, self._foreign_again)
        said = None if self.surely_told else next((told for way in ways if (told := way(contents))), None)
        return said or self._named(self._near(contents) or answer, contents)

    def _near(self, contents: Sequence[Any]) -> Reply | Abstain | None:
        """Return what comes near where nothing answers: sections in both languages, else what the other one holds."""
        return self._nearest(contents) if self.nearly else answered(self._of_foreign(contents))

    def _said_beside(self, contents: Sequence[Any]) -> Reply | None:
        """Return what the page of the answer before says of what is added to a draft."""
        return perhaps(said_beside(self.more, self.question, self._pages(contents))) if self.more else None

    @cached_property
    def question(self) -> Question:
        """Return the message's own words, taken apart."""
        return Question.of(self.text, self.language)

    def _beside_report(self, contents: Sequence[Any]) -> Reply | Abstain:
        """Return what stands above a report that no look-up answered: of such a mishap, or of its thing."""
        if (befell := self._of_mishap(contents)) is not None:
            return befell
        own = foremost(self.question, self._own(contents), self.before)
        return told_of(self.question, self._nearby(contents) if isinstance(own, Abstain) else own, contents)

    def _of_mishap(self, contents: Sequence[Any]) -> Reply | None:
        """Answer from what any look-up found about a thing to which the same has happened."""
        if self.mishap is None:
            return None
        found = answer_mishap(self.mishap, self.question, tuple(by_evidence(contents).values()))
        return answered(reply(*found)) if found else None

    @cached_property
    def mishap(self) -> Mishap | None:
        """Return what a report tells to have happened to a thing."""
        return mishap_of(self.text) if self.reported else None

    def _nearby(self, contents: Sequence[Any]) -> Reply | Abstain:
        """Name the nearest sections that are about what is asked, and say that none of them surely answers."""
        told = [] if self.reported else self._told(contents, Manner.CLOSELY)
        if told and isinstance(closest := closest_to(self.question, told[-1]), Reply):
            return closest
        manners = (Manner.WIDENED, Manner.OWN, Manner.CLOSELY)
        own = [told for manner in manners for told in self._told(contents, manner)[-1:]]
        ranked = rank(self.question, tuple(by_evidence(own).values()))
        near = nearby(self.question, ranked, reported=self.reported)[: self.nearly or REPORTED]
        said = reply(self.question, near, [in_short(self.question, item.passage) for item in near])
        return unsure(said) if isinstance(said, Reply) else said

    def _named(self, answer: Reply | Abstain, contents: Sequence[Any]) -> Reply | Abstain:
        """Return what is no answer with the name of the thing that is asked for, where nothing found speaks of it."""
        if isinstance(answer, Reply) and answer.lead != UNSURE:
            unnamed = is_nobody_named(self.text, " ".join(each.text for each in answer.claims))
            return unsure(answer) if unnamed else answer
        if self.surely or self.reported:
            return answer
        found = by_evidence(contents)
        thing = unsaid(self.question, rank(self.question, tuple(found.values())))
        is_said = speaks_of_translated(thing, self.language, tuple(found.values()))
        return answer if is_said else answer.model_copy(update={"unsaid": thing})

    def _again(self, contents: Sequence[Any]) -> Reply | None:
        """Return what was told once more to who asks what holds in all other cases."""
        found = told_again(self.more, self.language, self._pages(contents)) if self.more and self.more.others else None
        return answered(reply(*found)) if found else None

    def _rest(self, contents: Sequence[Any]) -> Reply | None:
        """Return all of the section that was cited, for what names nothing else and is answered nowhere."""
        more = self.more
        if more is None or more.reaches or not (more.tells or (self.surely and (more.points or more.bare))):
            return None
        found = rest_of_section(more, self.language, self._pages(contents))
        answer = answered(reply(*found)) if found else None
        unsaid = answer and not self.question.coverage(text_of(passage_of(answer, *contents)))
        return unsure(answer) if answer and (self.of_page or (more.tells and unsaid)) else answer

    def _foreign_again(self, contents: Sequence[Any]) -> Reply | None:
        """Return the section that was cited, for what surely goes on with a page in the other language."""
        page = self._pages(contents)
        if not self.surely or self.more is None or self.more.reaches or not is_foreign(page, self.language):
            return None
        return perhaps(rest_of_section(replace(self.more, tells=True), self.language, page))

    def _likelier(self, contents: Sequence[Any]) -> Reply | None:
        """Return what another page is likelier to answer to the question with its subject than the one cited before."""
        if self.more is None:
            return None
        joined, page = self._joined_passages(contents), self._pages(contents)
        return perhaps(likelier_elsewhere(self.more, self.language, joined, page))

    def _cited(self, contents: Sequence[Any]) -> Reply | None:
        """Return the section of the page cited before that comes nearest to the question with its subject."""
        if not self.surely or self.more is None or self.more.reaches:
            return None
        return perhaps(nearest_of_cited(self.more, self.language, self._joined_passages(contents)))

    def _joined_passages(self, contents: Sequence[Any]) -> list[Passage]:
        """Return what was found in one's language for the question with its subject; none beside a report."""
        told = () if self.reported else self._told(contents, Manner.JOINED)
        return [each for one in told for each in passages_of(one) if not is_foreign([each], self.language)]

    def _perhaps(self, contents: Sequence[Any]) -> Reply | None:
        """Return what comes near on the page that was cited, and say that it may not answer."""
        page = self._pages(contents)
        if self.more is None or self.more.reaches or is_foreign(page, self.language):
            return None
        is_own = self.reported or self.question.weight > FEW  # a report is no question to the page before
        if not (self.surely or self.more.tells) and is_own and said_on(self.question, page) < ON_PAGE:
            said = None if self.reported else self._led_back(contents)
        else:
            said = perhaps(answer_on_page(self.more, self.language, page, strictly=not self.surely, perhaps=True))
        return said and unsure(said)

    def _led_back(self, contents: Sequence[Any]) -> Reply | None:
        """Return the section that comes nearest to the message by itself, where that is of the page cited before."""
        ranked = rank(self.question, passages_of(self._own(contents)))
        best, before = ranked[0] if ranked else None, self.more.before if self.more else None
        if best is None or best.coverage < SAID_BACK or not is_cited(best.passage, before):
            return None
        return answered(reply(self.question, ranked, [in_short(self.question, best.passage)]))

    def _own(self, contents: Sequence[Any]) -> Any:
        """Return what was found for the message's own words; None where those were not asked yet."""
        return next(iter(self._told(contents, Manner.OWN)), None)

    def _told(self, contents: Sequence[Any], manner: Manner) -> list[Any]:
        """Return what the look-ups of a manner have found so far."""
        return [told for one, told in zip(self.each, contents, strict=False) if one.manner is manner]

    def _pages(self, contents: Sequence[Any]) -> list[Passage]:
        """Return what stands on the pages that were cited, as far as they were read."""
        found = [each for told in self._told(contents, Manner.PAGE) for each in passages_of(told)]
        return [each for each in found if holds_for(self.question, each)] or found  # of two editions the one in force

    def _answer(self, lookup: Inquiry, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        content, more = contents[-1], self.more
        match lookup.manner:
            case Manner.TRANSLATED:
                return self._translated(contents, least=least)
            case Manner.PART:
                return self._together(contents, least=least)
            case Manner.PAGE if more is not None:
                last = all(each.manner is not Manner.PAGE for each in self.each[len(contents) :])
                found = self._on_page(more, contents) if self.surely and last else None
                return found or Abstain()
            case Manner.JOINED | Manner.APART if more is not None:
                joined = lookup.manner is Manner.JOINED
                return self._joined(more, contents, least=least) if joined else self._apart(contents, least=least)
            case Manner.WIDENED:
                own = self.reworded and not answered(self._by_itself(contents, least=least))  # the person's own words
                surely = LEAST if own else LEAST_WIDENED if self.language == "zh" else LEAST_OTHERWISE
                return answer_from(self.text, self.language, content, least=max(least, surely))
            case _:
                return self._first(contents, least=least)

    def _joined(self, more: GoingOn, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer from what was found together with the subject."""
        passages, page, found = passages_of(contents[-1]), self._pages(contents), None
        if more.reaches or more.calls:
            found = answer_contact(more, self.language, page, passages)
        if page and not is_foreign(page, self.language):  # what it says was looked at, place by place
            cited = {each.source for each in page}
            passages = tuple(
                each for each in passages if each.source not in cited and not is_foreign([each], self.language)
            )
        if found is None and not more.reaches:
            found = answer_elsewhere(more, self.language, passages, least=least)
        return reply(*found) if found else self._nothing(contents)

    def _apart(self, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer what the thread does not answer from pages that are headed by its own words."""
        answer = answer_from(self.text, self.language, contents[-1], least=max(least, LEAST_APART))
        is_own = isinstance(answer, Reply) and is_own_matter(self.question, answer, contents[-1])
        return answer if is_own else self._nothing(contents)

    def _together(self, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer every question of the message by itself, once all were asked; else what its words answer together."""
        if any(each.manner is Manner.PART for each in self.each[len(contents) :]):
            return Abstain()
        asked = self._told(contents, Manner.PART)
        answers: list[Reply] = []
        for part, told in zip(self.parts, asked, strict=True):
            if answers and depends(part, self.language):
                found = answer_on(self.parts, part, self.language, answers[0], (asked[0], told), least=least)
            else:
                found = answer_from(part, self.language, told, least=least)
            answers += [found] if isinstance(found, Reply) else []
        whole = self._by_itself(contents, least=least)
        rest = {claim.evidence[0] for answer in answers for claim in answer.claims}
        if len(answers) < len(self.parts) or (len(rest) == 1 and isinstance(whole, Reply)):
            return whole  # one section answers all of them
        return together(answers) or whole

    def _on_page(self, more: GoingOn, contents: Sequence[Any], *, named: float = 0.0) -> Reply | None:
        """Answer from the pages that were cited; None where they are not likely to.

        `named`: the share of what the message names that they have to speak of, whatever it hangs on.
        """
        page = self._pages(contents)
        if named and said_on(self.question, page) < named:
            return None
        if is_foreign(page, self.language):
            return answered(answer_translated(more.whole, self.language, contents[0]))
        found = answer_contact(more, self.language, page) if more.calls else None
        strictly = not (self.surely or more.tells)
        if strictly and not named and said_on(self.question, page) < ON_PAGE:
            return None
        if found is None and not more.reaches:
            found = answer_on_page(more, self.language, page, strictly=strictly)
        told = answered(reply(*found)) if found else None
        return None if told and self.reported and self._was_said(told) else told

    def _was_said(self, reply: Reply) -> bool:
        """Tell whether the thread was told a sentence of the reply just before: it helps no report that follows."""
        return self.before is not None and any(holds_sentence(self.before.answered, each.text) for each in reply.claims)

    def _translated(self, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer from the other language; where that holds nothing, from one's own, however few words it shares."""
        answer = self._of_foreign(contents)
        if self.more:  # what is unsure waits until the page that was cited was read
            is_sure = isinstance(answer, Reply) and answer.lead != UNSURE
            return answer if is_sure else self._nothing(contents)
        own = self._by_itself(contents, least=least)
        if isinstance(own, Reply) or not self.nearly:
            return answer if isinstance(own, Abstain) or self._is_clearer(contents, answer) else own
        return self._nearest(contents)

    def _of_foreign(self, contents: Sequence[Any]) -> Reply | Abstain:
        """Return what was found in the other language; nothing where that was not asked."""
        query = self.more.whole if self.more and self.surely else self.text
        found = FOUND if self.more is None else FOUND_IN_THREAD
        told = self._told(contents, Manner.TRANSLATED)
        answers = (answer_translated(query, self.language, each, found=found) for each in told)
        return next(answers, Abstain())

    def _nearest(self, contents: Sequence[Any]) -> Reply | Abstain:
        """Return what comes nearest in both languages; what surely answers in the other one alone."""
        answer, own = self._of_foreign(contents), self._nearby(contents)
        if isinstance(own, Abstain) or isinstance(answer, Abstain):
            return answer if isinstance(own, Abstain) else own
        if answer.lead != UNSURE and self._is_clearer(contents, answer):
            return answer
        own = unsure(own)
        near = own.claims[: NEARBY - 1]  # neither is sure: both are shown
        both = [*answer.claims, *near] if self._is_clearer(contents, answer) else [*near, *answer.claims]
        return own.model_copy(update={"claims": both})

    def _is_clearer(self, contents: Sequence[Any], answer: Reply | Abstain) -> bool:
        """Tell whether the other language answers, and its best section clearly more or nearer than one's own."""
        best = next(iter(rank(self.question, passages_of(self._own(contents)))), None)
        told = self._told(contents, Manner.TRANSLATED)[:1] if isinstance(answer, Reply) else ()
        return any(is_clearer(self.text, self.language, each, own=best) for each in told)

    def _first(self, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer by itself, unless the page that was cited, or for want of words the other language, may know more."""
        content, more = contents[-1], self.more
        answer = answer_from(self.text, self.language, content, least=least, near=self.before)
        if more is not None and more.before is not None:
            if isinstance(answer, Reply) and is_own_matter(self.question, answer, content):
                return answer  # also from that page: what newer pages say is looked at then
            names = self.question.weight >= LEAST_MATTER  # light words alone are no matter of their own
            surely = max(least, LEAST_APART) if more.tells else least  # what is told is hardly of another page
            alone = answered(answer_from(self.text, self.language, content, least=surely)) if names else None
            here = self._on_page(more, contents, named=0.0 if alone is None else ALL)
            return here or alone or self._by_itself(contents, least=least)
        if isinstance(answer, Abstain):
            return answer
        said_so = Text.of(*(claim.text for claim in answer.claims))
        if any(Question.of(part, self.language).coverage(said_so) < SAID_OF_PART for part in self.parts):
            return Abstain()  # each of its questions is answered by itself
        if more is not None:
            return answer
        best = passage_of(answer, content)
        said = self.question.coverage(text_of(best))
        is_weak = said < WEAK or (self.language == "zh" and said < 1 and (best.cosine or 1.0) < FAR)
        return Abstain() if is_weak and self.each[-1].manner is Manner.TRANSLATED else answer

    def _by_itself(self, contents: Sequence[Any], *, least: float) -> Reply | Abstain:
        """Answer what turned out not to go on from what was found for its own words."""
        if self.surely or (self.more and self.question.weight < LEAST_MATTER):
            return Abstain()  # light words alone are no matter of their own
        least = max(least, LEAST_APART) if self.more and self.more.tells else least
        return answer_from(self.text, self.language, self._own(contents), least=least, near=self.before)

    def _nothing(self, contents: Sequence[Any]) -> Abstain:
        """Abstain, and name the page that was cited before as a place to look."""
        asked = [lookup.manner for lookup in self.each]
        at = asked.index(Manner.PAGE) if Manner.PAGE in asked and self.surely else len(contents)
        page = passages_of(contents[at]) if at < len(contents) else ()
        return whom_to_ask(page, self.before.answered) if page and self.before else Abstain()
