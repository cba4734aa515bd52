"""What came of a crawl."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from search.sources.port import SourceProblem

#: Why pages are left out, in the words of the report.
LEFT_OUT: Mapping[str, str] = {
    "robots": "that robots.txt does not allow",
    "noindex": "that ask not to be indexed",
    "file": "that are PDF or Office files (--files takes them)",
    "unread": "that are files in old formats",
    "type": "that hold no text (pictures, data, programs)",
    "empty": "that show no text, at least not without scripts",
    "elsewhere": "that redirect out of the crawl",
    "trap": "that only repeat others in a circle or with ever new parameters",
    "depth": "too many links away from the start",
}


@dataclass
class Tally:
    """What is counted while a crawl goes on."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    duplicates: int = 0
    done: int = 0  # addresses
    answers: int = 0  # with a body
    content_bytes: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[SourceProblem] = field(default_factory=list)


@dataclass(frozen=True)
class CrawlReport:
    """One run. `unfinished` says why it stopped before the end, "" when it did not; the next run goes on there."""

    start: str
    site: str  # where the start led: scheme, host and port
    added: int
    changed: int
    unchanged: int
    removed: int
    duplicates: int
    requests: int
    seconds: float
    left_out: Mapping[str, int]
    problems: tuple[SourceProblem, ...]
    unfinished: str = ""

    @property
    def pages(self) -> int:
        """Return how many pages this run kept."""
        return self.added + self.changed + self.unchanged
