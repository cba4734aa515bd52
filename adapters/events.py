"""What comes in: a closed union of neutral events.

Each event carries the platform's event id (a redelivery has the same one) and an opaque JSON `address` to which
answers and later posts go; `bot` stores addresses, adapters hold no rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from typing_extensions import TypeAliasType

JsonValue = TypeAliasType(
    "JsonValue", "str | int | float | bool | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
#: Where to post: made by an adapter, stored by `bot`, understood by that adapter alone.
Address = Mapping[str, JsonValue]


@dataclass(frozen=True)
class Account:
    """A chat account as its platform vouches for it. Names change; (platform, tenant, user) does not."""

    platform: str
    tenant: str
    user: str
    name: str
    email: str | None = None
    email_verified: bool = False
    kind: Literal["member", "guest", "external", "bot"] = "member"
    language: str | None = None


@dataclass(frozen=True)
class Event:
    """What every inbound event carries."""

    event_id: str
    account: Account
    address: Address
    thread: str  # events of one thread are handled in order, one at a time
    received_at: datetime


@dataclass(frozen=True)
class File:
    """A file that came with a message. What it is called and says of itself is its sender's word."""

    name: str
    reference: Address = field(repr=False)  # where its platform keeps it: understood by that adapter alone
    size: int | None = None  # in bytes; None: not told
    media_type: str = ""


@dataclass(frozen=True)
class Message(Event):
    """Somebody wrote to the desk; slash commands come as messages too."""

    text: str
    addressed: bool = True  # False: said in a thread without naming the desk; answered only where the desk takes part
    overheard: bool = False  # True: said to nobody, in no thread that there was before; not addressed either
    private: bool = True  # False: others read along
    unseen: bool = False  # True: the words stand nowhere for anybody to read: a command, a suggestion that was pressed
    files: tuple[File, ...] = ()


@dataclass(frozen=True)
class Press(Event):
    """Somebody pressed a button; shortcuts come as presses too. Values come from outside: look them up."""

    action: str
    id: str
    nonce: str
    message: str | None = None  # the reference of the card that holds the button
    text: str = ""  # the words of the message that a shortcut was used on
    private: bool = True  # False: others read along


@dataclass(frozen=True)
class FormSubmit(Event):
    """Somebody sent a form."""

    form: str
    id: str
    nonce: str
    values: Mapping[str, str]
    message: str | None = None
    private: bool = True  # False: others read along


@dataclass(frozen=True)
class Feedback(Event):
    """Somebody judged an answer; `reason` comes in a second event with the same id, or not at all."""

    id: str  # "": the platform does not say which answer, only which message
    verdict: Literal["up", "down"]
    reason: str | None = None
    message: str | None = None  # the reference of the message that holds the answer


@dataclass(frozen=True)
class HomeOpened(Event):
    """Somebody opened the desk's home."""


@dataclass(frozen=True)
class Joined(Event):
    """The desk was installed, or people joined a conversation that it is in."""

    private: bool = False  # True: one person took the desk into their own chat, where their home is shown, too


@dataclass(frozen=True)
class Withdrawn(Event):
    """A message was taken away, or files out of it; its author stands as the account, whoever did so."""

    message: str  # the event id of that message
    kept: tuple[str, ...] = ()  # what its files that still stand there are called


def withdrawal_of(message: str) -> str:
    """Return the event id of the withdrawal of a whole message, which happens once."""
    return f"{message}:withdrawn"


#: What somebody did to be answered.
Act = Message | Press | FormSubmit | Feedback | HomeOpened | Joined
Inbound = Act | Withdrawn
