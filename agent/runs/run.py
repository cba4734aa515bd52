"""A run as it is kept: the words of the run store, pure values (feature D13)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Literal, assert_never

from agent.results import Records, Result, result_json, result_of
from agent.runs.answer import Answer, Answered, AskedBack, Failed, NeedsApproval, NoEvidence, Outcome, Refused
from agent.tools.evidence import Evidence
from storage.ids import JsonObject, JsonValue

Verdict = Literal["up", "down"]


class RunState(StrEnum):
    """The life of a run."""

    RUNNING = "running"
    WAITING = "waiting"  # for what `waits_for` names; nothing of it is in memory
    ENDED = "ended"  # with its outcome


class StepStatus(StrEnum):
    """How one step ended."""

    OK = "ok"
    REPLAYED = "replayed"  # the first result of the same call was given again
    PENDING = "pending"  # it waits for a button
    DENIED = "denied"
    ERROR = "error"


#: The step that keeps which links were taken out of an answer.
LINKS = "links"


@dataclass(frozen=True)
class Step:
    """One thing that happened in a run. `given` and `returned` are redacted."""

    step_id: str
    number: int
    node: str  # "prefetch", "tool", "brain", "fallback", "citations", LINKS
    tool: str
    given: JsonObject
    returned: JsonObject
    timing_ms: float
    status: StepStatus
    at: datetime
    error: Mapping[str, str] = field(default_factory=dict)  # {"type", "msg"}, empty when all went well
    private: JsonObject = field(default_factory=dict)  # what the asker must not learn: hidden passages


@dataclass(frozen=True)
class Usage:
    """What a run used."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None  # in dollars, where the vendor says it


@dataclass(frozen=True)
class Feedback:
    """What the asker thought of the answer."""

    verdict: Verdict
    reason: str
    at: datetime


@dataclass(frozen=True)
class Withheld:
    """What of a run is not shown to its viewer: it stands on pages that they may not read now."""

    quotations: int = 0
    steps: bool = False  # what went in and came out of them
    answer: bool = False


@dataclass(frozen=True)
class Run:
    """One run; `steps` and `evidence` are filled by `show` only."""

    id: str
    actor_id: str
    actor_name: str
    event_id: str
    thread: str
    text: str
    language: str
    state: RunState
    brain: str
    prompt: str  # fingerprint of the instructions
    outcome: Outcome | None
    answer: JsonObject
    usage: Usage
    timings_ms: Mapping[str, float]
    started_at: datetime
    finished_at: datetime | None
    waits_for: str = ""  # "approval:<id>" or "answer:<actor>:<thread>"; "" when it does not wait
    waits_until: datetime | None = None
    record: JsonObject = field(default_factory=dict)  # what it takes to go on, or to be replayed
    feedback: Feedback | None = None
    steps: tuple[Step, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    withheld: Withheld = Withheld()


class AskedOf(StrEnum):
    """Which questions a report is about."""

    UNANSWERED = "unanswered"  # nothing was found
    DISLIKED = "disliked"  # whoever asked said that the answer did not help
    ANSWERED = "answered"  # from the documents


@dataclass(frozen=True)
class AskedOften:
    """Words in which something was asked, and how often."""

    words: str
    times: int


@dataclass(frozen=True)
class AskedReport:
    """What people asked, what was asked most first; `hidden`: how many questions the reader may not read."""

    often: tuple[AskedOften, ...] = ()
    hidden: int = 0


def answer_json(answer: Answer) -> JsonObject:
    """Return an answer in the form in which runs keep it; what is shown from state is kept by id only."""
    match answer:
        case Answered():
            body: dict[str, JsonValue] = {
                "text": answer.text,
                "confidence": answer.confidence,
                "citations": [vars(citation) for citation in answer.citations],
                "followups": list(answer.followups),
                "conflicts": [vars(conflict) for conflict in answer.conflicts],
                "results": _results_json(answer.results),
                **({"lead": answer.lead} if answer.lead else {}),
                **({"unsaid": answer.unsaid} if answer.unsaid else {}),
                **({"is_reading": True} if answer.is_reading else {}),
            }
        case NoEvidence(look_in=page, is_reading=is_reading, beside=beside, unsaid=unsaid):
            body = {
                **({"look_in": vars(page)} if page else {}),
                **({"is_reading": True} if is_reading else {}),
                **({"beside": beside} if beside else {}),
                **({"unsaid": unsaid} if unsaid else {}),
            }
        case AskedBack():
            body = {
                "code": answer.code,
                "question": answer.question,
                "options": list(answer.options),
                "results": _results_json(answer.results),
            }
        case NeedsApproval():
            body = {"results": _results_json(answer.results)}
        case Refused():
            body = {"code": answer.code, "detail": answer.detail}
        case Failed():
            body = {"code": answer.code, "reference": answer.reference}
        case _:
            assert_never(answer)
    return {"outcome": answer.outcome.value, **body}


def is_about(run: Run, subject: Records) -> bool:
    """Return whether a run's answer shows these records."""
    kept = run.answer.get("results")
    shown = [result_of(each) for each in kept] if isinstance(kept, list | tuple) else []
    return any(isinstance(each, Records) and (each.kind, each.ids) == (subject.kind, subject.ids) for each in shown)


def _results_json(results: tuple[Result, ...]) -> list[JsonValue]:
    """Return results as they are kept; what the brain was told of records stands in the step that found them."""
    kept = (replace(each, tells={}) if isinstance(each, Records) else each for each in results)
    return [result_json(each) for each in kept]
