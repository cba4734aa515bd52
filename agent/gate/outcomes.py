"""What can come of a tool call: it was done, it waits for a button, or it was not made."""

from dataclasses import dataclass, field

from agent.results import Result
from agent.runs.keys import APPROVAL
from agent.tools.evidence import Evidence
from agent.tools.registry import ToolResult
from storage.ids import JsonObject


@dataclass(frozen=True)
class Done:
    """The call ran; `replayed` says that it had run before with the same words and gave that result again."""

    result: ToolResult
    replayed: bool = False
    content: JsonObject = field(default_factory=dict)  # what the brain is told
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Pending:
    """The call waits, for a button or for what its tool says; `results` are shown meanwhile."""

    waits_for: str
    results: tuple[Result, ...] = ()

    @property
    def approval_id(self) -> str:
        """Return the id of the approval that it waits for; "" where it waits for something else."""
        return self.waits_for.removeprefix(APPROVAL) if self.waits_for.startswith(APPROVAL) else ""


@dataclass(frozen=True)
class Denied:
    """The call was not made; `reason` may be told to the brain, or is what the person is asked."""

    code: str
    reason: str = ""
    asks: bool = False  # the person is asked for what it lacks
    options: tuple[str, ...] = ()  # what they may choose from


GateResult = Done | Pending | Denied


def told(outcome: GateResult) -> JsonObject:
    """Return what the brain is told of an outcome."""
    match outcome:
        case Done():
            return {"status": "done", **outcome.content}
        case Pending():
            if outcome.approval_id:
                return {"status": "needs_approval", "approval": outcome.approval_id}
            return {"status": "waits", "for": outcome.waits_for.partition(":")[0]}
        case Denied(asks=True):
            asked: JsonObject = {"question": outcome.reason} if outcome.reason else {}
            asked = {**asked, "ask_the_person": True, "options": list(outcome.options)}
            return {"status": "denied", "code": outcome.code, **asked}
        case Denied():
            return {"status": "denied", "code": outcome.code, "reason": outcome.reason}
