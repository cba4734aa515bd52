"""Progress bars on the error stream, one for each stage; nothing where no terminal is watching."""

from types import TracebackType
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from bot.cli import screen
from search.report import Step

#: What each stage is called; others are shown under their own name.
STAGES = {"indexing": "Reading", "embedding": "Making vectors"}


class Bars:
    """A bar for each stage that reports; `advance` is what a long piece of work calls."""

    def __init__(self) -> None:
        console = screen.console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._tasks: dict[str, TaskID] = {}

    def advance(self, step: Step) -> None:
        """Show how far a stage is."""
        if step.stage not in self._tasks:
            self._tasks[step.stage] = self._progress.add_task(STAGES.get(step.stage, step.stage), total=step.total)
        self._progress.update(self._tasks[step.stage], completed=step.done, total=step.total)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
