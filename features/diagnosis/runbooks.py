"""Runbooks of the company for what a diagnosis found: pages that say what to do, cited with their first steps."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from agent.results import Bilingual, Message, Passage, Passages, Result
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.layout import source_of
from agent.tools.registry import Effect, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.texts import has, say
from features.diagnosis.understanding.live import RUNBOOK, RUNBOOK_TOOL, looked_for
from identity.actor import Actor
from identity.permissions import Permission
from identity.readership import Readership
from language.analysis import terms
from language.scripts import is_chinese
from language.sentences import sentences
from queries.observe.report.report import DiagnosisReport, ReportIssue, Role, Runbook
from queries.observe.rules.wording import LANGUAGES, names_of
from search.documents import Hit
from search.service import SearchService

#: Passages that are looked at in each language.
_LOOKED_AT = 12
#: A page in the other language is taken where it fits better by more than one of the ways to fit.
_ELSE = 3
#: First steps that are cited of a runbook, and characters of each.
_STEPS, _LONGEST = 3, 240
#: A step, with the lines that go on with it: those are indented, and begin no step of their own.
_ITEM = re.compile(
    r"^ {0,6}(?:\d{1,2}[.)]|[-*+]) (?P<step>[^\n]{1,2000}(?:\n {2,8}(?!\d{1,2}[.)] |[-*+] )[^\s][^\n]{0,500}){0,5})",
    re.MULTILINE,
)


class Runbooks:
    """Finds them by the rule's id, and by how people name what it finds."""

    def __init__(self, search: SearchService) -> None:
        self._search = search

    async def of(self, actor: Actor, report: DiagnosisReport, readership: Readership) -> tuple[Result, ...]:
        """Return the runbook for the first issue that has one, as far as everybody who reads along may read it.

        A line before it says that it is one, and in which language where that is not the language of the question.
        """
        for issue in report.top:
            if issue.role is Role.CONCLUSION:
                continue
            found = await self._for(actor, issue, report, readership)
            if found is not None:
                named = (say(each, "diagnosis.runbook", title=_title(found, report, each)) for each in LANGUAGES)
                return Message(Bilingual(*named)), Passages((_passage(found),))
        return ()

    async def cited(self, actor: Actor, report: DiagnosisReport, readership: Readership) -> DiagnosisReport:
        """Return the report with the runbook of each top issue at what it recommends.

        It is looked up for whoever reads the report, and never kept with it: another reader may not read that page.
        """
        made: dict[str, Runbook] = {}
        for issue in report.top:
            if issue.role is not Role.CONCLUSION and issue.rule not in made:
                found = await self._for(actor, issue, report, readership)
                if found is not None:
                    made[issue.rule] = _runbook(found, report)
        return replace(report, issues=tuple(_with(each, made.get(each.rule)) for each in report.issues))

    async def _for(
        self, actor: Actor, issue: ReportIssue, report: DiagnosisReport, readership: Readership
    ) -> Hit | None:
        named = names_of(issue.rule)
        wanted = [frozenset(terms(each)) for each in named]
        found: list[tuple[int, int, Hit]] = []
        for language in LANGUAGES:
            words = (each for each in named if is_chinese(each) == (language == "zh"))
            query = " ".join([issue.rule, report.asked.app, *words])
            result = await self._search.search(actor, query, language=language, limit=_LOOKED_AT, readership=readership)
            for place, hit in enumerate(result.hits):
                fit = _fit(hit, issue.rule, wanted)
                if fit is not None:
                    found.append((2 * fit + _ELSE * (hit.language != report.asked.language), place, hit))
        return min(found, key=lambda each: each[:2])[2] if found else None


class NamedRunbook(Arguments):
    """A question that only a look at running systems could answer."""

    question: Annotated[str, Field(max_length=1_000, description="The person's question, as asked")]


class RunbookTool:
    """Says that the desk sees no running system, and names the page of the company that is about such trouble."""

    def __init__(self, search: SearchService) -> None:
        self._search = search

    def tool(self) -> Tool:
        """Return the tool; it is offered where there is no cluster to look at."""
        return Tool(
            spec=ToolSpec(
                name=RUNBOOK_TOOL,
                description=(
                    "For questions about how running services are (trouble, logs, restarts, versions, changes), which "
                    "cannot be seen here: says so, and names the company's runbook."
                ),
                arguments=NamedRunbook,
            ),
            policy=ToolPolicy(
                permission=Permission.KNOWLEDGE_ASK,
                effect=Effect.READ,
                audit="diagnosis.runbook",
                returns_untrusted=True,
            ),
            handler=self._name,
        )

    async def _name(self, context: ToolContext, arguments: NamedRunbook) -> ToolResult:
        blind = _in_each("diagnosis.blind")
        for words in looked_for(arguments.question):
            query = f"{arguments.question} {words}"
            found = await self._search.search(
                context.actor, query, language=context.language, limit=_LOOKED_AT, readership=context.readership
            )
            hits = [each for each in found.hits if RUNBOOK.search(_path(each))]
            if hits:
                hit = next((each for each in hits if each.title == hits[0].title and _says_steps(each)), hits[0])
                foreign = f"diagnosis.runbook_{hit.language}" if hit.language != context.language else ""
                titles = (_path(hit) + (say(each, foreign) if foreign and has(foreign) else "") for each in LANGUAGES)
                named = Bilingual(
                    *(
                        say(each, "diagnosis.runbook", title=title)
                        for each, title in zip(LANGUAGES, titles, strict=True)
                    )
                )
                return ToolResult((blind, Message(named), Passages((_passage(hit),))))
        return ToolResult((blind, _in_each("diagnosis.no_runbook")))


def _says_steps(hit: Hit) -> bool:
    """Return whether a section says what to do one after the other."""
    return sum(1 for _ in _ITEM.finditer(hit.chunk.text)) > 1


def _in_each(key: str) -> Message:
    return Message(Bilingual(*(say(each, key) for each in LANGUAGES)))


def _path(hit: Hit) -> str:
    return " > ".join(dict.fromkeys((hit.title, *hit.chunk.section_path)))


def _fit(hit: Hit, rule: str, wanted: Sequence[frozenset[str]]) -> int | None:
    """Return how well a passage is about a rule, 0 best; None where it is not.

    It has the rule's id in it; or its heading, or else the title of its page, has all the words of one of the names.
    """
    text = f"{hit.title} {' '.join(hit.chunk.section_path)} {hit.chunk.text}"
    if rule in text or rule.replace("_", "") in text:
        return 0
    for fit, heading in enumerate(((hit.title, *hit.chunk.section_path)[-1], hit.title), 1):
        held = frozenset(terms(heading))
        if any(each <= held for each in wanted):
            return fit
    return None


def _passage(hit: Hit) -> Passage:
    return Passage(text=hit.chunk.text, source=source_of(hit), score=hit.score, reason=hit.authz)


def _title(hit: Hit, report: DiagnosisReport, language: str) -> str:
    """Return what a page and its section are called, and its language where that is not the question's."""
    title = _path(hit)
    foreign = hit.language in LANGUAGES and hit.language != report.asked.language
    return title + say(language, f"diagnosis.runbook_{hit.language}") if foreign else title


def _runbook(hit: Hit, report: DiagnosisReport) -> Runbook:
    """Return a page as a runbook: its title and section, where it stands, and its first steps."""
    text = hit.chunk.text
    items = [found["step"] for found in _ITEM.finditer(text)]
    said = items or [text[start:end] for start, end in sentences(text, (0, len(text)))]
    steps = (" ".join(each.split())[:_LONGEST] for each in said)
    return Runbook(
        title=_title(hit, report, report.asked.language),
        url=hit.url or hit.document_path,
        steps=tuple(each for each in steps if each)[:_STEPS],
    )


def _with(issue: ReportIssue, runbook: Runbook | None) -> ReportIssue:
    if runbook is None:
        return issue
    return replace(issue, recommendations=tuple(replace(each, runbook=runbook) for each in issue.recommendations))
