"""What a feature makes of messages that examples do not lead to: those that hang on the thread, and reports.

Most features need `routes` alone. One whose things are spoken of over several messages ("cancel it", "room 204, and
it is urgent") reads them itself and says so with these values.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from agent.brains.output import Abstain, AskBack
from agent.brains.rules.understanding.message import GoingOn, Message
from storage.ids import JsonValue


@dataclass(frozen=True)
class Step:
    """A tool to call, with its arguments."""

    tool: str
    arguments: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Lookup:
    """Ask the documents; where they hold nothing, take the step.

    `about`: what the message names; an uncertain answer in which none of it stands is none.
    `only`: a sure one is none either, and an uncertain one never is one.
    `beside`: where they answer, this step is taken too, with the evidence that is quoted as its argument `tried`.
    `goes_on`: the page of the answer before may say it; `of_page`: no other page is asked.
    `along`: `beside` is taken whatever the page of the answer before says, and what that says is shown as unsure.
    `vague`: it may be a question as well as a report: the nearest sections are shown beside it, sure or not.
    """

    otherwise: Step | Abstain
    about: tuple[str, ...] = ()
    only: bool = False
    beside: Step | None = None
    goes_on: bool = False
    of_page: bool = False
    vague: bool = False
    along: bool = False


@dataclass(frozen=True)
class Several:
    """Several questions of one message: the documents are asked `looked_up`, then each step is taken.

    The last step gets what was left without an answer, in the person's words, as its argument `left`. `aside`: nobody
    has asked what is looked up, so that nothing is said where it has no answer. `about`: an answer in which none of
    these words stands is none. `reported`: a report among them, which the documents may help with; `of_report`: what is
    looked up is asked about it, so that such help is an answer. `nearly`: where no section is likely to answer, the
    nearest one is shown, and that it may not. `reach`: what the thread speaks of, about which somebody is to be
    reached: whoever it has named, else those whom the documents list as whom to ask.
    """

    steps: tuple[Step, ...]
    looked_up: str = ""
    reported: str = ""
    left: tuple[str, ...] = ()
    aside: bool = False
    about: tuple[str, ...] = ()
    of_report: bool = False
    nearly: bool = False
    reach: GoingOn | None = None


Reading = Step | Lookup | Several | AskBack
#: Reads a message, given the tools that the asker may use; None when it is about something else.
Read = Callable[[Message, frozenset[str]], Reading | None]


def _nothing(_message: Message, _offered: frozenset[str]) -> Reading | None:
    return None


@dataclass(frozen=True)
class Talk:
    """How a feature understands what is said of its things."""

    tools: frozenset[str]
    understand: Read = _nothing  # what is clearly about its things
    suppose: Read = _nothing  # what may be, when nothing else claims it and it is no small talk
    concerns: Callable[[Message], bool] = lambda _message: False  # never out of scope, whatever else it sounds like
    asks: Mapping[str, str] = field(default_factory=dict)  # code of a denied call → what is asked instead
