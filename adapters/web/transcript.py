"""What was said in the browser chat. Adapters hold no rows: `bot` keeps a transcript in the database.

A reader asks again and again for what came after the last `seq` it saw; an edit gives an entry a new `seq`, so a
reader who polls sees edits too, whichever process made them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal, Protocol

from adapters.cards import Card
from adapters.events import Address, JsonValue

Author = Literal["person", "desk"]

#: Longest title of a conversation, in characters.
TITLE_CHARS = 80
#: The place that shows a person's home card; it is no conversation and not listed.
HOME = "home"
_SAID = "person:"


@dataclass(frozen=True)
class TranscriptPlace:
    """One conversation of one person. The user comes from the session, so nobody can name another's place."""

    user: str
    thread: str

    @property
    def key(self) -> str:
        """Return the name under which events of this place are kept in order."""
        return f"web:{self.user}/{self.thread}"

    def address(self, *, asked: str = "") -> Mapping[str, JsonValue]:
        """Return where answers go, and the key of the message that they are answers to."""
        return {"platform": "web", "user": self.user, "thread": self.thread, **({"asked": asked} if asked else {})}

    @classmethod
    def of(cls, address: Address) -> "TranscriptPlace":
        """Return the place of an address that `address()` made."""
        return cls(user=str(address["user"]), thread=str(address["thread"]))


def said_key(event_id: str) -> str:
    """Return the key of a person's message, by the id under which the page sent it."""
    return f"{_SAID}{event_id}"


def sent_as(key: str) -> str:
    """Return the id under which a page sent the message of that key; "" when it is no person's message."""
    return key.removeprefix(_SAID) if key.startswith(_SAID) else ""


@dataclass(frozen=True)
class TranscriptEntry:
    """One message as it stands now. A person's is plain text, the desk's is a card."""

    seq: int
    reference: str
    author: Author
    content: str | Card
    key: str
    created_at: datetime
    edited: bool = False
    asked: str = ""  # the key of the message that it answers
    removed: bool = False  # nothing of its content is kept


@dataclass(frozen=True)
class Summary:
    """A conversation in the list: its id within the user, and the first words of it."""

    thread: str
    title: str
    updated_at: datetime


class Transcript(Protocol):
    """The message store of the browser chat; `MemoryTranscript` and the database pass the same tests."""

    async def add(
        self, place: TranscriptPlace, *, author: Author, content: str | Card, key: str, asked: str = ""
    ) -> TranscriptEntry:
        """Append an entry, or return the one that the place already holds under this key.

        `seq` grows within a place, and an entry never becomes visible after one with a larger `seq`.
        """
        ...

    async def replace(self, place: TranscriptPlace, reference: str, content: Card) -> TranscriptEntry | None:
        """Give an entry new content and a new `seq`, unless it is the same; None when the place holds no such entry."""
        ...

    async def since(self, place: TranscriptPlace, after: int, *, limit: int = 200) -> tuple[TranscriptEntry, ...]:
        """Return the oldest `limit` entries whose `seq` is larger than `after`, by `seq`."""
        ...

    async def recent(self, place: TranscriptPlace, *, limit: int = 100) -> tuple[TranscriptEntry, ...]:
        """Return the last entries in the order in which they were first said."""
        ...

    async def threads(self, user: str, *, limit: int = 50) -> tuple[Summary, ...]:
        """Return the user's conversations but `HOME`, the latest first, titled by the person's first words."""
        ...


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass
class MemoryTranscript:
    """A transcript in memory: for tests, and for anybody who writes an adapter."""

    now: Callable[[], datetime] = _utc_now
    _entries: dict[TranscriptPlace, list[TranscriptEntry]] = field(default_factory=dict)

    async def add(
        self, place: TranscriptPlace, *, author: Author, content: str | Card, key: str, asked: str = ""
    ) -> TranscriptEntry:
        """Append once per key."""
        entries = self._entries.setdefault(place, [])
        for entry in entries:
            if entry.key == key:
                return entry
        seq = self._next(entries)
        made = TranscriptEntry(
            seq, reference=f"m{seq}", author=author, content=content, key=key, created_at=self.now(), asked=asked
        )
        entries.append(made)
        return made

    async def replace(self, place: TranscriptPlace, reference: str, content: Card) -> TranscriptEntry | None:
        """Edit in place under a new `seq`."""
        entries = self._entries.get(place, [])
        for index, entry in enumerate(entries):
            if entry.reference == reference and entry.content == content:
                return entry
            if entry.reference == reference:
                entries[index] = replace(entry, seq=self._next(entries), content=content, edited=True)
                return entries[index]
        return None

    async def since(self, place: TranscriptPlace, after: int, *, limit: int = 200) -> tuple[TranscriptEntry, ...]:
        """Return what is newer than `after`."""
        newer = (entry for entry in self._entries.get(place, []) if entry.seq > after)
        return tuple(sorted(newer, key=lambda entry: entry.seq)[:limit])

    async def recent(self, place: TranscriptPlace, *, limit: int = 100) -> tuple[TranscriptEntry, ...]:
        """Return the last entries in the order of saying."""
        return tuple(self._entries.get(place, [])[-limit:])

    async def threads(self, user: str, *, limit: int = 50) -> tuple[Summary, ...]:
        """Return the user's conversations, the latest first."""
        found = [
            Summary(place.thread, title_of(entries), entries[-1].created_at)
            for place, entries in self._entries.items()
            if place.user == user and place.thread != HOME and entries
        ]
        return tuple(sorted(found, key=lambda summary: summary.updated_at, reverse=True)[:limit])

    @staticmethod
    def _next(entries: list[TranscriptEntry]) -> int:
        return max((entry.seq for entry in entries), default=0) + 1


def title_of(entries: list[TranscriptEntry]) -> str:
    """Return the first words that the person said, else of whatever was said first."""
    for entry in entries:
        if entry.author == "person" and isinstance(entry.content, str):
            return " ".join(entry.content.split())[:TITLE_CHARS]
    first = entries[0].content
    return (first if isinstance(first, str) else first.fallback)[:TITLE_CHARS]
