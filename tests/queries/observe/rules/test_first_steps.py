"""What somebody who is woken does first: the steps, commands and sentences that a report gives of an incident."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evals.diagnosis.composed.scene import ended, job, refused, replicas, rollout, unplaced, waiting, works
from evals.diagnosis.folders import read_folder
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.incidents.world import World, container, crashing
from evals.diagnosis.railway.track import service
from evals.diagnosis.trial import report_on
from features.diagnosis.results import findings_of, series_of
from queries.observe.report.report import DiagnosisReport

APP = "quay"


async def reported(folder: Path, build: Callable[[World], None], question: str = "what is up?") -> DiagnosisReport:
    made = MadeUpIncident(APP, question, build, "S2", (), app=APP)
    made.world().write(folder)
    (folder / "expected.yaml").write_text(made.expected(), encoding="utf-8")
    return await report_on(read_folder(folder))


def commands(report: DiagnosisReport) -> list[str]:
    return [each.command for each in findings_of(report).advice]


async def test_each_of_two_causes_has_its_first_step_and_stands_before_the_rollout(tmp_path: Path) -> None:
    def build(world: World) -> None:
        rollout(world, waiting(APP, "CreateContainerConfigError", 'secret "tide" not found'))
        name = world.lists["replicasets"][-1]["metadata"]["name"]
        unplaced(world, "0/5 nodes are available: 5 Insufficient cpu.", owner=("ReplicaSet", name), name=f"{name}-2")

    report = await reported(tmp_path / "w", build)

    assert [each.rule for each in report.top] == ["CONFIG_REF_MISSING", "UNSCHEDULABLE_RESOURCES", "ROLLOUT_STUCK"]
    assert commands(report) == ["kubectl get secret -n shop tide -o name", "kubectl describe nodes"]


async def test_what_runs_on_another_processor_is_said(tmp_path: Path) -> None:
    def build(world: World) -> None:
        (pod,) = replicas(world, crashing(APP, 255, restarts=9))
        world.log(pod, APP, (1, f"exec /usr/local/bin/{APP}: exec format error"))

    report = await reported(tmp_path / "w", build)

    assert "built for another processor" in report.issues[0].hypothesis.en
    assert "另一种处理器" in report.issues[0].hypothesis.zh
    assert commands(report)[0] == "kubectl get nodes -L kubernetes.io/arch"
    assert not any("rollout undo" in each for each in commands(report))  # there is nothing to go back to


async def test_a_label_that_no_pod_has_is_named(tmp_path: Path) -> None:
    def build(world: World) -> None:
        works(world, *replicas(world, container(APP), container(APP)))
        service(world, APP, {"port": 80, "targetPort": 8080}, app=APP)
        world.lists["services"][-1]["spec"]["selector"] = {"app": APP, "track": "blue"}

    report = await reported(tmp_path / "w", build)
    issue = next(each for each in report.issues if each.rule == "SERVICE_NO_ENDPOINTS")

    assert "No pod has track=blue." in issue.hypothesis.en
    assert "没有 Pod 带有 track=blue" in issue.hypothesis.zh
    assert [each.split(" -n ")[0] for each in commands(report)] == ["kubectl get endpoints,pods", ""]


async def test_the_error_before_the_one_that_only_leaves_is_told(tmp_path: Path) -> None:
    def build(world: World) -> None:
        (pod,) = job(world, APP, ended(1, name=APP))
        world.log(
            pod,
            APP,
            (12, "INFO 907 letters due"),
            (11, "ERROR write letter 55102: value too long for type character varying(40)"),
            (10.5, "FATAL aborting run, nothing was sent"),
        )

    report = await reported(tmp_path / "w", build)

    assert "value too long" in report.issues[0].hypothesis.en
    assert "aborting run" not in report.issues[0].hypothesis.en


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_quota_is_said_without_a_hole(tmp_path: Path, language: str) -> None:
    def build(world: World) -> None:
        said = 'Error creating: pods "{rs}-x" is forbidden: exceeded quota: q, requested: requests.cpu=1'
        refused(world, said, wanted=3, ready=1)
        world.add("resourcequotas", "q", status={"hard": {"requests.cpu": "2"}, "used": {"requests.cpu": "2"}})

    report = await reported(tmp_path / "w", build)
    told = findings_of(report)

    assert report.issues[0].rule == "QUOTA_EXCEEDED"
    words = [getattr(each.text, language) for each in told.observations]
    assert any("requests.cpu" in each for each in words)
    assert not any("{" in each for each in words)
    assert series_of(report) is None
