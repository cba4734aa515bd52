"""Crawls of the tests: a site, a folder, time that costs nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from search.parsing.apart.readers import FileReaders
from search.sources.crawling.crawl import crawl
from search.sources.crawling.fetching.guard import ConnectionGuard
from search.sources.crawling.plan import CrawlLimits, Plan
from search.sources.crawling.report import CrawlReport
from search.sources.report import SyncStep
from storage.clock import Clock, ManualClock
from tests.fakes.website import Website


@dataclass
class Crawls:
    """Runs crawls of one site into one folder."""

    site: Website
    folder: Path
    readers: FileReaders
    clock: Clock = field(default_factory=ManualClock)
    limits: CrawlLimits = field(default_factory=lambda: CrawlLimits(tries=3))
    guard: ConnectionGuard | None = None
    steps: list[SyncStep] = field(default_factory=list)

    async def __call__(self, start: str = "/", **plan: Any) -> CrawlReport:
        """Crawl from a path of the site, or from a whole address."""
        limits = replace(self.limits, **plan.pop("limits", {}))
        address = start if "://" in start else self.site.url + start
        return await crawl(
            Plan(start=address, limits=limits, **plan),
            self.folder,
            clock=self.clock,
            readers=self.readers,
            guard=self.guard,
            progress=self.steps.append,
        )

    @property
    def files(self) -> dict[str, str]:
        """Return what is in the folder and not hidden: text by path."""
        return {path: self.read(path) for path in sorted(self._paths())}

    def read(self, path: str) -> str:
        """Return one file."""
        return (self.folder / path).read_bytes().decode("utf-8", "replace")

    def _paths(self) -> Iterator[str]:
        for file in self.folder.rglob("*"):
            path = file.relative_to(self.folder)
            if file.is_file() and not any(part.startswith(".") for part in path.parts):
                yield path.as_posix()


def told(report: CrawlReport) -> dict[str, str]:
    """Return the problems by path."""
    return {problem.path: problem.what for problem in report.problems}
