"""The tool that answers an alarm: what to do at once, and the company's own page about it."""

import asyncio
import re
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
from identity.permissions import Permission
from language.words import normalise
from search.errors import IndexUnavailable

#: Kinds of records, for the eyes of the person alone and for all who read along.
PRIVATE, OPEN = "alarm_private", "alarm"
#: Seconds that the look for the company's page may take: what to do at once does not wait for it.
LOOK_S = 3.0
#: Passages of which one may be the page, and tokens of its section that are shown.
_LIMIT, _AROUND = 8, 320

#: What tells a section that says whom to call from others of its page.
_NUMBER = re.compile(
    r"(?i)\b(?:call|phone|dial|ring|extension)\b[^.\n]{0,40}\d{3}|(?:电话|拨打|拨|分机)[^。\n]{0,20}\d{3}"
)
#: A line that goes on in the next one; both are one paragraph.
_WRAPPED = re.compile(r"(?<=[^\n|])\n(?=[^\s|#>*+\d-])")


class SoundAlarm(Arguments):
    """Which alarm."""

    alarm: Annotated[str, Field(max_length=40, description="Its name")]


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
        if arguments.alarm not in self._alarms.names:
            raise ToolRefused("unknown_alarm", arguments.alarm)
        alarm = self._alarms.called(arguments.alarm)
        page = await self._page(context, alarm)
        card = Records(
            kind=PRIVATE if alarm.private else OPEN, ids=(alarm.name, context.run_id, "page" if page else "")
        )
        return ToolResult((card, Passages(page)) if page else (card,))

    async def _page(self, context: ToolContext, alarm: AlarmKind) -> tuple[Passage, ...]:
        """Return the section that tells what to do, in the person's language first; () where none is found in time."""
        for language in sorted(alarm.query, key=lambda each: each != context.language):
            try:
                async with asyncio.timeout(LOOK_S):
                    found = await self._search.search(
                        context.actor,
                        alarm.query[language],
                        language=language,
                        limit=_LIMIT,
                        readership=context.readership,
                        around=_AROUND,
                    )
            except (IndexUnavailable, TimeoutError):
                return ()
            about = [
                passage
                for passage in passages_of(found)
                if passage.source.language == language and alarm.headings.search(normalise(passage.source.section))
            ]
            if about:
                best = next((passage for passage in about if _NUMBER.search(passage.shown)), about[0])
                text = _WRAPPED.sub(" ", without_relative(best.shown))
                return (Passage(text=text, source=best.source, reason=best.reason),)
        return ()
