"""Recorded incidents for tests: those that lie beside the project, and changed copies of them."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.source import ROOT

SHARED = ROOT.parent / "shared" / "data" / "kubernetes"
NAMES = tuple(sorted(each.parent.name for each in SHARED.glob("[0-9]*/expected.yaml")))

Body = dict[str, Any]


def shared(name: str) -> Path:
    """Return one of the recorded incidents; skip the test where they are not there."""
    if not (SHARED / name).is_dir():
        pytest.skip("../shared/data/kubernetes is not there")
    return SHARED / name


def changed(folder: Path, into: Path, *changes: Callable[[Body], None]) -> Path:
    """Return a copy of an incident in which each list of objects was changed."""
    copy = into / folder.name
    shutil.copytree(folder, copy)
    copy.chmod(0o755)
    for file in copy.rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    for file in sorted(copy.glob("*.json")):
        body = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(body, dict) and isinstance(body.get("items"), list):
            for each in changes:
                each(body)
            file.write_text(json.dumps(body), encoding="utf-8")
    return copy


def shuffled(seed: int) -> Callable[[Body], None]:
    """Return a change that puts lists into another order."""

    def change(body: Body) -> None:
        random.Random(seed).shuffle(body["items"])

    return change


def with_strangers(body: Body) -> None:
    """Add events about pods of others, and old ones: none of them is of the app in question."""
    if not any("involvedObject" in each for each in body["items"]):
        return
    for number, (reason, message) in enumerate(
        (
            ("Failed", 'Failed to pull image "r.example/other:1": 401 Unauthorized'),
            ("Killing", "Container other failed liveness probe, will be restarted"),
            ("FailedMount", "MountVolume.SetUp failed for volume"),
            ("Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503"),
            ("FailedScheduling", "0/5 nodes are available: 5 Insufficient memory."),
        )
    ):
        body["items"].append(
            {
                "metadata": {"name": f"other-{number}"},
                "involvedObject": {"kind": "Pod", "name": f"other-{number}", "namespace": "x"},
                "reason": reason,
                "message": message,
                "type": "Warning",
                "count": 9,
                "firstTimestamp": "2026-11-17T00:00:00Z",
                "lastTimestamp": "2026-11-18T23:00:00Z",
            }
        )


def with_unknown_fields(body: Body) -> None:
    """Add what a newer server writes, and take away what may be missing."""
    for each in body["items"]:
        each["x-new"] = {"deep": [1, None, "two"]}
        each.setdefault("status", {})["hostIPs"] = [{"ip": "10.0.0.1"}]
        each.get("metadata", {}).pop("managedFields", None)
        each.get("metadata", {}).pop("resourceVersion", None)
