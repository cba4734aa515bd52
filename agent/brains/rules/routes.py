"""From a person's words to a tool, by labelled examples and patterns that whoever offers the tool has written.

A message is compared with every example by the words (English) or characters (Chinese) that they share, rare ones
counting more and the values of arguments not at all. A route is taken when a pattern fits, or when its nearest example
is near enough and no counterexample is nearer. It reads the person's own words only.
"""

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.brains.output import Abstain, AskBack
from agent.brains.rules.slots import PLACE, Lacks, SlotReader, Utterance
from agent.brains.rules.talk import Step
from agent.brains.rules.understanding.message import read, strip_politeness
from agent.brains.rules.understanding.phrases import REQUEST_START
from language.word_tables import STOP_ENGLISH
from language.words import STOP_PHRASE, normalise, stem
from storage.ids import JsonValue

#: What a word that only makes a sentence ("show me the") counts beside one that says what it is about.
LIGHT = 0.25
#: What a pair with one such word counts, and a Chinese character by itself.
PART = 0.5
#: What a likeness counts that is there only when free text and names are left out.
LOOSELY = 0.9
#: Who asks how something is done, or by what rule, does not want it done.
_HOW = re.compile(
    r"\bhow (?:do|does|can|could|should|would|to)\b|\b(?:policy|policies|rules|procedure|guidelines?)\b|"
    r"怎么(?!样)|如何|怎样|流程|规定|制度"
)
#: Who asks who, where or why is not asking for what is shown, nor for a deed: "who do I call when … is down?"
_WHO = re.compile(r"\b(?:who|whom|whose|where|why)\b|谁|哪里|哪儿|在哪|为什么|为何")
#: Who asks who, what or when is not asking for a deed.
_ASKS = re.compile(
    r"^(?:who|whom|whose|what|which|when|where|why|how)\b|谁|什么|哪|怎|如何|多少|几[个点天号位]|多久|为何"
)
#: When something is says nothing about what it is.
_WHEN = re.compile(
    r"\b(?:this|next|last) (?:week|month|year)\b|\b(?:today|tomorrow|yesterday|tonight|now|right now)\b|"
    r"[今明昨后]天|[这本上下]个?(?:周|星期|月)|现在"
)
#: Verbs that go with anything.
_SAY_NOTHING = frozenset(
    (
        *("get", "gets", "have", "has", "take", "give", "make", "see", "know", "need", "want", "find", "tell", "use"),
        *("new", "do", "done", "here", "there", "please"),
    )
)
#: Cosine from which an example counts as what somebody meant; and where other things are clearly spoken of.
LIKE, LIKE_BESIDE = 0.38, 0.6


#: Reads a tool's arguments from what somebody said; `Lacks` when one of them is missing.
ReadArguments = Callable[[Utterance], Mapping[str, JsonValue] | Lacks]


@dataclass(frozen=True)
class Route:
    """The ways in which people ask for one tool."""

    tool: str
    read: ReadArguments
    examples: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    counterexamples: tuple[str, ...] = ()  # what sounds alike and means something else
    last_resort: bool = False  # it is asked whatever nothing else claims

    def step(self, said: Utterance) -> Step | AskBack:
        """Return the call with the arguments that the words hold, or the question for what they lack."""
        arguments = self.read(said)
        return AskBack(code=arguments.code) if isinstance(arguments, Lacks) else Step(self.tool, arguments)

    def is_only_values(self, said: Utterance) -> bool:
        """Tell whether the newest words are nothing but arguments."""
        return isinstance(self.read, SlotReader) and self.read.is_only_values(said.texts[0], said.now.date())


class Router:
    """Finds the route of a message."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes = tuple(routes)
        self._last_resort = next((route for route in self._routes if route.last_resort), None)
        texts = [text for route in self._routes for text in (*route.examples, *route.counterexamples)]
        seen = Counter(part for text in texts for part in _parts(text))
        self._rarity = {part: math.log(1 + len(texts) / count) for part, count in seen.items()}
        self._unseen = math.log(1 + len(texts))
        self._known = {text: self._vector(text) for text in texts}
        self._questions = frozenset(text for text in texts if read(text).question)

    def find(
        self, said: Utterance, offered: frozenset[str], *, exact: bool = False, least: float = LIKE
    ) -> Route | None:
        """Return the route that a message takes among those of the offered tools; None when it takes none.

        `exact`: a pattern has to fit; being like an example is not enough, else it has to be so by `least`.
        """
        text = said.texts[0]
        routes = [route for route in self._routes if route.tool in offered]
        for route in routes:
            fits = any(pattern.search(normalise(text)) for pattern in route.patterns)
            if fits and not self._is_counterexample(route, text):
                return route
        if exact:
            return None
        scored = [(*self._likeness(route, said), route) for route in routes]
        score, example, best = max(scored, key=lambda each: each[0], default=(0.0, "", None))
        if best is None or score < least or self._nearest(text, best.counterexamples)[0] >= score:
            return None
        if not _of_one_thing(text, example):
            return None
        asked, meant = normalise(text), normalise(example)
        return None if any(one.search(asked) and not one.search(meant) for one in (_HOW, _WHO)) else best

    def otherwise(self, said: Utterance) -> Step | AskBack | Abstain:
        """Return what becomes of words that nothing else claims."""
        return Abstain() if self._last_resort is None else self._last_resort.step(said)

    @property
    def last_resort_tool(self) -> str | None:
        """Return the tool that is asked whatever nothing else claims."""
        return self._last_resort.tool if self._last_resort else None

    def _is_counterexample(self, route: Route, text: str) -> bool:
        against, _ = self._nearest(text, route.counterexamples)
        return against >= LIKE and against > self._nearest(text, route.examples)[0]

    def _likeness(self, route: Route, said: Utterance) -> tuple[float, str]:
        """Compare a message with the examples; the values of arguments say nothing about what is wanted."""
        text = said.texts[0]
        like = [example for example in route.examples if example in self._questions] if _asks(text) else route.examples
        if not isinstance(route.read, SlotReader):
            return self._nearest(text, like)
        known, all_of_them = route.read.without_values(text, said.now.date())
        loose, example = self._nearest(all_of_them, like)
        return max(self._nearest(known, like), (LOOSELY * loose, example))

    def _nearest(self, text: str, examples: Sequence[str]) -> tuple[float, str]:
        vector = self._vector(text)
        scored = ((_cosine(vector, self._known[example]), example) for example in examples)
        return max(scored, default=(0.0, ""))

    def _vector(self, text: str) -> Mapping[str, float]:
        """Return what a text says as a vector of length 1."""
        vector = {part: weight * self._rarity.get(part, self._unseen) for part, weight in _parts(text).items()}
        length = math.sqrt(sum(value * value for value in vector.values())) or 1.0  # 0 without any example
        return {part: value / length for part, value in vector.items()}


def _of_one_thing(text: str, example: str) -> bool:
    """Tell whether a message and an example share a word that says what they are about: "do I get" says nothing."""
    one, two = (
        {
            stem(word)
            for word in re.findall(r"[a-z0-9]+", normalise(PLACE.sub(" ", each)))
            if word not in STOP_ENGLISH | _SAY_NOTHING
        }
        for each in (text, example)
    )
    return not two or bool(one & two)


def _asks(text: str) -> bool:
    plain = normalise(text)
    return _ASKS.search(strip_politeness(plain)) is not None and not REQUEST_START.match(plain)


@lru_cache(maxsize=512)
def _parts(text: str) -> Mapping[str, float]:
    """Return words, pairs of words, and Chinese characters with their pairs, each with what it says of a subject."""
    plain = re.sub(r"'s\b", " is", strip_politeness(_WHEN.sub(" ", normalise(PLACE.sub(" ", text)))))
    words = [word if word in STOP_ENGLISH else stem(word) for word in re.findall(r"[a-z0-9]+", plain)]
    said: defaultdict[str, float] = defaultdict(float)
    for word in words:
        said[word] += LIGHT if word in STOP_ENGLISH else 1.0
    for one, two in itertools.pairwise(words):
        said[f"{one} {two}"] += (1.0, PART, LIGHT)[len({one, two} & STOP_ENGLISH)]
    for run in re.findall(r"[\u4e00-\u9fff]+", plain):
        light = {at for found in STOP_PHRASE.finditer(run) for at in range(*found.span())}
        for at in range(len(run)):
            said[run[at]] += LIGHT if at in light else PART
            if at + 1 < len(run):
                said[run[at : at + 2]] += LIGHT if {at, at + 1} <= light else 1.0
    return said


def _cosine(one: Mapping[str, float], two: Mapping[str, float]) -> float:
    return sum(value * two[part] for part, value in one.items() if part in two)
