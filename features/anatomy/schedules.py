"""What a feature does by the clock: its own jobs, and what is done with slots of schedules that people make."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from adapters.cards import Block
from features.anatomy.reader import Reader
from storage.ids import JsonObject
from storage.queue.schedules import CatchUp, Schedule, Trigger

#: Draws what is posted, as its readers read it; nothing is posted where there is nothing to say.
Says = Callable[[Reader], Awaitable[tuple[Block, ...]]]


async def _nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Job:
    """A named piece of work and when it happens, by any trigger; each slot of it happens once over all replicas.

    `work` is done, and what it returns in words stands in its history; or what `says` draws is posted to the channel
    that whoever runs the desk has named for it (`dutydesk jobs target`). Everybody in the channel reads that.
    """

    name: str
    trigger: Trigger
    work: Callable[[], Awaitable[object]] = _nothing
    says: Says | None = None
    timezone: str = "UTC"
    catch_up: CatchUp = CatchUp.ONCE  # what becomes of slots that passed while no replica ran
    jitter_s: float = 0.0

    @property
    def topic(self) -> str:
        """Return the topic of its slots."""
        return f"job:{self.name}"

    @property
    def schedule(self) -> Schedule:
        """Return its schedule."""
        return Schedule(
            self.name,
            self.topic,
            self.trigger,
            timezone=self.timezone,
            catch_up=self.catch_up,
            jitter_s=self.jitter_s,
        )


@dataclass(frozen=True)
class Slot:
    """A time of a schedule that has come; `key` names it, once over all replicas and attempts."""

    schedule: str
    key: str
    owner: str
    timezone: str
    target: JsonObject | None = None  # for `Telling.post`
    payload: JsonObject = field(default_factory=dict)


#: Does what a slot is for; returns what came of it in words, or the end of the slot with what is committed with it.
OnSlot = Callable[[Slot], Awaitable[object]]
#: Topic of schedules → what is done with their slots.
OnSlots = Mapping[str, OnSlot]
