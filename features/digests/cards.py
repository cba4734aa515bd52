"""What people see of digests: one read now, a preview, one that is sent, and the list of them with its buttons."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from adapters.cards import Block, Button, Buttons, Language, Note
from agent.results import Records
from agent.runs.answer import Outcome
from agent.runs.rights import eyes_of
from features.anatomy.handling import Pressed
from features.anatomy.planned import in_words
from features.anatomy.reader import Reader
from features.anatomy.sections import Audience
from features.anatomy.spoken import Spoken, note, said_of
from features.anatomy.telling import Telling
from features.anatomy.texts import catalogue, say
from features.digests.digest import MAKE, DigestConfigured, DigestOrder, Digests, NoSuchDigest, SentDigest
from features.digests.drawing import DigestDrawing, digest_blocks
from features.digests.sending import PAUSE, STOP
from identity.actor import Actor
from identity.directory import Directory
from identity.errors import UnknownPerson
from identity.policy import decide
from storage.clock import Clock
from storage.ids import JsonObject

#: Kinds of records.
NOW, PREVIEW, SENT, LIST = "digest_now", "digest_preview", "digest", "digests"
#: The action of the button that lets a paused digest go on.
RESUME = "digest.resume"
_DAY = timedelta(days=1)
_ORDERS = {PAUSE: DigestOrder.PAUSE, RESUME: DigestOrder.RESUME, STOP: DigestOrder.STOP}


@dataclass(frozen=True)
class DigestCards:
    """Draws them, and does what their buttons say."""

    digests: Digests
    drawing: DigestDrawing
    telling: Telling
    directory: Directory
    clock: Clock

    async def now(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the actor's own digest of this moment."""
        since, names = datetime.fromisoformat(shown.ids[0]), shown.ids[1:]
        gathered = await self.drawing.gathered(Audience(actor, owner=actor), names, since=since, reader=reader)
        return digest_blocks(gathered, reader, since=since)

    async def eyes(self, actor: Actor, _shown: Records) -> tuple[str, ...]:
        """Return what the actor's own digest rests on: all that they may see."""
        return (eyes_of(actor),)

    async def preview(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return what a digest would hold now: one that is sent, else one of everything for where it is asked."""
        sent_id, place = shown.ids[0], _channel(shown.ids[1:])
        now = self.clock.now()
        names: tuple[str, ...] = ()
        owner: Actor | None = actor
        since, channel = now - _DAY, place
        if sent_id:
            try:
                sent = await self.digests.find(sent_id)
            except NoSuchDigest:
                return (Note(say(reader.language, "digest.ended")),)
            names, since, channel = sent.sections, sent.since(now), sent.channel
            owner = await self._owner(sent, actor)
        audience = Audience(actor, owner=actor)
        if channel is not None:
            audience = replace(await self.telling.audience(channel), owner=owner)
        gathered = await self.drawing.gathered(audience, names, since=since, reader=reader)
        key = "digest.preview_channel" if channel else "digest.preview_own"
        return (Note(say(reader.language, key), tone="info"), *digest_blocks(gathered, reader, since=since))

    async def sent(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return a digest that is sent, with its buttons for who may press them."""
        done = said_of(shown.code, reader.language)
        try:
            sent = await self.digests.find(shown.ids[0])
        except NoSuchDigest:
            return done or (Note(say(reader.language, "digest.ended")),)
        words = self._line(sent, reader, _channel(shown.ids[1:]))
        line = Note(
            words if done else say(reader.language, "digest.sent", line=words),
            tone="neutral" if sent.paused else "good",
        )
        buttons = (_buttons((sent,), reader),) if sent.owner == actor.id else ()
        return (*done, line, *buttons)

    async def everything(self, actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return what is sent to the actor and to the channel where they ask."""
        channel = _channel(shown.ids)
        found = await self.digests.seen_by(actor, channel=channel) if decide(actor, MAKE).allowed else ()
        if not found:
            return (Note(say(reader.language, "digest.none")),)
        which = (Note(say(reader.language, shown.code), tone="info"),) if shown.code else ()
        blocks: list[Block] = [*which]
        for each in found:
            blocks.append(Note(self._line(each, reader, channel)))
            if each.owner == actor.id:
                blocks.append(_buttons((each,), reader))
        return tuple(blocks)

    async def press(self, pressed: Pressed) -> Spoken:
        """Pause, resume or stop a digest."""
        language, order = pressed.reader.language, _ORDERS[pressed.event.action]
        try:
            sent = await self.digests.order(pressed.actor, pressed.event.id, order)
        except NoSuchDigest:
            return note(Outcome.REFUSED, say(language, "digest.not_yours"), tone="warn")
        except DigestConfigured as error:
            return note(Outcome.REFUSED, say(language, "refused.digest_configured", detail=str(error)), tone="warn")
        line = digest_in_words(sent, language, sent.channel)
        return note(Outcome.ANSWERED, say(language, f"digest.done_one.{order}", what=line), tone="good")

    async def _owner(self, sent: SentDigest, actor: Actor) -> Actor | None:
        """Return whose saved questions it holds; nobody's where they have left."""
        if sent.owner == actor.id:
            return actor
        try:
            return await self.directory.actor(sent.owner) if not sent.name else None
        except UnknownPerson:
            return None

    def _line(self, sent: SentDigest, reader: Reader, place: JsonObject | None) -> str:
        line = digest_in_words(sent, reader.language, place)
        return line + say(reader.language, "digest.paused") if sent.paused else line


def digest_in_words(sent: SentDigest, language: Language, place: JsonObject | None) -> str:
    """Return what is sent, when and where, as people read it; `place` is the channel where they read it."""
    between = "、" if language == "zh" else ", "
    what = called(sent.sections, language) or between.join(
        say(language, f"section.{name}.called") for name in sent.sections
    )
    plan = sent.plan
    if sent.channel is None:
        where = say(language, "digest.to_you")
    else:
        here = sent.channel == place
        platform = str(sent.channel["platform"]).capitalize()
        where = say(language, "digest.to_here") if here else say(language, "digest.to_channel", platform=platform)
    return say(
        language,
        "digest.line",
        what=what or say(language, "digest.everything"),
        when=in_words(plan, language, sent.timezone) if plan is not None else "",
        where=where,
    )


#: The texts of the phrases that ask for a section.
_SAID = re.compile(r"section\.\w+\.said")


def called(sections: Sequence[str], language: Language) -> str:
    """Return the one phrase that asks for just these sections and no section alone ("tickets"); "" for none."""
    every = {key: said.splitlines() for key, said in catalogue(language).items() if _SAID.fullmatch(key)}
    asked = {f"section.{name}.said" for name in sections}
    phrases = every[min(asked)] if asked else []
    just = [each for each in phrases if asked == {key for key, said in every.items() if each in said}]
    return just[-1] if len(sections) > 1 and just else ""


def _buttons(found: Sequence[SentDigest], reader: Reader) -> Buttons:
    items: list[Button] = []
    for each in found:
        action, key = (RESUME, "digest.resume") if each.paused else (PAUSE, "digest.pause")
        items.append(Button(label=say(reader.language, key), action=action, id=each.id))
        if not each.name:
            items.append(Button(label=say(reader.language, "digest.stop"), action=STOP, id=each.id))
    return Buttons(tuple(items))


def _channel(place: Sequence[str]) -> JsonObject | None:
    return {"platform": place[0], "channel": place[1]} if place else None
