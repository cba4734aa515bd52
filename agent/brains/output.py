"""What a brain may end a run with: the output tools that both brains call, and how they are told the message.

The runner turns one of these, together with what the tools did, into `agent.runs.answer.Answer`. Each type is offered
as an output tool of a fixed name (`reply`, `abstain`, `ask_back`, `act`, `refuse`); plain text is no valid ending.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.json_schema import SkipJsonSchema
from pydantic_ai import ToolOutput
from pydantic_ai.messages import ModelMessage, ModelRequest, TextContent, UserPromptPart

from agent.tools.context import Recollection

#: Most claims of one reply; more than this is not a chat answer.
MAX_CLAIMS = 24
#: The lead of a reply that only names sections that come near.
UNSURE = "unsure"


class _Output(BaseModel):
    """Frozen, and closed: an unknown field is a mistake that goes back to the model once."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Claim(_Output):
    """One statement and the evidence it rests on. A claim may be a sentence, a list item, a table or a code block."""

    text: Annotated[str, Field(min_length=1, max_length=4_000, description="One statement in Markdown, no [n] marks")]
    evidence: Annotated[
        list[str], Field(max_length=8, description='Evidence ids that support it, such as "E1"; never empty')
    ]


class Reply(_Output):
    """Answer from the evidence that was retrieved in this run. Every claim names its evidence."""

    claims: Annotated[list[Claim], Field(min_length=1, max_length=MAX_CLAIMS)]
    followups: Annotated[
        list[str], Field(max_length=4, description="Questions that the person may ask next, answerable from the same")
    ] = []
    #: What is said before what the documents say: what the desk cannot do, or that the page is in the other language.
    #: Of the rules alone, no model is told of it.
    lead: SkipJsonSchema[Annotated[str, Field(max_length=64)]] = ""
    #: The thing that is asked for, where nothing that was found speaks of it.
    unsaid: SkipJsonSchema[Annotated[str, Field(max_length=80)]] = ""


class Abstain(_Output):
    """Nothing that was retrieved supports an answer."""

    #: Evidence of a page that was cited before and may hold more; of the rules alone, no model is told of it.
    look_in: SkipJsonSchema[Annotated[str, Field(max_length=16)]] = ""
    #: What it says of whom to ask, word for word.
    ask: SkipJsonSchema[Annotated[str, Field(max_length=400)]] = ""
    #: What a feature has to say beside it (`no_evidence.beside.<code>`): that it may not look there for the person.
    beside: SkipJsonSchema[Annotated[str, Field(max_length=64)]] = ""
    #: The thing that is asked for, where nothing that was found speaks of it.
    unsaid: SkipJsonSchema[Annotated[str, Field(max_length=80)]] = ""


class AskBack(_Output):
    """Something is missing before anything can be done or answered."""

    code: Annotated[str, Field(max_length=64, description='What is missing; "other" with a question of your own')] = (
        "other"
    )
    question: Annotated[str, Field(max_length=400)] = ""
    options: Annotated[list[str], Field(max_length=6)] = []


#: Codes of what is said in place of an answer and asks for nothing.
NO_QUESTIONS = frozenset(
    {
        "help",
        "greeting",
        "thanks",
        "noted",
        "farewell",
        "made_by",
        "dropped",
        "left",
        "nothing_asked",
        "it_stands",
        "go_ahead",
        "no_help",
        "alarm_over",
        "press_button",
        "not_done",
    }
)


class Act(_Output):
    """The tools did what was asked; the reply shows what they returned."""

    note: Annotated[str, Field(max_length=400)] = ""


class Refuse(_Output):
    """The message asks for something that this desk does not do."""

    code: Annotated[str, Field(max_length=64)] = "out_of_scope"
    detail: Annotated[str, Field(max_length=400)] = ""


Output = Reply | Abstain | AskBack | Act | Refuse

#: Output type → name of the output tool that carries it.
OUTPUT_NAMES: dict[type[Output], str] = {
    Reply: "reply",
    Abstain: "abstain",
    AskBack: "ask_back",
    Act: "act",
    Refuse: "refuse",
}


def output_tools() -> list[ToolOutput[Output]]:
    """Return the output tools in the form that an agent takes."""
    return [ToolOutput[Output](kind, name=name, description=kind.__doc__) for kind, name in OUTPUT_NAMES.items()]


@dataclass(frozen=True)
class Brief:
    """What the rules brain is told beside the messages; it travels as metadata and never reaches a vendor."""

    text: str  # what the person wrote, verbatim
    language: str  # "en" or "zh"
    now: datetime
    memory: Recollection
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # tool → names of what may be spoken of
    asker: str = ""  # id of the person


_BRIEFS = TypeAdapter(Brief)


def brief_of(messages: Sequence[ModelMessage]) -> Brief:
    """Return the brief of the run's own message; raise LookupError when the messages hold none."""
    for message in reversed(messages):
        if not isinstance(message, ModelRequest):
            continue
        for part in message.parts:
            brief = _brief_in(part) if isinstance(part, UserPromptPart) else None
            if brief is not None:
                return brief
    raise LookupError("no message of this run carries a brief")


def _brief_in(part: UserPromptPart) -> Brief | None:
    items = () if isinstance(part.content, str) else part.content
    for item in items:
        if isinstance(item, TextContent) and isinstance(item.metadata, Brief):
            return item.metadata
        if isinstance(item, TextContent) and isinstance(item.metadata, dict):  # kept while the run waited
            return _BRIEFS.validate_python(item.metadata)
    return None
