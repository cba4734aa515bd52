"""How people name a ticket: TCK-2026-000123, tck 2026 123, #123, 123, １２３, 工单 123 号."""

import re
import unicodedata
from dataclasses import dataclass

#: Digits of the running number in its full form.
_DIGITS = 6
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣", "-"))
_NUMBER = r"(?:(?P<year>20\d{2})(?:[\s-]+|(?=\d{6}(?!\d))))?(?P<sequence>\d{1,9})"
_WORDS = r"(?:ticket|tickets|case|no\.?|number|工单|单号|编号|第)"


@dataclass(frozen=True)
class Reference:
    """A number as it was said; without a year it may fit one ticket of each year."""

    sequence: int
    year: int | None = None


def is_id(text: str, kind: str) -> bool:
    """Return whether a text has the form of our own ids; nothing else is looked up by id."""
    return re.fullmatch(rf"{kind}_[0-9a-z]{{26}}", text) is not None


def number_of(prefix: str, *, year: int, sequence: int) -> str:
    """Return the number that people read, such as TCK-2026-000123."""
    return f"{prefix}-{year}-{sequence:0{_DIGITS}d}"


def parse(text: str, prefix: str) -> Reference | None:
    """Return what a whole text names, forgiving case, spaces, full-width forms and common words around it."""
    pattern = rf"(?:{_WORDS}\s*)?(?:{re.escape(prefix)}[\s-]*)?[#№]?\s*{_NUMBER}\s*(?:号|號)?(?:工单)?"
    found = re.fullmatch(pattern, _plain(text), re.IGNORECASE)
    return _reference(found) if found else None


def mentions(text: str, prefix: str) -> tuple[str, ...]:
    """Return every number in its full form that a sentence mentions, in order, each once."""
    pattern = rf"(?<![A-Za-z0-9]){re.escape(prefix)}[\s-]*{_NUMBER}(?!\d)"
    found: dict[str, None] = {}
    for match in re.finditer(pattern, _plain(text), re.IGNORECASE):
        reference = _reference(match)
        if reference.year is None:
            found[str(reference.sequence)] = None
        else:
            found[number_of(prefix, year=reference.year, sequence=reference.sequence)] = None
    return tuple(found)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_DASHES).strip()


def _reference(found: re.Match[str]) -> Reference:
    year = found.group("year")
    return Reference(sequence=int(found.group("sequence")), year=int(year) if year else None)
