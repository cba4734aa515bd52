"""What a run takes along to go on after a wait, or to be replayed: its messages, its calls, where it was asked.

What a call returned stands once, with the call; the message that brought it to the brain points there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelRequest, ToolReturnPart

from agent.tools.context import Recollection
from storage.ids import JsonObject, JsonValue


@dataclass(frozen=True)
class KeptCall:
    """A call of the run: its arguments, what became of it, its result in the form in which results are stored."""

    tool: str
    call_id: str
    arguments: JsonObject
    status: str  # "done", "pending" or "denied"
    told: JsonObject  # what the brain was told
    result: JsonObject = field(default_factory=dict)
    waits_for: str = ""
    code: str = ""
    reason: str = ""
    replayed: bool = False


@dataclass(frozen=True)
class Origin:
    """Where and how a run was asked."""

    text: str
    language: str
    address: JsonObject
    shared: tuple[str, ...] | None  # the principals of those who read along; None where nobody did
    files_thread: str
    files_alone: bool
    sources: tuple[str, ...] | None = None  # that alone might answer there; None: all
    withheld: tuple[str, ...] = ()  # tools that are not offered there
    memory: Recollection = field(default_factory=Recollection)


@dataclass(frozen=True)
class RestsOn:
    """The pages, by the ids of their documents, whose words may stand in an answer and in what is asked after it."""

    answer: frozenset[str] = frozenset()
    followups: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Record:
    """Everything of a run that is not in its steps."""

    origin: Origin
    calls: tuple[KeptCall, ...] = ()
    messages: tuple[Any, ...] = ()
    tainted: bool = False
    seconds: float = 0.0  # of work that were used; waiting is no work
    rests_on: RestsOn | None = None  # None: an older release did not note it


_RECORDS = TypeAdapter(Record)


def dump_record(record: Record, messages: Sequence[ModelMessage]) -> JsonObject:
    """Return a record with the messages of the run as JSON."""
    calls = {call.call_id: at for at, call in enumerate(record.calls) if call.call_id}
    pointing = [_pointing(message, calls) for message in messages]
    kept = replace(record, messages=tuple(ModelMessagesTypeAdapter.dump_python(pointing, mode="json")))
    dumped: JsonObject = _RECORDS.dump_python(kept, mode="json")
    return dumped


def load_record(value: JsonObject) -> tuple[Record, list[ModelMessage]]:
    """Return the record and the messages that `dump_record` made into JSON."""
    record = _RECORDS.validate_python(value)
    messages = ModelMessagesTypeAdapter.validate_python(list(record.messages))
    return record, [_whole(message, record.calls) for message in messages]


def kept_with(value: JsonObject) -> Record | None:
    """Return the record alone, without making anything of its messages; None where a run has none."""
    return _RECORDS.validate_python(value) if value else None


def _pointing(message: ModelMessage, calls: Mapping[str, int]) -> ModelMessage:
    if not isinstance(message, ModelRequest):
        return message
    parts = [
        _with(part, {"call": calls[part.tool_call_id]})
        if isinstance(part, ToolReturnPart) and part.tool_call_id in calls
        else part
        for part in message.parts
    ]
    return replace(message, parts=parts)


def _whole(message: ModelMessage, calls: Sequence[KeptCall]) -> ModelMessage:
    if not isinstance(message, ModelRequest):
        return message
    by_id = {call.call_id: call for call in calls if call.call_id}
    parts = [
        _with(part, dict(by_id[part.tool_call_id].told))
        if isinstance(part, ToolReturnPart) and part.tool_call_id in by_id
        else part
        for part in message.parts
    ]
    return replace(message, parts=parts)


def _with(part: Any, content: Mapping[str, JsonValue]) -> Any:
    return replace(part, content=content)
