"""Answers to what goes on with a thread: "and for meals?", "what happens if I don't?", 怎么申请.

The page that was cited last is looked at first and as a whole: a section whose heading is what is new in the question,
then the section that was cited, then those beside it, then the others. What is new must be spoken of there; a question
that names nothing new is answered by what its answer must look like. What was answered before is no answer again.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.brains.rules.answering.extractive import Chosen, best_part, choose
from agent.brains.rules.answering.passages import Passage, Piece
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, overlap, rank
from agent.brains.rules.answering.shapes import DURATION, SHAPES
from agent.brains.rules.answering.sufficiency import judge
from agent.brains.rules.answering.wanted import Wanted, asks_how_long, wanted_by
from agent.brains.rules.understanding.message import GoingOn
from agent.tools.context import Turn
from language.word_tables import STOP_ENGLISH
from language.words import chinese_runs, normalise, stem, stems

#: Share of what is new that a heading must say, one place of a section of the cited page, such a section as a whole,
#: and any passage elsewhere.
HEADED, NEW_HERE, NEW_LOOSELY, NEW_ELSEWHERE = 0.9, 0.75, 0.6, 0.6
#: Share of the subject before that a passage elsewhere must speak of, unless its heading is what is new.
SUBJECT = 0.5
#: How much less a section of the cited page may fit and still go before all others.
NEARLY = 1.5
#: Share of the subject that a section must speak of which does not stand beside the one that was cited.
RELATED = 0.34
#: Sections beside the one that was cited.
BESIDE = 2
#: The least weight of words that name something.
NAMED = 0.55
#: … by which a heading elsewhere is known: light words lead nowhere.
NAMED_ELSEWHERE = 1.0
#: From which share of the answer before on the same words are the same answer.
SAME = 0.9
#: What leads on to something else, and says nothing itself.
_LEAD = re.compile(r"^(?:那么?|还有|另外|如果是|要是|换成|同样|以及)|[呢吗么]$")
#: Stems of words that say nothing; of the deeds among them a heading may speak.
_EMPTY = frozenset(map(stem, STOP_ENGLISH - {"ask", "give", "help", "keep", "make", "take", "tell", "use"}))
#: Words that ask for no kind of answer.
_ANYTHING = "?"
#: Shortest sentence, in characters, by which a section is known again.
_TELLING = 12
_SENTENCE_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\|")
_CITED = re.compile(r"\[\d{1,2}\]")
#: Who asks what comes of not doing it.
_OTHERWISE_ASKED = re.compile(
    r"\b(?:if|when) (?:i|we|you|they|he|she|somebody|someone) (?:do|does|did|can|could|will|am|have)(?: not|n't)\b"
    r"|\bif not\b|\botherwise\b|不(?:这样|这么)?(?:做|办|交|还|提交|申请)?(?:会怎么样|会怎样|怎么办|的话)|否则"
)
#: Who asks about a case of what was spoken of, which stands beside it.
_CASE = re.compile(r"^(?:and |but |so )?(?:what |even )?(?:if|when)\b|如果|要是|的话|了呢|了怎么办")
#: Whom to turn to, and who may: more than the names of teams.
_WHO = re.compile(
    r"\b(?:ask|tell|see|contact|inform|write to|speak to|talk to|call|report to|only|"
    r"people|those|by the|from the)\b|找|联系|告诉|通知|只有|任何人|所有人|由"
)
#: A sentence about a case.
_CONDITION = re.compile(r"\b(?:if|when|unless|without|who)\b|如果|要是|的话|未|没|不")
#: Who asks for the last day or the last moment, and what one looks like.
_LAST_ASKED = re.compile(r"\b(?:by|till|until|before) when\b|\bdeadline\b|几号|什么时候(?:之前|以前|截止)|截止")
_LAST = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight|end of)\b|\d{1,2}[:：]\d\d"
    r"|[\d一二三四五六七八九十]{1,3} ?[号日]|周[一二三四五六日末]|月底|年底|年末"
)
#: Who asks how long something takes, and how that is told of a process.
_TAKES_ASKED = re.compile(
    r"\bhow (?:long|soon|fast|quickly)\b.{0,40}\b(?:take|takes|arrive|come|get|wait)\b"
    r"|多久.{0,4}[到批能收好]|[要等]多久"
)
_TAKES = re.compile(
    r"\b(?:within|takes?|after|in|up to|arrives?|lasts?|about|until)\b[^.;]{0,24}\b(?:minute|hour|day|week|month)s?\b"
    r"|(?:分钟|小时|工作日|天|周|月)(?:之?内|以内|后|左右)?(?:到|答复|批|完成|发放|送|处理|到账)|次月|下月"
)
#: Words for how much of something is asked: no page says them.
_HOW = re.compile(r"\bhow (?:early|late|soon)\b")
_EVEN = re.compile(r"^(?:and |but )?even ")
#: Verbs of two words that pages say in one, with what stands between them.
_PHRASAL = (
    (re.compile(r"\b(?:take|took|taking)((?: \w+){1,3}) back\b"), r"withdraw\1"),
    (re.compile(r"\b(?:give|gave|giving|bring|send|hand)((?: \w+){1,3}) back\b"), r"return\1"),
    (re.compile(r"\bhand((?: \w+){0,3}) in\b"), r"submit\1"),
    (re.compile(r"\bcall((?: \w+){0,3}) off\b"), r"cancel\1"),
)
#: Who asks for a time of day, and what one looks like.
_CLOCK_ASKED = re.compile(r"\bwhat time\b|几点")
_CLOCK = re.compile(r"\d{1,2}[:：]\d\d|\d ?(?:am|pm|点)|\bnoon\b|\bmidnight\b|中午|零点")
#: Who asks for a price, and what one looks like.
_MONEY_ASKED = re.compile(r"\bhow much (?:is|are|does|do|will|would)\b|\b(?:cost|price)\b|多少钱|[要花]钱|价格")
_MONEY = re.compile(r"[€$£¥]|\b(?:euros?|eur|dollars?|usd|yuan|rmb|pounds?|cents?|free)\b|元|免费|费用|收费")
_OTHERWISE = re.compile(
    r"\b(?:not|never|otherwise|without|unless|late|later|after that|or else|fails?|lapses?)\b|n't\b"
    r"|未|否则|逾期|不(?!仅|但|过)|没有|超过|过期|失效"
)

#: Of each of these, one pattern must be found.
Shape = tuple[tuple[re.Pattern[str], ...], ...]
Answering = tuple[Question, tuple[Ranked, ...], tuple[Chosen, ...]]


@dataclass(frozen=True)
class _AskedOn:
    """A question that goes on, taken apart."""

    more: GoingOn
    new: Question  # what it names itself
    whole: Question  # with the subject before it
    shape: Shape  # what an answer must look like; nothing where it does not say

    @classmethod
    def of(cls, more: GoingOn, language: str) -> "_AskedOn":
        wording = more.text if _says_kind(more.text) else more.subject
        plain = normalise(more.text)
        named = _LEAD.sub("", plain.rstrip(" ?？。!！")) if language == "zh" else _named(plain)
        new = Question.of(named, language, wording=wording)
        return cls(more, new, Question.of(more.whole, language, wording=wording), _shape(more))

    @property
    def names_nothing(self) -> bool:
        return self.new.weight < NAMED

    @property
    def is_of_another_kind(self) -> bool:
        """Tell whether it asks for something else of the same: whoever was named may be found by the same sentence."""
        before = self.more.before.asked if self.more.before else ""
        return wanted_by(normalise(self.more.text)) != wanted_by(normalise(before))

    def repeats(self, chosen: Sequence[Chosen]) -> bool:
        """Tell whether the thread was told the same just before."""
        told, said = self.told, _flat(" ".join(each.text for each in chosen))
        return bool(said) and (said in told or told in said) and SAME * len(told) <= len(said) <= len(told) / SAME

    @property
    def answered(self) -> str:
        """Return the answer before, as it was given."""
        return self.more.before.answered if self.more.before else ""

    @property
    def told(self) -> str:
        """Return the answer before as it is compared."""
        return _flat(_CITED.sub("", self.more.before.answered)) if self.more.before else ""


def answer_on_page(more: GoingOn, language: str, page: Sequence[Passage], *, strictly: bool) -> Answering | None:
    """Return what answers on the page that was cited last, given as a whole; None where nothing there does.

    `strictly`: the question may be a matter of its own, so one place must speak of nearly all that it names.
    """
    asked = _AskedOn.of(more, language)
    sections = _by_distance(page, more.before.answered if more.before else "")
    if asked.names_nothing:
        return None if strictly else _by_shape(asked, sections)
    again: Answering | None = None
    for question, passages in _likely(asked, sections, strictly=strictly):
        ranked = rank(question, passages)
        ordered = tuple(sorted(ranked, key=lambda item: not _holds(item.passage, asked.answered)))
        for item in ordered:
            found = question, (item, *(each for each in ordered if each is not item)), _part(asked, question, item)
            if found[2] and (asked.is_of_another_kind or not asked.repeats(found[2])):
                return found
            again = again or (found if found[2] else None)
    if again is None and asked.more.bare and asked.shape and not strictly:
        return _by_shape(asked, sections)
    if again is None and asked.more.points and not asked.shape and asked.new.weight <= 1.0 and sections:
        return _more_of(asked, sections[0])
    return again  # it was told before, and speaks of what is new


def answer_elsewhere(more: GoingOn, language: str, passages: Sequence[Passage], *, least: float) -> Answering | None:
    """Return what answers among passages that were found for the question with its subject; None where nothing does.

    One shared word leads nowhere: a passage must speak of what is new, and of the subject or be headed by what is new.
    """
    asked = _AskedOn.of(more, language)
    subject = Question.of(more.subject, language)

    def is_near(passage: Passage) -> bool:
        names = asked.new.weight >= NAMED_ELSEWHERE and not more.points
        headed = names and asked.new.coverage(Text.of(passage.heading)) >= NEW_HERE
        return headed or subject.coverage(_all_of(passage)) >= SUBJECT

    says = _fits if asked.names_nothing else _speaks_of_new
    near = [passage for passage in passages if says(asked, passage) and is_near(passage)]
    for question in (asked.whole,) if more.points or asked.names_nothing else (asked.new, asked.whole):
        ranked = rank(question, near)
        if judge(question, ranked, least=least).enough:
            chosen = _shaped(asked, ranked[0]) or choose(question, ranked)
            if chosen and not asked.repeats(chosen):
                return question, ranked, chosen
    return None


def _shaped(asked: _AskedOn, best: Ranked) -> tuple[Chosen, ...]:
    """Return the place of a passage that looks like the price that was asked for before."""
    if _says_kind(asked.more.text) or not asked.shape:
        return ()
    return tuple(_as_chosen(piece, best.passage) for piece in _fitting_pieces(asked, best)[:1])


def nearest(question: Question, ranked: Sequence[Ranked], before: Turn) -> tuple[Ranked, ...]:
    """Return the passages with those of the page that was cited last first, where they fit nearly as well."""
    here = [item for item in ranked if is_cited(item.passage, before) and item.fit >= ranked[0].fit - NEARLY]
    first = [item for item in here if _speaks_of(question, item.passage) >= NEW_ELSEWHERE]
    return (*first, *(item for item in ranked if item not in first))


def is_cited(passage: Passage, before: Turn | None) -> bool:
    """Tell whether the answer before rests on this page."""
    return before is not None and any(page.endswith(f":{passage.source}") for page in before.pages)


def _part(asked: _AskedOn, question: Question, item: Ranked) -> tuple[Chosen, ...]:
    """Return the part of a section that speaks of what is new; all of it where its heading does."""
    speaking = [each for each in item.passage.pieces if asked.new.coverage(Text.of(each.header, each.text)) >= NEW_HERE]
    if _CASE.search(normalise(asked.more.text)):
        cases = [each for each in speaking if _CONDITION.search(normalise(each.text))]
        if cases:
            return (_as_chosen(cases[0], item.passage),)
    if speaking and asked.new.coverage(Text.of(item.passage.heading)) < HEADED:
        best = best_part(replace(asked.new, wording=question.wording), item)
        return (_as_chosen(speaking[0], item.passage),) if asked.repeats(best) else best
    return choose(question, (item,))


def _as_chosen(piece: Piece, passage: Passage) -> Chosen:
    return Chosen(f"{piece.header}\n{piece.text}" if piece.header else piece.text, passage.evidence)


def _likely(
    asked: _AskedOn, sections: Sequence[Passage], *, strictly: bool
) -> Iterator[tuple[Question, list[Passage]]]:
    """Yield where what is new may be answered, the likeliest first, each with the question that it answers."""
    headed = [each for each in sections if asked.new.coverage(Text.of(each.heading)) >= HEADED]
    if asked.more.points and not asked.shape and asked.new.weight <= 1.0:  # "is it paid?" stays with what was spoken of
        subject = Question.of(asked.more.subject, asked.whole.language)
        if sections and _holds(sections[0], asked.answered):
            sections = [*sections[:1], *(each for each in sections[1:] if each in headed or _relates(subject, each))]
    question = asked.whole if asked.more.points else asked.new
    least = NEW_LOOSELY if asked.new.language == "zh" else NEW_HERE  # verbs are no words apart there
    if sections and (_CASE.search(normalise(asked.more.text)) or asked.more.points):
        yield question, [each for each in sections[:1] if _speaks_of(asked.new, each) >= HEADED]
    figure = _says_kind(asked.more.text) and asked.new.wanted & {Wanted.TIME, Wanted.AMOUNT}
    if headed:  # its heading is what is asked: all that stands below
        yield (question if figure else replace(question, wording=_ANYTHING)), headed
    spoken = [each for each in sections if _speaks_of(asked.new, each) >= least]
    yield question, [each for each in spoken if _fits(asked, each)]
    yield question, spoken
    if not strictly:
        loosely = [each for each in sections if asked.new.coverage(_all_of(each)) >= NEW_LOOSELY]
        yield question, [each for each in loosely if _fits(asked, each)]


def _by_distance(page: Sequence[Passage], answered: str) -> list[Passage]:
    """Return the sections with the one that was cited first and those beside it next; links lead nowhere."""
    sections = [each for each in page if not each.is_navigation]
    cited = [at for at, each in enumerate(sections) if _holds(each, answered)]
    away = {at: min((abs(at - other) for other in cited), default=0) for at in range(len(sections))}
    return [sections[at] for at in sorted(away, key=lambda at: (min(away[at], 2), at))]


def _by_shape(asked: _AskedOn, sections: Sequence[Passage]) -> Answering | None:
    """Answer what names nothing new by what an answer must look like; None where the page holds nothing of the kind.

    A section whose heading is asked in other words goes first ("how do I ask for it?": Asking for leave), then what
    was cited.
    """
    said, runs = stems(asked.more.text) - _EMPTY, chinese_runs(normalise(asked.more.text))
    if headed := [each for each in sections if said & stems(each.heading) or any(run in each.heading for run in runs)]:
        ranked = rank(asked.whole, headed)
        chosen = choose(replace(asked.whole, wording=_ANYTHING), ranked)
        if not asked.repeats(chosen):
            return asked.whole, ranked, chosen
    ranked = rank(asked.whole, sections)
    known = any(_holds(each, asked.answered) for each in sections)
    order = sorted(ranked, key=lambda item: min(BESIDE, sections.index(item.passage)) if known else 0)
    subject = Question.of(asked.more.subject, asked.whole.language)
    again: Answering | None = None
    for at, item in enumerate(order if asked.shape else ()):
        if at > BESIDE and not _relates(subject, item.passage):
            continue
        for piece in _fitting_pieces(asked, item):
            others = (each for each in order if each is not item)
            found = asked.whole, (item, *others), (_as_chosen(piece, item.passage),)
            if asked.is_of_another_kind or not asked.repeats(found[2]):
                return found
            again = again or found
    return _more_of(asked, sections[0]) if again is None and sections and not asked.shape else again


def _more_of(asked: _AskedOn, section: Passage) -> Answering | None:
    """Return all of a section of which a part was told; None where all of it was."""
    question = replace(asked.whole, wording=_ANYTHING)
    ranked = rank(question, [section])
    chosen = choose(question, ranked)
    is_known = _holds(section, asked.answered)
    return (question, ranked, chosen) if is_known and chosen and not asked.repeats(chosen) else None


def _relates(subject: Question, section: Passage) -> bool:
    """Tell whether a section of the page speaks of the subject, whatever the page is called."""
    return subject.coverage(Text.of(section.section, section.text)) >= RELATED


def _all_of(passage: Passage) -> Text:
    return Text.of(passage.title, passage.section, passage.text)


def _says_kind(text: str) -> bool:
    return Wanted.ANY not in wanted_by(normalise(text))


def _speaks_of_new(asked: _AskedOn, passage: Passage) -> bool:
    return _speaks_of(asked.new, passage) >= NEW_ELSEWHERE


def _holds(passage: Passage, answered: str) -> bool:
    """Tell whether the passage holds a sentence of the answer."""
    text = _flat(passage.before + passage.text + passage.after)
    told = (_flat(_CITED.sub("", each)) for each in _SENTENCE_ENDS.split(answered))
    return any(len(each) >= _TELLING and each in text for each in told)


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[*_`#|>]+", " ", normalise(text)).split()).strip(" .。;；")


def _speaks_of(new: Question, passage: Passage) -> float:
    """Return the share of what is new that one place of the passage says: its own heading, or a piece of it."""
    heading = Text.of(passage.heading)
    return max(
        (new.coverage(Text.of(heading.plain, piece.header, piece.text)) for piece in passage.pieces), default=0.0
    )


def _named(plain: str) -> str:
    """Return an English question that goes on in words that a page may say."""
    for pattern, other in _PHRASAL:
        plain = pattern.sub(other, plain)
    return _HOW.sub("how", _EVEN.sub("", plain))


def _shape(more: GoingOn) -> Shape:
    """Return what an answer must look like; nothing where the question does not say.

    A few words that ask for nothing themselves ("and a badge?") ask for the price that was asked for before.
    """
    plain = normalise(more.text)
    if not _says_kind(plain) and _MONEY_ASKED.search(normalise(more.subject)):
        return ((_MONEY,),)
    if _OTHERWISE_ASKED.search(plain):
        return ((_OTHERWISE,),)
    wanted = wanted_by(plain) - {Wanted.PERMISSION}  # nearly every sentence allows, forbids or needs something
    if wanted & {Wanted.PERSON, Wanted.CONTACT}:
        people = (pattern for kind, pattern, _ in SHAPES if kind in (Wanted.PERSON, Wanted.CONTACT))
        return ((*people, _WHO),)
    length: Shape = ((DURATION,),) if asks_how_long(plain) else ()
    length = ((_MONEY,),) if _MONEY_ASKED.search(plain) else length
    length = ((_TAKES,),) if _TAKES_ASKED.search(plain) else length
    length = ((_LAST, DURATION),) if _LAST_ASKED.search(plain) else length
    length = ((_CLOCK,),) if _CLOCK_ASKED.search(plain) else length
    return (*((pattern,) for kind, pattern, _ in SHAPES if kind in wanted), *length)


def _fits(asked: _AskedOn, passage: Passage) -> bool:
    return _is_shaped(asked.shape, passage.text)


def _is_shaped(shape: Shape, text: str) -> bool:
    plain = normalise(text)
    return all(any(pattern.search(plain) for pattern in ways) for ways in shape)


def _fitting_pieces(asked: _AskedOn, ranked: Ranked) -> list[Piece]:
    """Return the pieces that look like an answer: those near what was told before first, then the best."""
    pieces = ranked.passage.pieces
    told = [at for at, piece in enumerate(pieces) if _flat(piece.text) in asked.told]
    near = told if len(told) < len(pieces) else []
    headings = Text.of(ranked.passage.title, ranked.passage.section)
    fitting = [at for at, piece in enumerate(pieces) if _is_shaped(asked.shape, piece.text)]

    def order(at: int) -> tuple[int, int]:
        away = min((abs(at - other) for other in near), default=0)
        return (away, -round(4 * overlap(asked.whole, pieces[at], headings)))

    return [pieces[at] for at in sorted(fitting, key=order)]
