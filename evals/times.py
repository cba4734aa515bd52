"""Phrases that say when, put to the reader of times in words, judged by the plan that it makes of each."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evals.cases import CasesInvalid
from evals.graders import Check, Grade, Score
from language.planning.plans import Once, Plan, SaidPlan, SeveralTimes, Unclear
from language.planning.reading import plan_in
from storage.files.text import FileInvalid, read_text

#: What is expected of a phrase that says no one time: any question back.
ASKS = "asks"


class TimesFile(BaseModel):
    """A file of phrases: the time on the wall → phrase → the plan that it says, or several that are right."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    phrases: Mapping[datetime, Mapping[str, str | tuple[str, ...]]]


def load_times(path: Path) -> TimesFile:
    """Return the phrases of a file; raise CasesInvalid."""
    try:
        return TimesFile.model_validate(read_text(path).value)
    except FileInvalid as error:
        raise CasesInvalid(str(error)) from error
    except ValidationError as error:
        raise CasesInvalid(f"{path.name}: {error}") from error


def written(said: SaidPlan) -> str:
    """Return what was read as the case files write it: `2027-03-04 10:15`, `FREQ=DAILY @09:00`, `no_time`."""
    if said.plan is not None:
        return _plan(said.plan)
    if said.unclear is Unclear.TWO_WAYS:
        return "two_ways: " + " | ".join(map(_plan, said.choices))
    return str(said.unclear)


def grade_times(file: TimesFile) -> tuple[Grade, ...]:
    """Read every phrase: whether it is read exactly, and whether no time is set that nobody meant."""
    grades = []
    for now, phrases in file.phrases.items():
        for phrase, right in phrases.items():
            said = plan_in(phrase, now=now)
            expected = (right,) if isinstance(right, str) else right
            exact = written(said) in expected or (ASKS in expected and said.plan is None)
            seen = "" if exact else f"{written(said)}, not {' or '.join(expected)}"
            checks = (Check("exact", exact, seen), Check("not_another", exact or said.plan is None, seen))
            grades.append(Grade(phrase, "times", checks))
    return tuple(grades)


def _plan(plan: Plan) -> str:
    if isinstance(plan, SeveralTimes):
        return " and ".join(map(_plan, plan.plans))
    if isinstance(plan, Once):
        return f"{plan.at:%Y-%m-%d %H:%M}"
    start = f" from {plan.start}" if plan.start else ""
    return f"{plan.rule} @{plan.at:%H:%M}{start}"


def times_scores(grades: tuple[Grade, ...]) -> tuple[Score, ...]:
    """Return the share of phrases that are read exactly, and of those that set no other time."""
    checks = [check for grade in grades for check in grade.checks]
    return tuple(
        Score(name, sum(check.passed for check in checks if check.name == name), len(grades))
        for name in ("exact", "not_another")
    )
