"""Neutral events to JSON and back, for the inbox."""

import asyncio
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from pydantic import TypeAdapter

from adapters.cards import Card, Sources
from adapters.events import Feedback, FormSubmit, HomeOpened, Inbound, Joined, Message, Press, Withdrawn
from agent.tools.context import UNKNOWN
from search.parsing.converted import kind_of as format_of
from storage.ids import JsonObject
from storage.redaction.said import LONG, redact_said

Kind = Literal["message", "press", "form", "feedback", "home", "joined", "withdrawn", "due"]


@dataclass(frozen=True)
class Due:
    """What a run waited for has come: it goes on, in the line of its thread."""

    run_id: str
    waits_for: str
    envelope: JsonObject  # where it was asked, else where the button was pressed
    privately: bool = False  # it was asked alone: where others read along, they do not read the answer


_TYPES: dict[Kind, type[Inbound | Due]] = {
    "message": Message,
    "press": Press,
    "form": FormSubmit,
    "feedback": Feedback,
    "home": HomeOpened,
    "joined": Joined,
    "withdrawn": Withdrawn,
    "due": Due,
}
_ADAPTERS: dict[Kind, TypeAdapter[Inbound | Due]] = {kind: TypeAdapter(each) for kind, each in _TYPES.items()}
_CARDS: TypeAdapter[Card] = TypeAdapter(Card)


def kind_of(event: Inbound | Due) -> Kind:
    """Return the name under which an event's class is stored."""
    for kind, each in _TYPES.items():
        if isinstance(event, each):
            return kind
    raise TypeError(type(event))


def dump_event(event: Inbound | Due) -> JsonObject:
    """Return an event as JSON."""
    data: JsonObject = _ADAPTERS[kind_of(event)].dump_python(event, mode="json")
    return data


async def freed_of_secrets(event: Inbound) -> Inbound:
    """Return an event without secrets; what is long is looked through beside the event loop."""
    if len(repr(event)) <= LONG:
        return without_secrets(event)
    return await asyncio.to_thread(without_secrets, event)


def without_secrets(event: Inbound) -> Inbound:
    """Return an event without the secrets in what a person said, typed, chose or called their files.

    Addresses, references and nonces stay as they are: they are its platform's, and it is answered by them.
    """
    match event:
        case Message():
            files = tuple(replace(each, name=_file_name(each.name)) for each in event.files)
            return replace(event, text=redact_said(event.text), files=files)
        case Press():
            action, subject = redact_said(event.action), redact_said(event.id)
            return replace(event, action=action, id=subject, text=redact_said(event.text))
        case FormSubmit():
            values = {redact_said(name): redact_said(value) for name, value in event.values.items()}
            return replace(event, form=redact_said(event.form), id=redact_said(event.id), values=values)
        case Feedback():
            return replace(event, id=redact_said(event.id), reason=event.reason and redact_said(event.reason))
        case Withdrawn():  # by the names under which the files were kept
            return replace(event, kept=tuple(_file_name(each) for each in event.kept))
        case HomeOpened() | Joined():
            return event
        case _:
            assert_never(event)


def _file_name(name: str) -> str:
    """Return a file's name without secrets; its ending stays, by which it is read."""
    stem, dot, ending = name.rpartition(".")
    return f"{redact_said(stem)}.{ending}" if dot and format_of(name) else redact_said(name)


def load_event(kind: Kind, data: JsonObject) -> Inbound | Due:
    """Return the event that `dump_event` stored."""
    return _ADAPTERS[kind].validate_python(data)


def load_stored(payload: JsonObject) -> Inbound | Due:
    """Return the event of a work item of the inbox."""
    kind: Kind = payload["kind"]  # type: ignore[assignment]  # written by the inbox only
    data: JsonObject = payload["event"]  # type: ignore[assignment]  # what `dump_event` returned
    return load_event(kind, data)


def event_topic(platform: str) -> str:
    """Return the topic of what people say and do on a platform."""
    return f"event:{platform}"


def overheard_topic(platform: str) -> str:
    """Return the topic of what people say to nobody: the desk takes no part in their threads by that."""
    return f"overheard:{platform}"


def withdrawal_topic(platform: str) -> str:
    """Return the topic of what people take back on a platform: nobody spoke to the desk by that."""
    return f"withdrawn:{platform}"


def event_key(platform: str, event_id: str) -> str:
    """Return the key of an event: a redelivery has the same."""
    return f"event:{platform}:{event_id}"


def event_line(platform: str, thread: str) -> str:
    """Return the line of a thread's events."""
    return f"event:{platform}:{thread}"


def dump_card(card: Card) -> JsonObject:
    """Return a card as JSON, for the queue and the transcript."""
    data: JsonObject = _CARDS.dump_python(card, mode="json")
    return data


def load_card(data: JsonObject) -> Card:
    """Return the card that `dump_card` stored.

    Of a card with sources that an older release stored nobody knows the pages, so nobody is shown it again.
    """
    card = _CARDS.validate_python(data)
    quotes = any(isinstance(block, Sources) for block in card.blocks)
    return replace(card, rests_on=(UNKNOWN,)) if quotes and "rests_on" not in data else card
