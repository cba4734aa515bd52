"""How long a report takes where each answer, of the cluster and of its Prometheus, takes 300 ms: our own incidents."""

import asyncio
import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pytest

from evals.diagnosis.folders import folders
from evals.diagnosis.incidents.book import write_incidents
from evals.diagnosis.trial import NothingMeasured
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.reading import MetricRead, MetricReader
from queries.observe.sources.limited import Breakers, limited
from queries.observe.sources.recorded.api import open_recording
from queries.observe.sources.recorded.faults import Faults
from queries.observe.sources.recorded.prometheus import recorded_metrics
from storage.clock import SystemClock
from tests.benchmarks.figures import percentile
from tests.incidents.book import INCIDENTS

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(900)]

LATENCY_S = 0.3
EVERY = 3


@dataclass(frozen=True)
class LateMetrics:
    """A Prometheus whose answers take their time."""

    metrics: MetricReader

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        await asyncio.sleep(LATENCY_S)
        return await self.metrics.instant(query, at=at)

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        await asyncio.sleep(LATENCY_S)
        return await self.metrics.range(query, start=start, end=end, step_s=step_s)


async def test_a_report_over_a_slow_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_incidents(tmp_path, INCIDENTS)
    clock, spent = SystemClock(), []
    for folder in list(folders(tmp_path))[::EVERY]:
        sources = open_recording(folder.path, clock, around=Faults(latency_s=LATENCY_S).around)
        async with recorded_metrics(folder.path / "metrics.om", clock) as measured:
            both = replace(sources, metrics=LateMetrics(measured or NothingMeasured()))
            began = time.perf_counter()
            report = await diagnose(folder.asked, limited(both, Breakers(clock)).sources)
            spent.append(time.perf_counter() - began)
        assert report.issues
        assert sum(each.requests for each in report.calls) <= 30
    spent.sort()
    half, most = percentile(spent, 0.5), percentile(spent, 0.95)
    with capsys.disabled():
        print(f"\n{len(spent)} reports, 300 ms an answer: p50 {half:.2f} s, p95 {most:.2f} s")  # noqa: T201

    assert most < 3
