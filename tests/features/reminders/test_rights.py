"""No reminder shows to anybody what they may not read at the moment it is sent: every change of rights in between."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

from bot.rendering.cards import card_of
from features.anatomy.reader import Reader
from features.anatomy.schedules import Says, Slot
from features.anatomy.telling import Beside, Promise
from features.reminders.drawing import ReminderDrawing
from features.reminders.reminder import Reminder, Where
from features.reminders.sending import ReminderSender
from features.reminders.service import ReminderService
from identity.actor import Actor
from identity.directory import Directory
from identity.errors import UnknownPerson
from language.planning.plans import Again
from storage.database import Database, Session
from storage.ids import JsonObject, new_id
from storage.queue.worker import Ending
from tests.scenarios.world import PEOPLE, words, world_in
from tickets.errors import TicketsError
from tickets.service import TicketService

TITLE, WORDS = "The printer on floor 3 smokes", "Look after it"
CHANNEL = {"platform": "memory", "channel": "C1"}
#: What happens between setting and sending → people.yaml then.
CHANGES: Mapping[str, str] = {
    "nothing": PEOPLE,
    "left": PEOPLE.replace("id: ada,", "id: adele,")
    .replace("id: ben,", "id: benno,")
    .replace("id: bao,", "id: baobao,"),
    "lost the role": PEOPLE.replace(", roles: [agent]", ""),
    "left the channel": PEOPLE,
    "nobody can tell": PEOPLE,
}


@dataclass
class Told:
    """Keeps what is told to whom, and says who is in the channel."""

    database: Database
    member: bool | None = True
    alone: dict[str, list[str]] = field(default_factory=dict)
    channel: list[str] = field(default_factory=list)

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
        """Keep what a person is told; an address of the channel is read by everybody there."""
        del key, order, subject, patient, beside
        self._keep(person, await _drawn(draw), address)
        return True

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
    ) -> Promise:
        """Return what keeps what a person is told."""
        del key, order, subject, own
        said = await _drawn(draw)

        async def put(session: Session) -> None:
            del session
            self._keep(person, said, address)

        return put

    def _keep(self, person: str, said: str, address: JsonObject | None) -> None:
        (self.channel if address == CHANNEL else self.alone.setdefault(person, [])).append(said)

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
        """Keep what the channel is told."""
        del key, timezone, subject
        assert target == CHANNEL
        said = await _drawn(draw)
        async with self.database.transaction() as session:
            if beside is None or await beside(session):
                self.channel.append(said)
        return "posted"

    def channel_of(self, address: JsonObject) -> JsonObject | None:
        """Return the channel."""
        return address

    async def readers(self, place: JsonObject) -> frozenset[str]:
        """Return the public."""
        del place
        return frozenset({"public"})

    async def is_member(self, person: str, place: JsonObject) -> bool | None:
        """Return what was set."""
        del person, place
        return self.member

    async def redraw(self, subject: str, *, version: str) -> None:
        """Do nothing."""


async def _drawn(draw: Says) -> str:
    reader = Reader("en")
    return words(card_of(await draw(reader), reader))


async def test_every_change_of_rights(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        desk, shown = world.desk, 0
        people, tickets = desk.people.directory, desk.tickets
        service = ReminderService(database, desk.clock)
        number = await filed(tickets, await people.person("ada"))
        for owner, where, about, change in product(("ada", "ben", "bao"), Where, ("", number), CHANGES):
            await rewrite(tmp_path, PEOPLE)
            kept = await service.set(await people.person(owner), wanted(where, about))
            await rewrite(tmp_path, CHANGES[change])
            told = Told(database, member={"left the channel": False, "nobody can tell": None}.get(change, True))
            drawing = ReminderDrawing(service, tickets, people)
            sender = ReminderSender(service, drawing, told, people, desk.memory)  # type: ignore[arg-type]
            ended = await sender.send(Slot(kept.name, f"schedule:{kept.name}:now", owner, "UTC"))
            if isinstance(ended, Ending) and ended.effects:
                async with database.transaction() as session:
                    await ended.effects(session)

            case = (owner, where, about, change)
            assert set(told.alone) <= {owner}, case
            assert all(TITLE not in said for said in told.channel), case
            if told.channel:
                assert (where is not Where.ALONE, told.member, change) == (True, True, change), case
                assert change != "left", case
            for said in told.alone.get(owner, []):
                shown += TITLE in said
                assert TITLE not in said or await reads(tickets, people, owner, number), case
            if change == "left":
                assert not told.alone, case
        assert shown > 0


def wanted(where: Where, about: str) -> Reminder:
    return Reminder(
        id=new_id("reminder"),
        owner="",
        text=WORDS,
        plan=Again("FREQ=DAILY", (datetime(2026, 1, 1) + timedelta(hours=9)).time()),  # noqa: DTZ001 - on a wall
        timezone="UTC",
        where=where,
        about=about,
        address={} if where is Where.ALONE else CHANNEL,
        channel=CHANNEL if where is Where.CHANNEL else None,
    )


async def filed(tickets: TicketService, requester: Actor) -> str:
    draft = await tickets.draft(
        requester, thread="t", category="other", title=TITLE, description=f"{TITLE}.", fields={"location": "floor 3"}
    )
    ticket = await tickets.file(requester, draft.id, nonce=await tickets.nonce_for(requester, draft.id))
    return ticket.number


async def reads(tickets: TicketService, people: Directory, person: str, number: str) -> bool:
    """Return whether a person may read a ticket now."""
    try:
        await tickets.show(await people.actor(person), number)
    except (TicketsError, UnknownPerson):
        return False
    return True


async def rewrite(home: Path, people: str) -> None:
    """Change who may what; a file of another size is read again."""
    await asyncio.to_thread((home / "people.yaml").write_text, people, encoding="utf-8")
