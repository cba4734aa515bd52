"""The event stream of one open page."""

import json
from collections.abc import AsyncIterator
from typing import Any

from anyio import CancelScope
from sse_starlette.event import ServerSentEvent
from starlette.requests import Request

from adapters.events import Account
from adapters.web.hub import HubReader
from adapters.web.services import WebServices
from adapters.web.transcript import TranscriptEntry, TranscriptPlace

#: Seconds between two signs of life on a quiet stream.
HEARTBEAT_S = 15
#: Seconds after which an open stream asks again who is reading.
IDENTIFY_AGAIN_S = 30.0
#: Milliseconds after which a page whose stream broke connects again.
RECONNECT_MS = 2_000
#: The same where a newer page took its place.
FULL_MS = 60_000


class Follow:
    """One reader's stream: what was said since, what is being written, and forms to show."""

    def __init__(
        self, services: WebServices, request: Request, account: Account, place: TranscriptPlace, *, after: int
    ) -> None:
        self._services = services
        self._request = request
        self._account = account
        self._place = place
        self._after = after
        self._render = services.renderer(account.language)
        self._versions: dict[str, int] = {}

    async def stream(self) -> AsyncIterator[ServerSentEvent]:
        """Yield until the reader goes, is signed out, or the server stops."""
        hub = self._services.chat.hub
        asked = self._services.monotonic()
        yield ServerSentEvent(event="hello", data="{}", retry=RECONNECT_MS)
        with hub.reading(self._place) as reader:
            while not hub.closing and not reader.gave_way:
                for event in await self._news(reader):
                    yield event
                await reader.wait(self._services.poll_s)
                if self._services.monotonic() - asked > IDENTIFY_AGAIN_S:
                    with CancelScope(shield=True):
                        known = await self._services.identify(self._request) == self._account
                    if not known:
                        return
                    asked = self._services.monotonic()
            if reader.gave_way:
                yield ServerSentEvent(event="full", data="{}", retry=FULL_MS)

    async def _news(self, reader: HubReader) -> list[ServerSentEvent]:
        # Whoever goes away cancels the stream, and what reads the database would lose its connection, with a trace.
        with CancelScope(shield=True):
            entries = await self._services.chat.transcript.since(self._place, self._after)
        events = [self._entry(entry) for entry in entries]
        for draft in self._services.chat.hub.drafts(self._place):
            if self._versions.get(draft.key) != draft.version:
                self._versions[draft.key] = draft.version
                events.append(_sse("stream", {"key": draft.key, "html": self._render.draft(draft)}))
        events += [_sse("form", {"html": self._render.form(form)}) for form in reader.forms]
        reader.forms.clear()
        return events

    def _entry(self, entry: TranscriptEntry) -> ServerSentEvent:
        self._after = max(self._after, entry.seq)
        data = {
            "seq": entry.seq,
            "reference": entry.reference,
            "key": entry.key,
            "author": entry.author,
            "html": self._render.entry(entry),
            "spoken": self._render.spoken(entry),
            "removed": entry.removed,
        }
        return _sse("entry", data, identifier=str(entry.seq))


def _sse(name: str, data: dict[str, Any], *, identifier: str | None = None) -> ServerSentEvent:
    return ServerSentEvent(event=name, data=json.dumps(data, ensure_ascii=False), id=identifier)
