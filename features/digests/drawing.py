"""A digest as blocks: the sections that have something to say, and what is left out of them with the reason."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from adapters.cards import Block, Heading, Note
from features.anatomy.reader import Reader, when
from features.anatomy.sections import Audience, DigestAsked, DigestSection, Told
from features.anatomy.texts import say
from storage.clock import Clock

#: Returns the sections of every feature.
OfferedSections = Callable[[], tuple[DigestSection, ...]]


@dataclass(frozen=True)
class Gathered:
    """What the sections of one digest have to say, by their names."""

    told: tuple[tuple[str, Told], ...] = ()
    tells_hidden: bool = False  # whether those who read may know how much they do not see

    @property
    def count(self) -> int:
        """Return how many things are shown."""
        return sum(each.count for _, each in self.told)

    @property
    def hidden(self) -> int:
        """Return how many things are left out."""
        return sum(each.hidden for _, each in self.told) if self.tells_hidden else 0

    def left_out(self, reader: Reader) -> tuple[Block, ...]:
        """Return what is not shown and why."""
        if not self.hidden:
            return ()
        what = [
            say(reader.language, f"section.{name}.heading", count=told.hidden)
            for name, told in self.told
            if told.hidden
        ]
        between = "；" if reader.language == "zh" else "; "
        return (Note(say(reader.language, "digest.left_out", what=between.join(what))),)

    @property
    def fingerprint(self) -> str:
        """Return what is the same as long as it says the same."""
        return hashlib.sha256(repr(self.told).encode()).hexdigest()[:16]

    def blocks(self, reader: Reader) -> tuple[Block, ...]:
        """Return the sections that have something to say, then what is left out."""
        shown = [(name, told) for name, told in self.told if told.count]
        drawn = [
            block
            for name, told in shown
            for block in (Heading(say(reader.language, f"section.{name}.heading", count=told.count)), *told.blocks)
        ]
        return (*drawn, *self.left_out(reader))


class DigestDrawing:
    """Asks the sections of all features."""

    def __init__(self, offered: OfferedSections, clock: Clock) -> None:
        self._offered = offered
        self._clock = clock

    def of(self, names: Sequence[str], *, channel: bool) -> tuple[DigestSection, ...]:
        """Return the sections of these names, all without names; of a channel none that is one person's matter."""
        return tuple(
            each for each in self._offered() if (not names or each.name in names) and not (channel and each.personal)
        )

    async def gathered(self, audience: Audience, names: Sequence[str], *, since: datetime, reader: Reader) -> Gathered:
        """Return what these sections have to say to an audience at this moment."""
        sections = self.of(names, channel=audience.is_channel)
        asked = DigestAsked(audience, since, self._clock.now(), reader, frozenset(each.name for each in sections))
        told = tuple([(each.name, await each.draw(asked)) for each in sections])
        # Others' things are no matter of one person's digest, and strangers learn nothing of the company's.
        return Gathered(told, tells_hidden=audience.is_channel and audience.is_internal)


def digest_blocks(gathered: Gathered, reader: Reader, *, since: datetime) -> tuple[Block, ...]:
    """Return a whole digest; with nothing to say, that."""
    language = reader.language
    title = Heading(say(language, "digest.title"))
    if not gathered.count:
        nothing = Note(say(language, "digest.nothing", when=when(since, reader)))
        return (title, nothing, *gathered.left_out(reader))
    return (title, Note(say(language, "digest.since", when=when(since, reader))), *gathered.blocks(reader))
