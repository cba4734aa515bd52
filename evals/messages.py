"""Messages of staff, judged by what the desk takes them for and by what it writes into a ticket."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evals.cases import CasesInvalid
from evals.graders import Check, Grade, Score
from storage.files.text import FileInvalid, read_text

#: The intent of what nobody can know the meaning of: the desk asks, and does nothing.
UNSURE = "unsure"
#: Small words at the edges of a value, without which it says the same.
_EDGES = re.compile(r"^(?:the|a|an|my|our|on|in|at|by|from|一台|在)\s+|^(?:一台|在)|[\s.,。，]+$", re.IGNORECASE)

OneOf = str | tuple[str, ...]


class MessageCase(BaseModel):
    """A message, what is said before it in the thread, its intent, and all that a ticket may hold of it."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    say: str = Field(min_length=1)  # {ticket} is the number of a ticket of the asker's
    intent: str = Field(min_length=1)
    also: tuple[str, ...] = ()  # intents that are right as well
    before: tuple[str, ...] = ()
    asker: str = Field(default="ada", alias="as")
    closed: bool = False  # the ticket is resolved
    fields: Mapping[str, OneOf] = {}  # name → the value, or several of which each is right
    may: tuple[str, ...] = ()  # fields that may hold something and need not


class MessageFile(BaseModel):
    """A file of messages; `name` picks its thresholds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    cases: tuple[MessageCase, ...] = Field(min_length=1)


@dataclass(frozen=True)
class TakenFor:
    """What the desk took a message for, and what it wrote into a ticket."""

    intent: str
    fields: Mapping[str, str] = field(default_factory=dict)


def load_messages(path: Path) -> MessageFile:
    """Return the messages of a file; raise CasesInvalid."""
    try:
        return MessageFile.model_validate(read_text(path).value)
    except FileInvalid as error:
        raise CasesInvalid(str(error)) from error
    except ValidationError as error:
        raise CasesInvalid(f"{path.name}: {error}") from error


def grade_messages(cases: Sequence[MessageCase], seen: Sequence[TakenFor]) -> tuple[Grade, ...]:
    """Judge every message: its intent, each field that it states, and each that the desk made up."""
    return tuple(_grade(case, each) for case, each in zip(cases, seen, strict=True))


def messages_scores(
    cases: Sequence[MessageCase], grades: Sequence[Grade], seen: Sequence[TakenFor]
) -> tuple[Score, ...]:
    """Return the macro-F1 of the intents (in ten thousandths), and the shares of exact, unspoilt and unsure."""
    return (
        Score("intents_macro_f1", round(macro_f1(_pairs(cases, seen)) * 10_000), 10_000),
        _share("fields_exact", grades, "field"),
        _share("not_made_up", grades, "found"),
        _share("not_sure", grades, UNSURE),
    )


def macro_f1(pairs: Iterable[tuple[str, str]]) -> float:
    """Return the mean F1 over the wanted classes of (wanted, seen)."""
    counted = Counter(pairs)
    wanted = {pair[0] for pair in counted}
    return sum(_f1(counted, each) for each in wanted) / len(wanted)


def _f1(counted: Counter[tuple[str, str]], name: str) -> float:
    right = counted[name, name]
    said = sum(count for (wanted, seen), count in counted.items() if name in (wanted, seen) and wanted != seen)
    return 2 * right / (2 * right + said) if right else 0.0


def _pairs(cases: Sequence[MessageCase], seen: Sequence[TakenFor]) -> list[tuple[str, str]]:
    return [
        (case.intent, case.intent if each.intent in case.also else each.intent)
        for case, each in zip(cases, seen, strict=True)
    ]


def _grade(case: MessageCase, seen: TakenFor) -> Grade:
    right = seen.intent in (case.intent, *case.also)
    checks = [Check(UNSURE if case.intent == UNSURE else "intent", right, f"{case.intent} taken for {seen.intent}")]
    if seen.intent not in case.also:
        for name, wanted in case.fields.items():
            got = seen.fields.get(name, "")
            checks.append(Check("field", _is_one_of(got, wanted), f"{name} is {got!r}"))
    for name, got in seen.fields.items():
        allowed = name in case.may or (name in case.fields and _touches(got, case.fields[name]))
        checks.append(Check("found", allowed, f"{name} made up: {got!r}"))
    return Grade(case_id=case.say, group=case.intent, checks=tuple(checks))


def _share(name: str, grades: Sequence[Grade], kind: str) -> Score:
    checks = [check for grade in grades for check in grade.checks if check.name == kind]
    return Score(name, sum(check.passed for check in checks), len(checks))


def _is_one_of(got: str, wanted: OneOf) -> bool:
    return _plain(got) in {_plain(each) for each in ((wanted,) if isinstance(wanted, str) else wanted)}


def _touches(got: str, wanted: OneOf) -> bool:
    """Tell whether a value is part of what is wanted, or holds it: inexact, and not made up."""
    plain = _plain(got)
    each = [_plain(one) for one in ((wanted,) if isinstance(wanted, str) else wanted)]
    return any(plain in one or one in plain for one in each)


def _plain(value: str) -> str:
    said = " ".join(value.casefold().split())
    while (shorter := _EDGES.sub("", said)) != said:
        said = shorter
    return re.sub(r"\s", "", said)
