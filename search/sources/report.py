"""What a run of indexing tells: how far it is, and what came of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from search.sources.port import SourceProblem
from storage.clock import Clock

Stage = Literal["crawling", "reading", "indexing", "embedding", "asking"]


@dataclass(frozen=True)
class SyncStep:
    """How far one stage is; `total` may still grow."""

    stage: Stage
    done: int
    total: int
    seconds: float = field(default=0.0, compare=False)  # since the stage began

    @property
    def rate(self) -> float:
        """Return how many are done a second, 0 where that cannot be told yet."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Return how long the rest takes at this rate, or None where that cannot be told yet."""
        return (self.total - self.done) / self.rate if self.rate else None


#: Called on the event loop, often; it must return at once.
Progress = Callable[[SyncStep], None]


class Stopwatch:
    """Tells how far a stage is, and how long it has taken by then."""

    def __init__(self, stage: Stage, clock: Clock, progress: Progress | None) -> None:
        self._stage = stage
        self._clock = clock
        self._progress = progress
        self._began = clock.monotonic()

    @property
    def seconds(self) -> float:
        """Return the seconds since the stage began."""
        return self._clock.monotonic() - self._began

    def tell(self, done: int, total: int) -> None:
        """Say that so many are done of so many."""
        if self._progress is not None:
            self._progress(SyncStep(stage=self._stage, done=done, total=total, seconds=self.seconds))


@dataclass(frozen=True)
class SyncReport:
    """One run over one source (or several: then the figures are sums)."""

    source: str = ""
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks: int = 0  # that the source has now
    problems: tuple[SourceProblem, ...] = ()
    passed_over: Mapping[str, int] = field(default_factory=dict)  # ending → files of it that nobody reads
    without_access: int = 0  # pages that only the local operator may read
    vectors_pending: int = 0
    exceeds: int = 0  # the passages, of all sources, that the index is made for, where there are more; else 0
    seconds: float = 0.0  # that the run took

    @property
    def pages(self) -> int:
        """Return how many pages are in the index now."""
        return self.added + self.changed + self.unchanged

    @property
    def rate(self) -> float:
        """Return how many pages were read a second."""
        return (self.added + self.changed) / self.seconds if self.seconds > 0 else 0.0


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
            replace(problem, path="/".join(filter(None, (report.source, problem.path))))
            for report in every
            for problem in report.problems
        ),
        passed_over=sum((Counter(report.passed_over) for report in every), Counter[str]()),
        without_access=sum(report.without_access for report in every),
        vectors_pending=sum(report.vectors_pending for report in every),
        exceeds=max((report.exceeds for report in every), default=0),
        seconds=sum(report.seconds for report in every),
    )
