"""Does a passage support a claim? Judged by words, numbers, identifiers and negation; the same for every brain.

A claim taken verbatim from a passage is supported. An abstractive one must share most of its words with the passage,
all its numbers and identifiers must stand there, and a sentence that says the contrary does not count. A claim in
another language than its passage has only numbers, identifiers and names to be judged by, so it needs one of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

from agent.grounding.rows import follows, opened, rows_of
from language.scripts import HAN, is_chinese
from language.sentences import blocks, sentences
from language.words import (
    chinese_runs,
    content_words,
    is_identifier,
    latin_words,
    normalise,
    stem,
    stems,
)

#: Share of a claim's words that its evidence must hold.
ENOUGH = 0.6
#: Share of a claim's words that one sentence must hold to be what the claim was made of.
SENTENCE_ENOUGH = 0.5
_LONGEST_QUOTE = 300
#: Characters from which on a sentence is one to be quoted for a longer claim that begins with it.
_TELLING = 20

_MARKUP = re.compile(r"[*_`#>|~]+|\[([^\[\]]*+)\]\([^)]{0,2000}\)")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_SPELLED = {
    word: str(number)
    for number, words in enumerate(
        (
            "zero 零",
            "one 一",
            "two 二 两",
            "three 三",
            "four 四",
            "five 五",
            "six 六",
            "seven 七",
            "eight 八",
            "nine 九",
            "ten 十",
            "eleven 十一",
            "twelve 十二",
        )
    )
    for word in words.split()
}
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|unless|except)\b|n't\b"
    r"|不(?!同|久|断|仅|但)|没|无(?!线)|未|勿|别(?=[去用在把])|禁止|严禁|除非"
)
_CLAUSE = re.compile(r"[,;:，；：]\s*")
_MEASURE = regex.compile(
    rf"(?<!\d)(?<!\d[.,])(?P<number>\d++(?:[.,]\d++)*+)\s*+(?:(?P<latin>[a-z%]+)|(?P<chinese>{HAN}))"
)
_LEAD = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)、]|[>#|]+)\s*")


@dataclass(frozen=True)
class Support:
    """How well a text carries a claim: 0 to 1, and 0 when a number is wrong or the sense is turned."""

    score: float
    quote: str = ""  # verbatim from the text: the sentence that carries most of it

    @property
    def is_enough(self) -> bool:
        """Return whether the claim may stand."""
        return self.score >= ENOUGH


@lru_cache(maxsize=2_048)
def plain(text: str) -> str:
    """Return a text without Markdown marks, in one spelling."""
    return normalise(_MARKUP.sub(lambda found: found[1] or " ", text))


def support(claim: str, text: str, *, about: str = "") -> Support:
    """Judge one claim against one passage; `about` is the passage's title and section."""
    opening, claim = opened(claim)
    said = plain(claim)
    if not said or not follows(opening, claim, negations=_negations(said)):
        return Support(0.0)
    spans = quotable(text)
    told = plain(_below_header(claim))
    best = max(spans, key=lambda span: (_share(told, plain(span)), -len(span)), default="")
    said_by = [plain(span) for span in spans]
    is_verbatim = _is_verbatim(claim, f"{about}\n{text}")  # a section may be quoted with its heading
    if is_verbatim:  # then its beginning is the quote
        best = next((span for span in spans if len(span) >= _TELLING and _holds(span, told)), best)
    quote = best if len(best) <= _LONGEST_QUOTE else best[:_LONGEST_QUOTE].rsplit(None, 1)[0]
    if is_verbatim:
        return Support(0.0 if _cut_out_of_its_sense(said, said_by) else 1.0, quote)
    whole = f"{plain(about)} {plain(text)}"
    if not _exact(said) <= _exact(whole):
        return Support(0.0, quote)
    if is_chinese(said) != is_chinese(plain(text)):
        return Support(_across(said, whole), quote)
    share = _share(said, whole)
    if share < ENOUGH or _turns_the_sense(said, said_by):
        return Support(0.0 if share >= ENOUGH else share, quote)
    return Support(share, quote)


def quotable(text: str) -> list[str]:
    """Return the verbatim sentences of a passage, and the lines of its tables and code, to make quotes of.

    A sentence may hold the line breaks that the page has.
    """
    found: list[str] = []
    for span, is_whole in blocks(text):
        if is_whole:
            pieces = text[span[0] : span[1]].splitlines()
        else:
            pieces = [text[start:end] for start, end in sentences(text, span)]
        stripped = (piece[_lead_length(piece) :].strip() for piece in pieces)
        found.extend(piece for piece in stripped if any(character.isalnum() for character in piece))
    return found


def measures(text: str) -> dict[str, frozenset[str]]:
    """Return what a text counts: the word after a number (a stem, or one Chinese character) → those numbers."""
    found: dict[str, set[str]] = {}
    for match in _MEASURE.finditer(plain(text)):
        unit = stem(match["latin"]) if match["latin"] else match["chinese"]
        found.setdefault(unit, set()).add(match["number"].replace(",", ""))
    return {unit: frozenset(amounts) for unit, amounts in found.items()}


def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text in one form: 1,000 is 1000, three is 3."""
    digits = {found.replace(",", "").strip(".:") for found in _NUMBER.findall(text)}
    spelled = {_SPELLED[word] for word in latin_words(text) if word in _SPELLED}
    return frozenset(digits | spelled)


def subject_words(text: str) -> frozenset[str]:
    """Return what a text is about, in one set: stems of its content words, pairs of Chinese characters."""
    return _units(plain(text))


def shared_words(said: str, text: str) -> float:
    """Return the share of a claim's content words that a text holds, 0 to 1."""
    return _share(plain(said), plain(text))


def counts_negations(text: str) -> int:
    """Return how often a text says no."""
    return _negations(plain(text))


def _holds(span: str, said: str) -> bool:
    """Tell whether a claim holds a sentence whole, and not only leads on by it."""
    return not span.endswith((":", "：")) and plain(span) in said


def _lead_length(line: str) -> int:
    lead = _LEAD.match(line)
    return lead.end() if lead else 0


def _is_verbatim(claim: str, text: str) -> bool:
    whole = plain(text)
    lines = [plain(line) for line in claim.splitlines()]
    return all(line in whole for line in lines if any(character.isalnum() for character in line))


def _below_header(claim: str) -> str:
    """Return what a table tells: its rows, without the names of their columns; any other claim as it is."""
    return "\n".join(rows_of(claim)) or claim


def _units(text: str) -> frozenset[str]:
    words = {stem(word) for word in content_words(text)}
    pairs = {run[at : at + 2] for run in chinese_runs(text) for at in range(max(1, len(run) - 1))}
    return frozenset(words | pairs)


def _share(said: str, text: str) -> float:
    wanted = _units(said)
    if not wanted:
        return 0.0
    offered = _units(text) | stems(text)
    return len(wanted & offered) / len(wanted)


def _exact(text: str) -> frozenset[str]:
    """Return what must be right to the letter: digits and identifiers. Spelled numbers count as offered only."""
    identifiers = {word for word in latin_words(text) if is_identifier(word) and not _NUMBER.fullmatch(word)}
    return frozenset(identifiers) | numbers(text)


def _across(said: str, whole: str) -> float:
    """Judge a claim in another language: what can be compared must be there, and there must be something."""
    anchors = _exact(said) | {stem(word) for word in content_words(said) if not is_chinese(word)}
    comparable = anchors & (_exact(whole) | stems(whole))
    return ENOUGH if comparable else 0.0


def _turns_the_sense(said: str, spans: Sequence[str]) -> bool:
    """Tell whether everything that the claim may come from says no where it says yes, or the reverse.

    Negations are counted, since two of them are none: 未经批准不得休假 forbids, 未经批准可以休假 permits.
    """
    around = [span for span in spans if said in span]
    close = around or [part for span in spans for part in _parts(span) if _share(said, part) >= SENTENCE_ENOUGH]
    return bool(close) and all(_negations(part) % 2 != _negations(said) % 2 for part in close)


def _cut_out_of_its_sense(said: str, spans: Sequence[str]) -> bool:
    """Tell whether a verbatim claim leaves out the "not" of its sentence."""
    return any(said in span for span in spans) and _turns_the_sense(said, spans)


def _parts(span: str) -> list[str]:
    return [span, *_CLAUSE.split(span)]


def _negations(text: str) -> int:
    return len(_NEGATION.findall(text))
