"""Answers to what goes on with a thread: "and for meals?", "what happens if I don't?", "but I am a trainee", 怎么申请.

Every sentence, row and item of the page that was cited last is a place where the answer may stand. One scale orders
them: how much of what is new they say, whether they look like what is asked for, how near they stand to what was
cited, and whether they speak of its subject. The nearer, the less they have to say.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.brains.rules.answering.extractive import Chosen, choose, with_company
from agent.brains.rules.answering.passages import Passage, Piece, PieceKind
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.ranking import Ranked, agreement, rank
from agent.brains.rules.answering.shapes import DURATION, SHAPES
from agent.brains.rules.answering.sufficiency import judge
from agent.brains.rules.answering.tables import spelled
from agent.brains.rules.answering.threads.ranges import Range, holds, values_in, without_values
from agent.brains.rules.answering.wanted import Wanted, asks_how_long, wanted_by
from agent.brains.rules.understanding.message import GoingOn
from agent.tools.context import Turn
from language.word_tables import STOP_ENGLISH
from language.words import chinese_characters, chinese_runs, normalise, stem, stems

#: Share of what is new that a heading must say to be what is asked.
HEADED = 0.9
#: Share of what is new that a place must say, by itself and where the question may be a matter of its own; and by how
#: much less does in the section that was cited, and where the place looks like what is asked for.
SAID, SAID_STRICTLY, LESS_HERE, LESS_SHAPED = 0.65, 0.75, 0.25, 0.1
#: What speaks for a place: what it says of what is new, that it looks like an answer, that it stands in the section
#: that was cited or beside it, that its section speaks of the subject; and what speaks against it: it was just told.
_SAYS, _LOOKS, _NEAR, _BESIDE, _SUBJECT, _TOLD, _TOLD_NAMED = 3.0, 1.5, 1.0, 0.5, 0.5, -1.5, -0.5
#: How much less likely another place of a section may be to be told together with the best.
NEAR_BY = 0.3
#: What a heading is worth that is what is asked for, and a sentence about a case to who asks about one.
_HEADING, _CASED = 1.0, 0.5
#: Share of what is new, and of the subject before, that a passage elsewhere must speak of.
NEW_ELSEWHERE, HEADED_ELSEWHERE, SUBJECT = 0.6, 0.75, 0.5
#: How much less a section of the cited page may fit and still go before all others.
NEARLY = 1.5
#: Share of the subject that a section must speak of which does not stand beside the one that was cited.
RELATED = 0.34
#: The least weight of words that name something, and by which a heading elsewhere is known.
NAMED, NAMED_ELSEWHERE = 0.55, 1.0
#: From which share of the answer before on the same words are the same answer.
SAME = 0.9
#: What leads on to something else, and says nothing itself.
_LEAD = re.compile(r"^(?:那么?|还有|另外|如果是|要是|换成|同样|以及)|[呢吗么]$")
#: Stems of words that say nothing; of the deeds among them a heading may speak.
_EMPTY = frozenset(map(stem, STOP_ENGLISH - {"ask", "give", "help", "keep", "make", "take", "tell", "use"}))
#: Words that ask for no kind of answer.
_ANYTHING = "?"
#: Shortest sentence, in characters, by which a section is known again; a Chinese character counts for two.
_TELLING = 12
_SENTENCE_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\|")
#: The number of a source in an answer.
CITED = re.compile(r"\[\d{1,2}\]")
#: Who asks what comes of not doing it, and how that is told.
_OTHERWISE_ASKED = re.compile(
    r"\b(?:if|when) (?:i|we|you|they|he|she|somebody|someone) (?:do|does|did|can|could|will|am|have)(?: not|n't)\b"
    r"|\bif not\b|\botherwise\b|不(?:这样|这么)?(?:做|办|交|还|提交|申请)?(?:会怎么样|会怎样|怎么办|的话)|否则"
)
_OTHERWISE = re.compile(
    r"\b(?:not|never|otherwise|without|unless|late|later|after that|or else|fails?|lapses?)\b|n't\b"
    r"|未|否则|逾期|不(?!仅|但|过)|没有|超过|过期|失效"
)
#: Who asks about a case of what was spoken of, which stands beside it, and a sentence about one.
_CASE = re.compile(r"^(?:and |but |so )?(?:what |even )?(?:if|when)\b|如果|要是|的话|了呢|了怎么办")
_CONDITION = re.compile(r"\b(?:if|when|unless|without|who)\b|如果|要是|的话|未|没|不")
#: Whom to turn to, and who may: more than the names of teams.
_WHO = re.compile(
    r"\b(?:ask|tell|see|contact|inform|write to|speak to|talk to|call|report to|only|"
    r"people|those|by the|from the)\b|找|联系|告诉|通知|只有|任何人|所有人|由"
)
#: Who asks for the last day or the last moment, and what one looks like.
_LAST_ASKED = re.compile(r"\b(?:by|till|until|before) when\b|\bdeadline\b|几号|什么时候(?:之前|以前|截止)|截止")
_LAST = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|noon|midnight|end of)\b|\d{1,2}[:：]\d\d"
    r"|[\d一二三四五六七八九十]{1,3} ?[号日]|周[一二三四五六日末]|月底|年底|年末"
)
#: Who asks how long something takes, and how that is told of a process.
_TAKES_ASKED = re.compile(
    r"\bhow long\b.{0,40}\b(?:take|takes|arrive|come|get|wait)\b|多久.{0,4}[到批能收好]|[要等]多久"
)
_TAKES = re.compile(
    r"\b(?:within|takes?|after|in|up to|arrives?|lasts?|about|until)\b[^.;]{0,24}\b(?:minute|hour|day|week|month)s?\b"
    r"|(?:分钟|小时|工作日|天|周|月)(?:之?内|以内|后|左右)?(?:到|答复|批|完成|发放|送|处理|到账)|次月|下月"
)
#: Who asks by when something must be there, and how that is told.
_SOON_ASKED = re.compile(r"\bhow (?:fast|soon|quickly)\b|多快")
_SOON = re.compile(
    r"\b(?:within|in|after|until|before)\b[^.;]{0,24}\b(?:minute|hour|day|week|month)s?\b"
    r"|(?:分钟|小时|工作日|天|周|月)(?:之?内|以内|后)|之?前"
)
#: Words for how much of something is asked: no page says them.
_HOW = re.compile(r"\bhow (?:early|late|soon|fast|quickly)\b")
_EVEN = re.compile(r"^(?:and |but )?even ")
#: Verbs of two words that pages say in one, with what stands between them.
_PHRASAL = (
    (re.compile(r"\b(?:take|took|taking)((?: \w+){1,3}) back\b"), r"withdraw\1"),
    (re.compile(r"\b(?:give|gave|giving|bring|send|hand)((?: \w+){0,3}) back\b"), r"return\1"),
    (re.compile(r"\bhand((?: \w+){0,3}) in\b"), r"submit\1"),
    (re.compile(r"\bturn(?:ing)?((?: \w+){0,3}) (on|off)\b"), r"switch\1 \2"),
    (re.compile(r"\bcall((?: \w+){0,3}) off\b"), r"cancel\1"),
)
#: Who asks for a time of day, and what one looks like.
_CLOCK_ASKED = re.compile(r"\bwhat time\b|几点")
_CLOCK = re.compile(r"\d{1,2}[:：]\d\d|\d ?(?:am|pm|点)|\bnoon\b|\bmidnight\b|中午|零点")
#: Who asks for a price, and what one looks like.
_MONEY_ASKED = re.compile(r"\bhow much (?:is|are|does|do|will|would)\b|\b(?:cost|price)\b|多少钱|[要花]钱|价格")
_MONEY = re.compile(r"[€$£¥]|\b(?:euros?|eur|dollars?|usd|yuan|rmb|pounds?|cents?|free)\b|元|免费|费用|收费")
#: What is asked for, more closely than by its kind: who asks it, what it looks like, and what may do in its place.
_CLOSER = (
    (_CLOCK_ASKED, _CLOCK, None),
    (_LAST_ASKED, _LAST, DURATION),
    (_TAKES_ASKED, _TAKES, DURATION),
    (_SOON_ASKED, _SOON, DURATION),
    (_MONEY_ASKED, _MONEY, None),
)
#: What looks only somewhat like what is asked for.
_SOMEWHAT = 0.7

Answering = tuple[Question, tuple[Ranked, ...], tuple[Chosen, ...]]


@dataclass(frozen=True)
class _Shape:
    """What an answer must look like: one pattern of each, or, somewhat, one of those in its place."""

    all_of: tuple[tuple[re.Pattern[str], ...], ...] = ()
    instead: re.Pattern[str] | None = None

    def fits(self, text: str) -> float:
        """Return 1 for what looks like it, less for what may, 0 for what does not or where nothing is asked for."""
        plain = normalise(text)
        if self.all_of and all(any(pattern.search(plain) for pattern in ways) for ways in self.all_of):
            return 1.0
        return _SOMEWHAT if self.instead is not None and self.instead.search(plain) else 0.0


@dataclass(frozen=True)
class _AskedOn:
    """A question that goes on, taken apart."""

    more: GoingOn
    new: Question  # what it names itself
    whole: Question  # with the subject before it
    subject: Question
    shape: _Shape
    values: tuple[Range, ...] = ()  # the amounts, times and days that it names

    @classmethod
    def of(cls, more: GoingOn, language: str) -> "_AskedOn":
        wording = more.text if _says_kind(more.text) else more.subject
        plain = normalise(more.text)
        named = _LEAD.sub("", plain.rstrip(" ?？。!！")) if language == "zh" else _named(plain)
        new = Question.of(named, language, wording=wording)
        whole = Question.of(more.whole, language, wording=wording)
        return cls(more, new, whole, Question.of(more.subject, language), _shape(more), values_in(more.text))

    @property
    def names_nothing(self) -> bool:
        return self.new.weight < NAMED and not self.values

    @cached_property
    def is_of_another_kind(self) -> bool:
        """Tell whether it asks for something else of the same: whoever was named may be found by the same sentence."""
        before = self.more.before.asked if self.more.before else ""
        return wanted_by(normalise(self.more.text)) != wanted_by(normalise(before))

    @cached_property
    def is_case(self) -> bool:
        return _CASE.search(normalise(self.more.text)) is not None

    @property
    def answered(self) -> str:
        """Return the answer before, as it was given."""
        return self.more.before.answered if self.more.before else ""

    @cached_property
    def told(self) -> str:
        """Return the answer before as it is compared."""
        return _flat(CITED.sub("", self.answered))

    def says(self, text: Text) -> float:
        """Return the share of what is new that a text says; a verb that it says otherwise counts for half."""
        if self.names_nothing:
            return 0.0
        if (held := self.holds(text.plain)) > 0:
            return (held + self.beside.found_weight(text)) / (1 + self.beside.weight)
        verbs = sum(term.weight for term in self.new.missing(text) if term.does)
        weight = self.new.weight - verbs / 2
        return self.new.found_weight(text) / weight if weight else 0.0

    @cached_property
    def beside(self) -> Question:
        """Return what it names beside amounts, times and days."""
        return Question.of(without_values(self.more.text), self.new.language)

    def holds(self, *texts: str) -> float:
        """Return how closely a range in the texts holds the amount, the time or the day that it names, 0 for not."""
        return holds(" ".join(texts), self.values)

    def repeats(self, chosen: Sequence[Chosen]) -> bool:
        """Tell whether the thread was told the same just before."""
        told, said = self.told, _flat(" ".join(each.text for each in chosen))
        return bool(said) and (said in told or told in said) and SAME * len(told) <= len(said) <= len(told) / SAME


@dataclass(frozen=True)
class _Place:
    """A sentence, row or item of the cited page, with how likely it answers."""

    passage: Passage
    at: int
    score: float
    headed: bool  # its section is headed by what is asked
    holds: bool  # a range in it holds the amount, the time or the day that is asked about


def answer_on_page(more: GoingOn, language: str, page: Sequence[Passage], *, strictly: bool) -> Answering | None:
    """Return what answers on the page that was cited last, given as a whole; None where nothing there does.

    `strictly`: the question may be a matter of its own, so one place must speak of nearly all that it names.
    """
    asked = _AskedOn.of(more, language)
    if asked.names_nothing and strictly:
        return None
    places = sorted(_places(asked, page, strictly=strictly), key=lambda each: -each.score)
    places = [each for each in places if each.holds] or places  # "one day" is said of much else
    again: Answering | None = None
    rivals = [
        each for each in places[1:] if each.passage is places[0].passage and each.score > places[0].score - NEAR_BY
    ]
    if more.tells and rivals:  # several cases of the same: which of them holds is seen from all
        places = [replace(places[0], headed=True)]
    for place in places:
        chosen = _told_of(asked, place)
        ranked = rank(asked.whole, [place.passage])
        if chosen and (place.holds or asked.is_of_another_kind or not asked.repeats(chosen)):
            return asked.whole, ranked, chosen
        again = again or ((asked.whole, ranked, chosen) if chosen else None)
    return again  # it was told before, and speaks of what is new


def rest_of_section(more: GoingOn, language: str, page: Sequence[Passage]) -> Answering | None:
    """Return all of the section that was cited, where only a part of it was told; None where it has no more to say."""
    asked = _AskedOn.of(more, language)
    section = next((each for each in page if holds_answer(each, asked.answered)), None)
    if section is None or section.is_navigation or not (more.tells or more.bare or asked.names_nothing):
        return None
    question = replace(asked.whole, wording=_ANYTHING)
    ranked = rank(question, [section])
    chosen = choose(question, ranked)
    return (question, ranked, chosen) if chosen and (more.tells or not asked.repeats(chosen)) else None


def _places(asked: _AskedOn, page: Sequence[Passage], *, strictly: bool) -> Iterator[_Place]:
    """Yield the places of a page that may answer."""
    sections = [each for each in page if not each.is_navigation]
    cited = [at for at, each in enumerate(sections) if holds_answer(each, asked.answered)]
    said, runs = stems(asked.more.text) - _EMPTY, chinese_runs(normalise(asked.more.text))
    for number, section in enumerate(sections):
        away = min((abs(number - other) for other in cited), default=0 if asked.names_nothing else 2)
        headed = asked.says(Text.of(section.heading)) >= HEADED
        if asked.names_nothing:
            headed = bool(said & stems(section.heading)) or any(run in section.heading for run in runs)
        agrees = agreement(asked.new, section.heading) if headed and not asked.names_nothing else headed
        relates = asked.subject.coverage(Text.of(section.section, section.text))
        stays = asked.names_nothing or asked.more.points
        if away > 1 and stays and not headed and relates < RELATED:
            continue
        by_section = _NEAR if away == 0 else _BESIDE if away == 1 else 0.0
        by_section += _SUBJECT * relates + _HEADING * max(agrees, asked.shape.fits(section.heading))
        for at, piece in enumerate(section.pieces):
            score = _score(asked, section, piece, here=away == 0, headed=headed, strictly=strictly)
            if score is not None:
                holds = asked.holds(piece.header, piece.text) > 0
                yield _Place(section, at, score + by_section - 0.01 * at, headed, holds)


def _score(
    asked: _AskedOn, section: Passage, piece: Piece, *, here: bool, headed: bool, strictly: bool
) -> float | None:
    """Return what speaks for a piece by its own words; None where it does not answer."""
    column = asked.says(Text.of(piece.header, spelled(piece.header))) if piece.header else 0.0
    says = asked.says(Text.of(section.heading, piece.header, spelled(piece.header), piece.text))
    looks = asked.shape.fits(piece.text)
    if asked.names_nothing:
        if not (looks or headed):
            return None
    else:
        least = SAID_STRICTLY if strictly else SAID
        bare = asked.more.bare and looks and not strictly
        if says < least - LESS_HERE * here - LESS_SHAPED * looks and not bare:
            return None
    score = _SAYS * says + _LOOKS * looks
    if asked.is_case and _CONDITION.search(normalise(piece.text)):
        score += _CASED
    if _flat(piece.text) in asked.told and not asked.holds(piece.text):
        names = not asked.names_nothing and asked.says(Text.of(piece.text)) >= HEADED
        told = _TOLD_NAMED if names else _TOLD
        score += -_TOLD if column >= SAID else 0.0 if asked.is_of_another_kind else told
    return score


def _told_of(asked: _AskedOn, place: _Place) -> tuple[Chosen, ...]:
    """Return what is told of a place: all that stands below a heading that is what is asked, else the piece alone."""
    pieces = place.passage.pieces
    if place.headed and sum(asked.shape.fits(piece.text) > 0 for piece in pieces) != 1:
        question = replace(asked.whole, wording=_ANYTHING)
        return choose(question, rank(question, [place.passage]))
    best = pieces[place.at]
    same = [place.at]
    if best.kind is PieceKind.ROW:
        said = asked.says(Text.of(best.text))
        others = (at for at, piece in enumerate(pieces) if piece.block == best.block and at != place.at)
        is_told = _flat(best.text) in asked.told
        same += [
            at
            for at in others
            if asked.says(Text.of(pieces[at].text)) >= said and (_flat(pieces[at].text) in asked.told) == is_told
        ]
    return (with_company(asked.whole, place.passage, same),)


def answer_elsewhere(more: GoingOn, language: str, passages: Sequence[Passage], *, least: float) -> Answering | None:
    """Return what answers among passages that were found for the question with its subject; None where nothing does.

    One shared word leads nowhere: a passage must speak of what is new, and of the subject or be headed by what is new.
    """
    asked = _AskedOn.of(more, language)

    def is_near(passage: Passage) -> bool:
        names = asked.new.weight >= NAMED_ELSEWHERE and not more.points
        headed = names and asked.new.coverage(Text.of(passage.heading)) >= HEADED_ELSEWHERE
        return headed or asked.subject.coverage(_all_of(passage)) >= SUBJECT

    def speaks(passage: Passage) -> bool:
        if asked.names_nothing:
            return not asked.shape.all_of or asked.shape.fits(passage.text) > 0
        return _speaks_of(asked.new, passage) >= NEW_ELSEWHERE

    near = [passage for passage in passages if speaks(passage) and is_near(passage)]
    for question in (asked.whole,) if more.points or asked.names_nothing else (asked.new, asked.whole):
        ranked = rank(question, near)
        if judge(question, ranked, least=least).enough:
            chosen = _priced(asked, ranked[0].passage) or choose(question, ranked)
            if chosen and not asked.repeats(chosen):
                return question, ranked, chosen
    return None


def _priced(asked: _AskedOn, best: Passage) -> tuple[Chosen, ...]:
    """Return the place of a passage that looks like the price that was asked for before."""
    if _says_kind(asked.more.text) or not asked.shape.all_of:
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
    return before is not None and any(page.endswith(f":{passage.source}") for page in before.pages)


def _all_of(passage: Passage) -> Text:
    return Text.of(passage.title, passage.section, passage.text)


def _says_kind(text: str) -> bool:
    return Wanted.ANY not in wanted_by(normalise(text))


def holds_answer(passage: Passage, answered: str) -> bool:
    """Tell whether the passage holds a sentence of the answer."""
    text = _flat(passage.before + passage.text + passage.after)
    told = (_flat(CITED.sub("", each)) for each in _SENTENCE_ENDS.split(answered))
    return any(len(each) + chinese_characters(each) >= _TELLING and each in text for each in told)


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


def _shape(more: GoingOn) -> _Shape:
    """Return what an answer must look like; nothing where the question does not say.

    A few words that ask for nothing themselves ("and a badge?") ask for the price that was asked for before.
    """
    plain = normalise(more.text)
    kind_said = _says_kind(plain)
    if not kind_said and more.before and values_in(plain):
        return _shape(replace(more, text=more.before.asked, before=None))
    if not kind_said and _MONEY_ASKED.search(normalise(more.subject)):
        return _Shape(((_MONEY,),))
    if _OTHERWISE_ASKED.search(plain):
        return _Shape(((_OTHERWISE,),))
    wanted = wanted_by(plain) - {Wanted.PERMISSION}  # nearly every sentence allows, forbids or needs something
    if more.calls or wanted & {Wanted.PERSON, Wanted.CONTACT}:
        contacts = tuple(pattern for kind, pattern, _ in SHAPES if kind is Wanted.CONTACT)
        people = tuple(pattern for kind, pattern, _ in SHAPES if kind is Wanted.PERSON)
        return _Shape((contacts,), _WHO) if more.calls else _Shape(((*people, *contacts, _WHO),))
    kinds = tuple((pattern,) for kind, pattern, _ in SHAPES if kind in wanted)
    for asks, looks, instead in _CLOSER:
        if asks.search(plain):
            return _Shape((*kinds, (looks,)), instead)
    return _Shape((*kinds, (DURATION,)) if asks_how_long(plain) else kinds)
