"""The tool that answers an alarm: what to do at once, and the company's own page about it."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from agent.errors import ToolRefused
from agent.grounding.links import without_relative
from agent.results import Passage, Passages, Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.layout import passages_of
from agent.tools.prefetch import KnowledgeSearch
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.alarms.alarms import AlarmKind, Alarms
from features.alarms.page import AlarmPage, Fit, best, calls, telling, whom_to_call
from identity.permissions import Permission
from language.sentences import unwrapped
from search.errors import IndexUnavailable

#: Kinds of records, for the eyes of the person alone and for all who read along.
PRIVATE, OPEN = "alarm_private", "alarm"
#: … and of the button below what is told, for a ticket that says so.
TICKET = "alarm_ticket"
#: What may be one, and what parts it from the reply below it.
MAYBE, MAYBE_PRIVATE, BELOW = "alarm_maybe", "alarm_maybe_private", "alarm_below"
#: Seconds that the look for the company's page may take: what to do at once does not wait for it.
LOOK_S = 3.0
#: Passages of which one may be the page, and tokens of its section that are shown.
_LIMIT, _AROUND = 8, 480
#: What the card is told of the page: it is about the matter, and says whom to call too; or it may only help, so that
#: what anybody should do stands above it.
ABOUT, NUMBERED, BESIDE = "page", "numbered", "beside"
#: What finds a table of numbers to call.
_NUMBERS = {"en": "emergency number security reception extension", "zh": "紧急 电话 保安 前台 分机"}
#: Characters of the person's own words that are looked for.
_OWN_CHARS = 200


class SoundAlarm(Arguments):
    """Which alarm."""

    alarm: Annotated[str, Field(max_length=40, description="Its name")]
    sure: Annotated[bool, Field(description="Whether a group of alarms is raised, or may be meant")] = False
    alone: Annotated[bool, Field(description="Whether what may be meant is told in place of a reply")] = False


class AlarmTools:
    """The handler over the alarms and the company's pages."""

    def __init__(self, alarms: Alarms, search: KnowledgeSearch) -> None:
        self._alarms = alarms
        self._search = search

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of this file."""
        return (
            Tool(
                spec=ToolSpec(
                    name="sound_alarm",
                    description=f"Say what to do at once in an emergency: {', '.join(self._alarms.names)}.",
                    arguments=SoundAlarm,
                ),
                policy=ToolPolicy(
                    permission=Permission.KNOWLEDGE_ASK,
                    effect=Effect.READ,
                    audit="alarm.sound",
                    returns_untrusted=True,
                    timeout_s=3 * LOOK_S,
                ),
                handler=self._sound,
            ),
        )

    async def _sound(self, context: ToolContext, arguments: SoundAlarm) -> ToolResult:
        if arguments.alarm in self._alarms.groups and not arguments.sure:
            return await self._maybe(context, self._alarms.groups[arguments.alarm], alone=arguments.alone)
        if arguments.alarm not in {*self._alarms.names, *self._alarms.groups}:
            raise ToolRefused("unknown_alarm", arguments.alarm)
        alarm = self._alarms.called(arguments.alarm)
        page = await self._page(context, alarm)
        kind = PRIVATE if alarm.private else OPEN
        ticket = (Records(kind=TICKET, ids=(context.run_id,)),) if alarm.ticket else ()
        if page is None:
            return ToolResult((Records(kind=kind, ids=(alarm.name, context.run_id, "")), *ticket))
        foreign = page.passage.source.language if page.passage.source.language != context.language else ""
        services = alarm.calls in ("emergency", "crisis")
        numbers = (page.numbers,) if page.numbers else ()
        about = NUMBERED if any(calls(each.shown, services=services) for each in (page.passage, *numbers)) else ABOUT
        told = about if page.fit >= Fit.HEADED else BESIDE
        card = Records(kind=kind, ids=(alarm.name, context.run_id, told, foreign))
        text = without_relative(unwrapped(telling(page.passage.shown)))  # a link may stand on two lines
        shown = Passage(text=text, source=page.passage.source, reason=page.passage.reason)
        return ToolResult((card, Passages((shown, *numbers)), *ticket))

    async def _maybe(self, context: ToolContext, group: AlarmKind, *, alone: bool) -> ToolResult:
        """Return the line that stands above the usual reply, with what the company's page says of whom to call.

        `alone`: it stands in place of the reply.
        """
        page = await self._page(context, group)
        found = [] if page is None else [each for each in (page.passage, page.numbers) if each is not None]
        said = next(((each, words) for each in found if (words := whom_to_call(each.shown))), None)
        kind = MAYBE_PRIVATE if group.private else MAYBE
        below = () if alone else (Records(kind=BELOW, ids=(context.run_id,)),)
        if said is None:
            return ToolResult((Records(kind=kind, ids=(group.name, context.run_id, "")), *below))
        passage, words = said
        foreign = passage.source.language if passage.source.language != context.language else ""
        card = Records(kind=kind, ids=(group.name, context.run_id, NUMBERED, foreign))
        shown = Passage(text=without_relative(words), source=passage.source, reason=passage.reason)
        return ToolResult((card, Passages((shown,)), *below))

    async def _page(self, context: ToolContext, alarm: AlarmKind) -> AlarmPage | None:
        """Return the section that tells what to do; None where none is found in time.

        It is looked for in the words of the alarm and in the person's own, in their language first: one in another is
        shown only where no section in theirs speaks of the matter. A section whose heading names the matter goes before
        one whose text does, and either before a list of numbers to call.
        """
        found: list[AlarmPage] = []
        for language in sorted(alarm.query, key=lambda each: each != context.language):
            own = (context.text[:_OWN_CHARS],) if language == context.language else ()
            queries = (*own, alarm.query[language], _NUMBERS[language])
            page = await self._best_of(context, alarm, queries=queries, language=language)
            page = await self._part_that_calls(context, alarm, page) if page is not None else None
            if page is not None and page.fit >= (Fit.MENTIONS if own else Fit.HEADED):
                return page
            found += [page] if page is not None else []
        return max(found, key=lambda each: each.fit, default=None)

    async def _part_that_calls(self, context: ToolContext, alarm: AlarmKind, page: AlarmPage) -> AlarmPage:
        """Return the section with what its page says elsewhere of whom to call, where it says that itself nowhere.

        That is another section about the matter, or how the page opens: "Call 999 first, then the duty phone."
        """
        if page.fit < Fit.HEADED or calls(page.passage.shown):
            return page
        with suppress(IndexUnavailable, TimeoutError):
            async with asyncio.timeout(LOOK_S):
                document = page.passage.source.document_id
                result = await self._search.on_page(context.actor, document, readership=context.readership)
                found = [each for each in passages_of(result) if calls(each.shown)]
                opening = next((each for each in found if " > " not in each.source.section), None)
                other = best(found, alarm, said=context.text)
                if other is not None and other.fit >= Fit.HEADED:
                    return other
                return _below(opening, page) if opening else page
        return page

    async def _best_of(
        self, context: ToolContext, alarm: AlarmKind, *, queries: Sequence[str], language: str
    ) -> AlarmPage | None:
        """Return the best of what the queries find in that language, within the time that there is.

        None is asked any more once a section is found that is headed by the matter and says whom to call.
        """
        found: list[Passage] = []
        page: AlarmPage | None = None
        with suppress(IndexUnavailable, TimeoutError):
            async with asyncio.timeout(LOOK_S):
                for query in queries:
                    result = await self._search.search(
                        context.actor,
                        query,
                        language=language,
                        limit=_LIMIT,
                        readership=context.readership,
                        around=_AROUND,
                    )
                    found += [each for each in passages_of(result) if each.source.language == language]
                    page = best(found, alarm, said=context.text)
                    if page is not None and page.fit is Fit.TOLD:
                        break
        return page


def _below(opening: Passage, page: AlarmPage) -> AlarmPage:
    """Return the section below what its page opens with."""
    whole = replace(page.passage, text=f"{opening.shown}\n\n{page.passage.shown}", whole="")
    return replace(page, passage=whole, numbers=None)
