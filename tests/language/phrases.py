"""Phrases and what they say, as `planning_tuned.yaml` and `planning_held.yaml` write it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import yaml

from language.planning.plans import Once, Plan, SaidPlan, SeveralTimes, Unclear
from language.planning.reading import plan_in


@dataclass(frozen=True)
class Phrase:
    """What is said at a time on the wall, and what it says."""

    said: str
    now: datetime
    expected: str

    @property
    def read(self) -> str:
        """Return what the reader makes of it."""
        return written(plan_in(self.said, now=self.now))

    @property
    def is_right(self) -> bool:
        """Return whether that is exactly it."""
        return self.read == self.expected

    @property
    def is_silently_wrong(self) -> bool:
        """Return whether a time is set that nobody meant: one plan where there is none or another one."""
        found = plan_in(self.said, now=self.now)
        return found.plan is not None and not self.is_right

    @property
    def is_chinese(self) -> bool:
        """Return whether it is said in Chinese."""
        return any("\u4e00" <= character <= "\u9fff" for character in self.said)


def phrases(name: str) -> Iterator[Phrase]:
    """Yield the phrases of a file."""
    groups = yaml.safe_load((Path(__file__).parent / f"planning_{name}.yaml").read_text(encoding="utf-8"))
    for now, said in groups.items():
        for phrase, expected in said.items():
            yield Phrase(phrase, datetime.fromisoformat(now), expected)


def written(said: SaidPlan) -> str:
    """Return what was read as the files write it."""
    if said.plan is not None:
        return _plan(said.plan)
    if said.unclear is Unclear.TWO_WAYS:
        return "two_ways: " + " | ".join(_plan(each) for each in said.choices)
    return str(said.unclear)


def _plan(plan: Plan) -> str:
    if isinstance(plan, SeveralTimes):
        return " and ".join(map(_plan, plan.plans))
    if isinstance(plan, Once):
        return f"{plan.at:%Y-%m-%d %H:%M}"
    start = f" from {plan.start}" if plan.start else ""
    return f"{plan.rule} @{plan.at:%H:%M}{start}"
