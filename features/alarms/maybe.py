"""What is an alarm though no pattern says so: judged by the vector that the message was searched with, and its words.

The weights are data (`maybe.json`); `python -m tests.calibration.alarms` fits them, and following them takes no
library. What is all but certain takes the place of the reply, as an alarm by a pattern does; what may be one is told
above the usual reply.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from pathlib import Path

from agent.brains.rules.understanding.asking import is_asked_by_others
from features.alarms.alarms import Alarms, asks_only
from features.alarms.over import is_over
from language.scripts import is_chinese
from language.words import normalise, stem
from search.documents import Meaning

WEIGHTS = Path(__file__).with_name("maybe.json")
#: What all words of a message count together, beside its vector of length 1.
WORDS = 2.0
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")
#: What somebody took to be so tells of nothing that happens: "I thought it was the other way".
_BELIEF = re.compile(
    r"(?:(?:oh|but|and|so|hm+)[, ]{1,2})?i (?:thought|assumed|figured|understood|was told) (?:it|that|this|we|you)\b"
)
_NO_WORD = re.compile(r"\W+")
#: Who says so reports what has happened, and nobody is in danger.
_UNHURT = re.compile(
    r"\b(?:nobody|no ?-?one|none of (?:us|them)) (?:(?:is|was|were|got|has been) )?(?:hurt|injured|harmed)\b"
    r"|没有?人(?:员)?(?:受伤|伤着|伤亡)|无人(?:员)?(?:受伤|伤亡)"
)


@dataclass(frozen=True)
class AlarmVerdict:
    """The group of alarms that a message belongs to, and whether that is all but certain."""

    group: str
    sure: bool


@dataclass(frozen=True)
class Weights:
    """A logistic regression over the vectors of one language's model, and over words: a row for each group and none."""

    model: str  # whose vectors they are
    least: float  # likelihood (0..1) of any alarm at all from which on one may be meant
    sure: float  # … from which on one is raised
    groups: tuple[str, ...]  # "" for no alarm
    rows: tuple[tuple[float, ...], ...]  # as many as there are groups, each as long as a vector
    base: tuple[float, ...]
    words: Mapping[str, tuple[float, ...]]  # a word, or two that stand together → its weight for each group

    def likelihoods(self, text: str, vector: Sequence[float]) -> dict[str, float]:
        """Return by group how likely it is; they add up to 1."""
        own = own_part(vector, dimensions=len(self.rows[0]))
        odds = [sum(map(mul, row, own)) + base for row, base in zip(self.rows, self.base, strict=True)]
        said = terms(text)
        known = [self.words[each] for each in said if each in self.words]
        share = WORDS / math.sqrt(len(said) or 1)
        odds = [each + share * sum(row[at] for row in known) for at, each in enumerate(odds)]
        raised = [math.exp(each - max(odds)) for each in odds]
        return {group: each / sum(raised) for group, each in zip(self.groups, raised, strict=True)}


def own_part(vector: Sequence[float], *, dimensions: int) -> list[float]:
    """Return what a language's model says in a vector, of length 1: without what tells whose vector it is."""
    own = vector[:dimensions]
    length = math.hypot(*own) or 1.0
    return [each / length for each in own]


def terms(text: str) -> frozenset[str]:
    """Return the stems of a message's words and each two of them together; of Chinese, its characters."""
    plain = normalise(text).lower()
    if is_chinese(text):
        runs = [run for run in _NO_WORD.split(plain) if run]
        return frozenset(part for run in runs for at in range(len(run)) for part in (run[at], run[at : at + 2]))
    words = [stem(word) for word in _WORD.findall(plain)]
    return frozenset((*words, *map(" ".join, zip(("^", *words), words, strict=False))))


def _read() -> Mapping[str, Weights]:
    raw = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return {
        language: Weights(
            model=each["model"],
            least=each["least"],
            sure=each["sure"],
            groups=tuple(each["groups"]),
            rows=tuple(map(tuple, each["rows"])),
            base=tuple(each["base"]),
            words={word: tuple(row) for word, row in each["words"].items()},
        )
        for language, each in raw.items()
    }


#: By language; read with the module, never on the event loop.
JUDGES = _read()


def judged(text: str, meant: Meaning, alarms: Alarms) -> AlarmVerdict | None:
    """Return the group of alarms that a message belongs to or may belong to; None for none.

    None too for a message that says that it is over, that nobody is hurt, or what somebody took to be so; where another
    model than the one of the weights read it; and where the company has switched all alarms of the group off. A message
    that asks something is sure never; it may be one from where others are sure. What raises an alarm by its words has
    been answered before.
    """
    judge = JUDGES["zh" if is_chinese(text) else "en"]
    plain = normalise(text)
    harmless = is_over(plain) or _BELIEF.match(plain) or _UNHURT.search(plain)
    if harmless or judge.model not in meant.model.split("+"):
        return None
    told = judge.likelihoods(text, meant.vector)
    likely = 1 - told.pop("")
    sure, asks = likely >= judge.sure, asks_only(text) or is_asked_by_others(plain)
    if likely < judge.least or (asks and not sure):
        return None
    group = max(told, key=lambda each: told[each])
    return AlarmVerdict(group, sure and not asks) if alarms.may_belong(text, group) else None
