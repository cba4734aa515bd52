"""Incidents as functions that build a world, each with what a right answer has above it."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.incidents.world import Body

BuildT = TypeVar("BuildT", bound=Callable[..., None])


class Collection:
    """The incidents of one app; each is named after the app and its function, where it has no name of its own."""

    def __init__(self, app: str, **shared: Any) -> None:
        """Begin with none; `shared` is said of each."""
        self._app = app
        self._shared = shared
        self._incidents: list[MadeUpIncident] = []

    def __iter__(self) -> Iterator[MadeUpIncident]:
        """Iterate over the incidents in the order in which they are told."""
        return iter(self._incidents)

    def of(self, question: str, severity: str, *found: Body, name: str = "", **more: Any) -> Callable[[BuildT], BuildT]:
        """Return a decorator that adds the incident which a function builds."""

        def add(build: BuildT) -> BuildT:
            called = name or f"{self._app}-{build.__name__.strip('_').replace('_', '-')}"
            given = {"app": self._app} | self._shared | more
            self._incidents.append(MadeUpIncident(called, question, build, severity, found, **given))
            return build

        return add
