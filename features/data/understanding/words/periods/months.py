"""The names of months, also as they are mistyped: "Septmber", "Ocotber"."""

from collections.abc import Iterator, Mapping

_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
#: Shorter names are near to words of other meaning.
_LONG = 6


def _mistyped(name: str) -> Iterator[str]:
    """Yield a name with one letter left out, written twice, or swapped with the next one; the first stays."""
    for at in range(1, len(name)):
        yield name[:at] + name[at + 1 :]
        yield name[: at + 1] + name[at:]
        yield name[:at] + name[at : at + 2][::-1] + name[at + 2 :]


_LONG_NAMES = {name: number for number, name in enumerate(_NAMES, start=1) if len(name) >= _LONG}
_TYPOS: Mapping[str, int] = {
    typo: number for name, number in _LONG_NAMES.items() for typo in _mistyped(name) if typo not in _NAMES
}
#: Any name of a month, for a pattern that has no other letters beside it.
MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|"
    rf"aug|sept?|oct|nov|dec|{'|'.join(sorted(_TYPOS, key=len, reverse=True))})\b\.?"
)


def number_of(month: str) -> int:
    """Return which month of the year it is, from 1 on; ValueError for a name that is none."""
    said = month.removesuffix(".")
    if said in _TYPOS:
        return _TYPOS[said]
    return next(number for number, name in enumerate(_NAMES, start=1) if name.startswith(said[:3]))
