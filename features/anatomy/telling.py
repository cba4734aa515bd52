"""How a feature speaks to people and channels that did not ask just now."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from adapters.cards import Block, Button
from features.anatomy.reader import Reader
from features.anatomy.schedules import Says
from features.anatomy.sections import Audience
from identity.actor import Actor
from storage.database import Session
from storage.ids import JsonObject


@dataclass(frozen=True)
class ToldNews:
    """What one person is told of one thing that happened."""

    line: str  # what happened, in one line
    about: str  # what it happened to: news of the same thing show it once
    blocks: tuple[Block, ...] = ()  # that thing, as this person may see it now
    button: Button | None = None  # shows that thing, where several are listed


@dataclass(frozen=True)
class NewsKind:
    """How news of one kind are told: drawn when they are sent, for who they are then, None when no more to be told."""

    draw: Callable[[Actor, JsonObject, Reader], Awaitable[ToldNews | None]]
    #: Called once they stand where they would be told best (`announce`'s address); it may happen twice.
    told: Callable[[Actor, JsonObject], Awaitable[None]] | None = None


#: Puts what was drawn on its way, with the caller's transaction.
Promise = Callable[[Session], Awaitable[None]]
#: Writes beside a post, with its transaction; where it returns False nothing is posted.
Beside = Callable[[Session], Awaitable[bool]]


class Telling(Protocol):
    """How a feature writes to people who did not ask just now."""

    async def tell(
        self,
        person: str,
        draw: Says,
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
        subject: str = "",
        patient: bool = False,
        beside: Promise | None = None,
    ) -> bool:
        """Write to a person, once for each `key`; return whether they can be written to.

        It goes to `address` (as a run was given it) while they can be reached there, else where they were last spoken
        to. What has the same `order` is posted one after the other. With a `subject` (`kind:id`) the card can be drawn
        again. What is `patient` may wait for the end of the person's quiet hours and be told together with other news.
        What `beside` writes is committed with it.
        """
        ...

    async def draw(
        self,
        person: str,
        draw: Says,
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
        subject: str = "",
        own: bool = False,
    ) -> Promise | None:
        """Draw what `tell` would write to a person; None where no way leads to them.

        What holds nothing but a person's `own` words is not drawn again for what happened in the moment since.
        """
        ...

    async def announce(
        self,
        person: str,
        kind: str,
        facts: JsonObject,
        *,
        key: str,
        address: JsonObject | None = None,
        order: str = "",
        urgent: bool = False,
    ) -> None:
        """Tell a person news, once for each `key`, drawn by `Feature.news[kind]` from `facts` when they are sent.

        They wait for the end of the person's quiet hours, unless they are `urgent`, and are told together with others
        of the same minute.
        """
        ...

    async def post(
        self,
        target: JsonObject | None,
        draw: Says,
        *,
        key: str,
        timezone: str = "UTC",
        subject: str = "",
        beside: Beside | None = None,
    ) -> str:
        """Post to the channel that is the target of a slot, once for each `key`; return what came of it, in a word.

        With a `subject` (`kind:id`) the card can be drawn again. What `beside` writes is kept with the post or not at
        all.
        """
        ...

    async def reaches(self, person: str) -> bool:
        """Return whether a way leads to a person at this moment."""
        ...

    def ways(self, person: Actor) -> tuple[str, ...]:
        """Return the ways that a person can choose for news, `chat` (where they were last spoken to) first."""
        ...

    async def knows(self, target: JsonObject) -> bool:
        """Return whether the desk can post to a channel."""
        ...

    def channel_of(self, address: JsonObject) -> JsonObject | None:
        """Return the target of the channel that an address (as a run was given it) lies in; None in a person's own."""
        ...

    async def readers(self, place: JsonObject) -> frozenset[str]:
        """Return the principals that all who read at a channel's target or an address have in common at this moment."""
        ...

    async def is_member(self, person: str, place: JsonObject) -> bool | None:
        """Return whether a person reads at a channel's target or an address now; False where nobody can tell.

        None while the platform gives no answer.
        """
        ...

    async def audience(self, place: JsonObject) -> Audience:
        """Return everybody who reads at a channel's target or an address, with what all of them may do and read."""
        ...

    async def redraw(self, subject: str, *, version: str) -> None:
        """Draw the posted cards of a record (`kind:id`) again, once for each `version`."""
        ...
