"""What a run of indexing tells: how far it is, and what came of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from search.source import Problem

Stage = Literal["reading", "indexing", "embedding"]


@dataclass(frozen=True)
class Step:
    """How far one stage is; `total` may still grow."""

    stage: Stage
    done: int
    total: int


#: Called on the event loop, often; it must return at once.
Progress = Callable[[Step], None]


@dataclass(frozen=True)
class SyncReport:
    """One run over one source (or several: then the figures are sums)."""

    source: str = ""
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0  # that the source has now
    problems: tuple[Problem, ...] = ()
    without_access: int = 0  # pages that only the local operator may read
    vectors_pending: int = 0

    @property
    def pages(self) -> int:
        """Return how many pages are in the index now."""
        return self.added + self.changed + self.unchanged


def together(reports: Iterable[SyncReport]) -> SyncReport:
    """Return the sum of several reports; problems name their source."""
    every = tuple(reports)
    if len(every) == 1:
        return every[0]
    return SyncReport(
        source=", ".join(report.source for report in every),
        added=sum(report.added for report in every),
        changed=sum(report.changed for report in every),
        removed=sum(report.removed for report in every),
        unchanged=sum(report.unchanged for report in every),
        chunks=sum(report.chunks for report in every),
        problems=tuple(
            Problem(path=f"{report.source}/{problem.path}", what=problem.what)
            for report in every
            for problem in report.problems
        ),
        without_access=sum(report.without_access for report in every),
        vectors_pending=sum(report.vectors_pending for report in every),
    )
