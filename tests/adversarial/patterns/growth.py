"""Measures how the time of a regular expression grows with its text, by the time of this thread's processor."""

import re
import time
from collections import deque
from collections.abc import Sequence
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
#: Of two doublings of a text that is not long yet, the growth from which nothing longer is tried: it is exponential.
#: What grows less may have a repetition with a bound, so that its time grows no more as texts pass that.
HOPELESS, LONG = 300.0, 1_000


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
        for way in _hardest(expression.ways):
            for length in LENGTHS:
                if _suspect(expression, way, text, length):
                    if found := _steep(expression, way, text, length):
                        return found
                    break
    return None


def _hardest(ways: frozenset[str]) -> Sequence[str]:
    """Return the ways that take longest: what finds all finds the first, and what finds it anywhere tries the start."""
    easier = {"search", "match"} if "finditer" in ways else {"match"} if "search" in ways else set()
    return sorted(ways - easier)


def _suspect(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> bool:
    """Return whether the string takes long; a first time that only a busy machine made long does not count."""
    limit = SUSPECT_S + SUSPECT_EACH_S * length
    return all(_seconds(expression, way, text, length) > limit for _ in range(3))


def _steep(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> Slow | None:
    """Return what was measured when two doublings in a row, the last that are affordable, grow too fast."""
    while True:
        growth, seconds = _growth(expression, way, text, length)
        if growth <= STEEP:
            return None
        if seconds >= ENOUGH_S or length >= LONGEST or (length < LONG and growth > HOPELESS):
            return Slow(expression, way, text, seconds, length)
        length *= 2


def _growth(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> tuple[float, float]:
    """Return by how much the time grows in two doublings up to a length, and its seconds there.

    A busy machine makes a time longer and never shorter: the least of several rounds counts, which take turns between
    the two lengths, so that a busy second meets both. Rounds end when the growth is clear, in the second at the first.
    """
    short = whole = inf
    for turn in range(ROUNDS):
        short = min(short, _least(expression, way, text, length // 4))
        whole = min(whole, _least(expression, way, text, length))
        if turn and not CLEAR[0] < whole / short < CLEAR[1]:
            break
    return whole / short, whole


def _least(expression: Expression, way: str, text: tuple[str, str, str], length: int) -> float:
    """Return the least of some times, and no less than the clock can tell."""
    return max(1e-6, min(_seconds(expression, way, text, length) for _ in range(TIMES)))


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
