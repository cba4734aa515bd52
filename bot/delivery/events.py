"""Neutral events to JSON and back, for the inbox."""

from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from adapters.cards import Card
from adapters.events import Feedback, FormSubmit, HomeOpened, Inbound, Joined, Message, Press, Withdrawn
from storage.ids import JsonObject

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
    """Return the card that `dump_card` stored."""
    return _CARDS.validate_python(data)
