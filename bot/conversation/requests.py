"""Events to the agent's requests: who asks, in which thread, and where answers go."""

from collections.abc import Mapping
from datetime import datetime

from adapters.events import Event
from adapters.port import Chat
from agent.runner.requests import Request
from features.anatomy.handling import Heard
from identity.actor import Actor
from storage.ids import JsonObject

#: Stands in no thread's name of any platform.
_PRIVATE = ":private:"


def envelope(event: Event, language: str) -> JsonObject:
    """Return an event's address in the form in which it is kept outside its adapter."""
    return {
        "platform": event.account.platform,
        "address": dict(event.address),
        "language": language,
    }


def open_envelope(stored: JsonObject) -> tuple[str, JsonObject, str]:
    """Return platform, address and language of a kept address; the platform is empty where none was kept."""
    address = stored.get("address")
    return (
        str(stored.get("platform") or ""),
        address if isinstance(address, Mapping) else {},
        str(stored.get("language") or "en"),
    )


def private_thread(thread: str, actor: Actor) -> str:
    """Return the thread in which somebody is answered alone who asked where others read along."""
    return f"{thread}{_PRIVATE}{actor.id}"


def private_threads(thread: str) -> str:
    """Return what the names of all threads begin with in which somebody is answered alone who asked in this one."""
    return f"{thread}{_PRIVATE}"


def files_of(thread: str) -> str:
    """Return the thread whose files may be read in this one: whoever is answered alone has read them above."""
    return thread.partition(_PRIVATE)[0]


def channel_of(event: Event, chats: Mapping[str, Chat]) -> str:
    """Return the channel that an event comes from, as `slack:C0123456`; "" where nobody else reads along."""
    platform = event.account.platform
    found = chats[platform].channel(event.address) if platform in chats else None
    return "" if found is None else f"{platform}:{found[0]}"


def request_of(heard: Heard, *, text: str, now: datetime, channel: str = "") -> Request:
    """Return the request of an event."""
    return Request(
        actor=heard.actor,
        event_id=heard.event.event_id,
        thread=heard.event.thread,
        text=text,
        language=heard.reader.language,
        address={**envelope(heard.event, heard.reader.language), **({"channel": channel} if channel else {})},
        readership=heard.readership,
        now=now,
    )
