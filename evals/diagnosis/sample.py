"""Makes the incident of the demo company: `python -m evals.diagnosis.sample FOLDER`, with a real Prometheus installed.

A rollout of checkout twenty minutes ago took half of its memory away; everything else is well.
"""

import asyncio
import itertools
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from evals.diagnosis.incidents.world import NOW, World, container, crashing
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.report.report import DiagnosisRequest
from queries.observe.sources.recorded import measured
from queries.observe.sources.recorded.api import open_recording
from queries.observe.sources.recorded.prometheus import recorded_metrics
from queries.observe.sources.recorded.recording import Recorder
from storage.clock import SystemClock

APPS = ("checkout", "payment", "catalog")
NAMESPACE = "shop"
#: Questions whose charts are others than that of "what is wrong?".
QUESTIONS = ("", "memory?", "cpu?", "slow?", "restarts?", "error rate?")


def world() -> World:
    """Return what runs in the demo's cluster."""
    made = World(NAMESPACE, "checkout")
    made.deployment(wanted=2, ready=0, age=20_000, image="registry.marenvold.example/checkout:4.11.0")
    made.lists["replicasets"][-1]["spec"]["replicas"] = 0
    new = made.replica_set(
        "checkout", wanted=2, ready=0, age=20, revision=2, image="registry.marenvold.example/checkout:4.12.0"
    )
    for _ in range(2):
        body = crashing(
            "checkout",
            137,
            "OOMKilled",
            restarts=7,
            limits={"memory": "256Mi"},
            image="registry.marenvold.example/checkout:4.12.0",
        )
        pod = made.pod(("ReplicaSet", new), body, ready=False, age=20)
        made.event(pod, "BackOff", "Back-off restarting failed container", last=1, first=18, count=40, part="checkout")
        made.log(
            pod,
            "checkout",
            (2.6, "INFO starting checkout 4.12.0"),
            (2.4, "INFO loading the price list of all regions into memory"),
            (2.1, "INFO price list: 61% loaded"),
            previous=True,
        )
        made.log(pod, "checkout", (2.6, "INFO starting checkout 4.12.0"), (2.1, "INFO price list: 61% loaded"))
        own = {"namespace": NAMESPACE, "pod": pod, "container": "checkout"}
        made.gauge("kube_pod_container_resource_limits", own | {"resource": "memory"}, 2.0**28)
        made.course("container_memory_working_set_bytes", own, _memory)
        made.requests(pod, bad=9.0, good=0.5, before=0.02)
    made.event(
        "checkout",
        "ScalingReplicaSet",
        f"Scaled up replica set {new} to 2",
        kind="Deployment",
        last=20,
        first=20,
        count=1,
        normal=True,
    )
    for app in ("payment", "catalog"):
        image = f"registry.marenvold.example/{app}:2.3.1"
        replicas = made.deployment(app, wanted=2, ready=2, age=9_000, image=image)
        for _ in range(2):
            pod = made.pod(("ReplicaSet", replicas), container(app, image=image), app=app)
            made.every(pod, app, "INFO request served id={n}", since=50)
            made.usage(pod, app, memory=0.4, throttled=0.01, cpu=0.05)
            made.requests(pod, bad=0.01, good=20.0, before=0.01, app=app)
    return made


def _memory(minutes_ago: int) -> float:
    """Return bytes: steady before the rollout, then up to the limit again and again."""
    share = 0.41 + 0.01 * (minutes_ago % 3) if minutes_ago > 20 else (0.35, 0.68, 0.98)[(20 - minutes_ago) % 3]
    return share * 2**28


def _asked(app: str, question: str = "") -> DiagnosisRequest:
    selector = f"app={app}" if app else ""
    return DiagnosisRequest("sample", question, "en", "prod", NAMESPACE, NOW, app=app, selector=selector)


async def make(folder: Path) -> None:
    """Write the recording, with the answers of a real Prometheus to every question of the usual window."""
    shutil.rmtree(folder, ignore_errors=True)
    world().write(folder, whole=True)
    clock = SystemClock()
    async with recorded_metrics(folder / "metrics.om", clock) as metrics:
        if metrics is None:
            raise SystemExit("prometheus and promtool are not installed: apt-get install prometheus")
        recorder = Recorder(replace(open_recording(folder, clock), metrics=metrics))
        for app, question in itertools.product((*APPS, ""), QUESTIONS):
            await diagnose(_asked(app, question), recorder.sources)
        with tempfile.TemporaryDirectory() as kept:
            await recorder.save(Path(kept) / "all", _asked(""))
            shutil.copy(Path(kept) / "all" / measured.FILE, folder / measured.FILE)
    (folder / "metrics.om").unlink()
    (folder / "expected.yaml").write_text(f"now: '{NOW.isoformat()}'\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(make(Path(sys.argv[1])))
