"""Made-up incidents: how each is built, and what a right answer has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import yaml

from evals.diagnosis.incidents.world import NOW, Body, World


@dataclass(frozen=True)
class MadeUpIncident:
    """What is asked and expected; `build` makes the world in which it happened."""

    name: str
    question: str
    build: Callable[[World], None]
    severity: str
    findings: tuple[Body, ...]
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()  # rules that must not be told as a cause
    secrets: tuple[str, ...] = ()
    language: str = "en"
    app: str = "orders"
    label: str = "app"
    whole: bool = False  # the whole namespace is asked for
    held_out: bool = False
    accepted: tuple[str, ...] = field(default=())

    def world(self) -> World:
        """Return the world with everything in it."""
        world = World("shop", self.app, self.label)
        self.build(world)
        return world

    def expected(self) -> str:
        """Return the file that says what is expected."""
        given = {
            "question": self.question,
            "language": self.language,
            "namespace": "shop",
            "app": "" if self.whole else self.app,
            "now": NOW.isoformat(),
            "severity": self.severity,
            "severity_accepted": list(self.accepted),
            "findings": list(self.findings),
            "also_accepted": list(self.also),
            "must_not_report_as_cause": [{"rule": each} for each in self.never],
            "secrets_never_output": list(self.secrets),
            "group": "held-out" if self.held_out else "diagnosis",
        }
        return yaml.safe_dump(given, allow_unicode=True, sort_keys=False)


def finds(rule: str, role: str = "cause", *cites: Body) -> Body:
    """Return a finding that must be there, and what it must cite."""
    return {"rule": rule, "role": role, "required": True, "must_cite": list(cites)}


def api(object_: str, field_: str, value: object) -> Body:
    """Return a fact of an object that must be cited."""
    return {"source": "api", "object": object_, "field": field_, "value": value}


def of_status(pod: str, name: str, field_: str, value: object) -> Body:
    """Return a fact of the status of a pod's container that must be cited."""
    return api(f"Pod/{pod}", f"status.containerStatuses[name={name}].{field_}", value)


def event(object_: str, reason: str, says: str) -> Body:
    """Return an event that must be cited."""
    return {"source": "event", "object": object_, "reason": reason, "message_contains": says}


def logged(pod: str, name: str, says: str, count: int) -> Body:
    """Return lines of a log that must be cited."""
    return {"source": "log", "file": f"logs/{pod}__{name}.txt", "contains": says, "matching_lines": count}


#: The finding where nothing is wrong.
WELL = finds("NO_PROBLEM_FOUND", "conclusion")

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
