"""The tools of digests: read one now, preview one, have one sent, list them, and pause, resume or stop one."""

from collections.abc import Callable
from datetime import timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from adapters.cards import Language
from agent.errors import ToolAsks, ToolRefused
from agent.results import Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Prepared, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.moments import known_zone
from features.anatomy.planned import trigger_of
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.digests.cards import LIST, NOW, PREVIEW, SENT, digest_in_words
from features.digests.digest import (
    MAKE,
    DigestConfigured,
    DigestOrder,
    Digests,
    NoSuchDigest,
    SentDigest,
    TooManyDigests,
)
from features.digests.drawing import DigestDrawing
from features.digests.wish import plan_of, sections_in, wish_in
from identity.permissions import Permission
from language.planning.plans import Plan
from storage.ids import JsonObject

#: How far back a digest looks that nobody has had before.
DAY = timedelta(days=1)
_About = Annotated[str, Field(max_length=400, description="Which one, or what of it, as said; without: all of it")]


class ReadDigest(Arguments):
    """Which part of the digest."""

    about: _About = ""


class PreviewDigest(Arguments):
    """Which digest."""

    which: _About = ""


class SendDigest(Arguments):
    """What is sent, when, and where."""

    when: Annotated[
        str,
        Field(
            min_length=1,
            max_length=400,
            description="What the person said: how often and at what time, of what (tickets, pages, questions, "
            'figures, incidents; without: everything), and "here" for this channel or "me" for the person alone.',
        ),
    ]


class ListDigests(Arguments):
    """What is sent to the person and to the channel that they ask in: all of it."""


class ChangeDigest(Arguments):
    """What is done to which digest."""

    order: Annotated[DigestOrder, Field(description="pause, resume or stop")]
    which: _About = ""


class DigestTools:
    """Handlers."""

    def __init__(self, digests: Digests, drawing: DigestDrawing, telling: Telling) -> None:
        self._digests = digests
        self._drawing = drawing
        self._telling = telling

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of this file."""
        reads = ToolPolicy(permission=Permission.KNOWLEDGE_ASK, effect=Effect.READ, audit="digest.read")
        return (
            Tool(
                spec=ToolSpec(
                    name="read_digest",
                    description="Show the person their digest now: what is new, what waits for them.",
                    arguments=ReadDigest,
                ),
                policy=reads,
                handler=self._read,
            ),
            Tool(
                spec=ToolSpec(
                    name="preview_digest",
                    description="Show the person what the next digest of this channel, or their own, would hold.",
                    arguments=PreviewDigest,
                ),
                policy=ToolPolicy(permission=MAKE, effect=Effect.READ, audit="digest.preview"),
                handler=self._preview,
            ),
            Tool(
                spec=ToolSpec(
                    name="send_digest",
                    description="Have a digest sent again and again, to the person or to this channel.",
                    arguments=SendDigest,
                ),
                policy=ToolPolicy(
                    permission=MAKE, effect=Effect.WRITE, audit="digest.send", confirmation=Confirmation.ALWAYS
                ),
                handler=self._send,
                prepare=self._prepare,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(
                    name="list_digests",
                    description="List the digests that are sent to the person and to this channel.",
                    arguments=ListDigests,
                ),
                policy=ToolPolicy(permission=MAKE, effect=Effect.READ, audit="digest.list"),
                handler=self._list,
            ),
            Tool(
                spec=ToolSpec(
                    name="change_digest",
                    description="Pause, resume or stop a digest that is sent to the person or to this channel.",
                    arguments=ChangeDigest,
                ),
                policy=ToolPolicy(permission=MAKE, effect=Effect.WRITE, audit="digest.change"),
                handler=self._change,
                resumable=True,
            ),
        )

    async def _read(self, context: ToolContext, arguments: ReadDigest) -> ToolResult:
        names = sections_in(arguments.about, self._drawing.of((), channel=False))
        return ToolResult((Records(NOW, ((context.now - DAY).isoformat(), *names)),))

    async def _preview(self, context: ToolContext, arguments: PreviewDigest) -> ToolResult:
        found = await self._named(context, arguments.which)
        channel = self._telling.channel_of(context.address)
        if len(found) == 1:
            return ToolResult((Records(PREVIEW, (found[0].id,)),))
        return ToolResult((Records(PREVIEW, ("", *_place(channel))),))

    async def _prepare(self, context: ToolContext, arguments: SendDigest) -> Prepared:
        sent, before = self._wished(context, arguments.when), _as_said_before(arguments.when)
        if before and self._wished(context, before[-1]) == sent:
            raise ToolAsks("digest_when")  # "weekly please": on which day?
        language, channel = language_of(context), self._telling.channel_of(context.address)
        words = digest_in_words(sent, language, channel)
        for each in await self._replaced(context, arguments.when):
            words += say(language, "digest.instead_of", line=digest_in_words(each, language, channel))
        return Prepared(arguments, resource=words, replaces=tuple(SendDigest(when=each) for each in before))

    async def _send(self, context: ToolContext, arguments: SendDigest) -> ToolResult:
        sent = self._wished(context, arguments.when)
        try:
            await self._digests.start(context.actor, sent)
        except TooManyDigests as error:
            raise ToolRefused("digest_many") from error
        for each in await self._replaced(context, arguments.when):
            await self._digests.order(context.actor, each.id, DigestOrder.STOP)
        return ToolResult((Records(SENT, (sent.id, *_place(self._telling.channel_of(context.address)))),))

    async def _list(self, context: ToolContext, arguments: ListDigests) -> ToolResult:
        del arguments
        channel = self._telling.channel_of(context.address)
        found = await self._digests.seen_by(context.actor, channel=channel)
        lines = [digest_in_words(each, language_of(context), channel) for each in found]
        return ToolResult((Records(LIST, _place(channel), tells={"digests": list(lines)}),))

    async def _change(self, context: ToolContext, arguments: ChangeDigest) -> ToolResult:
        found = await self._named(context, arguments.which)
        place = _place(self._telling.channel_of(context.address))
        if len(found) != 1:
            return ToolResult((Records(LIST, place, "digest.which" if found else ""),))
        try:
            await self._digests.order(context.actor, found[0].id, arguments.order)
        except NoSuchDigest as error:
            raise ToolRefused("digest_not_yours") from error
        except DigestConfigured as error:
            raise ToolRefused("digest_configured", str(error)) from error
        return ToolResult((Records(SENT, (found[0].id, *place), f"digest.done.{arguments.order}"),))

    async def _named(self, context: ToolContext, which: str) -> tuple[SentDigest, ...]:
        """Return the digests that may be meant: all that the person sees there, fewer where their words fit some."""
        channel = self._telling.channel_of(context.address)
        found = await self._digests.seen_by(context.actor, channel=channel)
        here = tuple(each for each in found if channel is not None and each.channel == channel)
        wanted = set(sections_in(which, self._drawing.of((), channel=False)))
        return _fitting(_fitting(found, lambda each: each in here), lambda each: bool(wanted & set(each.sections)))

    async def _replaced(self, context: ToolContext, text: str) -> tuple[SentDigest, ...]:
        """Return the person's digests that the last line of a wish changes: each as the lines before had it made."""
        said = [each for each in _as_said_before(text) if self._plan(context, each) is not None]
        before = {self._wished(context, each).id for each in said}
        own = await self._digests.seen_by(context.actor) if before else ()
        now = self._wished(context, text).id
        return tuple(each for each in own if each.id in before and each.id != now)

    def _plan(self, context: ToolContext, text: str) -> Plan | None:
        zone = ZoneInfo(known_zone(context.actor.timezone))
        return plan_of(text, now=context.now.astimezone(zone).replace(tzinfo=None))

    def _wished(self, context: ToolContext, text: str) -> SentDigest:
        """Return what is to be sent; raise ToolRefused with what is missing."""
        zone = known_zone(context.actor.timezone)
        now = context.now.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        wish = wish_in(text, self._drawing.of((), channel=False), now=now)
        if wish.plan is None:
            raise ToolRefused("digest_when")
        channel = None if wish.alone and not wish.here else self._telling.channel_of(context.address)
        if channel is not None and wish.sections and not self._drawing.of(wish.sections, channel=True):
            raise ToolRefused("digest_personal")
        return SentDigest(context.actor.id, wish.sections, trigger_of(wish.plan, zone), zone, channel)


def language_of(context: ToolContext) -> Language:
    """Return the language in which a call is answered."""
    return "zh" if context.language == "zh" else "en"


def _fitting(found: tuple[SentDigest, ...], fits: Callable[[SentDigest], bool]) -> tuple[SentDigest, ...]:
    """Return those that fit, all where none does."""
    return tuple(filter(fits, found)) or found


def _place(channel: JsonObject | None) -> tuple[str, ...]:
    """Return where something was asked as records keep it: platform and channel, nothing in one's own conversation."""
    return (str(channel["platform"]), str(channel["channel"])) if channel else ()


def _as_said_before(wish: str) -> list[str]:
    """Return a wish as it stood before each line that changed it, the oldest first."""
    lines = wish.splitlines()
    return ["\n".join(lines[:count]) for count in range(1, len(lines))]
