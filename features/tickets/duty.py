"""Who learns of new and urged tickets, and what is said of it to whoever filed or urged one: only what is so."""

from collections.abc import Mapping, Sequence
from typing import Literal

from adapters.cards import Block, Facts, Heading, Note
from features.anatomy.feature import Services
from features.anatomy.texts import say
from features.tickets.rendering import category_label
from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide
from storage.ids import JsonObject
from tickets.ticket import Priority, Ticket

#: Most people that are named; of more, the others are counted.
_NAMED = 3
_Learning = Literal["channel", "people", "workers", "nobody"]
#: The same in a row of a list, where the category stands beside it.
_SHORTLY: Mapping[_Learning, str] = {
    "channel": "in_channel",
    "people": "of_people",
    "workers": "in_queue_of",
    "nobody": "in_queue",
}


class Duty:
    """Knows the channel and the people of each category's queue."""

    def __init__(self, services: Services) -> None:
        self._config = services.tickets_config
        self._telling = services.telling
        self._directory = services.directory
        self._channels = services.channels
        self._clock = services.clock

    async def channels(self, category: str) -> tuple[JsonObject, ...]:
        """Return the channels that are told of a category's tickets, of those that the desk can post to."""
        platform, _, channel = self._config.channel_of(category).partition(":")
        named: tuple[JsonObject, ...] = ({"platform": platform, "channel": channel},) if channel else ()
        found: list[JsonObject] = []
        for target in (*named, *await self._channels.told_of(category)):
            if target not in found and await self._telling.knows(target):
                found.append(target)
        return tuple(found)

    async def people(self, category: str, *, beside: str = "") -> tuple[Actor, ...]:
        """Return the people on duty who are told where no channel is: those of the group who work tickets."""
        group = self._config.group_of(category)
        if not group or await self.channels(category):
            return ()
        members = [each for each in await self._directory.people() if group in each.groups and each.id != beside]
        return tuple(each for each in members if decide(each, Permission.TICKETS_WORK).allowed)

    async def drawn(self, actor: Actor, categories: Sequence[str], language: str) -> tuple[Block, ...]:
        """Return who will learn of a ticket of these categories, or of any, once the actor files it."""
        named = [each for each in categories if each in self._config.categories] or list(self._config.categories)
        told: dict[str, list[str]] = {}
        for category in named:
            label = category_label(self._config, category, language)
            kind, names = await self._learns(actor, category, language)
            told.setdefault(say(language, f"ticket.duty.{_SHORTLY[kind]}", names=names), []).append(label)
        everything = len(told) == 1 and len(named) == len(self._config.categories)
        comma = say(language, "ticket.duty.comma")
        rows = tuple(
            (say(language, "ticket.duty.any") if everything else comma.join(labels), who)
            for who, labels in told.items()
        )
        heading = Heading(say(language, "ticket.duty.title"))
        return (heading, Facts(rows), Note(say(language, "ticket.duty.yourself")))

    async def waiting(self, actor: Actor, category: str, language: str) -> Note:
        """Return the line that says who will learn of a ticket of a category once the actor files it."""
        kind, names = await self._learns(actor, category, language)
        label = category_label(self._config, category, language)
        return Note(say(language, f"ticket.duty.{kind}", category=label, names=names))

    async def _learns(self, actor: Actor, category: str, language: str) -> tuple[_Learning, str]:
        """Return who learns of a ticket: its channel, those on duty, those who see the queue, or nobody; by names."""
        if await self.channels(category):
            return "channel", ""
        if names := await self._named(category, actor, language):
            return "people", names
        people = [each for each in await self._directory.people() if decide(each, Permission.TICKETS_WORK).allowed]
        names = say(language, "ticket.told.and").join(each.name for each in people[:_NAMED] if each.id != actor.id)
        return ("workers", names) if names else ("nobody", "")

    async def _named(self, category: str, actor: Actor, language: str) -> str:
        people = await self.people(category, beside=actor.id)
        reached = [each.name for each in people if await self._telling.reaches(each.id)]
        return say(language, "ticket.told.and").join(reached[:_NAMED])

    async def told(self, actor: Actor, ticket: Ticket, language: str) -> Note:
        """Return the line that says who learns of a ticket that the actor has filed or urged, and who learns later."""
        if ticket.assignee_id and ticket.assignee_id != actor.id and await self._telling.reaches(ticket.assignee_id):
            return self._people_told([await self._directory.actor(ticket.assignee_id)], ticket, language)
        if await self.channels(ticket.category):
            label = category_label(self._config, ticket.category, language)
            return Note(say(language, "ticket.told.channel", category=label))
        people = await self.people(ticket.category, beside=actor.id)
        reached = [each for each in people if await self._telling.reaches(each.id)]
        if not reached:
            return Note(say(language, "ticket.told.nobody"))
        return self._people_told(reached, ticket, language)

    def _people_told(self, people: Sequence[Actor], ticket: Ticket, language: str) -> Note:
        """Return the line about people who are reached: news that are not urgent wait for the end of quiet hours."""
        later = [each for each in people if ticket.priority is not Priority.URGENT and self._is_quiet(each)]
        now = [each for each in people if each not in later]
        parts = [_named("people", now, language)] if now else []
        return Note(" ".join([*parts, *([_named("later", later, language)] if later else [])]))

    def _is_quiet(self, person: Actor) -> bool:
        quiet = person.preferences.quiet
        return quiet is not None and quiet.end_after(self._clock.now(), person.timezone) is not None


def _named(what: str, people: Sequence[Actor], language: str) -> str:
    """Return who is told, by their names; of many, the others are counted."""
    names = say(language, "ticket.told.and").join(each.name for each in people[:_NAMED])
    more = len(people) - _NAMED
    return say(language, f"ticket.told.{what}_more" if more > 0 else f"ticket.told.{what}", names=names, count=more)
