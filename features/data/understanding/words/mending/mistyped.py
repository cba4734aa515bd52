"""Words of time and of measure as they are mistyped: "orders last mnth", "montly revenue", "tihs year"."""

import re

from features.data.understanding.words.concepts import PLAIN
from features.data.understanding.words.vocabulary import Vocabulary
from language.spelling import respelt

_WORDS = frozenset(
    {
        "month", "months", "monthly", "weeks", "weekly", "daily", "years", "yearly", "quarter", "quarterly", "today",
        "yesterday", "since", "before", "after", "between", "average", "total", "highest", "lowest", "percent",
        "percentage", "compared", "without", "latest", "oldest", "newest", "biggest", "cheapest", "number", "which",
    }
)  # fmt: skip
#: Words that are meant as they are, though they are near to one of those.
_MEANT = PLAIN | {
    "mouths", "moths", "afters", "alter", "tidal", "dally", "dairy", "diary", "witch", "numbed", "lumber", "totals",
    "averages", "averaged", "whichever", "wees", "weds", "yearns", "numbers", "hence",
}  # fmt: skip
#: Of shorter words only two letters that changed places are a typo: "thus" is no "this".
_SWAPPED = {
    each[:at] + each[at : at + 2][::-1] + each[at + 2 :]: each
    for each in ("this", "last", "year", "week", "many", "much", "with", "more", "less", "than", "over")
    for at in range(3)
    if each[at] != each[at + 1]
}
_SHORT = re.compile(rf"(?<![\w'-])(?:{'|'.join(sorted(_SWAPPED))})(?![\w'-])")


def spelt(text: str, vocabulary: Vocabulary) -> str:
    """Return a text with such words put right where neither the language nor the catalogue has the word."""
    if not text.isascii():
        return text
    lower = text.lower()
    found = {each.span(): _SWAPPED[each[0]] for each in _SHORT.finditer(lower)}
    found |= respelt(lower, _WORDS, real=_MEANT)
    for start, end in sorted(found, reverse=True):
        if not any(lower[start:end] in phrase for phrase in vocabulary.meanings):
            text = text[:start] + found[start, end] + text[end:]
    return text
