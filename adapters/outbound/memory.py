"""The recording fake of a `Wire`: a conversation that lives in memory, streams, forgets and refuses as a test wants."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from adapters.cards import Card
from adapters.outbound.calling import NOW, Going
from adapters.outbound.errors import StreamOver, Vanished
from adapters.outbound.wire import Begun, FoundParts, Payload, Tempo

TEMPO = Tempo(stream_s=240.0, pieces_s=1.0, edits_s=3.0)


@dataclass(frozen=True)
class MemoryPlace:
    """A thread, and who is answered there."""

    line: str
    user: str = "ada"
    direct: bool = False

    def reference(self, message: str) -> str:
        """Return how a message is known outside."""
        return f"{self.line}/{message}"

    def message(self, reference: str) -> str:
        """Return the id of a message of this place."""
        line, _, message = reference.rpartition("/")
        return message if line == self.line else ""


@dataclass
class Standing:
    """One message as its readers see it."""

    place: MemoryPlace
    text: str
    key: str = ""
    unfinished: bool = False
    streaming: bool = False


@dataclass(frozen=True)
class Lines:
    """One message of a card."""

    text: str

    def payload(self) -> Payload:
        """Return the message."""
        return {"text": self.text}

    def words(self) -> Payload:
        """Return the same: there is nothing but text."""
        return self.payload()


@dataclass
class MemoryWire:
    """Keeps what was sent where a test can read it. A call raises what `failures` (`lost`: after it) has for it."""

    platform: str = "memory"
    tempo: Tempo = TEMPO
    cumulative: bool = False
    elsewhere: str = "Elsewhere."
    streams: bool = True
    finds: bool = True
    chars: int = 100
    messages: dict[str, Standing] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    failures: dict[str, Exception] = field(default_factory=dict)
    lost: dict[str, Exception] = field(default_factory=dict)
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    def seen(self, place: MemoryPlace) -> list[str]:
        """Return what stands in a place, oldest first."""
        return [each.text for each in self.messages.values() if each.place.line == place.line]

    def draw(self, card: Card, *, messages: int = 3) -> Sequence[Lines]:
        """Return the plain text of a card in pieces of `chars`."""
        text = card.fallback
        pieces = [text[at : at + self.chars] for at in range(0, len(text), self.chars)] or ["…"]
        return [Lines(each) for each in pieces[:messages]]

    def growing(self, markdown: str) -> str:
        """Return the first message of a text."""
        return markdown[: self.chars]

    def unfinished(self, text: str, status: str) -> Payload:
        """Return the text, or the status line while there is none."""
        return {"text": text or status or "…"}

    async def post(
        self, place: MemoryPlace, payload: Payload, *, key: str, going: Going = NOW, unfinished: bool = False
    ) -> str:
        """Keep a new message."""
        self._begin("post", going)
        message = f"m{next(self._numbers)}"
        self.messages[message] = Standing(place, payload["text"], key, unfinished=unfinished)
        self._end("post")
        return message

    async def edit(
        self,
        place: MemoryPlace,
        message: str,
        payload: Payload,
        *,
        key: str = "",
        going: Going = NOW,
        unfinished: bool = False,
    ) -> None:
        """Put another message in the place of one."""
        del place
        self._begin("edit", going)
        there = self._standing(message)
        if unfinished and not there.unfinished:
            raise StreamOver("edit", "ended by somebody else")
        self.messages[message] = replace(
            there, text=payload["text"], key=key or there.key, unfinished=unfinished, streaming=False
        )
        self._end("edit")

    async def stream(self, place: MemoryPlace, begun: Begun, text: str, status: str) -> str:
        """Begin a stream or add to it."""
        self._begin("stream", NOW)
        if not self.streams:
            raise StreamOver("stream", "none here")
        message = begun.message or f"m{next(self._numbers)}"
        there = self.messages.setdefault(message, Standing(place, "", streaming=True, unfinished=True))
        if not there.streaming:
            raise StreamOver("stream", "ended")
        there.text = (text or status) if self.cumulative or not text else begun.shown + text[len(begun.shown) :]
        self._end("stream")
        return message

    async def end(
        self, place: MemoryPlace, begun: Begun, card: Card | None = None, *, key: str, going: Going = NOW
    ) -> bool:
        """End a stream, with the first message of the card where that goes on from what it shows."""
        del place
        if begun.streaming is None:
            return False
        self._begin("end", going)
        there = self._standing(begun.message)
        if not there.streaming:
            raise StreamOver("end", "ended")
        drawn = self.draw(card) if card is not None else ()
        whole = len(drawn) == 1 and begun.certain and drawn[0].text.startswith(begun.shown)
        there.streaming, there.key, there.unfinished = False, key, not whole
        if whole:
            there.text = drawn[0].text
        self._end("end")
        return whole

    async def delete(self, place: MemoryPlace, message: str, *, going: Going = NOW) -> None:
        """Take a message away."""
        del place
        self._begin("delete", going)
        self._standing(message)
        del self.messages[message]
        self._end("delete")

    async def find(self, place: MemoryPlace, key: str, *, adopts: bool, others: frozenset[str]) -> FoundParts:
        """Return what stands in a place of a card."""
        self._begin("find", NOW)
        found = FoundParts(taken=set(others))
        here = {name: each for name, each in self.messages.items() if each.place.line == place.line}
        for name, each in here.items() if self.finds else ():
            if each.unfinished and (each.key == key or (adopts and not each.key and name not in others)):
                found.unfinished = found.unfinished or name
            elif not each.unfinished:
                found.taken.add(name)
                if each.key == key or each.key.startswith(f"{key}/"):
                    found.parts[each.key] = name
        return found

    async def direct(self, place: MemoryPlace) -> MemoryPlace:
        """Return the person's own thread."""
        return MemoryPlace(f"direct:{place.user}", place.user, direct=True)

    async def signal(self, place: MemoryPlace, status: str) -> None:
        """Show nothing."""
        del place, status

    def _begin(self, call: str, going: Going) -> None:
        self.calls.append(f"{call} {going.priority.name}" if going.priority else call)
        if call in self.failures:
            raise self.failures.pop(call)

    def _end(self, call: str) -> None:
        if call in self.lost:
            raise self.lost.pop(call)

    def _standing(self, message: str) -> Standing:
        if message not in self.messages:
            raise Vanished("memory", "gone")
        return self.messages[message]
