"""What a run may end in: a closed union, one class per outcome."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from agent.results import Result


class Outcome(StrEnum):
    """The six ways in which an addressed message ends."""

    ANSWERED = "answered"
    NO_EVIDENCE = "no_evidence"
    ASKED_BACK = "asked_back"
    NEEDS_APPROVAL = "needs_approval"
    REFUSED = "refused"
    FAILED = "failed"


Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True)
class Citation:
    """One source of an answer; `quote` stands verbatim in the page, or is a row of the table."""

    number: int
    evidence_id: str
    chunk_id: str
    title: str  # of the page; of other evidence what it is called
    section: str  # heading path joined with " > "
    source: str  # path below the indexed folder; "" for what is no page
    source_name: str  # the name of the indexed source
    anchor: str
    quote: str
    updated: str = ""  # ISO date, when the page says one
    not_in_force: str = ""  # `until` or `from` and the day, or `edition`, where its page does not hold now
    url: str = ""  # the page on its own site, where an answer may lead there


@dataclass(frozen=True)
class Conflict:
    """Two cited sources that say different things; the newer one is followed."""

    newer: int
    older: int


@dataclass(frozen=True)
class Answered:
    """An answer. `text` is Markdown with `[n]` marks; empty when the results of the tools say it all."""

    text: str = ""
    citations: tuple[Citation, ...] = ()
    confidence: Confidence = "high"
    followups: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    results: tuple[Result, ...] = ()
    lead: str = ""  # the code of what the desk cannot do, said before what the documents say
    unsaid: str = ""  # the thing that was asked for, where nothing that was found speaks of it
    is_reading: bool = False  # the documents are still being read: another answer may be found later
    outcome: Outcome = field(default=Outcome.ANSWERED, init=False)


@dataclass(frozen=True)
class NoEvidence:
    """Nothing that the asker may see supports an answer; the same words whether or not something exists.

    `look_in` is the page that the thread's answer before rests on, where the question goes on with it.
    """

    look_in: Citation | None = None
    is_reading: bool = False  # the documents are still being read: an answer may be found later
    beside: str = ""  # code of what a feature has to say to it
    unsaid: str = ""  # the thing that was asked for, where nothing that was found speaks of it
    outcome: Outcome = field(default=Outcome.NO_EVIDENCE, init=False)


@dataclass(frozen=True)
class AskedBack:
    """Something is missing: a code for the words, or a language model's own question."""

    code: str
    question: str = ""
    options: tuple[str, ...] = ()
    results: tuple[Result, ...] = ()
    outcome: Outcome = field(default=Outcome.ASKED_BACK, init=False)


@dataclass(frozen=True)
class NeedsApproval:
    """A button must be pressed: `results` name the draft or the approval."""

    results: tuple[Result, ...]
    outcome: Outcome = field(default=Outcome.NEEDS_APPROVAL, init=False)


@dataclass(frozen=True)
class Refused:
    """Out of the asker's rights to act, or out of scope: a reason code."""

    code: str
    detail: str = ""
    outcome: Outcome = field(default=Outcome.REFUSED, init=False)


@dataclass(frozen=True)
class Failed:
    """Something broke; `reference` finds it in the log and the run store."""

    reference: str
    code: str = "internal"
    outcome: Outcome = field(default=Outcome.FAILED, init=False)


Answer = Answered | NoEvidence | AskedBack | NeedsApproval | Refused | Failed
