"""Saved questions by the clock: asked for their owner with the rights of that moment, and posted."""

import logging
from collections.abc import Callable

from adapters.cards import Block, Button, Buttons, Heading, Note
from agent.results import Records
from agent.runs.answer import Outcome
from features.anatomy.feature import DrawResult
from features.anatomy.handling import Pressed
from features.anatomy.moments import day_in
from features.anatomy.reader import Reader
from features.anatomy.schedules import Slot
from features.anatomy.sections import DigestAsked, DigestSection, Told
from features.anatomy.spoken import Spoken, note
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.data.answering import left_out, table_of
from features.data.phrases import in_round_figures, in_words
from features.data.saved.asking import SavedAnswers
from features.data.saved.tools import sent_in_words
from features.data.wording import Wording
from identity.actor import Actor
from identity.directory import Directory
from identity.errors import UnknownPerson
from identity.policy import decide
from identity.readership import Shared
from queries.sql.errors import NoSuchQuestion, NoSuchSchedule, SqlError, TooCostly
from queries.sql.metrics.query import DataQuery
from queries.sql.permissions import ASK
from queries.sql.saved.saved import SavedQuestion
from queries.sql.saved.scheduling import SentQuestion, SentQuestions, name_and_channel
from queries.sql.service import SqlAnswer
from storage.clock import Clock

log = logging.getLogger(__name__)

#: The action of the button that ends a schedule.
STOP = "data.stop"
#: Saved questions that a digest holds.
IN_DIGEST = 5


class _NotSent(Exception):
    """A question is not sent this time: why, for who runs the desk, and what its owner is told, None for nothing."""

    def __init__(self, why: str, words: Callable[[Reader], str] | None = None) -> None:
        super().__init__(why)
        self.words = words


class QuestionSender:
    """Sends saved questions, shows what is sent, and ends it."""

    def __init__(
        self,
        asking: SavedAnswers,
        sent: SentQuestions,
        *,
        telling: Telling,
        directory: Directory,
        clock: Clock,
        draw: DrawResult,
    ) -> None:
        self._asking = asking
        self._sent = sent
        self._telling = telling
        self._directory = directory
        self._clock = clock
        self._draw = draw

    async def send(self, slot: Slot) -> str:
        """Ask the question of a slot and post what it gives; return what came of it, for who runs the desk."""
        name, channel = name_and_channel(slot.payload)
        try:
            owner = await self._owner(slot)
            answered, query = await self._answered(owner, slot)
        except _NotSent as why:
            log.warning("%s: not sent: %s", slot.schedule, why)
            if why.words is not None:
                await self._explain(slot, why.words)
            return f"not sent: {why}"

        async def blocks(reader: Reader) -> tuple[Block, ...]:
            return (Heading(name), *self._drawn(answered, query, reader), _stop(slot.schedule, reader))

        if channel is not None:
            return await self._telling.post(channel, blocks, key=slot.key, timezone=slot.timezone)
        reached = await self._telling.tell(owner.id, blocks, key=f"data:{slot.key}")
        return "sent" if reached else f"not sent: {slot.owner} cannot be written to"

    async def _owner(self, slot: Slot) -> Actor:
        """Return who has the question sent, with the rights of now."""
        try:
            owner = await self._directory.actor(slot.owner)
        except UnknownPerson as error:
            raise _NotSent(f"{slot.owner} is not known any more") from error
        if not decide(owner, ASK).allowed:
            raise _NotSent(f"{slot.owner} may not ask databases any more")
        return owner

    async def _answered(self, owner: Actor, slot: Slot) -> tuple[SqlAnswer, DataQuery | None]:
        """Return the answer of now; raise `_NotSent` with what the owner is told, too."""
        name, channel = name_and_channel(slot.payload)
        try:
            saved = await self._asking.sql.saved_as(owner, name)
            ready, query = await self._asking.ready(owner, saved, today=day_in(slot.timezone, self._clock.now()))
            if ready.price is not None:
                raise TooCostly(ready.price)
            if channel is not None and not ready.is_for(await self._telling.readers(channel)):
                raise _NotSent(
                    "not everybody in the channel may read all of it",
                    lambda reader: say(reader.language, "data.sent.readers", name=name),
                )
            return await self._asking.sql.answer(owner, ready), query
        except NoSuchQuestion as error:
            await self._sent.stop(owner, slot.schedule)
            raise _NotSent(
                "no question of that name is saved any more, so the schedule has ended",
                lambda reader: say(reader.language, "data.sent.gone", name=name),
            ) from error
        except SqlError as error:
            in_the_way = error
            raise _NotSent(
                type(error).__name__,
                lambda reader: say(reader.language, "data.sent.failed", name=name, why=in_words(reader, in_the_way)),
            ) from error

    async def one(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return a schedule with its button."""
        try:
            sent = await self._sent.find(actor, shown.ids[0])
        except NoSuchSchedule:
            return (Note(say(reader.language, "data.sent.ended")),)
        return (Note(_line(sent, reader), tone="good"), _stop(sent.id, reader))

    async def everything(self, actor: Actor, _shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return all that is sent for the actor."""
        found = await self._sent.of(actor) if decide(actor, ASK).allowed else ()
        if not found:
            return (Note(say(reader.language, "data.sent.none")),)
        return tuple(
            block for each in found for block in (Note(_line(each, reader)), _stop(each.id, reader, each.question))
        )

    async def stop(self, pressed: Pressed) -> Spoken:
        """End a schedule."""
        language = pressed.reader.language
        try:
            ended = await self._sent.stop(pressed.actor, pressed.event.id)
        except NoSuchSchedule:
            return note(Outcome.REFUSED, say(language, "data.sent.not_yours"), tone="warn")
        return note(Outcome.ANSWERED, say(language, "data.sent.stopped", name=ended.question), tone="good")

    def sections(self) -> tuple[DigestSection, ...]:
        """Return what saved questions have to say in a digest."""
        return (DigestSection("saved_questions", self._told),)

    async def _told(self, asked: DigestAsked) -> Told:
        """Return the newest questions that the owner of the digest saved, with the answers of today."""
        owner = asked.audience.owner
        if owner is None or not decide(owner, ASK).allowed:
            return Told()
        mine = [each for each in await self._asking.sql.saved(owner) if each.owner == owner.id and each.saved_at]
        mine.sort(key=lambda each: str(each.saved_at), reverse=True)
        drawn = [(each.name, await self._of_today(owner, each, asked)) for each in mine[:IN_DIGEST]]
        shown = [(name, blocks) for name, blocks in drawn if blocks is not None]
        hidden = len(drawn) - len(shown)
        return Told(len(shown), tuple(each for name, blocks in shown for each in (Heading(name), *blocks)), hidden)

    async def _of_today(self, owner: Actor, saved: SavedQuestion, asked: DigestAsked) -> tuple[Block, ...] | None:
        """Return a question's answer of today; None where not everybody who reads it may read all of it."""
        readership, reader = asked.audience.readership, asked.reader
        try:
            ready, query = await self._asking.ready(owner, saved, today=day_in(reader.timezone, asked.now))
            if isinstance(readership, Shared) and not ready.is_for(readership.principals):
                return None
            if ready.price is not None:
                rows = in_round_figures(ready.price, reader.language)
                return (Note(say(reader.language, "data.too_costly", rows=rows)),)
            return self._drawn(await self._asking.sql.answer(owner, ready), query, reader)
        except SqlError as error:  # of a channel, nobody is told what their colleague may not read
            return None if asked.audience.is_channel else (Note(in_words(reader, error), tone="warn"),)

    def _drawn(self, answered: SqlAnswer, query: DataQuery | None, reader: Reader) -> tuple[Block, ...]:
        hidden = left_out(answered, Wording(answered.source.catalog, reader.language))
        drawn = self._draw(table_of(answered, query, reader.language), reader)
        if not hidden:
            return drawn
        return (*drawn, Note(say(reader.language, "data.left_out", columns=", ".join(hidden)), tone="warn"))

    async def _explain(self, slot: Slot, words: Callable[[Reader], str]) -> None:
        """Tell the owner why nothing comes."""

        async def blocks(reader: Reader) -> tuple[Block, ...]:
            return (Note(words(reader), tone="warn"), _stop(slot.schedule, reader))

        await self._telling.tell(slot.owner, blocks, key=f"data:{slot.key}")


def _line(sent: SentQuestion, reader: Reader) -> str:
    line = say(reader.language, "data.sent.line", name=sent.question, when=sent_in_words(sent, reader.language))
    return line + say(reader.language, "data.sent.paused") if sent.paused else line


def _stop(sent_id: str, reader: Reader, name: str = "") -> Buttons:
    label = say(reader.language, "data.sent.stop_one", name=name) if name else say(reader.language, "data.sent.stop")
    return Buttons((Button(label=label, action=STOP, id=sent_id),))
