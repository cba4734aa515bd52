"""What a feature has to say in a digest: sections, each drawn for an audience, with what it had to leave out."""

import importlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from adapters.cards import Block
from features.anatomy.moments import known_zone
from features.anatomy.reader import Reader
from identity.actor import Actor, ActorKind
from identity.readership import ALONE, Readership, others_read
from language.planning.plans import Again

#: Reads times in words. Loaded where a digest is set: its patterns take a third of the start of `dutydesk`.
_READING = "language.planning.reading"
#: A day on which a rule that holds for all days is read.
_ANY_DAY = datetime.fromisoformat("2026-01-01")


@dataclass(frozen=True)
class Audience:
    """Who reads a digest, with the rights of this moment: one person, or everybody in a channel.

    Of a channel, `actor` may do what all who read there may do, and `readership` holds the principals that they have in
    common. `owner` had the digest made; None for one of the configuration.
    """

    actor: Actor
    readership: Readership = ALONE
    owner: Actor | None = None

    @property
    def is_channel(self) -> bool:
        """Return whether it is for a channel."""
        return others_read(self.readership)

    @property
    def is_internal(self) -> bool:
        """Return whether everybody who reads is of the company: others are not even told how much is left out."""
        return self.actor.kind is not ActorKind.GUEST


@dataclass(frozen=True)
class DigestAsked:
    """One digest that is drawn: for whom, since when, how it is read, and which sections it has."""

    audience: Audience
    since: datetime
    now: datetime
    reader: Reader
    sections: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True)
class Told:
    """What a section has to say: how many things there are to be seen, and blocks. Nothing: no count.

    `hidden` is how many more there are that somebody in the channel may not read.
    """

    count: int = 0
    blocks: tuple[Block, ...] = ()
    hidden: int = 0


#: Draws a section of a digest.
DrawSection = Callable[[DigestAsked], Awaitable[Told]]


class DigestConfig(BaseModel):
    """A digest of the settings, for a channel."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    channel: str = Field(
        pattern=r"^[a-z]+:\S+$",
        description="Where it is posted, as `dutydesk jobs channels` lists it: `slack:C0123456`.",
    )
    when: str = Field(description="How often and at what time, in words: `every weekday at 9:00`.")
    timezone: str = Field("UTC", description="The zone of that time: `Europe/Amsterdam`.")
    sections: tuple[str, ...] = Field(
        (), description="What it holds, in words (`tickets`, `new pages`); all that there is without any."
    )

    @model_validator(mode="after")
    def _readable(self) -> Self:
        if known_zone(self.timezone) != self.timezone:
            raise ValueError(f"there is no time zone {self.timezone!r}: write it as Europe/Amsterdam")
        if self.plan is None:
            raise ValueError(f"{self.when!r} says no time again and again: write for example 'every weekday at 9:00'")
        return self

    @property
    def plan(self) -> Again | None:
        """Return when it comes."""
        said = importlib.import_module(_READING).plan_in(self.when, now=_ANY_DAY).plan
        return said if isinstance(said, Again) else None


@dataclass(frozen=True)
class DigestSection:
    """A part of a digest.

    Its words stand under `section.<name>.heading` (with `{count}`), `.called` (how it is named in a sentence) and
    `.said` (words of a message that ask for it, one a line).
    """

    name: str
    draw: DrawSection
    personal: bool = False  # a matter of one person: no digest of a channel has it
