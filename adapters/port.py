"""The chat port: neutral events in, neutral cards out, one small protocol for every platform."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from adapters.cards import Card, Form
from adapters.events import Account, Address, File, Inbound


class Unavailable(Exception):
    """The platform cannot take it now, for whatever reason; nothing is lost by coming back after so many seconds."""

    def __init__(self, reason: str, *, retry_after_s: float) -> None:
        super().__init__(f"{reason}; come back in {retry_after_s:.1f} s")
        self.reason = reason
        self.retry_after_s = retry_after_s


class Overfull(Exception):
    """So much waits that this event is not taken: nothing of it is stored, and whoever sent it sends it again."""

    def __init__(self, *, retry_after_s: float) -> None:
        super().__init__(f"too much is waiting; come back in {retry_after_s:.0f} s")
        self.retry_after_s = retry_after_s


class Undeliverable(Exception):
    """The platform will never take it: the place is gone, closed to the desk, or the message is gone."""


class TooLarge(Undeliverable):
    """A file has more bytes than were asked for."""


class Gone(Undeliverable):
    """The person blocked the desk or took it away: nothing is sent there until they are heard from again."""


class ChatClock(Protocol):
    """The time that an adapter waits by; `storage.clock.Clock` is one, and a test's fast clock too."""

    def now(self) -> datetime:
        """Return the current instant, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that only ever grow."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds."""
        ...


# What the desk answers at once to a press or a form, decided from state alone.


@dataclass(frozen=True)
class Accepted:
    """Stored; whatever follows comes as a message."""


@dataclass(frozen=True)
class Shown:
    """Show this form now, while the platform still allows it."""

    form: Form


@dataclass(frozen=True)
class InvalidForm:
    """The form stays open with these errors (field name → words)."""

    errors: Mapping[str, str]


Receipt = Accepted | Shown | InvalidForm
#: `bot/inbox`: stores the event before it returns. An exception means "not stored": answer 503, let the platform retry.
Receive = Callable[[Inbound], Awaitable[Receipt]]


@dataclass(frozen=True)
class Limits:
    """What a platform can do; the difference table in the docs is generated from these."""

    streams: bool
    forms: bool
    edits: bool
    home: bool
    private_replies: bool
    text_chars: int
    blocks: int
    exactly_once: bool  # a repeated `send` with the same key shows one message
    channels: bool = False  # several people read along at one address
    bare_commands: bool = False  # commands are typed as plain words: there is no `/desk`
    judged_by_message: bool = False  # a judgement names the message that was judged, not the answer in it
    guests: bool = False  # people who are no full members of the company can write, too
    files: bool = False  # files that are sent with a message reach the desk
    withdrawals: bool = False  # the desk is told when a message is taken away, or a file out of it
    tables: bool = False  # tables and code are drawn as such, not in characters
    charts: bool = False  # charts are drawn as such
    pictures: bool = False  # pictures of a card are shown, not only their words
    notes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Members:
    """Who reads along at an address. `open`: any full member of the company may join and read without being asked."""

    accounts: tuple[Account, ...]
    open: bool = False
    called: str = ""  # the channel, by people; "" where the platform does not tell
    owners: tuple[Account, ...] = ()  # of the channel, where the platform tells who that is


#: Told the reference of a message as soon as people see it and something is still to come: a later attempt goes on.
Opened = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Sending:
    """What is known of a post besides its key."""

    again: bool = False  # an earlier attempt may have come through: look for it before posting
    unfinished: str = ""  # the reference of what a crash left open under this key: go on from there by an edit
    opened: Opened | None = None  # told of the first message of several
    proactive: bool = False  # nobody waits for it: answers go first


#: The first attempt of an answer.
ANSWER = Sending()


class Stream(Protocol):
    """A message in the making. Pieces are best effort; the `send` with its key is what counts."""

    async def status(self, text: str) -> None:
        """Replace the status line."""
        ...

    async def append(self, markdown: str) -> None:
        """Add to the text shown so far."""
        ...

    async def close(self, *, keep: bool) -> None:
        """Show no more, whoever ends it. Without `keep` nothing stays of it: the answer goes somewhere else."""
        ...


class Chat(Protocol):
    """A platform that the desk can speak on. Every method may raise `Unavailable` or `Undeliverable`."""

    name: str
    limits: Limits

    async def identify(self, account: Account, address: Address) -> Account:
        """Return the account of an event with what the platform knows of it now: name, e-mail, kind, language."""
        ...

    def privately(self, address: Address) -> Address:
        """Return the address of the same person where nobody else reads along."""
        ...

    def channel(self, address: Address) -> tuple[str, Address] | None:
        """Return the id and the address of the whole channel, for posts that begin a thread; None where none is."""
        ...

    def typed_in(self, address: Address) -> tuple[str, Address] | None:
        """Return what `channel` does, and the same for a command that was typed in a channel."""
        ...

    async def send(self, address: Address, card: Card, *, key: str, sending: Sending = ANSWER) -> str:
        """Post a card and return its reference. The same key never shows two messages where `exactly_once`."""
        ...

    async def whisper(self, address: Address, card: Card, *, key: str) -> None:
        """Show a card to the person behind the address alone, also where others read along. It cannot be edited."""
        ...

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Replace a posted card, for everybody who sees it."""
        ...

    async def stream(self, address: Address, *, key: str, opened: Opened | None = None) -> Stream:
        """Open the message that a later `send` with the same key will end."""
        ...

    async def open_form(self, address: Address, form: Form) -> None:
        """Show a form to the person behind the address."""
        ...

    async def publish_home(self, address: Address, card: Card) -> None:
        """Show a person their home."""
        ...

    async def fetch(self, address: Address, file: File, *, at_most: int) -> bytes:
        """Return what a file of a message holds; raise `TooLarge`, or `Undeliverable` when it cannot be had."""
        ...

    async def members(self, address: Address) -> Members:
        """Return everybody who reads along at the address."""
        ...
