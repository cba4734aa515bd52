"""What may be an alarm though no pattern says so: judged by the vector that the message was searched with.

The weights are data (`maybe.json`); `python -m tests.calibration.alarms` fits them, and following them takes no
library. The patterns stay the ones that decide: what may be an alarm is told above the usual reply, and never takes its
place.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import mul
from pathlib import Path

from features.alarms.alarms import Alarms, asks_only
from features.alarms.over import is_over
from language.scripts import is_chinese
from language.words import normalise
from search.documents import Meaning

WEIGHTS = Path(__file__).with_name("maybe.json")


@dataclass(frozen=True)
class Weights:
    """A logistic regression over the vectors of one language's model: a row of weights for each group, and for none."""

    model: str  # whose vectors they are
    least: float  # likelihood (0..1) of any alarm at all from which on one is told
    groups: tuple[str, ...]  # "" for no alarm
    rows: tuple[tuple[float, ...], ...]  # as many as there are groups, each as long as a vector
    base: tuple[float, ...]

    def likelihoods(self, vector: Sequence[float]) -> dict[str, float]:
        """Return by group how likely it is; they add up to 1."""
        own = own_part(vector, dimensions=len(self.rows[0]))
        odds = [sum(map(mul, row, own)) + base for row, base in zip(self.rows, self.base, strict=True)]
        raised = [math.exp(each - max(odds)) for each in odds]
        return {group: each / sum(raised) for group, each in zip(self.groups, raised, strict=True)}


def own_part(vector: Sequence[float], *, dimensions: int) -> list[float]:
    """Return what a language's model says in a vector, of length 1: without what tells whose vector it is."""
    own = vector[:dimensions]
    length = math.hypot(*own) or 1.0
    return [each / length for each in own]


def _read() -> Mapping[str, Weights]:
    raw = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return {
        language: Weights(
            model=each["model"],
            least=each["least"],
            groups=tuple(each["groups"]),
            rows=tuple(map(tuple, each["rows"])),
            base=tuple(each["base"]),
        )
        for language, each in raw.items()
    }


#: By language; read with the module (25 kB), never on the event loop.
JUDGES = _read()


def maybe(text: str, meant: Meaning, alarms: Alarms) -> str:
    """Return the group of alarms that a message may belong to; "" for none.

    None too for a message that only asks or says that it is over, where another model than the one of the weights read
    it, and where the company has switched all alarms of the group off. What raises an alarm by its words has been
    answered before.
    """
    judge = JUDGES["zh" if is_chinese(text) else "en"]
    if judge.model not in meant.model.split("+") or asks_only(text) or is_over(normalise(text)):
        return ""
    told = judge.likelihoods(meant.vector)
    if 1 - told.pop("") < judge.least:
        return ""
    group = max(told, key=lambda each: told[each])
    return group if alarms.may_belong(text, group) else ""
