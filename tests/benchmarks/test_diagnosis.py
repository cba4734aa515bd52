"""How long a report takes where each answer of the cluster takes 300 ms: the shared and the own incidents."""

import time
from pathlib import Path

import pytest

from evals.diagnosis.folders import folders
from evals.diagnosis.incidents.book import write_incidents
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.sources.limited import Breakers, limited
from queries.observe.sources.recorded.api import open_recording
from queries.observe.sources.recorded.faults import Faults
from storage.clock import SystemClock
from tests.benchmarks.figures import percentile

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(900)]

LATENCY_S = 0.3
EVERY = 3


async def test_a_report_over_a_slow_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_incidents(tmp_path)
    clock, spent = SystemClock(), []
    for folder in list(folders(tmp_path))[::EVERY]:
        sources = open_recording(folder.path, clock, around=Faults(latency_s=LATENCY_S).around)
        began = time.perf_counter()
        report = await diagnose(folder.asked, limited(sources, Breakers(clock)).sources)
        spent.append(time.perf_counter() - began)
        assert report.issues
    spent.sort()
    half, most = percentile(spent, 0.5), percentile(spent, 0.95)
    with capsys.disabled():
        print(f"\n{len(spent)} reports, 300 ms an answer: p50 {half:.2f} s, p95 {most:.2f} s")  # noqa: T201

    assert most < 3
