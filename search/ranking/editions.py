"""Pages that no longer hold because another one does: of a later year, or one that says that it replaces them.

A year stands in the name: `pay-2024.md` beside `pay.md`, “薪资（2023年）” beside “薪资”.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from language.words import chinese_runs, content_words, normalise, stems
from search.documents import Hit

#: What `Hit.not_in_force` says of a page of which there is a newer edition.
REPLACED = "edition"
_YEAR = re.compile(r"[\s_.(（\[-]{0,3}(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)(?:年度?)?版?[)）\]]?")
#: How a page says that it replaces another one, whose name follows.
_REPLACES = re.compile(
    r"\bth(?:is|e present) (?:page|polic[yi]|document|version|edition|standard|guide|procedure|rule|manual)\w{0,3} "
    r"(?:replaces|supersedes) (?P<named>[^.!?]{4,120})"
    r"|本(?:页|文|制度|规定|办法|版|标准|指南|流程)[^。]{0,12}?(?:取代|代替|替代)(?P<zh>[^。]{2,60})",
    re.IGNORECASE,
)
_Name = tuple[str, str, str]


def as_of(today: date, hits: Sequence[Hit], *, asked: str) -> tuple[Hit, ...]:
    """Return hits with what is known of why their pages do not hold today."""
    older = _replaced(hits, asked=asked, today=today) | _said_to_be_replaced(hits, asked=asked)
    return tuple(
        replace(hit, not_in_force=hit.valid.not_on(today) or (REPLACED if _page(hit) in older else "")) for hit in hits
    )


def _replaced(hits: Sequence[Hit], *, asked: str, today: date) -> frozenset[tuple[str, str]]:
    """Return source and path of each page of which the hits hold a newer edition.

    That is a page of the same source with the same path or title but for the year, which has none or a later one. Next
    year's edition replaces nothing yet, and who asks for a year by its number is told what that year's page says.
    """
    editions: dict[_Name, dict[tuple[str, str], int | None]] = defaultdict(dict)
    for hit in hits:
        for name, year in _names(hit):
            if year is None or year <= today.year:
                editions[name][_page(hit)] = year
    return frozenset(
        page
        for years in editions.values()
        for page, year in years.items()
        if year is not None and str(year) not in asked and year < _current(years.values(), today)
    )


def _said_to_be_replaced(hits: Sequence[Hit], *, asked: str) -> frozenset[tuple[str, str]]:
    """Return source and path of each page that another one of its source says to replace, by all words of its title.

    Who asks for it by the year in its title is told what it says.
    """
    told = ((hit, found) for hit in hits for found in _REPLACES.finditer(hit.chunk.text))
    said = [(hit, normalise(found["named"] or found["zh"])) for hit, found in told]
    return frozenset(
        _page(other)
        for hit, named in said
        for other in hits
        if _page(other) != _page(hit) and other.source == hit.source and _names_title(named, other.title)
        if not any(found["year"] in asked for found in _YEAR.finditer(other.title))
    )


def _names_title(named: str, title: str) -> bool:
    """Tell whether a text says every word of a title."""
    words, runs = content_words(title), chinese_runs(normalise(title))
    return bool(words or runs) and stems(" ".join(words)) <= stems(named) and all(run in named for run in runs)


def _page(hit: Hit) -> tuple[str, str]:
    return hit.source, hit.document_path


def _names(hit: Hit) -> list[tuple[_Name, int | None]]:
    named = []
    for kind, text in (("path", hit.document_path), ("title", hit.title)):
        years = [int(found["year"]) for found in _YEAR.finditer(text)]
        if len(years) <= 1:
            named.append(((hit.source, kind, _YEAR.sub("", text).casefold()), years[0] if years else None))
    return named


def _current(years: Iterable[int | None], today: date) -> int:
    return max(today.year if year is None else year for year in years)
