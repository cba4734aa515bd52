"""Measures how the time of a regular expression grows with its text, by the time of this thread's processor."""

import re
import time
from collections import deque
from dataclasses import dataclass
from math import inf
from typing import Any

from tests.adversarial.patterns.collection import Expression
from tests.adversarial.patterns.hostile import hostile

#: Characters of the looks at one string, and the time from which growth is measured: so much, and a microsecond each.
LENGTHS, SUSPECT_S, SUSPECT_EACH_S = (16, 24, 32, 48, 96, 250, 1_000, 4_000), 0.001, 1e-6
#: Of two doublings, the growth from which it is more than linear (linear: 4, quadratic: 16); when measuring ends.
STEEP, LONGEST, ENOUGH_S = 9.0, 32_000, 0.1
#: Times that are taken of one length in a round, rounds at most, and the growth below and above which it is clear.
TIMES, ROUNDS, CLEAR = 3, 6, (6.0, 12.0)
#: Of one doubling of a text that is not long yet, the growth from which nothing longer is tried: it is exponential.
#: What takes little of a long text is not; where a repetition has a bound, its time jumps once, as texts pass that.
HOPELESS, LONG = 30.0, 1_000


@dataclass(frozen=True)
class Slow:
    """A string for which an expression takes more than linear time."""

    expression: Expression
    way: str
    text: tuple[str, str, str]
    seconds: float
    length: int

    def __str__(self) -> str:
        """Return the place, the expression, the string and the time."""
        start, piece, end = self.text
        shown = f"{start[:40]!r} + {piece[:40]!r} * n + {end!r}"
        pattern = str(self.expression.pattern.pattern)
        return (
            f"{self.expression.place}.{self.way}: {pattern[:160]!r} on {shown}: {self.seconds:.3f} s at {self.length}"
        )


def slow(expression: Expression) -> Slow | None:
    """Return the first string whose time grows faster than its length; None when there is none."""
    for text in hostile(expression.pattern):
        for way in sorted(expression.ways):
            for length in LENGTHS:
                if _suspect(expression, way, text, length):
                    if found := _steep(expression, way, text, length):
                        return found
                    break
    return None


def _suspect(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> bool:
    """Return whether the string takes long; a first time that only a busy machine made long does not count."""
    limit = SUSPECT_S + SUSPECT_EACH_S * length
    return all(_seconds(expression, way, text, length) > limit for _ in range(3))


def _steep(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> Slow | None:
    """Return what was measured when two doublings in a row, the last that are affordable, grow too fast.

    A busy machine makes a time longer and never shorter: the least of several rounds counts, which take turns between
    the lengths, so that a busy second meets all of them; rounds end when the growth is clear.
    """
    length = _longest(expression, way, text, length)
    lengths = (length // 4, length)
    least, growth = dict.fromkeys(lengths, inf), 0.0
    for _ in range(ROUNDS):
        for each in lengths:
            least[each] = min(least[each], _least(expression, way, text, each))
        growth = least[length] / least[length // 4]
        if not CLEAR[0] < growth < CLEAR[1]:
            break
    return Slow(expression, way, text, least[length], length) if growth > STEEP else None


def _longest(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> int:
    """Return the longest length that is affordable, doubling; what seems to be exponential is not tried any longer."""
    half, whole = (_least(expression, way, text, each) for each in (length // 2, length))
    while whole < ENOUGH_S and length < LONGEST and not (length < LONG and whole / half > HOPELESS):
        length *= 2
        half, whole = whole, _least(expression, way, text, length)
    return length


def _least(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> float:
    """Return the least of some times, and no less than the clock can tell."""
    return max(5e-5, min(_seconds(expression, way, text, length) for _ in range(TIMES)))


def _seconds(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> float:
    start, piece, end = text
    subject: Any = start + piece * max(1, length // len(piece)) + end
    if isinstance(expression.pattern.pattern, bytes):
        subject = subject.encode()
    run = getattr(expression.pattern, way)
    began = time.thread_time()
    found = run(subject)
    if way == "finditer":
        deque(found, maxlen=0)
    return time.thread_time() - began


def readable(pattern: str, flags: int = 0) -> Expression:
    """Return a pattern by itself, to show what is found."""
    return Expression(pattern, re.compile(pattern, flags), frozenset({"search"}))
