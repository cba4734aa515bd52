"""Digests that come by the clock, as values and as schedules of the queue; made, listed, paused and ended by people.

What one holds is looked up anew each time, with the rights that its audience has then (`sending`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Self

from features.anatomy.planned import plan_of
from identity import audit
from identity.actor import Actor, system_actor
from identity.permissions import FeaturePermission, Permission
from identity.policy import decide, require
from language.planning.plans import Plan, rule_parts
from storage.clock import Clock
from storage.database import Database, Session
from storage.ids import JsonObject, digest
from storage.queue import schedules
from storage.queue.schedules import SYSTEM, Rule, Schedule, Trigger

MAKE = FeaturePermission(
    "digests:make", meaning="have a digest sent to oneself, or to a channel that one writes in", roles=("staff",)
)
#: The topic of the slots, and what the name of each schedule begins with.
TOPIC, _PREFIX = "digests: digest", "digest"
#: Digests that one person may have sent.
MOST_SENT = 20
_SHORT = 12
#: Who changes those of the settings: a start of the desk with other settings.
_SETTINGS = system_actor("settings")
#: How far back a digest looks at most, whatever was before.
_LONGEST = timedelta(days=35)
_BACK = {"WEEKLY": timedelta(days=7), "MONTHLY": timedelta(days=31), "YEARLY": _LONGEST}


class DigestError(Exception):
    """Something is in the way of what a person wants of a digest."""


class NoSuchDigest(DigestError):
    """There is none of that name, or it is none of the actor's business: both look the same."""


class TooManyDigests(DigestError):
    """The person has as many as one may have."""


class DigestConfigured(DigestError):
    """It stands in the settings, where alone it ends."""


class DigestOrder(StrEnum):
    """What may be done to a digest."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"


@dataclass(frozen=True)
class LastSent:
    """The latest digest that was sent: when, since when it told, and the fingerprint of what it said."""

    at: datetime
    since: datetime
    shown: str

    def as_json(self) -> JsonObject:
        """Return it as it is kept."""
        return {"at": self.at.isoformat(), "since": self.since.isoformat(), "shown": self.shown}

    @classmethod
    def of(cls, kept: object) -> Self | None:
        """Return what `as_json` kept."""
        if not isinstance(kept, dict):
            return None
        return cls(datetime.fromisoformat(kept["at"]), datetime.fromisoformat(kept["since"]), str(kept["shown"]))


@dataclass(frozen=True)
class SentDigest:
    """A digest that comes by the clock; without sections it has all that there are."""

    owner: str
    sections: tuple[str, ...]
    trigger: Trigger
    timezone: str
    channel: JsonObject | None = None  # where it is posted; None: the owner's own conversation
    name: str = ""  # of one of the settings
    paused: bool = False
    last: LastSent | None = field(default=None, compare=False)

    @property
    def id(self) -> str:
        """Return the name of its schedule: the same at the same time to the same place is one."""
        if self.name:
            return f"{_PREFIX}:{SYSTEM}:{self.name}"
        what: JsonObject = {"when": repr(self.trigger), "zone": self.timezone, "sections": list(self.sections)}
        return f"{_PREFIX}:{self.owner}:{digest({**what, 'channel': self.channel})[:_SHORT]}"

    @property
    def plan(self) -> Plan | None:
        """Return when it comes."""
        return plan_of(self.trigger, self.timezone)

    @property
    def schedule(self) -> Schedule:
        """Return it as the queue keeps it. The place is no `target`: nobody else may point it elsewhere."""
        payload: JsonObject = {
            "sections": list(self.sections),
            "channel": self.channel,
            "name": self.name,
            "last": None if self.last is None else self.last.as_json(),
        }
        return Schedule(self.id, TOPIC, self.trigger, timezone=self.timezone, owner=self.owner, payload=payload)

    def since(self, now: datetime) -> datetime:
        """Return since when the next one tells: since the last one, else since it would have come before."""
        if self.last is not None:
            return max(self.last.at, now - _LONGEST)
        return now - (back_of(self.trigger) if isinstance(self.trigger, Rule) else timedelta(days=1))

    @classmethod
    def of(cls, schedule: Schedule) -> Self:
        """Return the digest of a schedule of this topic."""
        payload = schedule.payload
        channel, sections = payload.get("channel"), payload.get("sections")
        return cls(
            owner=schedule.owner,
            sections=tuple(map(str, sections)) if isinstance(sections, list | tuple) else (),
            trigger=schedule.trigger,
            timezone=schedule.timezone,
            channel=channel if isinstance(channel, dict) else None,
            name=str(payload.get("name") or ""),
            paused=schedule.paused,
            last=LastSent.of(payload.get("last")),
        )


def back_of(rule: Rule) -> timedelta:
    """Return about how long it is from one slot of a rule to the next: a day where it comes on several of a week."""
    parts = rule_parts(rule.rule)
    if "," in parts.get("BYDAY", ""):
        return timedelta(days=1)
    return _BACK.get(parts["FREQ"], timedelta(days=1))


@dataclass(frozen=True)
class Digests:
    """Use cases over them."""

    database: Database
    clock: Clock

    async def start(self, actor: Actor, sent: SentDigest) -> None:
        """Have a digest sent from now on; raise `TooManyDigests`. Done twice, it changes nothing more."""
        require(actor, MAKE)
        async with self.database.transaction() as session:
            mine = [each.id for each in await _read(session, owner=sent.owner)]
            if sent.id not in mine and len(mine) >= MOST_SENT:
                raise TooManyDigests(sent.owner)
            before = await _find(session, sent.id) if sent.id in mine else None
            if before is None:
                await schedules.put(session, sent.schedule)
            await schedules.set_paused(session, sent.id, paused=False)
            await self._audit(session, actor, "digest.start", (before, replace(sent, paused=False)))

    async def seen_by(self, actor: Actor, *, channel: JsonObject | None = None) -> tuple[SentDigest, ...]:
        """Return the actor's digests, and all of a channel that they ask in."""
        require(actor, MAKE)
        async with self.database.reading() as session:
            found = await _read(session, owner=None)
        return tuple(each for each in found if each.owner == actor.id or (channel and each.channel == channel))

    async def all(self) -> tuple[SentDigest, ...]:
        """Return every digest, for the desk itself."""
        async with self.database.reading() as session:
            return await _read(session, owner=None)

    async def find(self, sent_id: str) -> SentDigest:
        """Return one, for the desk itself; raise `NoSuchDigest`."""
        async with self.database.reading() as session:
            return await _find(session, sent_id)

    async def order(self, actor: Actor, sent_id: str, order: DigestOrder) -> SentDigest:
        """Pause, resume or stop one of the actor's own, or any of who may manage jobs; return it as it is then.

        Raises `NoSuchDigest`, and `DigestConfigured` where one of the settings is to be stopped.
        """
        require(actor, MAKE)
        async with self.database.transaction() as session:
            found = await _find(session, sent_id)
            if found.owner != actor.id and not decide(actor, Permission.JOBS_MANAGE).allowed:
                raise NoSuchDigest(sent_id)
            if order is DigestOrder.STOP:
                if found.name:
                    raise DigestConfigured(found.name)
                await schedules.remove(session, sent_id)
            else:
                await schedules.set_paused(session, sent_id, paused=order is DigestOrder.PAUSE)
            after = None if order is DigestOrder.STOP else replace(found, paused=order is DigestOrder.PAUSE)
            await self._audit(session, actor, f"digest.{order}", (found, after))
        return replace(found, paused=order is DigestOrder.PAUSE)

    async def note(self, session: Session, sent: SentDigest, last: LastSent) -> None:
        """Keep what was sent last with the caller's transaction, unless the digest has ended meanwhile."""
        await schedules.set_payload(session, sent.id, replace(sent, last=last).schedule.payload)

    async def configure(self, wanted: Iterable[SentDigest]) -> None:
        """Bring the digests of the settings in line with them: what stands there no more ends."""
        mine = {each.id: each for each in wanted}
        async with self.database.reading() as session:
            known = {each.id: each for each in await _read(session, owner=SYSTEM)}
        if mine == known:
            return
        async with self.database.transaction() as session:
            for name, each in mine.items():
                before = known.get(name)
                await schedules.put(session, replace(each, last=before.last if before else None).schedule)
                if before is None or _as_json(before) != _as_json(each):
                    await self._audit(session, _SETTINGS, "digest.configure", (before, each))
            for name in sorted(known.keys() - mine.keys()):
                await schedules.remove(session, name)
                await self._audit(session, _SETTINGS, "digest.configure", (known[name], None))

    async def _audit(
        self, session: Session, actor: Actor, action: str, changed: tuple[SentDigest | None, SentDigest | None]
    ) -> None:
        """Write down from what to what a digest was changed: None is none."""
        before, after = changed
        await audit.record(
            session,
            actor=actor,
            action=action,
            resource=next(each.id for each in changed if each),
            allowed=True,
            reason=decide(actor, MAKE).reason,
            outcome="done",
            detail={"before": _as_json(before), "after": _as_json(after)},
            now=self.clock.now(),
        )


def _as_json(sent: SentDigest | None) -> JsonObject | None:
    """Return what a digest holds, when and where it is sent, as the audit keeps it."""
    if sent is None:
        return None
    return {
        "sections": list(sent.sections),
        "channel": sent.channel,
        "when": repr(sent.trigger),
        "timezone": sent.timezone,
        "paused": sent.paused,
    }


async def _read(session: Session, *, owner: str | None) -> tuple[SentDigest, ...]:
    found = await schedules.everything(session, owner=owner)
    return tuple(SentDigest.of(each) for each in found if each.topic == TOPIC)


async def _find(session: Session, sent_id: str) -> SentDigest:
    found = await schedules.find(session, sent_id)
    if found is None or found.topic != TOPIC:
        raise NoSuchDigest(sent_id)
    return SentDigest.of(found)
