"""What runs, since when, and what ran before it: told from the cluster, beside when trouble began."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evals.diagnosis.composed.scene import added, replicas, rollout, works
from evals.diagnosis.folders import read_folder
from evals.diagnosis.incidents.incident import MadeUpIncident
from evals.diagnosis.incidents.world import World, container, crashing, stamp
from evals.diagnosis.trial import report_on
from queries.observe.report.report import DiagnosisReport


async def reported(build: Callable[[World], None], at: Path, **denied: int) -> DiagnosisReport:
    incident = MadeUpIncident("made", "what changed in orders?", build, "S0", ())
    world = incident.world()
    world.denied |= denied
    world.write(at / "made")
    (at / "made" / "expected.yaml").write_text(incident.expected(), encoding="utf-8")
    return await report_on(read_folder(at / "made"))


def told(report: DiagnosisReport) -> list[str]:
    return [each.text.in_language("en", today=report.asked.now) for each in report.deployed]


def _new_one_crashes(world: World) -> None:
    (new,) = rollout(world, crashing("orders", image="r.example/orders:2"), age=18)
    world.event(new, "BackOff", "Back-off restarting failed container", part="orders", first=16, last=0.5, count=60)


def _went_back(world: World) -> None:
    pods = replicas(world, container("orders"), container("orders"), age=900)
    newest = world.replica_set("orders", wanted=0, ready=0, age=60, revision=2, image="r.example/orders:2")
    first = world.lists["replicasets"][0]
    first["metadata"]["annotations"]["deployment.kubernetes.io/revision"] = "3"
    said = f"Scaled up replica set {first['metadata']['name']} to 2"
    world.event("orders", "ScalingReplicaSet", said, kind="Deployment", normal=True, first=25, last=25, count=1)
    works(world, *pods)
    assert newest != first["metadata"]["name"]


def _a_set(world: World) -> None:
    world.stateful_set(wanted=1, ready=1)
    template = {"spec": {"containers": [{"name": "orders", "image": "r.example/orders:7"}]}}
    world.lists["statefulsets"][0]["spec"]["template"] = template
    works(world, *added(world, ("StatefulSet", "orders"), [container("orders")]))


async def test_each_version_that_has_pods_is_told_and_when_trouble_began(tmp_path: Path) -> None:
    report = await reported(_new_one_crashes, tmp_path)

    assert told(report) == [
        "Deployment/orders runs r.example/orders:2, rolled out 09:42 UTC: 0 of 1 replicas are ready.",
        "Deployment/orders still runs r.example/app:1.0 of 2026-11-18 08:00 UTC: 2 replicas are ready.",
    ]
    assert all(each.evidence for each in report.deployed)
    assert report.onset is not None
    assert f"{report.onset:%Y-%m-%dT%H:%M:%SZ}" == stamp(16)


async def test_what_was_gone_back_to_is_no_new_version(tmp_path: Path) -> None:
    report = await reported(_went_back, tmp_path)

    assert told(report) == ["Deployment/orders went back to r.example/app:1.0 at 09:35 UTC: 2 of 2 replicas are ready."]
    changed = [each.text.en for each in report.changes if each.kind == "image"]
    assert changed == ["Deployment/orders changed image r.example/orders:2 to r.example/app:1.0"]


@pytest.mark.parametrize(
    ("build", "denied", "said"),
    [
        (_a_set, {}, "StatefulSet/orders runs r.example/orders:7: 1 of 1 replicas are ready"),
        (_new_one_crashes, {"deployments": 403, "replicasets": 403}, "The pods of orders run r.example/app:1.0."),
    ],
    ids=["stateful", "pods-only"],
)
async def test_where_no_revisions_are_kept_the_images_are_told(
    tmp_path: Path, build: Callable[[World], None], denied: dict[str, int], said: str
) -> None:
    report = await reported(build, tmp_path, **denied)

    assert any(each.startswith(said) for each in told(report))
