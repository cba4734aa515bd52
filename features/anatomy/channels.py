"""How a channel is set: whether the desk speaks there, about what, in which language, and what it is told there."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from identity.actor import Actor
from identity.permissions import FeaturePermission
from language.scripts import Language
from storage.ids import JsonObject

#: See how a channel is set, and make the desk quiet there.
SEE = FeaturePermission("channels:see", meaning="see how a channel is set; make the desk quiet there", roles=("staff",))
#: Change how any channel is set.
MANAGE = FeaturePermission("channels:manage", meaning="change how the desk behaves in every channel", roles=("agent",))


class ChannelMode(StrEnum):
    """When the desk speaks in a channel."""

    OFF = "off"  # never; who names it there is told so, alone
    QUIET = "quiet"  # only when it is named
    ON = "on"  # when it is named, and in threads in which it was
    LISTEN = "listen"  # so, and below a question to nobody where a document answers it for sure


@dataclass(frozen=True)
class ChannelSettings:
    """How one channel is set; what nobody has set stands as here."""

    mode: ChannelMode = ChannelMode.ON
    language: Language | None = None  # None: that of each message
    sources: frozenset[str] | None = None  # whose pages may answer; None: all
    tools: frozenset[str] | None = None  # the features whose tools are offered, by name; None: all
    queues: frozenset[str] = frozenset()  # the categories of whose new tickets it is told
    digest: bool = True  # whether digests are posted there

    @property
    def on(self) -> bool:
        """Return whether the desk speaks there at all."""
        return self.mode is not ChannelMode.OFF

    @property
    def mention_needed(self) -> bool:
        """Return whether each message has to name the desk, in its own threads too."""
        return self.mode in (ChannelMode.OFF, ChannelMode.QUIET)

    @property
    def listens(self) -> bool:
        """Return whether messages that do not name the desk are read."""
        return self.mode is ChannelMode.LISTEN


#: What nobody has changed.
DEFAULT = ChannelSettings()


@dataclass(frozen=True)
class KnownChannel:
    """A channel that the desk was spoken to in, or that somebody has set."""

    platform: str
    id: str
    settings: ChannelSettings
    heard_at: datetime | None = None
    changed_by: str = ""  # a name, "" where nobody changed anything
    changed_at: datetime | None = None
    undoable: bool = False  # whether making it quiet can be taken back

    @property
    def name(self) -> str:
        """Return what it is called where one has to be named: `slack:C0123456`."""
        return f"{self.platform}:{self.id}"

    @property
    def target(self) -> JsonObject:
        """Return its target, as slots and posts name it."""
        return {"platform": self.platform, "channel": self.id}


class NoChannel(Exception):
    """There is no channel where this was asked, or none of that name is known."""


class UnknownChoice(Exception):
    """A setting was to be something that does not exist: `what` it is of, and what there is."""

    def __init__(self, what: str, given: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{what}: {given}")
        self.what = what
        self.given = given
        self.known = known


class Channels(Protocol):
    """What the desk knows of channels, for features."""

    async def settings(self, target: JsonObject | None) -> ChannelSettings:
        """Return how a channel is set, by the target of a slot; what is unknown is as nobody has set it."""
        ...

    async def told_of(self, category: str) -> tuple[JsonObject, ...]:
        """Return the targets of the channels that are told of new tickets of a category; none that is off."""
        ...

    def around(self, address: JsonObject) -> JsonObject | None:
        """Return the target of the channel that something was written or typed in; None in a person's own chat.

        `address` is what a run was given: the platform's, with its name beside it.
        """
        ...

    async def show(self, actor: Actor, target: JsonObject) -> KnownChannel:
        """Return a channel with its settings; needs `channels:see`."""
        ...

    async def known(self, actor: Actor) -> tuple[KnownChannel, ...]:
        """Return every channel that the desk knows, by name; needs `channels:manage`."""
        ...

    async def called(self, target: JsonObject) -> str:
        """Return what people call a channel; "" where its platform does not tell."""
        ...

    async def choices(self, actor: Actor) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the sources and the features that there are to choose from; needs `channels:manage`."""
        ...

    async def refuse(self, actor: Actor, target: JsonObject) -> None:
        """Write down that somebody may not set a channel, and raise `Forbidden`."""
        ...

    async def may_change(self, actor: Actor, address: JsonObject) -> bool:
        """Return whether the actor may set the channel that an address lies in."""
        ...

    async def change(
        self, actor: Actor, target: JsonObject, changes: Mapping[str, object], *, address: JsonObject | None = None
    ) -> KnownChannel:
        """Change the named settings, and write down how they were before.

        Needs `channels:manage`, or, with the `address` of what was asked, an owner of its channel. Raises
        `UnknownChoice`.
        """
        ...

    async def hush(self, actor: Actor, target: JsonObject) -> KnownChannel:
        """Make the desk quiet in a channel at once; needs no more than `channels:see`."""
        ...

    async def undo(self, actor: Actor, target: JsonObject) -> KnownChannel | None:
        """Take back what `hush` did, by who did it or who may set the channel; None when that is over."""
        ...
