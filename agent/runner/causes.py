"""What lets a run that waits go on: a closed union. Each cause has the key by which the run waits for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.runner.requests import Request
from agent.runner.waiting import answer_key
from agent.runs.answer import Answer
from agent.runs.keys import APPROVAL, JOB, TIME


@dataclass(frozen=True)
class MessageCame:
    """The person has answered what the run asked, in words or by a choice that says them."""

    request: Request

    @property
    def key(self) -> str:
        """Return what a run waits for that this brings."""
        return answer_key(self.request.actor.id, self.request.thread)


@dataclass(frozen=True)
class FormSent:
    """The person has answered in a form, and what it is for has been done: `answer` says what stands now."""

    request: Request
    values: Mapping[str, str]
    answer: Answer

    @property
    def key(self) -> str:
        """Return what a run waits for that this brings."""
        return answer_key(self.request.actor.id, self.request.thread)


@dataclass(frozen=True)
class ButtonPressed:
    """A button was pressed, and what it is for has been done."""

    approval_id: str

    @property
    def key(self) -> str:
        """Return what a run waits for that this brings."""
        return f"{APPROVAL}{self.approval_id}"


@dataclass(frozen=True)
class JobFinished:
    """A work item of the queue has ended, well or badly: the tool that waited for it looks."""

    item: str

    @property
    def key(self) -> str:
        """Return what a run waits for that this brings."""
        return f"{JOB}{self.item}"


@dataclass(frozen=True)
class TimeCame:
    """The instant of a timer has come; `timer` names the run and the instant."""

    timer: str

    @property
    def key(self) -> str:
        """Return what a run waits for that this brings."""
        return f"{TIME}{self.timer}"


Cause = MessageCame | FormSent | ButtonPressed | JobFinished | TimeCame

_BROUGHT: Mapping[str, type[ButtonPressed] | type[JobFinished] | type[TimeCame]] = {
    APPROVAL: ButtonPressed,
    JOB: JobFinished,
    TIME: TimeCame,
}


def cause_of(key: str) -> ButtonPressed | JobFinished | TimeCame:
    """Return the cause that brings what a run waits for, where that is no word of a person."""
    for kind, brought in _BROUGHT.items():
        if key.startswith(kind):
            return brought(key.removeprefix(kind))
    raise ValueError(key)
