"""Right or wrong, and by how much: pure functions over a case and what was observed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from evals.cases import CaseKind, QuestionCase, RoutingCase

#: An answer that cites more places than this points nowhere.
MOST_CITATIONS = 4
#: Hits that are looked at for recall.
RECALL_AT = 3
#: Checks of the search alone: counted on their own, since a brain may search with better words than the asker's.
SEARCH_CHECKS = ("recall", "section recall")


@dataclass(frozen=True)
class CitedPlace:
    """A section of a page."""

    page: str
    section: str


@dataclass(frozen=True)
class CaseObservation:
    """How one question ended."""

    case_id: str
    outcome: str
    is_unsure: bool = False  # it only names sections that come near, and says so
    words: str = ""  # the reply as the asker reads it, quotes included
    cited: tuple[CitedPlace, ...] = ()
    found: tuple[CitedPlace, ...] = ()  # the best hits of the search, best first
    elapsed_ms: float = 0.0


@dataclass(frozen=True)
class Understood:
    """What was read out of one utterance."""

    intent: str
    ticket: str = ""
    detail: str = ""
    status: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Check:
    """One thing that was looked at; `said` tells what was seen when it is wrong."""

    name: str
    passed: bool
    said: str = ""


@dataclass(frozen=True)
class Grade:
    """The checks of one case."""

    case_id: str
    group: str  # what it is counted under
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Return whether every check of the ending passed."""
        return all(check.passed for check in self.checks if check.name not in SEARCH_CHECKS)

    def check(self, name: str) -> Check | None:
        """Return the check of that name, when the case has it."""
        return next((check for check in self.checks if check.name == name), None)


@dataclass(frozen=True)
class Score:
    """How many of how many."""

    name: str
    right: int
    of: int

    @property
    def value(self) -> float:
        """Return the share, 1.0 when there was nothing to do."""
        return self.right / self.of if self.of else 1.0


@dataclass(frozen=True)
class Shortfall:
    """A score below its threshold."""

    name: str
    value: float
    least: float


def grade_question(case: QuestionCase, seen: CaseObservation) -> Grade:
    """Judge one ending: outcome, page, section, recall, and words that must not be there."""
    wanted = _wanted_outcome(case.kind)
    ended = seen.outcome == wanted or (seen.is_unsure and wanted == "no_evidence")
    checks = [Check("outcome", ended, f"ended {seen.outcome}, should be {wanted}")]
    if case.kind is CaseKind.ANSWERABLE:
        checks.extend(_citation_checks(case, seen))
    checks.append(_absent(case, seen))
    return Grade(case_id=case.id, group=_group(case.kind), checks=tuple(checks))


def grade_routing(case: RoutingCase, seen: Understood) -> Grade:
    """Judge one utterance: the intent, and each part that the case names."""
    checks = [Check("intent", seen.intent == case.intent, f"read as {seen.intent}")]
    for name, wanted, got in (("ticket", case.ticket, seen.ticket), ("status", case.status, seen.status)):
        if wanted:
            checks.append(Check(name, got.casefold() == wanted.casefold(), f"{name} read as {got!r}"))
    if case.detail:
        checks.append(Check("detail", _same(case.detail, seen.detail), f"detail read as {seen.detail!r}"))
    for name, wanted in case.fields.items():
        got = seen.fields.get(name, "")
        checks.append(Check(name, _same(wanted, got), f"{name} read as {got!r}"))
    for name in case.none:
        got = seen.fields.get(name, "")
        checks.append(Check(f"no {name}", not got, f"{name} made up: {got!r}"))
    return Grade(case_id=case.id, group="routing", checks=tuple(checks))


def question_scores(grades: Sequence[Grade]) -> tuple[Score, ...]:
    """Return the figures of a question file: cited, recall_at_3 of pages and of sections, no_evidence, refused."""
    return (
        _share("cited", grades),
        _checked("recall_at_3", "recall", grades),
        _checked("section_recall_at_3", "section recall", grades),
        _share("no_evidence", grades),
        _share("refused", grades),
    )


def routing_scores(grades: Sequence[Grade]) -> tuple[Score, ...]:
    """Return the figures of a routing file: intents, and the parts read out of the utterances."""
    intents = [check for grade in grades for check in grade.checks if check.name == "intent"]
    parts = [check for grade in grades for check in grade.checks if check.name != "intent"]
    return (
        Score("intent", sum(check.passed for check in intents), len(intents)),
        Score("parts", sum(check.passed for check in parts), len(parts)),
    )


def shortfalls(scores: Iterable[Score], thresholds: Mapping[str, float]) -> tuple[Shortfall, ...]:
    """Return every score below its threshold; a threshold without a score is a shortfall, too."""
    values = {score.name: score.value for score in scores}
    return tuple(
        Shortfall(name, values.get(name, 0.0), least)
        for name, least in thresholds.items()
        if values.get(name, 0.0) < least
    )


def _wanted_outcome(kind: CaseKind) -> str:
    match kind:
        case CaseKind.ANSWERABLE:
            return "answered"
        case CaseKind.UNANSWERABLE | CaseKind.FORBIDDEN:
            return "no_evidence"
        case CaseKind.OUT_OF_SCOPE:
            return "refused"
        case _:
            assert_never(kind)


def _group(kind: CaseKind) -> str:
    match kind:
        case CaseKind.ANSWERABLE:
            return "cited"
        case CaseKind.UNANSWERABLE | CaseKind.FORBIDDEN:
            return "no_evidence"
        case CaseKind.OUT_OF_SCOPE:
            return "refused"
        case _:
            assert_never(kind)


def _citation_checks(case: QuestionCase, seen: CaseObservation) -> Iterable[Check]:
    pages = {accepted.page for accepted in case.accept}
    places = {_folded(CitedPlace(accepted.page, accepted.section)) for accepted in case.accept}
    cited = "; ".join(f"{place.page} § {place.section}" for place in seen.cited) or "nothing"
    found = "; ".join(f"{place.page} § {place.section}" for place in seen.found[:RECALL_AT]) or "nothing"
    yield Check("page", any(place.page in pages for place in seen.cited), f"cites {cited}")
    yield Check("section", any(_folded(place) in places for place in seen.cited), f"cites {cited}")
    yield Check("focus", len(seen.cited) <= MOST_CITATIONS, f"cites {len(seen.cited)} places")
    yield Check("recall", any(place.page in pages for place in seen.found[:RECALL_AT]), f"finds {found}")
    yield Check("section recall", any(_folded(place) in places for place in seen.found[:RECALL_AT]), f"finds {found}")


def _absent(case: QuestionCase, seen: CaseObservation) -> Check:
    told = [word for word in case.absent if word.casefold() in seen.words.casefold()]
    return Check("absent", not told, f"says {', '.join(told)}")


def _share(group: str, grades: Sequence[Grade]) -> Score:
    members = [grade for grade in grades if grade.group == group]
    return Score(group, sum(grade.passed for grade in members), len(members))


def _checked(name: str, check: str, grades: Sequence[Grade]) -> Score:
    looked_at = [found for grade in grades if (found := grade.check(check)) is not None]
    return Score(name, sum(found.passed for found in looked_at), len(looked_at))


def _folded(place: CitedPlace) -> CitedPlace:
    return CitedPlace(place.page, " ".join(place.section.split()).casefold())


def _same(wanted: str, got: str) -> bool:
    """Tell whether a value was read out: it holds what was wanted and not much else."""
    plain_wanted, plain_got = _plain(wanted), _plain(got)
    return plain_wanted in plain_got and len(plain_got) <= 2 * len(plain_wanted) + 8


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", re.sub(r"\b(?:the|a|an)\b", "", text.casefold()))
