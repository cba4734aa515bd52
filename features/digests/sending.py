"""Digests by the clock: drawn for their audience at that moment, posted once a slot, and kept current for an hour."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from adapters.cards import Block, Button, Buttons, Note
from agent.results import Records
from agent.runs.rights import eyes_of
from agent.tools.context import UNKNOWN
from features.anatomy.channels import Channels
from features.anatomy.reader import Reader, when
from features.anatomy.schedules import Job, Slot
from features.anatomy.sections import Audience
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.digests.digest import MAKE, Digests, LastSent, NoSuchDigest, SentDigest
from features.digests.drawing import DigestDrawing, Gathered, digest_blocks
from identity.actor import Actor
from identity.directory import Directory
from identity.errors import UnknownPerson
from identity.policy import decide
from storage.clock import Clock
from storage.database import Session
from storage.queue.schedules import SYSTEM, Every

log = logging.getLogger(__name__)

#: The kind of record of a digest that was posted, and the actions of its buttons.
POSTED, PAUSE, STOP = "digest_posted", "digest.pause", "digest.stop"
#: How long a digest is kept current, and seconds between two looks.
CURRENT, LOOK_S = timedelta(hours=1), 60.0
_BETWEEN = "~"


@dataclass(frozen=True)
class Configured:
    """The digests of the settings, and what is wrong with the rest."""

    digests: tuple[SentDigest, ...] = ()
    wrong: tuple[str, ...] = ()


class _DigestUnsent(Exception):
    """A digest is not sent this time, and why, for who runs the desk."""


@dataclass(frozen=True)
class DigestSender:
    """Sends digests, and draws them again when what they say has changed."""

    digests: Digests
    drawing: DigestDrawing
    telling: Telling
    directory: Directory
    clock: Clock
    channels: Channels
    configured: Callable[[], Configured]
    logged: set[str] = field(default_factory=set)  # what is wrong with the settings and was told already

    def jobs(self) -> tuple[Job, ...]:
        """Return what is done by the clock beside the slots."""
        return (Job("keep current", Every(LOOK_S), self.keep_current),)

    async def send(self, slot: Slot) -> str:
        """Post the digest of a slot, where there is something to say; return what came of it."""
        try:
            sent = await self.digests.find(slot.schedule)
            audience = await self._audience(sent)
        except NoSuchDigest:
            return "not sent: it has ended"
        except _DigestUnsent as why:
            log.warning("%s: not sent: %s", slot.schedule, why)
            return f"not sent: {why}"
        now = self.clock.now()
        since = sent.since(now)
        shown = await self._gathered(sent, audience, since=since)
        if not shown.count:
            hidden = "; what there is not everybody there may read" if shown.hidden else ""
            return f"nothing to say{hidden}"

        async def draw(reader: Reader) -> tuple[Block, ...]:
            gathered = await self._gathered(sent, audience, since=since, reader=reader)
            return (*digest_blocks(gathered, reader, since=since), *_buttons(sent, reader)) if gathered.count else ()

        subject = f"{POSTED}:{since.isoformat()}{_BETWEEN}{sent.id}"

        async def note(session: Session) -> None:
            await self.digests.note(session, sent, LastSent(now, since, shown.fingerprint))

        async def noted(session: Session) -> bool:
            await note(session)
            return True

        if sent.channel is not None:
            return await self.telling.post(
                sent.channel, draw, key=slot.key, timezone=sent.timezone, subject=subject, beside=noted
            )
        key = f"said:{slot.key}"
        reached = await self.telling.tell(sent.owner, draw, key=key, subject=subject, patient=True, beside=note)
        return "sent" if reached else f"not sent: {sent.owner} cannot be written to"

    async def posted(self, _actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return a digest that was posted, as it stands now, for the audience that it has now; nothing once it ended.

        Whoever draws it again is no matter: it is drawn for those who see it.
        """
        since, _, name = shown.ids[0].partition(_BETWEEN)
        try:
            sent = await self.digests.find(name)
            audience = await self._audience(sent)
        except (NoSuchDigest, _DigestUnsent):
            return ()
        begun = datetime.fromisoformat(since)
        gathered = await self._gathered(sent, audience, since=begun, reader=reader)
        updated = Note(say(reader.language, "digest.updated", when=when(self.clock.now(), reader)))
        return (*digest_blocks(gathered, reader, since=begun), updated, *_buttons(sent, reader))

    async def eyes(self, _actor: Actor, shown: Records) -> tuple[str, ...]:
        """Return what a digest that was posted rests on: its owner's alone on all that they may see now."""
        try:
            sent = await self.digests.find(shown.ids[0].partition(_BETWEEN)[2])
            return () if sent.channel is not None else (eyes_of(await self.directory.actor(sent.owner)),)
        except (NoSuchDigest, UnknownPerson):
            return (UNKNOWN,)

    async def keep_current(self) -> str | None:
        """Bring the settings' digests in line, and have those of the last hour drawn again that say something else.

        Return what is wrong with the settings, for the history of the job; the log has it once.
        """
        found = self.configured()
        await self.digests.configure(found.digests)
        now = self.clock.now()
        for sent in await self.digests.all():
            if sent.last is not None and sent.last.at <= now < sent.last.at + CURRENT:
                await self._bring_up(sent, sent.last, now)
        for wrong in found.wrong:
            if wrong not in self.logged:
                self.logged.add(wrong)
                log.warning("%s", wrong)
        return f"failed: {'; '.join(found.wrong)}" if found.wrong else None

    async def _bring_up(self, sent: SentDigest, last: LastSent, now: datetime) -> None:
        try:
            audience = await self._audience(sent)
        except _DigestUnsent:
            return
        shown = (await self._gathered(sent, audience, since=last.since)).fingerprint
        if shown != last.shown:
            subject = f"{POSTED}:{last.since.isoformat()}{_BETWEEN}{sent.id}"
            await self.telling.redraw(subject, version=f"{shown} {now:%H:%M}")
            async with self.digests.database.transaction() as session:
                await self.digests.note(session, sent, replace(last, shown=shown))

    async def _gathered(
        self, sent: SentDigest, audience: Audience, *, since: datetime, reader: Reader | None = None
    ) -> Gathered:
        read_by = reader or Reader("en", sent.timezone)
        return await self.drawing.gathered(audience, sent.sections, since=since, reader=read_by)

    async def _audience(self, sent: SentDigest) -> Audience:
        """Return who reads it, with the rights of now; raise `_DigestUnsent` when its owner left or lost the right."""
        if sent.owner == SYSTEM:
            owner = None
        else:
            try:
                owner = await self.directory.actor(sent.owner)
            except UnknownPerson as error:
                raise _DigestUnsent(f"{sent.owner} is not known any more") from error
            if not decide(owner, MAKE).allowed:
                raise _DigestUnsent(f"{sent.owner} may not have digests any more")
        if sent.channel is not None:
            settings = await self.channels.settings(sent.channel)
            if not (settings.on and settings.digest):
                raise _DigestUnsent("digests are turned off in the channel")
            if owner is not None and not await self.telling.is_member(owner.id, sent.channel):
                raise _DigestUnsent(f"{sent.owner} is not in the channel")
            return replace(await self.telling.audience(sent.channel), owner=owner)
        if owner is None:
            raise _DigestUnsent("it names no channel")
        return Audience(owner, owner=owner)


def _buttons(sent: SentDigest, reader: Reader) -> Iterable[Block]:
    """Return the buttons below a person's own digest; in a channel, who had it made has them in their list."""
    if sent.channel is not None:
        return ()
    pause = Button(label=say(reader.language, "digest.pause"), action=PAUSE, id=sent.id)
    stop = Button(label=say(reader.language, "digest.stop"), action=STOP, id=sent.id)
    return (Buttons((pause, stop)),)
