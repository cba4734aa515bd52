"""Progress on the error stream: a bar for each stage on a terminal, and a line for each stage that took long."""

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from bot.cli import screen
from identity.actor import local_operator
from search.errors import IndexBeingMade
from search.sources.report import SyncStep

if TYPE_CHECKING:
    from bot.compose.desk import Desk

T = TypeVar("T")

#: What each stage is called; others are shown under their own name.
STAGES = {"crawling": "Fetching", "indexing": "Reading", "embedding": "Making vectors", "asking": "Asking"}
_MINUTE = 60
#: What took less is not worth a line.
_LONG_S = 1.0
#: Below so many a second the rate is shown with a decimal.
_SLOW = 10


class Bars:
    """A bar for each stage that reports; `advance` is what a long piece of work calls."""

    def __init__(self) -> None:
        console = screen.console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[pace]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}
        self._last: dict[str, SyncStep] = {}

    def advance(self, step: SyncStep) -> None:
        """Show how far a stage is."""
        self._last[step.stage] = step
        if step.stage not in self._tasks:
            name = STAGES.get(step.stage, step.stage)
            self._tasks[step.stage] = self._progress.add_task(name, total=step.total, pace="")
        self._progress.update(self._tasks[step.stage], completed=step.done, total=step.total, pace=pace(step))

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
        for step in self._last.values():
            if step.seconds >= _LONG_S:
                done = f"{step.done:,} in {span(step.seconds)} ({rate(step.rate)} a second)"
                screen.note(f"{STAGES.get(step.stage, step.stage)}: {done}")


def pace(step: SyncStep) -> str:
    """Return how fast a stage goes and how long the rest takes, as "24/s, 3 min left"; "" before that can be told."""
    left = step.seconds_left
    return "" if left is None else f"{rate(step.rate)}/s, {span(left)} left"


def rate(a_second: float) -> str:
    """Return so many a second in figures that can be read."""
    return f"{a_second:,.0f}" if a_second >= _SLOW else f"{a_second:.1f}"


def span(seconds: float) -> str:
    """Return a span of time in whole seconds, minutes or hours and minutes."""
    minutes = round(seconds / _MINUTE)
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if minutes < 2 * _MINUTE:
        return f"{minutes} min"
    return f"{minutes // _MINUTE} h {minutes % _MINUTE} min"


async def with_whole_index(desk: "Desk", work: Callable[[], Awaitable[T]]) -> T:
    """Do work that searches; where the index turns out to be none yet, or damaged, make it first."""
    try:
        return await work()
    except IndexBeingMade:
        await mend(desk)
    return await work()


async def mend(desk: "Desk") -> None:
    """Make an index that is still to be made, with bars and a word at the end; nothing where it is whole."""
    with Bars() as bars:
        report = await desk.search.mend(local_operator(), progress=bars.advance)
    if report is not None:
        screen.note(f"The index is made from the sources: {report.pages} pages. Their vectors follow.")
        for problem in report.problems:
            screen.warn(": ".join(filter(None, (problem.path, problem.what))))
