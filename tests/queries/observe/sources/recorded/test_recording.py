"""What a run read is written down without secrets, and gives the same answers again."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ClusterSources, ObjectKind
from queries.observe.report.report import DiagnosisRequest
from queries.observe.sources.kubernetes.reader import KubernetesReader
from queries.observe.sources.recorded.api import RecordedApi, open_recording
from queries.observe.sources.recorded.openmetrics import raw_selectors
from queries.observe.sources.recorded.prometheus import recorded_metrics
from queries.observe.sources.recorded.recording import Recorder
from storage.clock import SystemClock
from tests.queries.observe.served import Answer, Question, asking, listed, recordings
from tests.scale import scaled

NOW = datetime.fromisoformat("2026-11-18T11:30:00+00:00")
SECRETS = (
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjcm0ifQ.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "hunter2-Xk29",
)


def asked(case: dict[str, Any]) -> DiagnosisRequest:
    return DiagnosisRequest("run-1", str(case["question"]), "en", "prod", case["namespace"], NOW, app=case["app"])


async def everything(sources: ClusterSources, folder: Path, case: dict[str, Any]) -> list[object]:
    """Return the answers to all that a recording holds."""
    found: list[object] = []
    objects, metrics = sources.objects, sources.metrics
    assert objects
    for each in json.loads((folder / "requests.json").read_text()):
        parts, query = each["path"].split("/"), each["query"]
        namespace = parts[parts.index("namespaces") + 1] if "namespaces" in parts else ""
        try:
            if parts[-1] == "log":
                previous = query.get("previous") == "true"
                found.append((await objects.log(namespace, parts[-2], query["container"], previous=previous)).lines)
            else:
                selector = query.get("labelSelector", "")
                found.append(
                    (await objects.list(ObjectKind(parts[-1]), namespace=namespace, selector=selector)).objects
                )
        except ReadFailed as error:
            found.append((error.kind, error.detail))
    for each in case.get("queries", ()):
        at = datetime.fromisoformat(each["time"])
        found += [(await metrics.instant(each["promql"], at=at)).series] if metrics else []
    return found


#: Those whose pods have no environment variables, of which no value is kept.
WITHOUT_VALUES = ("15", "11", "04", "05", "07", "08", "14")


@pytest.mark.parametrize("number", WITHOUT_VALUES[: scaled(7, least=2)])
async def test_a_recording_of_a_recording_gives_the_same_answers(number: str, tmp_path: Path) -> None:
    (folder,) = recordings().glob(f"{number}-*")
    case, clock = yaml.safe_load((folder / "expected.yaml").read_text()), SystemClock()
    async with recorded_metrics(folder / "metrics.om", clock) as metrics:
        recorder = Recorder(replace(open_recording(folder, clock), metrics=metrics))
        first = await everything(recorder.sources, folder, case)
        await recorder.save(tmp_path / "kept", replace(asked(case), now=datetime.fromisoformat(str(case["now"]))))
    async with recorded_metrics(tmp_path / "kept" / "metrics.om", clock) as metrics:
        again = replace(open_recording(tmp_path / "kept", clock), metrics=metrics)
        second = await everything(again, folder, case)

    assert len(first) > 5
    assert second == first
    assert yaml.safe_load((tmp_path / "kept" / "expected.yaml").read_text())["app"] == case["app"]


async def test_no_secret_is_written(tmp_path: Path) -> None:
    jwt, key, token, password = SECRETS

    def answers(question: Question) -> Answer:
        if question.path.endswith("/log"):
            return Answer(
                f"2026-11-18T10:00:00Z authorization: Bearer {jwt}\n2026-11-18T10:00:01Z key {key}\n".encode()
            )
        if question.path.endswith("/events"):
            return Answer({"message": f"cannot pull with {token}"}, 403)
        container = {"name": "web", "env": [{"name": "DB_PASS", "value": password}], "args": [f"--token={token}"]}
        return Answer({"metadata": {}, "items": [{"metadata": {"name": "web-0"}, "spec": {"containers": [container]}}]})

    async with asking(answers) as (asker, _):
        recorder = Recorder(ClusterSources("prod", objects=KubernetesReader(asker)))
        objects = recorder.sources.objects
        assert objects
        await objects.list(ObjectKind.PODS, namespace="shop")
        await objects.log("shop", "web-0", "web")
        with pytest.raises(ReadFailed):
            await objects.list(ObjectKind.EVENTS, namespace="shop")
        await recorder.save(tmp_path / "kept", asked({"question": f"is {key} why?", "namespace": "shop", "app": "web"}))
    files = [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
    written = b"".join(path.read_bytes() for path in files).decode()

    assert sorted(path.name for path in files) == [
        "events.error.json", "expected.yaml", "pods.json", "requests.json", "web-0__web.txt"
    ]  # fmt: skip
    assert [secret for secret in SECRETS if secret in written] == []
    assert "web-0" in written


async def test_what_was_not_read_to_its_end_is_not_whole_when_served_again(tmp_path: Path) -> None:
    async with asking(lambda _: listed("a", "b", after="next")) as (asker, _):
        recorder = Recorder(ClusterSources("prod", objects=KubernetesReader(asker)))
        assert recorder.sources.objects
        await recorder.sources.objects.list(ObjectKind.PODS, namespace="shop", most=2)
        await recorder.save(tmp_path / "kept", asked({"question": "", "namespace": "shop", "app": "web"}))
    again = open_recording(tmp_path / "kept", SystemClock()).objects
    assert again
    found = await again.list(ObjectKind.PODS, namespace="shop", most=500)

    assert (len(found.objects), found.complete) == (2, False)


async def test_a_recording_is_not_written_over(tmp_path: Path) -> None:
    recorder = Recorder(ClusterSources("prod"))
    case = asked({"question": "", "namespace": "shop", "app": "web"})
    await recorder.save(tmp_path / "kept", case)

    with pytest.raises(FileExistsError):
        await recorder.save(tmp_path / "kept", case)
    assert RecordedApi(tmp_path / "kept").answer("GET", "/api/v1/nodes", {}).status == 404


async def test_a_source_that_did_not_answer_does_not_answer_again(tmp_path: Path) -> None:
    async with asking(lambda _: Answer(status=503)) as (asker, _):
        recorder = Recorder(ClusterSources("prod", objects=KubernetesReader(asker)))
        assert recorder.sources.objects
        with pytest.raises(ReadFailed):
            await recorder.sources.objects.list(ObjectKind.NODES)
        await recorder.save(tmp_path / "kept", asked({"question": "", "namespace": "shop", "app": "web"}))
    again = open_recording(tmp_path / "kept", SystemClock()).objects
    assert again
    with pytest.raises(ReadFailed) as error:
        await again.list(ObjectKind.NODES)

    assert error.value.kind is FailureKind.SERVER_ERROR


def test_the_series_of_a_query_are_found() -> None:
    query = 'sum(rate(a_total{x="}{",y=~"a|b"}[5m])) / max by (pod) (max_over_time(b{z="\\"q"}[30m])) > 0.25'

    assert list(raw_selectors(query)) == ['a_total{x="}{",y=~"a|b"}', 'b{z="\\"q"}']
