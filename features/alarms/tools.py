"""The tool that answers an alarm: what to do at once, and the company's own page about it."""

import asyncio
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
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
from language.sentences import unwrapped
from language.words import chinese_runs, content_words, normalise, stem
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
#: … that says how the emergency services are called: an extension of the house is none.
_SERVICES = re.compile(r"(?<![\d-])(?:112|911|999|000|11[0-9]|120|122|144)(?![\d-])")
#: What the card is told of the page: it is about the matter, and says whom to call too; or it may only help, so that
#: what anybody should do stands above it.
ABOUT, NUMBERED, BESIDE = "page", "numbered", "beside"
#: What finds a table of numbers to call, and what it has to name.
_NUMBERS = {"en": "emergency number security reception extension", "zh": "紧急 电话 保安 前台 分机"}
_EMERGENCY = re.compile(r"\b(?:emergency|security|ambulance|first aid|fire)\b|紧急|保安|安保|急救")
#: Headings of a list of numbers to call.
_CONTACTS = re.compile(
    r"\b(?:emergenc(?:y|ies)|contacts?|(?:phone|telephone|important) numbers?|(?:who|whom) to call)\b"
    r"|紧急|电话|联系方式|联系人|通讯录"
)
#: What any alarm's page is looked for with.
_ANY_ALARM = frozenset(
    (
        *("emergency", "contact", "number", "security", "report", "what", "to", "do", "or", "and", "phone"),
        *("紧急", "电话", "联系", "处理", "怎么办", "报告", "物业", "安保"),
    )
)
#: Words of headings that say nothing of the matter: any alarm may stand below them.
_ANY_HEADING = re.compile(
    r"emergenc\w*|security(?: incidents?)?|safe\w*|incidents?|report\w*|conduct|facilit\w*|building|water"
    r"|\b(?:first|immediate\w*|at once|straight away|now|steps?)\b|紧急|安全(?:事件)?|安保|物业|设施|水"
)
#: Characters of the person's own words that are looked for.
_OWN_CHARS = 200
#: What a section scores that is headed by the matter and says whom to call.
_MOST = 7


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
        kind = PRIVATE if alarm.private else OPEN
        if page is None:
            return ToolResult((Records(kind=kind, ids=(alarm.name, context.run_id, "")),))
        foreign = page.passage.source.language if page.passage.source.language != context.language else ""
        numbers = _SERVICES if alarm.calls == "emergency" else _NUMBER
        about = NUMBERED if numbers.search(page.passage.shown) else ABOUT
        told = about if page.fit >= Fit.HEADED else BESIDE
        card = Records(kind=kind, ids=(alarm.name, context.run_id, told, foreign))
        text = without_relative(unwrapped(page.passage.shown))  # a link may stand on two lines
        shown = Passage(text=text, source=page.passage.source, reason=page.passage.reason)
        return ToolResult((card, Passages((shown,))))

    async def _page(self, context: ToolContext, alarm: AlarmKind) -> "_Page | None":
        """Return the section that tells what to do; None where none is found in time.

        It is looked for in the words of the alarm and in the person's own, in their language first. A section whose
        heading names the matter goes before one whose text does, and either before a list of numbers to call, in
        whatever language they are.
        """
        found: list[_Page] = []
        for language in sorted(alarm.query, key=lambda each: each != context.language):
            own = (context.text[:_OWN_CHARS],) if language == context.language else ()
            queries = (*own, alarm.query[language], _NUMBERS[language])
            best = await self._best_of(context, alarm, queries=queries, language=language)
            if best is not None and best.fit >= Fit.HEADED:
                return best
            found += [best] if best is not None else []
        return max(found, key=lambda each: each.fit, default=None)

    async def _best_of(
        self, context: ToolContext, alarm: AlarmKind, *, queries: Sequence[str], language: str
    ) -> "_Page | None":
        """Return the best of what the queries find in that language, within the time that there is.

        None is asked any more once a section is found that is headed by the matter and says whom to call.
        """
        found: list[Passage] = []
        best: _Page | None = None
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
                    best = _best(found, alarm, said=context.text)
                    if best is not None and best.fit is Fit.TOLD:
                        break
        return best


class Fit(IntEnum):
    """How well a passage fits an alarm."""

    CONTACTS = 0  # a list of numbers to call
    MENTIONS = 1  # its text speaks of the matter
    HEADED = 2  # its heading, or one above it, names the matter
    TOLD = 3  # … its own heading does, and it says whom to call: nothing can fit better


@dataclass(frozen=True)
class _Page:
    passage: Passage
    fit: Fit


def _best(found: Sequence[Passage], alarm: AlarmKind, *, said: str) -> _Page | None:
    """Return the passage that tells best what to do, or a list of numbers to call; None where there is neither.

    A section whose own heading names the matter goes before one that stands below such a heading, or speaks of it;
    one whose heading narrows it down to what nobody spoke of ("Accident with a van") goes after all of its like, one
    whose heading names what somebody spoke of ("Chemicals in the eye") before them.
    """
    words = [rf"\b{re.escape(word)}" if word.isascii() else re.escape(word) for word in _core(alarm)]
    core = re.compile("|".join(words)) if words else alarm.headings  # a list of the company's may name no matter
    spoken = frozenset(map(stem, content_words(said)))
    plain = normalise(said)
    of_desk = alarm.calls == "desk"  # whom to call stands on the page alone; else everybody knows a number
    named_things = [word for word in _core(alarm) if not alarm.headings.search(word)]
    things = re.compile("|".join(map(re.escape, named_things))) if named_things else None
    scored: list[tuple[int, int, Passage]] = []
    for place, passage in enumerate(found):
        section, shown = normalise(passage.source.section), normalise(passage.shown)
        heading = section.rpartition(" > ")[2]
        narrow = {
            stem(word)
            for word in content_words(_ANY_HEADING.sub(" ", heading) if of_desk else heading)
            if not (core.search(word) or alarm.headings.search(word))
        }
        named = bool(narrow & spoken) or any(run in plain for run in _pairs(heading, core))
        helps = named and alarm.headings.search(heading) is not None
        lists = _CONTACTS.search(heading) is not None
        below = named and not lists and alarm.headings.search(shown) is not None  # a lost badge, below "Badges"
        numbered = _NUMBER.search(passage.shown) is not None
        beneath = alarm.headings.search(section.removesuffix(heading)) is not None
        under = of_desk and numbered and beneath and not (narrow or lists)
        heads = helps or below or under or core.search(heading) or alarm.headings.search(_ANY_HEADING.sub(" ", heading))
        about = heads or core.search(section) is not None or len(set(core.findall(shown))) > 1
        if not (about and (alarm.headings.search(section) or alarm.headings.search(shown))):
            continue
        score = 4 * bool(heads) + 2 * bool(alarm.headings.search(section))
        score += numbered
        score += 2 * (helps or (of_desk and below)) - 2 * bool(narrow and not named)
        unsaid = of_desk and things is not None and not (things.search(section) or things.search(shown))
        if unsaid and not _shares(f"{section} {shown}", alarm, said) and _of_other(heading, alarm, said):
            continue  # "Lost receipts" tells nothing of a laptop
        scored.append((score, -place, passage))
    if scored:
        score, _, passage = max(scored, key=lambda each: each[:2])
        return _Page(passage, Fit.TOLD if score >= _MOST else Fit.HEADED if score > 1 else Fit.MENTIONS)
    numbers = (each for each in found if _NUMBER.search(each.shown) and _EMERGENCY.search(normalise(each.shown)))
    listed = (each for each in numbers if _CONTACTS.search(normalise(each.source.section).rpartition(" > ")[2]))
    return next((_Page(_needed(each), Fit.CONTACTS) for each in listed), None)


def _shares(shown: str, alarm: AlarmKind, said: str) -> bool:
    """Tell whether a section speaks of what somebody spoke of, beside what the alarm is about."""
    rest = alarm.headings.sub(" ", normalise(said))
    words = frozenset(map(stem, content_words(shown)))
    pairs = (run[at : at + 2] for run in chinese_runs(rest) for at in range(len(run) - 1))
    return any(word.isascii() and stem(word) in words for word in content_words(rest)) or any(
        pair in shown for pair in pairs
    )


def _of_other(heading: str, alarm: AlarmKind, said: str) -> bool:
    """Tell whether a heading names what nobody spoke of beside what the alarm is about."""
    rest = _ANY_HEADING.sub(" ", alarm.headings.sub(" ", heading))
    spoken = frozenset(map(stem, content_words(said)))
    words = [word for word in content_words(rest) if word.isascii() and stem(word) not in spoken]
    return bool(words) or any(len(run) > 1 and run not in said for run in chinese_runs(rest))


def _needed(contacts: Passage) -> Passage:
    """Return a list of numbers to call with the rows alone that any alarm needs; as it is where none says so."""
    lines = contacts.shown.splitlines()
    rows = [at for at, line in enumerate(lines) if line.startswith("|")]
    needed = [at for at in rows[2:] if _EMERGENCY.search(normalise(lines[at]))]
    kept = [line for at, line in enumerate(lines) if at not in rows or at in rows[:2] or at in needed]
    return replace(contacts, text="\n".join(kept), whole="") if needed else contacts


def _pairs(heading: str, core: re.Pattern[str]) -> Iterator[str]:
    """Yield the pairs of Chinese characters of a heading that say more than what the alarm is about."""
    for run in chinese_runs(core.sub(" ", heading)):
        yield from (run[at : at + 2] for at in range(len(run) - 1))


def _core(alarm: AlarmKind) -> tuple[str, ...]:
    """Return the words that say what an alarm is about, of those with which its page is looked for."""
    words = (word for query in alarm.query.values() for word in query.split())
    return tuple(word.lower() for word in words if word.lower() not in _ANY_ALARM)
