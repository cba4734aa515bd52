"""What a parser hands over: the section tree of one page and what its front matter says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from search.documents import Section


@dataclass(frozen=True)
class ParsedPage:
    """One page after parsing. `problem` says in one line what was wrong with it; the rest still stands."""

    title: str
    root: Section
    text: str  # what may be shown: no front matter, no comments, line ends as `\n`
    updated: date | None = None
    front_matter: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""
    access_unreadable: bool = False  # the front matter could not be read, so nobody knows who may read the page
