"""The port below the pipeline: what a platform has to give so that `posting` and `streams` can keep the promises."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from adapters.cards import Card
from adapters.outbound.calling import NOW, Going

#: The arguments of a message, as its platform takes them.
Payload = dict[str, Any]


class Place(Protocol):
    """A conversation, or a thread of one, and the person who is answered there."""

    @property
    def line(self) -> str:
        """Return the name of the place: what goes there keeps its order."""
        ...

    @property
    def direct(self) -> bool:
        """Return whether the desk is alone with the person."""
        ...

    def reference(self, message: str) -> str:
        """Return how a message of this place is known outside the adapter."""
        ...

    def message(self, reference: str) -> str:
        """Return the id of a message by its reference, "" when it stands somewhere else."""
        ...


class MessageDrawing(Protocol):
    """One message of a card."""

    def payload(self) -> Payload:
        """Return the message."""
        ...

    def words(self) -> Payload:
        """Return its plain text alone: the platform did not take the message."""
        ...


@dataclass(frozen=True)
class Tempo:
    """Seconds of a stream: its life, after which it goes on as a message that is edited, and between two pieces."""

    stream_s: float
    pieces_s: float
    edits_s: float


@dataclass(frozen=True)
class Begun:
    """A message that is left to be ended. `streaming` None: nobody knows, another process began it."""

    message: str = ""
    streaming: bool | None = False
    shown: str = ""  # the text that people see
    status: str = ""
    pieces: int = 0
    certain: bool = True  # False: a piece got lost, `shown` may be less than people see
    lost: bool = False  # something may stand there that is not `message`, or somebody else ended it


@dataclass
class FoundParts:
    """What a place holds of a card: the message of each part by its name, and one that was never ended."""

    parts: dict[str, str] = field(default_factory=dict)
    unfinished: str = ""
    taken: set[str] = field(default_factory=set)  # messages that are parts of this card or of others


P = TypeVar("P", bound=Place)


class Wire(Protocol[P]):
    """A platform on the way out. Calls may raise `Unavailable` or a `CallDenied`; none is made twice by itself."""

    platform: str
    tempo: Tempo
    #: Whether each piece of a stream holds the whole text so far, so that one that got lost is made good by the next.
    cumulative: bool
    #: Said in place of a text that went somewhere else and cannot be taken away.
    elsewhere: str

    def draw(self, card: Card, *, messages: int = 3) -> Sequence[MessageDrawing]:
        """Return a card as one to so many messages, one more where a platform parts text from the rest."""
        ...

    def growing(self, markdown: str) -> str:
        """Return what can be shown of an unfinished text, as the platform shows it: the beginning of what comes."""
        ...

    def unfinished(self, text: str, status: str) -> Payload:
        """Return a message that shows a `growing` text and a status line."""
        ...

    async def post(self, place: P, payload: Payload, *, key: str, going: Going = NOW, unfinished: bool = False) -> str:
        """Return the id of a new message, which `find` finds by its key where the platform can be asked."""
        ...

    async def edit(
        self, place: P, message: str, payload: Payload, *, key: str = "", going: Going = NOW, unfinished: bool = False
    ) -> None:
        """Put another message in the place of one; an `unfinished` one only while nobody ended it (`StreamOver`)."""
        ...

    async def stream(self, place: P, begun: Begun, text: str, status: str) -> str:
        """Begin a stream (`begun.message` is empty) or go on with it; return its message.

        Raise `StreamOver` where it takes no more, or none can be begun now: the text goes on as an edited message.
        """
        ...

    async def end(self, place: P, begun: Begun, card: Card | None = None, *, key: str, going: Going = NOW) -> bool:
        """End a stream; return True when it now shows the first message of the card.

        Raise `StreamOver` or `Vanished` where it was ended before, `ContentRefused` never.
        """
        ...

    async def delete(self, place: P, message: str, *, going: Going = NOW) -> None:
        """Take a message away."""
        ...

    async def find(self, place: P, key: str, *, adopts: bool, others: frozenset[str]) -> FoundParts:
        """Return what an earlier attempt left; nothing where the platform cannot be asked.

        What `adopts` takes the first message without a key for its own, unless it is one of `others`.
        """
        ...

    async def direct(self, place: P) -> P:
        """Return the conversation of the desk with the person of a place."""
        ...

    async def signal(self, place: P, status: str) -> None:
        """Show in the platform's own way that an answer is being made, where it has one beside the message."""
        ...
