"""Slow, failing and silent sources: a report comes in time all the same, and says what it could not read."""

import asyncio
import math
import socket
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evals.diagnosis.folders import IncidentFolder, folders
from evals.diagnosis.grading import grade
from evals.diagnosis.incidents.book import write_incidents
from features.diagnosis.results import findings_of
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.report.report import DiagnosisReport
from queries.observe.rules.wording import sentence
from queries.observe.sources.asking import Endpoint, HttpAsker, NoCredentials
from queries.observe.sources.limited import Breakers, limited
from queries.observe.sources.prometheus import PrometheusReader
from queries.observe.sources.recorded.api import open_recording
from queries.observe.sources.recorded.faults import Faults
from storage.clock import SystemClock
from tests.incidents.book import INCIDENTS, named
from tests.scale import SCALE
from tests.virtual_loop import VirtualLoop

#: Of the incidents, at a tenth of the scale: every so-manieth.
EVERY = 1 if SCALE >= 1 else 6


@dataclass(frozen=True)
class Timed:
    """A report, and the seconds that it took on the clock of the loop."""

    folder: IncidentFolder
    report: DiagnosisReport
    took_s: float

    @property
    def failed(self) -> bool:
        return any(not each.ok for each in self.report.calls)


@pytest.fixture(scope="module")
def incidents(tmp_path_factory: pytest.TempPathFactory) -> list[IncidentFolder]:
    root = tmp_path_factory.mktemp("incidents")
    write_incidents(root, INCIDENTS[::EVERY])
    return list(folders(root))


def timed(folder: IncidentFolder, faults: Faults) -> Timed:
    async def run() -> Timed:
        clock, loop = SystemClock(), asyncio.get_running_loop()
        sources = open_recording(folder.path, clock, around=faults.around)
        began = loop.time()
        report = await diagnose(folder.asked, limited(sources, Breakers(clock)).sources)
        return Timed(folder, report, loop.time() - began)

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(run())


def p95(values: list[float]) -> float:
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def test_over_a_slow_network_a_report_comes_within_three_seconds(incidents: list[IncidentFolder]) -> None:
    found = [timed(each, Faults(latency_s=0.3)) for each in incidents]

    assert [each.folder.path.name for each in found if not each.report.issues] == []
    assert 0.3 < p95([each.took_s for each in found]) < 3


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_errors_and_silence_leave_a_report_that_says_so(incidents: list[IncidentFolder], seed: str) -> None:
    faults = Faults(latency_s=0.3, errors=0.3, silence=0.1, seed=seed)
    found = [timed(each, faults) for each in incidents]

    assert [each.folder.path.name for each in found if not each.report.issues] == []
    assert [each.folder.path.name for each in found if each.failed and not each.report.not_checked] == []
    assert sum(each.failed for each in found) > len(found) / 2
    told = [findings_of(each.report).not_read for each in found if each.failed]
    assert all(words.en.endswith(")") and words.zh for each in told for words in each)
    assert [each for each in told if not each] == []  # in words that stand below the findings in every chat
    assert p95([each.took_s for each in found]) < 20
    claims = [check for each in found for check in _claims(each)]
    assert sum(claims) >= 0.95 * len(claims)


async def test_where_prometheus_is_down_the_rest_is_told_and_that_metrics_are_missing(tmp_path: Path) -> None:
    write_incidents(tmp_path, named("basket-near-memory", "ferry-proxy-out-of-memory"))
    clock, found = SystemClock(), {}
    with socket.create_server(("127.0.0.1", 0)) as gone:
        nobody = HttpAsker(Endpoint(f"http://127.0.0.1:{gone.getsockname()[1]}"), NoCredentials(), clock, timeout_s=1)
    for folder in folders(tmp_path):
        sources = replace(open_recording(folder.path, clock), metrics=PrometheusReader(nobody))
        found[folder.path.name] = await diagnose(folder.asked, limited(sources, Breakers(clock)).sources)
    blind, told = found["basket-near-memory"], found["ferry-proxy-out-of-memory"]

    assert "OOM_KILLED" in {each.rule for each in told.issues}
    assert "MEMORY_NEAR_LIMIT" not in {each.rule for each in blind.issues}
    assert all(each.confidence == "low" for each in blind.issues if each.rule == "NO_PROBLEM_FOUND")
    for report in (blind, told):
        words = " ".join(f"{each.en} {each.zh}" for each in findings_of(report).not_read)
        assert "metrics (not reached)" in words
        assert sentence("why_unreachable").zh in words


def _claims(found: Timed) -> list[bool]:
    """Return whether each claim is right; where the pods were not read, what the workload itself says is no more."""
    checks = grade(found.folder, found.report, measured=False).checks
    unread = {each.what for each in found.report.not_checked}
    true = {"claim REPLICAS_MISSING"} if "pods" in unread else set()
    return [each.passed or each.name in true for each in checks if each.name.startswith("claim ")]
