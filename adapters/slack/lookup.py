"""Looking before posting: what a thread already holds of a card, told by the marks of our own messages."""

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from adapters.slack.calls import Calls
from adapters.slack.errors import Denied, ScopeMissing
from adapters.slack.places import EVENT_TYPE, Json, Place

log = logging.getLogger(__name__)

#: Pages of a thread that are read, and messages on each.
PAGES, PAGE = 5, 200


@dataclass
class Found:
    """What a thread holds of a card: `ts` of each part by its key, and of a message that was never ended."""

    parts: dict[str, str] = field(default_factory=dict)
    unfinished: str = ""
    taken: set[str] = field(default_factory=set)  # messages that are parts of this card or of others


class Lookup:
    """Reads threads."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def find(self, place: Place, key: str, *, adopts: bool = True, others: frozenset[str] = frozenset()) -> Found:
        """Return what an earlier attempt left in a place; without the right to read, nothing is found.

        What `adopts` takes the first message without a mark for its own, unless it is one of `others`.
        """
        found = Found(taken=set(others))
        at = await self._calls.installed()
        try:
            async for message in self._said_after(place):
                if message.get("user") == at.bot_user or message.get("bot_id") == at.bot_id:
                    _look_at(message, key, found, adopts=adopts and place.thread_ts not in {"", message["ts"]})
        except (ScopeMissing, Denied) as why:
            log.warning("Slack: what was posted before cannot be looked up: %s", why)
        return found

    async def _said_after(self, place: Place) -> AsyncIterator[Json]:
        method = "conversations.replies" if place.thread_ts else "conversations.history"
        arguments: Json = {"channel": place.channel, "include_all_metadata": True, "limit": PAGE}
        arguments |= {"ts": place.thread_ts} if place.thread_ts else {}
        arguments |= {"oldest": place.asked_ts} if place.asked_ts else {}
        for _ in range(PAGES):
            page = await self._calls.call(method, arguments, thread=place.line)
            for message in page["messages"]:
                yield message
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return
            arguments |= {"cursor": cursor}


def _look_at(message: Json, key: str, found: Found, *, adopts: bool) -> None:
    """Note what one of our own messages is to the card of a key."""
    metadata = message.get("metadata") or {}
    payload = metadata.get("event_payload") or {}
    ts, marked = str(message["ts"]), str(payload.get("key") or "")
    if metadata.get("event_type") != EVENT_TYPE:
        # Only a stream has no mark before its end. The first one after the question is its answer, whatever else was
        # asked since: nothing is shown of an answer before the earlier ones of its thread are posted.
        if adopts and ts not in found.taken and not found.unfinished:
            found.unfinished = ts
    elif marked == key and payload.get("unfinished"):
        found.unfinished = ts
    else:
        found.taken.add(ts)
        if marked == key or marked.startswith(f"{key}/"):
            found.parts[marked] = ts
