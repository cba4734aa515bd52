"""A recording answers as the server once did, and says of what it does not hold that it does not hold it."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ObjectKind, ObjectReader
from queries.observe.sources.asking import Endpoint, HttpAsker, NoCredentials
from queries.observe.sources.kubernetes.reader import KubernetesReader
from queries.observe.sources.recorded.api import RecordedApi, open_recording
from queries.observe.sources.recorded.faults import Faults
from storage.clock import ScaledClock, SystemClock
from tests.queries.observe.served import listening, recordings

LOG = "/api/v1/namespaces/shop/pods/web-0/log"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a small recording."""
    bodies: Mapping[str, object] = {
        "pods.json": {"metadata": {}, "items": [{"metadata": {"name": "web-0", "labels": {"app": "web"}}}]},
        "events.json": {"metadata": {}, "items": [
            {"metadata": {"name": "e1", "labels": {"app": "web"}}}, {"metadata": {"name": "e2"}},
        ]},
        "jobs.error.json": {"kind": "Status", "message": "jobs is forbidden", "reason": "Forbidden", "code": 403},
    }  # fmt: skip
    for name, body in bodies.items():
        (tmp_path / name).write_text(json.dumps(body))
    (tmp_path / "log.txt").write_bytes(b"2026-11-18T10:00:00Z one\n2026-11-18T10:00:01Z two\n")
    requests = [
        ("/api/v1/namespaces/shop/pods", {"labelSelector": "app=web"}, 200, "pods.json"),
        ("/api/v1/namespaces/shop/events", {}, 200, "events.json"),
        ("/apis/batch/v1/namespaces/shop/jobs", {}, 403, "jobs.error.json"),
        (LOG, {"container": "web", "timestamps": "true", "tailLines": "500"}, 200, "log.txt"),
    ]
    written = [{"path": path, "query": query, "status": status, "file": file} for path, query, status, file in requests]
    (tmp_path / "requests.json").write_text(json.dumps(written))
    return tmp_path


def reader_of(folder: Path, faults: Faults | None = None, *, timeout_s: float = 4.0) -> ObjectReader:
    around = faults.around if faults else None
    found = open_recording(folder, ScaledClock(1_000), around=around, timeout_s=timeout_s).objects
    assert found
    return found


async def kind_of(reader: ObjectReader, kind: ObjectKind, selector: str = "") -> FailureKind | None:
    """Return how reading a list fails."""
    try:
        await reader.list(kind, namespace="shop", selector=selector)
    except ReadFailed as error:
        return error.kind
    return None


async def test_what_was_recorded_is_answered(folder: Path) -> None:
    reader = reader_of(folder)
    pods = await reader.list(ObjectKind.PODS, namespace="shop", selector="app=web", most=7)
    log = await reader.log("shop", "web-0", "web", lines=1)

    assert [each["metadata"]["name"] for each in pods.objects] == ["web-0"]  # type: ignore[index, call-overload]
    assert log.lines == ("2026-11-18T10:00:01Z two",)
    assert await kind_of(reader, ObjectKind.JOBS) is FailureKind.FORBIDDEN


async def test_what_was_not_recorded_is_not_told_as_nothing(folder: Path) -> None:
    reader = reader_of(folder)

    assert await kind_of(reader, ObjectKind.NODES) is FailureKind.NOT_RECORDED
    assert await kind_of(reader, ObjectKind.AUTOSCALERS) is FailureKind.NOT_RECORDED
    assert await kind_of(reader, ObjectKind.PODS) is FailureKind.NOT_RECORDED
    assert await kind_of(reader, ObjectKind.PODS, "app=other") is FailureKind.NOT_RECORDED
    with pytest.raises(ReadFailed) as error:
        await reader.log("shop", "web-0", "web", previous=True)
    assert error.value.kind is FailureKind.NOT_RECORDED
    with pytest.raises(ReadFailed) as error:
        await reader.may("list", ObjectKind.PODS)
    assert error.value.kind is FailureKind.NOT_RECORDED


async def test_a_part_of_a_whole_list_is_selected_by_its_labels(folder: Path) -> None:
    found = await reader_of(folder).list(ObjectKind.EVENTS, namespace="shop", selector="app=web")

    assert len(found.objects) == 1


def test_a_log_without_times_has_none(folder: Path) -> None:
    api = RecordedApi(folder)

    assert api.answer("GET", LOG, {"container": "web"}).body == b"one\ntwo\n"
    assert api.answer("GET", LOG, {"container": "web", "timestamps": "true", "tailLines": "0"}).body == b""


async def test_over_a_socket_it_answers_the_same(folder: Path) -> None:
    async with listening(RecordedApi(folder)) as url:
        asker = HttpAsker(Endpoint(url), NoCredentials(), SystemClock())
        there = await KubernetesReader(asker).list(ObjectKind.PODS, namespace="shop", selector="app=web")
        await asker.close()

    assert there == await reader_of(folder).list(ObjectKind.PODS, namespace="shop", selector="app=web")


async def test_faults_are_the_same_each_time_and_as_frequent_as_they_say(folder: Path) -> None:
    async def round_of(faults: Faults) -> list[FailureKind | None]:
        reader = reader_of(folder, faults)
        return [await kind_of(reader, ObjectKind.EVENTS, "x=" + "y" * number) for number in range(1, 60)]

    first, second = await round_of(Faults(errors=0.5)), await round_of(Faults(errors=0.5))
    failed = first.count(FailureKind.SERVER_ERROR)

    assert first == second
    assert 5 <= failed <= 25  # a second try is made: a quarter
    assert first.count(None) + failed == 59
    assert await round_of(Faults()) == [None] * 59


async def test_silence_ends_with_the_time_that_a_request_has(folder: Path) -> None:
    async with asyncio.timeout(60):
        found = await kind_of(reader_of(folder, Faults(silence=1.0), timeout_s=0.05), ObjectKind.EVENTS)

    assert found is FailureKind.TIMED_OUT


def test_every_shared_recording_is_served_whole() -> None:
    served = 0
    for folder in sorted(recordings().glob("[0-9]*")):
        api = RecordedApi(folder)
        for each in json.loads((folder / "requests.json").read_text()):
            answer = api.answer("GET", each["path"], each["query"])
            assert (answer.status, answer.body) == (each["status"], (folder / each["file"]).read_bytes())
            served += 1

    assert served > 100
