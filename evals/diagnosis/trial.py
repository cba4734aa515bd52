"""Runs every folder: a fake API from its requests, a real Prometheus from its metrics, its `now` as the clock."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from evals.diagnosis.folders import IncidentFolder
from evals.diagnosis.grading import grade
from evals.graders import Grade
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.reading import MetricRead
from queries.observe.report.report import DiagnosisReport
from queries.observe.report.written import report_json
from queries.observe.sources.limited import Breakers, limited
from queries.observe.sources.recorded.api import open_recording
from queries.observe.sources.recorded.prometheus import prometheus_installed, recorded_metrics
from storage.clock import SystemClock

#: So many folders are run at once, each with a Prometheus of its own.
_AT_ONCE = 2


@dataclass(frozen=True)
class NothingMeasured:
    """A Prometheus without data: a folder without `metrics.om` has one."""

    async def instant(self, query: str, *, at: datetime) -> MetricRead:  # noqa: ARG002 - the port's names
        """Return no series."""
        return MetricRead((), query, "")

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:  # noqa: ARG002
        """Return no series."""
        return MetricRead((), query, "")


async def report_on(folder: IncidentFolder) -> DiagnosisReport:
    """Return the report on one folder. Starts a Prometheus where one is installed and there are metrics."""
    clock = SystemClock()
    sources = await asyncio.to_thread(open_recording, folder.path, clock)
    file = folder.path / "metrics.om"
    async with recorded_metrics(file, clock) as metrics:
        empty = NothingMeasured() if prometheus_installed() and not await asyncio.to_thread(file.is_file) else None
        run = limited(replace(sources, metrics=metrics or empty), Breakers(clock))
        return await diagnose(folder.asked, run.sources)


async def run_folders(chosen: Sequence[IncidentFolder], out: Path | None = None) -> tuple[Grade, ...]:
    """Return the grade of each folder; write each report as NAME.json into a folder."""
    slots = asyncio.Semaphore(_AT_ONCE)
    measured = prometheus_installed()

    async def run(folder: IncidentFolder) -> Grade:
        async with slots:
            report = await report_on(folder)
        if out is not None:
            await asyncio.to_thread(_write, out, folder, report)
        return await asyncio.to_thread(grade, folder, report, measured=measured)

    return tuple(await asyncio.gather(*(run(each) for each in chosen)))


def _write(out: Path, folder: IncidentFolder, report: DiagnosisReport) -> None:
    out.mkdir(parents=True, exist_ok=True)
    written = json.dumps(report_json(report, folder.asked.language), ensure_ascii=False, indent=1)
    (out / f"{folder.path.name}.json").write_text(written + "\n", encoding="utf-8")
