"""A question that goes on with a thread, taken apart: what it names itself, its subject, what was told before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from agent.brains.rules.answering.extractive import Chosen
from agent.brains.rules.answering.passages import Passage
from agent.brains.rules.answering.question import Question, Text
from agent.brains.rules.answering.threads.kinds import CASE, Shape, says_kind, shape_of
from agent.brains.rules.answering.wanted import wanted_by
from agent.brains.rules.understanding.message import GoingOn
from language.numbers.ranges import Range, holds, measures, values_in, without_values
from language.words import chinese_characters, normalise

#: The least weight of words that name something.
NAMED = 0.55
#: From which share of the answer before on the same words are the same answer.
SAME = 0.9
#: What leads on to something else, and says nothing itself.
_LEAD = re.compile(r"^(?:那么?|还有|另外|如果是|要是|换成|同样|以及)|[呢吗么]$")
#: Shortest sentence, in characters, by which a section is known again; a Chinese character counts for two.
_TELLING = 12
_SENTENCE_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\|")
#: What asks, and names nothing, in Chinese.
_ASKING = re.compile(
    r"什么|怎么?样?|多少|多长?|时间|哪[里儿个]?|[谁几久吗呢么给是的了要去在用能可以会我你他那还有个一到？?， ]"
)
#: What a text counts that holds every character of a Chinese question, apart from one another.
_CHARACTERS, _LEAST_CHARACTERS = 0.8, 2
#: Characters that are left of a question which names next to nothing.
_FEW = 2
#: A number or a code by which a row is named, and the words of a row among which it stands.
_LABEL = re.compile(r"(?<![\w.])(?:[a-z]{1,3}-?)?\d{1,4}(?![\w.%€])")
_LABEL_WORDS = 4
#: A thing with its number.
_NUMBERED = re.compile(r"\b([a-z]{3,16}) (\d{1,4})\b(?! ?[%€a-z])")
#: The number of a source in an answer.
CITED = re.compile(r"\[\d{1,2}\]")
#: Words for how much of something is asked: no page says them.
_HOW = re.compile(r"\bhow (?:early|late|soon|fast|quickly)\b")
_EVEN = re.compile(r"^(?:and |but )?even |\b(?:till|until|from|since|by|through)(?= (?:when|whom?|what|where)\b)")
#: Verbs of two words that pages say in one, with what stands between them.
_PHRASAL = (
    (re.compile(r"\b(?:take|took|taking)((?: \w+){1,3}) back\b"), r"withdraw\1"),
    (re.compile(r"\b(?:give|gave|giving|bring|send|hand)((?: \w+){0,3}) back\b"), r"return\1"),
    (re.compile(r"\bhand((?: \w+){0,3}) in\b"), r"submit\1"),
    (re.compile(r"\bturn(?:ing)?((?: \w+){0,3}) (on|off)\b"), r"switch\1 \2"),
    (re.compile(r"\bcall((?: \w+){0,3}) off\b"), r"cancel\1"),
)


@dataclass(frozen=True)
class AskedOn:
    """A question that goes on, taken apart."""

    more: GoingOn
    new: Question  # what it names itself
    otherwise: Question  # … with one verb for those of two words
    whole: Question  # with the subject before it
    subject: Question
    shape: Shape
    values: tuple[Range, ...] = ()  # the amounts, times and days that it names

    @classmethod
    def of(cls, more: GoingOn, language: str) -> "AskedOn":
        """Take a question apart."""
        wording = more.text if says_kind(more.text) else more.subject
        plain = normalise(more.text)
        plain = _named_in(_LEAD.sub("", plain.rstrip(" ?？。!！"))) if language == "zh" else _EVEN.sub("", plain)
        new = Question.of(plain, language, wording=wording)
        otherwise = Question.of(_in_one_verb(plain), language)
        whole = Question.of(more.whole, language, wording=wording)
        subject = Question.of(more.subject, language)
        return cls(more, new, otherwise, whole, subject, shape_of(more), values_in(more.text))

    @property
    def names_nothing(self) -> bool:
        """Tell whether no word of it names anything: "how long?"."""
        return self.new.weight < NAMED and not self.values

    @cached_property
    def is_of_another_kind(self) -> bool:
        """Tell whether it asks for something else of the same: whoever was named may be found by the same sentence."""
        before = self.more.before.asked if self.more.before else ""
        return wanted_by(normalise(self.more.text)) != wanted_by(normalise(before))

    @cached_property
    def is_case(self) -> bool:
        """Tell whether it asks about a case of what was spoken of: "what if I lose it?"."""
        return CASE.search(normalise(self.more.text)) is not None

    @property
    def answered(self) -> str:
        """Return the answer before, as it was given."""
        return self.more.before.answered if self.more.before else ""

    @cached_property
    def told(self) -> str:
        """Return the answer before as it is compared."""
        return flat(CITED.sub("", self.answered))

    def says(self, text: Text) -> float:
        """Return the share of what is new that a text says; a verb that it says otherwise counts for half."""
        if self.names_nothing:
            return 0.0
        if (held := self.holds(text.plain)) > 0:
            return (held + self.beside.found_weight(text)) / (1 + self.beside.weight)
        said = max(_said(each, text) for each in {self.new, self.otherwise})
        return max(said, _CHARACTERS) if holds_characters(self.new, text) else said

    def says_bare(self, text: Text) -> float:
        """Tell whether a text holds what is done, where nothing is named: 交给谁 of what is to be 交."""
        done = _ASKING.sub("", self.new.text) if self.names_nothing and self.new.language == "zh" else ""
        return float(bool(done) and all(each in text.plain for each in done))

    def measures(self, text: str) -> bool:
        """Tell whether a text names an amount, a time or a day of the kind that it names."""
        return measures(text, self.values)

    @cached_property
    def labels(self) -> frozenset[str]:
        """Return the numbers and codes that it names as one names a row: "class 2", "and SK3?"."""
        return frozenset(_LABEL.findall(normalise(self.more.text)))

    def is_labelled_otherwise(self, text: str) -> bool:
        """Tell whether a text names another number of the same thing: "class 3" where "class 2" is asked about."""
        plain = normalise(text)
        return any(
            (others := set(re.findall(rf"\b{name} (\d{{1,4}})\b", plain))) and number not in others
            for name, number in _NUMBERED.findall(normalise(self.more.text))
        )

    def is_labelled(self, text: str) -> bool:
        """Tell whether a row or an item begins with a number or a code that it names."""
        first = flat(text).split(" ")[:_LABEL_WORDS]
        return not self.labels.isdisjoint(first)

    @cached_property
    def beside(self) -> Question:
        """Return what it names beside amounts, times and days."""
        return Question.of(without_values(self.more.text), self.new.language)

    def holds(self, *texts: str) -> float:
        """Return how closely a range in the texts holds the amount, the time or the day that it names, 0 for not."""
        return holds(" ".join(texts), self.values)

    def repeats(self, chosen: Sequence[Chosen]) -> bool:
        """Tell whether the thread was told the same just before."""
        told, said = self.told, flat(" ".join(each.text for each in chosen))
        return bool(said) and (said in told or told in said) and SAME * len(told) <= len(said) <= len(told) / SAME


def _named_in(plain: str) -> str:
    """Return what little a Chinese question names, without what asks: 拔 of 要拔多久; all of one that names more."""
    named = _ASKING.sub("", plain)
    return named if 0 < len(named) <= _FEW and not values_in(plain) else plain


def holds_characters(question: Question, text: Text) -> bool:
    """Tell whether a text holds every character of a Chinese question that asks nothing: 关大门 for 几点关门."""
    named = set(_ASKING.sub("", question.text)) if question.language == "zh" and not question.terms else set()
    return len(named) >= _LEAST_CHARACTERS and all(each in text.plain for each in named)


def holds_answer(passage: Passage, answered: str) -> bool:
    """Tell whether the passage holds a sentence of the answer."""
    return holds_sentence(passage.before + passage.text + passage.after, answered)


def holds_sentence(text: str, answered: str) -> bool:
    """Tell whether a text holds a sentence of the answer that is long enough to be known again."""
    text = flat(text)
    told = (flat(CITED.sub("", each)) for each in _SENTENCE_ENDS.split(answered))
    return any(len(each) + chinese_characters(each) >= _TELLING and each in text for each in told)


def flat(text: str) -> str:
    """Return a text without what only marks it, as texts are compared."""
    return " ".join(re.sub(r"[*_`#|>]+", " ", normalise(text)).split()).strip(" .。;；")


def _said(question: Question, text: Text) -> float:
    verbs = sum(term.weight for term in question.missing(text) if term.does)
    weight = question.weight - verbs / 2
    return question.found_weight(text) / weight if weight else 0.0


def _in_one_verb(plain: str) -> str:
    """Return an English question that goes on in words that a page may say."""
    for pattern, other in _PHRASAL:
        plain = pattern.sub(other, plain)
    return _HOW.sub("how", plain)
