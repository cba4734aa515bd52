"""Saved questions that are sent by the clock: schedules of the queue that people make, look at and end.

What is sent is asked anew each time, with the rights that its owner has then (`features/data/saved`).
"""

from dataclasses import dataclass, fields
from typing import Self

from identity import audit
from identity.actor import Actor
from identity.policy import decide, require
from queries.sql.datasource import fingerprint
from queries.sql.errors import NoSuchSchedule, TooManySchedules
from queries.sql.permissions import ASK, MANAGE
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject, digest
from storage.queue import schedules
from storage.queue.schedules import Cron, Rule, Schedule

#: The topic of the slots, and what the name of each schedule begins with.
TOPIC, _PREFIX = "data: saved question", "question"
#: Questions that one person may have sent.
MOST_SENT = 20
_SHORT = 12


@dataclass(frozen=True)
class SentQuestion:
    """A question that is sent again and again, in the rights of its owner."""

    question: str  # the name under which it is saved
    owner: str
    when: Rule | Cron  # a line of a crontab: made before there were rules
    timezone: str
    channel: JsonObject | None = None  # where it is posted; None: the owner's own conversation
    paused: bool = False

    @property
    def id(self) -> str:
        """Return the name of its schedule: the same question at the same time to the same place is one."""
        when: JsonObject = {field.name: getattr(self.when, field.name) for field in fields(self.when)}
        what: JsonObject = {"name": self.question.casefold(), "zone": self.timezone, "channel": self.channel}
        return f"{_PREFIX}:{self.owner}:{digest({**what, **when})[:_SHORT]}"

    @property
    def schedule(self) -> Schedule:
        """Return it as the queue keeps it. The place is no `target`: nobody else may point it elsewhere."""
        payload: JsonObject = {"question": self.question, "channel": self.channel}
        return Schedule(self.id, TOPIC, self.when, timezone=self.timezone, owner=self.owner, payload=payload)

    @classmethod
    def of(cls, schedule: Schedule) -> Self:
        """Return what a schedule of this topic sends."""
        question, channel = name_and_channel(schedule.payload)
        if not isinstance(schedule.trigger, Rule | Cron):
            raise TypeError(schedule.trigger)
        return cls(question, schedule.owner, schedule.trigger, schedule.timezone, channel, schedule.paused)


def name_and_channel(payload: JsonObject) -> tuple[str, JsonObject | None]:
    """Return the name of the question and the channel that a slot's payload holds."""
    channel = payload.get("channel")
    return str(payload["question"]), channel if isinstance(channel, dict) else None


@dataclass(frozen=True)
class SentQuestions:
    """Use cases over them."""

    database: Database
    clock: Clock

    async def start(self, actor: Actor, sent: SentQuestion) -> None:
        """Have a question sent from now on; raise `TooManySchedules`. Done twice, it changes nothing more."""
        require(actor, ASK)
        async with self.database.transaction() as session:
            mine = [each.id for each in await _read(session, owner=sent.owner)]
            if sent.id not in mine and len(mine) >= MOST_SENT:
                raise TooManySchedules(sent.owner)
            await schedules.put(session, sent.schedule)
            await self._audit(session, actor, sent, action="data.schedule")

    async def of(self, actor: Actor) -> tuple[SentQuestion, ...]:
        """Return what is sent for the actor."""
        require(actor, ASK)
        async with self.database.reading() as session:
            return await _read(session, owner=actor.id)

    async def find(self, actor: Actor, sent_id: str) -> SentQuestion:
        """Return one that is the actor's to end; raise `NoSuchSchedule`."""
        require(actor, ASK)
        async with self.database.reading() as session:
            return await _find(session, actor, sent_id)

    async def stop(self, actor: Actor, sent_id: str) -> SentQuestion:
        """End one of the actor's own, or any of who looks after the databases; raise `NoSuchSchedule`."""
        require(actor, ASK)
        async with self.database.transaction() as session:
            found = await _find(session, actor, sent_id)
            await schedules.remove(session, sent_id)
            await self._audit(session, actor, found, action="data.unschedule")
        return found

    async def _audit(self, session: Session, actor: Actor, sent: SentQuestion, *, action: str) -> None:
        await audit.record(
            session,
            actor=actor,
            action=action,
            resource=fingerprint(sent.question),
            allowed=True,
            reason=decide(actor, ASK).reason,
            outcome="done",
            detail={"schedule": sent.id},
            now=self.clock.now(),
        )


async def _read(session: Session, *, owner: str) -> tuple[SentQuestion, ...]:
    found = await schedules.everything(session, owner=owner)
    return tuple(SentQuestion.of(each) for each in found if each.topic == TOPIC)


async def _find(session: Session, actor: Actor, sent_id: str) -> SentQuestion:
    found = await schedules.find(session, sent_id)
    if found is None or found.topic != TOPIC or (found.owner != actor.id and not decide(actor, MANAGE).allowed):
        raise NoSuchSchedule(sent_id)
    return SentQuestion.of(found)
