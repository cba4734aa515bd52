"""Requests that take longer than they used to, and volumes that fill, as a real Prometheus measures them."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from evals.diagnosis.composed.scene import added, filled, replicas, works
from evals.diagnosis.folders import read_folder
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.incidents.world import NOW, World, container
from evals.diagnosis.trial import report_on
from queries.observe.report.report import DiagnosisReport
from queries.observe.sources.recorded.prometheus import prometheus_installed

pytestmark = pytest.mark.skipif(not prometheus_installed(), reason="prometheus and promtool are not installed")
APP = "quay"
DAY = 25 * 60


async def reported(folder: Path, build: Callable[[World], None]) -> DiagnosisReport:
    made = MadeUpIncident(APP, "why is quay slow?", build, "S2", (), app=APP)
    made.world().write(folder)
    (folder / "expected.yaml").write_text(made.expected(), encoding="utf-8")
    return await report_on(read_folder(folder))


def told(report: DiagnosisReport) -> list[tuple[str, str]]:
    return [(each.rule, each.hypothesis.en) for each in report.issues]


def mean_time(
    world: World, pod: str, seconds: Callable[[int], float], *, first: int = 120, last: int = 0, most: float = 10
) -> None:
    """Add requests, ten a second, and the time that they took, from so many minutes ago to so many: no buckets."""
    own = f'namespace="shop",pod="{pod}"'
    count = total = 1_000.0
    for minute in range(first, last - 1, -1):
        at = int((NOW - timedelta(minutes=minute)).timestamp())
        for name, value in (("count", count), ("sum", total)):
            line = f"http_server_requests_seconds_{name}{{{own}}} {value:.3f} {at}"
            world.samples.setdefault(f"http_server_requests_seconds_{name}", []).append(line)
        count += 60 * most
        total += 60 * most * seconds(minute)


def serving(world: World) -> str:
    (pod,) = replicas(world, container(APP), age=20)
    works(world, pod)
    return pod


async def test_the_mean_is_told_where_there_are_no_buckets_also_of_pods_that_are_gone(tmp_path: Path) -> None:
    def rolled_out(world: World) -> None:
        mean_time(world, "quay-7d9f5b6c4-x2x4z", lambda _: 0.1, last=21)
        mean_time(world, serving(world), lambda _: 1.8, first=20)

    ((rule, said),) = told(await reported(tmp_path / "w", rolled_out))

    assert rule == "REQUESTS_SLOW"
    assert said == "Requests to quay take 1.8 s on average. 1 h ago it was 0.1 s."


@pytest.mark.parametrize(
    ("seconds", "rule"),
    [
        (lambda minute: 2.0 if minute < 5 * 60 else 0.1, "REQUESTS_SLOW"),  # since this morning
        (lambda minute: 2.0 if minute % 1_440 < 40 else 0.1, "NO_PROBLEM_FOUND"),  # each day at this time
        (lambda _: 2.0, "NO_PROBLEM_FOUND"),
        (lambda minute: 0.4 if minute < 20 else 0.01, "NO_PROBLEM_FOUND"),  # nobody waits for that
    ],
    ids=["for-hours", "each-day", "always", "short"],
)
async def test_slow_is_what_takes_longer_than_a_day_ago(
    tmp_path: Path, seconds: Callable[[int], float], rule: str
) -> None:
    def build(world: World) -> None:
        mean_time(world, serving(world), seconds, first=DAY)

    report = await reported(tmp_path / "w", build)

    assert [each for each, _ in told(report)] == [rule]
    before = next(each for each in report.evidence if each.field == "latency_before.mean")
    assert before.at == NOW - timedelta(days=1)


async def test_the_slowness_of_next_to_no_requests_is_not_told(tmp_path: Path) -> None:
    def build(world: World) -> None:
        (pod,) = replicas(world, container(APP))
        mean_time(world, pod, lambda minute: 3.0 if minute < 20 else 0.1, most=0.005)

    assert [each for each, _ in told(await reported(tmp_path / "w", build))] == ["NO_PROBLEM_FOUND"]


@pytest.mark.parametrize(("space", "inodes", "words"), [(0.4, 0.93, "93 % of its inodes"), (0.91, 0.1, "91 % full")])
async def test_a_volume_without_space_or_without_inodes_is_told(
    tmp_path: Path, space: float, inodes: float, words: str
) -> None:
    def build(world: World) -> None:
        world.stateful_set(wanted=1, ready=1)
        (pod,) = added(world, ("StatefulSet", APP), [container(APP)])
        works(world, pod)
        filled(world, "data-quay-0", lambda _: space)
        own = {"namespace": "shop", "persistentvolumeclaim": "data-quay-0"}
        world.gauge("kubelet_volume_stats_inodes", own, 1_000.0)
        world.gauge("kubelet_volume_stats_inodes_free", own, (1 - inodes) * 1_000)

    ((rule, said),) = told(await reported(tmp_path / "w", build))

    assert rule == "VOLUME_NEARLY_FULL"
    assert words in said


async def test_a_volume_of_another_app_is_not_told(tmp_path: Path) -> None:
    def build(world: World) -> None:
        serving(world)
        own = {"namespace": "shop", "persistentvolumeclaim": "data-other-0"}
        world.gauge("kubelet_volume_stats_capacity_bytes", own, 1_000.0)
        world.gauge("kubelet_volume_stats_available_bytes", own, 1.0)

    assert [each for each, _ in told(await reported(tmp_path / "w", build))] == ["NO_PROBLEM_FOUND"]
