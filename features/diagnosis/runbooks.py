"""Runbooks of the company for what a diagnosis found: pages that say what to do, cited with their first steps."""

import re
from dataclasses import replace

from agent.results import Passage, Passages
from agent.tools.layout import source_of
from identity.actor import Actor
from identity.readership import Readership
from language.sentences import sentences
from queries.observe.report.report import DiagnosisReport, ReportIssue, Role, Runbook
from search.documents import Hit
from search.service import SearchService

#: Passages that are looked at, and runbooks that are shown.
_LOOKED_AT, _SHOWN = 5, 1
#: Share of a query's words that a page has to hold, when it does not name the rule.
_COVERED = 0.5
#: What a page that says what to do calls itself.
#: First steps that are cited of a runbook, and characters of each.
_STEPS, _LONGEST = 3, 240
_ITEM = re.compile(r"^ {0,6}(?:\d{1,2}[.)]|[-*+]) (?P<step>[^\n]{1,2000})", re.MULTILINE)
_CALLED = ("runbook", "playbook", "troubleshoot", "incident", "on-call", "运维手册", "应急", "故障", "排障", "处置")


class Runbooks:
    """Finds them by the rule's id and its words."""

    def __init__(self, search: SearchService) -> None:
        self._search = search

    async def of(self, actor: Actor, report: DiagnosisReport, readership: Readership) -> Passages | None:
        """Return the runbook for the first issue that has one, as far as everybody who reads along may read it."""
        for issue in report.top:
            if issue.role is Role.CONCLUSION:
                continue
            found = await self._for(actor, issue, report, readership)
            if found:
                return Passages(tuple(map(_passage, found)))
        return None

    async def cited(self, actor: Actor, report: DiagnosisReport, readership: Readership) -> DiagnosisReport:
        """Return the report with the runbook of each top issue at what it recommends.

        It is looked up for whoever reads the report, and never kept with it: another reader may not read that page.
        """
        made: dict[str, Runbook] = {}
        for issue in report.top:
            if issue.role is not Role.CONCLUSION and issue.rule not in made:
                for hit in await self._for(actor, issue, report, readership):
                    made[issue.rule] = _runbook(hit)
        return replace(report, issues=tuple(_with(each, made.get(each.rule)) for each in report.issues))

    async def _for(
        self, actor: Actor, issue: ReportIssue, report: DiagnosisReport, readership: Readership
    ) -> tuple[Hit, ...]:
        words = issue.rule.replace("_", " ").lower()
        query = f"{report.asked.app} {words} runbook".strip()
        result = await self._search.search(
            actor, query, language=report.asked.language, limit=_LOOKED_AT, readership=readership
        )
        fitting = [hit for hit in result.hits if _fits(hit, issue, report)]
        return tuple(fitting[:_SHOWN])


def _fits(hit: Hit, issue: ReportIssue, report: DiagnosisReport) -> bool:
    """Tell whether a passage is of a runbook for this: it names the rule, or calls itself one and meets the words."""
    text = f"{hit.title} {' '.join(hit.chunk.section_path)} {hit.chunk.text}".lower()
    if issue.rule.lower() in text or issue.rule.replace("_", "").lower() in text:
        return True
    named = f"{hit.title} {hit.document_path}".lower()
    about = any(word in text for word in filter(None, (report.asked.app, *_words_of(issue))))
    return any(word in named for word in _CALLED) and about and hit.signals.coverage >= _COVERED


def _words_of(issue: ReportIssue) -> tuple[str, ...]:
    return tuple(word for word in issue.rule.lower().split("_") if len(word) > 4)


def _passage(hit: Hit) -> Passage:
    return Passage(text=hit.chunk.text, source=source_of(hit), score=hit.score, reason=hit.authz)


def _runbook(hit: Hit) -> Runbook:
    """Return a page as a runbook: its title and section, where it stands, and its first steps."""
    text = hit.chunk.text
    items = [found["step"] for found in _ITEM.finditer(text)]
    said = items or [text[start:end] for start, end in sentences(text, (0, len(text)))]
    steps = (" ".join(each.split())[:_LONGEST] for each in said)
    return Runbook(
        title=" > ".join(dict.fromkeys((hit.title, *hit.chunk.section_path))),
        url=hit.url or hit.document_path,
        steps=tuple(each for each in steps if each)[:_STEPS],
    )


def _with(issue: ReportIssue, runbook: Runbook | None) -> ReportIssue:
    if runbook is None:
        return issue
    return replace(issue, recommendations=tuple(replace(each, runbook=runbook) for each in issue.recommendations))
