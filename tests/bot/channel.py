"""A thread of a channel on the recording chat: what people do there, and who sees what."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from adapters.cards import Card, Rating
from adapters.events import Feedback, FormSubmit, Message, Press
from tests.scenarios.world import World, button, words


class Channel:
    """A thread of a channel, with those who read along."""

    def __init__(self, world: World, members: Sequence[str], *, anybody: bool = False) -> None:
        self.world = world
        self.members = list(members)
        self.anybody = anybody
        self.count = 0

    def event(self, user: str) -> dict[str, Any]:
        """Return what every event of this person here carries."""
        self.count += 1
        address = {**self.world.chat.address(user, thread="general", members=self.members), "open": self.anybody}
        return {
            "event_id": f"channel-{id(self)}-{self.count}",
            "account": self.world.chat.people[user],
            "address": address,
            "thread": "memory:general",
            "received_at": datetime.now(UTC),
        }

    async def say(self, user: str, text: str, *, addressed: bool = True) -> None:
        """Write, and let the desk answer."""
        event = self.event(user)
        await self.world.chat.deliver(Message(**event, text=text, private=False, addressed=addressed))
        await self.settle()

    async def press(self, user: str, card: Card, action: str) -> None:
        """Press a button that the card shows."""
        pressed = button(card, action)
        event = self.event(user)
        await self.world.chat.deliver(Press(**event, action=action, id=pressed.id, nonce=pressed.nonce, private=False))
        await self.settle()

    async def rate(self, user: str, card: Card, *, verdict: Literal["up", "down"], reason: str | None = None) -> None:
        """Judge the answer that the card shows."""
        rating = next(block for block in card.blocks if isinstance(block, Rating))
        event = self.event(user)
        await self.world.chat.deliver(Feedback(**event, id=rating.id, verdict=verdict, reason=reason))
        await self.settle()

    async def send_form(self, user: str, form: FormSubmit) -> None:
        """Send a form whose place and sender are put in here."""
        event = self.event(user)
        await self.world.chat.deliver(replace(form, **event))
        await self.settle()

    async def settle(self) -> None:
        """Work everything off."""
        await self.world.desk.inbox.drain()
        while await self.world.desk.outbox.drain_once():
            pass

    def seen(self) -> list[str]:
        """Return what everybody in the channel sees."""
        return [words(each.card) for each in self.world.chat.posted() if each.address.get("members")]

    def cards(self) -> list[Card]:
        """Return the cards that stand in the channel."""
        return [each.card for each in self.world.chat.posted() if each.address.get("members")]

    def whispered(self) -> list[str]:
        """Return what one person alone was shown, whoever it was."""
        return [words(card) for _, card in self.world.chat.whispers]
