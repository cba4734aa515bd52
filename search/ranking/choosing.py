"""From judged candidates to what is shown: a share for each page, and nothing twice. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from search.config import SearchConfig
from search.ranking.ranking import alike
from search.ranking.reranking import Judged


class Cause(StrEnum):
    """Why a candidate stands among the best and is not shown."""

    REPEATS = "repeats"  # a passage above it says nearly the same in the same words
    PAGE_FULL = "page_full"  # its page has its share of passages already
    SECTION_FULL = "section_full"  # its section has its share of passages already


@dataclass(frozen=True)
class LeftOut:
    """A candidate that is not shown; `instead` is the place (0, 1, 2 …) of the one that it repeats."""

    judged: Judged
    cause: Cause
    instead: int | None = None


@dataclass(frozen=True)
class Selection:
    """What is shown, best first, and what was left out on the way to the last of it."""

    kept: tuple[Judged, ...]
    left_out: tuple[LeftOut, ...]


def choose(judged: Sequence[Judged], *, limit: int, config: SearchConfig) -> Selection:
    """Take the best, until there are `limit` of them."""
    taken: Counter[str] = Counter()
    in_section: Counter[tuple[str, ...]] = Counter()
    kept: list[Judged] = []
    left_out: list[LeftOut] = []
    for one in judged:
        if len(kept) == limit:
            break
        page, chunk = one.ranked.document, one.passage.chunk
        section = (page, chunk.anchor, *chunk.section_path)
        if taken[page] >= config.hits_per_page:
            left_out.append(LeftOut(one, Cause.PAGE_FULL))
        elif in_section[section] >= config.hits_per_section:
            left_out.append(LeftOut(one, Cause.SECTION_FULL))
        elif (above := _same(one, kept, least=config.alike)) is not None:
            left_out.append(LeftOut(one, Cause.REPEATS, instead=above))
        else:
            taken[page] += 1
            in_section[section] += 1
            kept.append(one)
    return Selection(kept=tuple(kept), left_out=tuple(left_out))


def _same(one: Judged, kept: Sequence[Judged], *, least: float) -> int | None:
    """Return the place of the first passage that this one nearly repeats."""
    return next((place for place, other in enumerate(kept) if alike(one.words, other.words, least=least)), None)
