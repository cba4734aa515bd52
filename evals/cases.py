"""What is asked of the desk and what a right ending looks like: read from YAML, checked before anything runs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from storage.files.text import FileInvalid, first_told, read_text, shortened

#: The case files that ship with the project.
SHIPPED = Path(__file__).parent / "cases"


class CasesInvalid(Exception):
    """A case file cannot be used; the text names the file, the case, and what to correct."""


class CaseKind(StrEnum):
    """How a question must end."""

    ANSWERABLE = "answerable"  # answered, citing an accepted section
    UNANSWERABLE = "unanswerable"  # no_evidence: the documents do not say
    FORBIDDEN = "forbidden"  # no_evidence: they do, but not to this asker
    OUT_OF_SCOPE = "out_of_scope"  # refused


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AcceptedSource(_Part):
    """A section that a right answer cites."""

    page: str = Field(min_length=1)  # path below the handbook
    section: str = Field(min_length=1)  # heading path joined with " > "


class QuestionCase(_Part):
    """One question by one person."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    kind: CaseKind
    asker: str = Field(min_length=1)  # a person in people.yaml
    language: Literal["en", "zh"]
    question: str = Field(min_length=1)
    accept: tuple[AcceptedSource, ...] = ()
    hidden: str = ""  # the page that answers it and that the asker may not see
    absent: tuple[str, ...] = ()  # words that must not stand in the reply

    @model_validator(mode="after")
    def _kind_fits(self) -> Self:
        if (self.kind is CaseKind.ANSWERABLE) != bool(self.accept):
            raise ValueError("`accept` belongs to answerable cases, and each of them needs it")
        if (self.kind is CaseKind.FORBIDDEN) != bool(self.hidden):
            raise ValueError("`hidden` belongs to forbidden cases, and each of them needs it")
        return self


class RoutingCase(_Part):
    """One utterance, its intent, and what must have been read out of it."""

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    text: str = Field(min_length=1)
    intent: str = Field(min_length=1)
    ticket: str = ""
    detail: str = ""
    status: str = ""
    fields: Mapping[str, str] = {}
    none: tuple[str, ...] = ()  # fields about which the words say nothing


class QuestionFile(_Part):
    """A file of questions; `name` picks its thresholds."""

    name: str = Field(min_length=1)
    cases: tuple[QuestionCase, ...] = Field(min_length=1)


class RoutingFile(_Part):
    """A file of utterances; `name` picks its thresholds."""

    name: str = Field(min_length=1)
    cases: tuple[RoutingCase, ...] = Field(min_length=1)


def load_questions(path: Path) -> QuestionFile:
    """Return the questions of a file; raise `CasesInvalid` with one line per wrong case."""
    raw = _read(path)
    try:
        loaded = QuestionFile.model_validate(raw)
    except ValidationError as error:
        raise CasesInvalid(_told(path, raw, error)) from error
    _require_unique(path, (case.id for case in loaded.cases))
    return loaded


def load_routing(path: Path) -> RoutingFile:
    """Return the utterances of a file; raise `CasesInvalid` with one line per wrong case."""
    raw = _read(path)
    try:
        loaded = RoutingFile.model_validate(raw)
    except ValidationError as error:
        raise CasesInvalid(_told(path, raw, error)) from error
    _require_unique(path, (case.id for case in loaded.cases))
    return loaded


def load_thresholds(path: Path, name: str) -> Mapping[str, float]:
    """Return the least values that the file of that name must reach; empty when none are set for it."""
    raw = _read(path)
    values = raw.get(name, {}) if isinstance(raw, dict) else None
    if not isinstance(values, dict) or not all(isinstance(value, int | float) for value in values.values()):
        raise CasesInvalid(f"{path}: write thresholds as `{name}: {{cited: 0.9}}`, each a number from 0 to 1.")
    return {str(key): float(value) for key, value in values.items()}


def _read(path: Path) -> object:
    try:
        return read_text(path).value
    except FileInvalid as error:
        raise CasesInvalid(str(error)) from error


def _told(path: Path, raw: object, error: ValidationError) -> str:
    found = error.errors(include_url=False, include_input=False)
    lines = (
        f"  {_place(raw, [shortened(part) for part in each['loc']])}: {each['msg'].removeprefix('Value error, ')}"
        for each in found
    )
    return "\n".join((f"{path}: {len(found)} thing(s) to correct", *first_told(lines)))


def _place(raw: object, where: list[str]) -> str:
    """Name a case by its id where it has one, else by its number in the file."""
    if len(where) < 2 or where[0] != "cases" or not isinstance(raw, dict):
        return ".".join(where) or "file"
    case = raw["cases"][int(where[1])]
    known = case.get("id") if isinstance(case, dict) else None
    return ".".join([f"case {known or '#' + str(int(where[1]) + 1)}", *where[2:]])


def _require_unique(path: Path, ids: Iterable[str]) -> None:
    twice = [each for each, count in Counter(ids).items() if count > 1]
    if twice:
        raise CasesInvalid(f"{path}: these ids stand there more than once: {', '.join(twice)}")
