"""The chat port: neutral events in, neutral cards out, one small protocol for every platform."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from adapters.cards import Card, Form
from adapters.events import Account, Address, Inbound

# What the desk answers at once to a press or a form, decided from state alone.


@dataclass(frozen=True)
class Accepted:
    """Stored; whatever follows comes as a message."""


@dataclass(frozen=True)
class Shown:
    """Show this form now, while the platform still allows it."""

    form: Form


@dataclass(frozen=True)
class Invalid:
    """The form stays open with these errors (field name → words)."""

    errors: Mapping[str, str]


Receipt = Accepted | Shown | Invalid
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
    notes: Mapping[str, str] = field(default_factory=dict)


class Stream(Protocol):
    """A message in the making. Pieces are best effort; `finish` is what counts."""

    async def status(self, text: str) -> None:
        """Replace the status line."""
        ...

    async def append(self, markdown: str) -> None:
        """Add to the text shown so far."""
        ...


class Chat(Protocol):
    """A platform that the desk can speak on."""

    name: str
    limits: Limits

    async def send(self, address: Address, card: Card, *, key: str) -> str:
        """Post a card and return its reference. The same key never shows two messages where `exactly_once`."""
        ...

    async def update(self, address: Address, reference: str, card: Card) -> None:
        """Replace a posted card, for everybody who sees it."""
        ...

    async def stream(self, address: Address, *, key: str) -> Stream:
        """Open the message that a later `send` with the same key will end."""
        ...

    async def open_form(self, address: Address, form: Form) -> None:
        """Show a form to the person behind the address."""
        ...

    async def publish_home(self, address: Address, card: Card) -> None:
        """Show a person their home."""
        ...

    async def members(self, address: Address) -> Sequence[Account]:
        """Return everybody who reads along at the address."""
        ...
