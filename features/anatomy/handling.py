"""What a handler of a feature is given: who did what, how they read, and the engine that calls tools for them."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from adapters.cards import Block, Form
from adapters.events import Event, FormSubmit, Press
from agent.memory.memory import Memory
from agent.results import Records
from agent.runs.answer import Answer
from agent.runs.runs import Runs, Write
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken
from identity.actor import Actor
from identity.readership import Readership
from storage.clock import Clock
from storage.database import Session
from storage.ids import JsonValue


class Heard(Protocol):
    """An event with its actor and reader."""

    @property
    def actor(self) -> Actor:
        """Who it comes from."""
        ...

    @property
    def event(self) -> Event:
        """What came."""
        ...

    @property
    def reader(self) -> Reader:
        """How answers are read."""
        ...

    @property
    def readership(self) -> Readership:
        """Who reads along."""
        ...


class Engine(Protocol):
    """What the desk does for a feature while it handles a press or a form."""

    @property
    def clock(self) -> Clock:
        """The desk's clock."""
        ...

    @property
    def runs(self) -> Runs:
        """What was asked and answered before."""
        ...

    @property
    def memory(self) -> Memory:
        """What a thread speaks of."""
        ...

    async def call(self, heard: Heard, tool: str, arguments: Mapping[str, JsonValue], *, text: str) -> Spoken:
        """Call a tool for whoever was heard, through the gate, with its audit and its approval; say what came of it.

        `text` stands in the run as what the person asked for.
        """
        ...

    async def stands(self, heard: Heard, subject: str) -> bool:
        """Return whether a card of `subject` (`kind:id`), which is drawn again as it changes, stands in the thread."""
        ...

    async def filled(self, sent: "Sent", subject: Records, answer: Answer) -> Write | None:
        """Let a form answer the run that asked about `subject`; return what writes it, None where none asked.

        What it returns goes into `Spoken.run`.
        """
        ...


@dataclass(frozen=True)
class Pressed:
    """A press with everything that the platform vouches for."""

    actor: Actor
    event: Press
    reader: Reader
    readership: Readership
    engine: Engine


@dataclass(frozen=True)
class Sent:
    """A form with everything that the platform vouches for."""

    actor: Actor
    event: FormSubmit
    reader: Reader
    readership: Readership
    engine: Engine


#: Does what a button says. Everything is looked up and checked again: the card that held the button may be old,
#: forwarded, or somebody else's. No language model is on this path.
OnPress = Callable[[Pressed], Awaitable[Spoken]]
#: Returns the form that a press opens; raises what is in the way.
OnOpen = Callable[[Actor, Press, Reader], Awaitable[Form]]
OnSent = Callable[[Sent], Awaitable[Spoken]]


@dataclass(frozen=True)
class FormHandling:
    """A form by its name: how its values are checked at once, what sending it does, and what its fields are called."""

    sent: OnSent
    #: What is wrong with each value, from the values alone; empty when they can be taken.
    wrong: Callable[[FormSubmit, Reader], Mapping[str, str]] = lambda _event, _reader: {}
    #: A field's label and its value, as people read them.
    row: Callable[[Reader, str, str], tuple[str, str]] = lambda _reader, name, value: (name, value)


#: Takes the body of a request and the secret that it carries; returns the status of the answer.
OnRequest = Callable[[bytes, str], Awaitable[int]]


@dataclass(frozen=True)
class Hook:
    """Where another system of the company posts to: its path below the desk's address.

    The secret is what stands in `Authorization: Bearer …`; whoever takes it compares it before anything is read.
    """

    path: str
    take: OnRequest


#: Draws a record from its state, as one actor may see it.
Draw = Callable[[Actor, Records, Reader], Awaitable[tuple[Block, ...]]]
#: Takes a record out by its id, or of one that repeats some words just those, with the caller's transaction; returns
#: what it had said, None where nothing was taken out.
Erase = Callable[[Session, str, Collection[str]], Awaitable[str | None]]


@dataclass(frozen=True)
class RecordKind:
    """Records that answers show by id (`Records.kind`)."""

    draw: Draw
    #: Draws a card that a newer card of the same record follows; None: as the newest.
    draw_followed: Draw | None = None
    changes: bool = False  # posted cards of it are drawn again when its state has changed
    private: bool = False  # it is for the eyes of whoever asked
    #: Takes a record out whose words came with a message that was taken back.
    erase: Erase | None = None
    acts: bool = False  # it waits for a button: a reply that shows it needs approval
    #: Says what a card of it rests on, for who sees it later (`agent.runs.rights`); None: on nothing that closes.
    rests_on: Callable[[Actor, Records], Awaitable[tuple[str, ...]]] | None = None
