"""Runbooks of the company for what a diagnosis found: pages that say what to do, cited with their first steps."""

from agent.results import Passage, Passages
from agent.tools.layout import source_of
from identity.actor import Actor
from identity.readership import Readership
from queries.observe.report.report import DiagnosisReport, ReportIssue, Role
from search.documents import Hit
from search.service import SearchService

#: Passages that are looked at, and runbooks that are shown.
_LOOKED_AT, _SHOWN = 5, 1
#: Share of a query's words that a page has to hold, when it does not name the rule.
_COVERED = 0.5
#: What a page that says what to do calls itself.
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
                return Passages(found)
        return None

    async def _for(
        self, actor: Actor, issue: ReportIssue, report: DiagnosisReport, readership: Readership
    ) -> tuple[Passage, ...]:
        words = issue.rule.replace("_", " ").lower()
        query = f"{report.asked.app} {words} runbook".strip()
        result = await self._search.search(
            actor, query, language=report.asked.language, limit=_LOOKED_AT, readership=readership
        )
        fitting = [hit for hit in result.hits if _fits(hit, issue, report)]
        return tuple(_passage(hit) for hit in fitting[:_SHOWN])


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
