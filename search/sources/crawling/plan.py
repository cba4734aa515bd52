"""What a crawl is asked to do, and the limits within which it does it."""

from dataclasses import dataclass, field

#: How the crawler calls itself; robots.txt may name it.
AGENT = "dutydesk"


@dataclass(frozen=True)
class CrawlLimits:
    """Where a crawl stops by itself, and how politely it asks."""

    pages: int = 5_000  # answers with a page or a file, in one crawl
    depth: int = 20  # links from the start
    page_bytes: int = 5_000_000
    file_bytes: int = 50_000_000
    total_bytes: int = 2_000_000_000  # of all answers in one crawl
    seconds: float = 0.0  # 0: as long as it takes
    page_seconds: float = 60.0  # one answer, from the request to its last byte
    requests_per_second: float = 2.0
    at_once: int = 4
    tries: int = 4
    longest_pause_s: float = 300.0  # a longer Retry-After is not waited for
    failures_in_a_row: int = 10  # then the site counts as away


@dataclass(frozen=True)
class Plan:
    """One crawl. Patterns are globs over the path."""

    start: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    files: bool = False  # save PDF, Word and Excel files, too
    private: bool = False  # addresses inside the own network may be asked, wherever a redirect leads
    limits: CrawlLimits = field(default_factory=CrawlLimits)

    @property
    def terms(self) -> str:
        """Return what decides which links of a page are followed."""
        return repr((sorted(self.include), sorted(self.exclude), self.files, self.limits.depth))
