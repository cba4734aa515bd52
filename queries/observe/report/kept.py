"""A report that is kept: found again by its id, shown to whoever may look at its namespace on that day."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from queries.observe.report.report import DiagnosisReport, ReportWords, Severity

#: How a diagnosis came to be made.
Door = Literal["question", "alert", "command", "again"]


@dataclass(frozen=True)
class ReportLine:
    """What a list of reports says of one."""

    id: str
    owner: str  # who asked; the desk itself for an alert
    door: Door
    cluster: str
    namespace: str
    app: str
    severity: Severity
    headline: ReportWords
    made_at: datetime


@dataclass(frozen=True)
class KeptReport:
    """A report with how it came about."""

    id: str
    owner: str
    door: Door
    made_at: datetime
    report: DiagnosisReport

    @property
    def line(self) -> ReportLine:
        """Return what a list says of it."""
        asked = self.report.asked
        return ReportLine(
            id=self.id,
            owner=self.owner,
            door=self.door,
            cluster=asked.cluster,
            namespace=asked.namespace,
            app=asked.app,
            severity=self.report.severity,
            headline=self.report.headline,
            made_at=self.made_at,
        )
