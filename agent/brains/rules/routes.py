"""From a person's words to a tool, by labelled examples and patterns that whoever offers the tool has written.

A message is compared with every example by the words (English) or characters (Chinese) that they share, rare ones
counting more. A route is taken when a pattern fits, or when its nearest example is near enough and no counterexample
is nearer. It reads the person's own words only.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.brains.output import Abstain, AskBack
from agent.brains.rules.talk import Step
from language.words import normalise
from storage.ids import JsonValue

#: Cosine from which an example counts as what somebody meant.
LEAST = 0.4


@dataclass(frozen=True)
class Lacks:
    """What a route cannot do without: the code of the question (`asked_back.<code>`) that asks for it."""

    code: str


#: Reads a tool's arguments from somebody's words; `Lacks` when one of them is not said.
ReadArguments = Callable[[str], Mapping[str, JsonValue] | Lacks]


@dataclass(frozen=True)
class Route:
    """The ways in which people ask for one tool."""

    tool: str
    read: ReadArguments
    examples: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    counterexamples: tuple[str, ...] = ()  # what sounds alike and means something else
    last_resort: bool = False  # it is asked whatever nothing else claims

    def step(self, words: str) -> Step | AskBack:
        """Return the call with the arguments that the words hold, or the question for what they lack."""
        arguments = self.read(words)
        return AskBack(code=arguments.code) if isinstance(arguments, Lacks) else Step(self.tool, arguments)


class Router:
    """Finds the route of a message."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes = tuple(routes)
        self._last_resort = next((route for route in self._routes if route.last_resort), None)
        texts = [text for route in self._routes for text in (*route.examples, *route.counterexamples)]
        seen = Counter(part for text in texts for part in set(_parts(text)))
        self._rarity = {part: math.log(1 + len(texts) / count) for part, count in seen.items()}
        self._unseen = math.log(1 + len(texts))
        self._known = {text: self._vector(text) for text in texts}

    def find(self, text: str, offered: frozenset[str], *, exact: bool = False) -> Route | None:
        """Return the route that a message takes among those of the offered tools; None when it takes none.

        `exact`: a pattern has to fit; being like an example is not enough.
        """
        plain = normalise(text)
        routes = [route for route in self._routes if route.tool in offered]
        for route in routes:
            if any(pattern.search(plain) for pattern in route.patterns) and not self._is_counterexample(route, text):
                return route
        if exact:
            return None
        scored = [(self._nearest(text, route.examples), route) for route in routes]
        score, best = max(scored, key=lambda each: each[0], default=(0.0, None))
        if best is None or score < LEAST or self._nearest(text, best.counterexamples) >= score:
            return None
        return best

    def otherwise(self, words: str) -> Step | AskBack | Abstain:
        """Return what becomes of words that nothing else claims."""
        return Abstain() if self._last_resort is None else self._last_resort.step(words)

    @property
    def last_resort_tool(self) -> str | None:
        """Return the tool that is asked whatever nothing else claims."""
        return self._last_resort.tool if self._last_resort else None

    def _is_counterexample(self, route: Route, text: str) -> bool:
        against = self._nearest(text, route.counterexamples)
        return against >= LEAST and against > self._nearest(text, route.examples)

    def _nearest(self, text: str, examples: Sequence[str]) -> float:
        vector = self._vector(text)
        return max((_cosine(vector, self._known[example]) for example in examples), default=0.0)

    def _vector(self, text: str) -> Mapping[str, float]:
        counts = Counter(_parts(text))
        return {part: count * self._rarity.get(part, self._unseen) for part, count in counts.items()}


def _parts(text: str) -> list[str]:
    """Return words, pairs of words, and Chinese characters with their pairs."""
    plain = re.sub(r"'s\b", " is", normalise(text))
    words = re.findall(r"[a-z0-9]+", plain)
    runs = re.findall(r"[\u4e00-\u9fff]+", plain)
    pairs = [f"{one} {two}" for one, two in itertools.pairwise(words)]
    characters = [part for run in runs for part in (*run, *(run[at : at + 2] for at in range(len(run) - 1)))]
    return [*words, *pairs, *characters]


def _cosine(one: Mapping[str, float], two: Mapping[str, float]) -> float:
    shared = sum(value * two.get(part, 0.0) for part, value in one.items())
    lengths = math.sqrt(sum(value * value for value in one.values()) * sum(value * value for value in two.values()))
    return shared / lengths if lengths else 0.0
