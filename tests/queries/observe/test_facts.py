"""Facts from JSON: whatever is missing, of another type or unknown, reading goes on."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries.observe.facts.events import read_events
from queries.observe.facts.logs import LogLevel, read_log
from queries.observe.facts.pods import ContainerPart, read_pods
from queries.observe.facts.reading import excerpt, parse_time, quantity
from queries.observe.facts.workloads import read_jobs, read_workloads
from queries.observe.reading import Listed, LogRead, ObjectKind
from storage.ids import JsonObject

leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
names = st.sampled_from(
    ["metadata", "name", "status", "spec", "containers", "containerStatuses", "state", "waiting", "reason", "lastState",
     "terminated", "exitCode", "conditions", "type", "series", "count", "involvedObject", "ownerReferences", "labels"]
)  # fmt: skip
bodies = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4))


@given(st.lists(st.dictionaries(names, bodies, max_size=5), max_size=3))
def test_any_json_is_read_without_an_error(objects: list[JsonObject]) -> None:
    listed = Listed(tuple(objects), "GET", "")
    read = [read_pods(listed), read_jobs(listed), read_workloads(ObjectKind.DEPLOYMENTS, listed)]

    assert all(len(each) <= len(objects) for each in read)
    assert len(read_events(listed)) == len(objects)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("500m", 0.5),
        ("256Mi", 2**28),
        ("1Gi", 2**30),
        ("4", 4.0),
        ("1e3", 1000.0),
        ("", None),
        ("many", None),
        ("5Q", None),
    ],
)
def test_a_quantity_means_what_kubernetes_means(written: str, meant: float | None) -> None:
    assert quantity(written) == meant


def test_a_time_may_have_nanoseconds_and_a_zone() -> None:
    assert parse_time("2026-11-18T10:00:00.123456789Z") == datetime(2026, 11, 18, 10, 0, 0, 123456, UTC)
    assert parse_time("2026-11-18T10:00:00+02:00") == datetime(2026, 11, 18, 8, tzinfo=UTC)
    assert parse_time("2026-99-18T10:00:00Z") is None


def test_an_event_of_the_new_form_has_its_series_count_and_last_time() -> None:
    event: JsonObject = {
        "metadata": {"name": "e"},
        "regarding": {"kind": "Pod", "name": "p"},
        "note": "said",
        "eventTime": "2026-11-18T10:00:00Z",
        "series": {"count": 7, "lastObservedTime": "2026-11-18T10:30:00Z"},
        "firstTimestamp": None,
    }
    (read,) = read_events(Listed((event,), "GET", ""))

    assert (read.kind, read.name, read.message, read.count) == ("Pod", "p", "said", 7)
    assert read.last == datetime(2026, 11, 18, 10, 30, tzinfo=UTC)


def test_a_native_sidecar_is_no_init_container() -> None:
    body: JsonObject = {
        "metadata": {"name": "p"},
        "spec": {
            "initContainers": [{"name": "mesh", "restartPolicy": "Always"}, {"name": "wait"}],
            "containers": [{"name": "web"}],
        },
    }
    (pod,) = read_pods(Listed((body,), "GET", ""))

    assert [each.part for each in pod.containers] == [ContainerPart.SIDECAR, ContainerPart.INIT, ContainerPart.MAIN]


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ('{"level":"info","msg":"no errors","error":""}', LogLevel.INFO),
        ('{"level":50,"msg":"boom"}', LogLevel.ERROR),
        ("2026-11-18 10:00:00,000 INFO retries failed=0 errors=0", LogLevel.INFO),
        ("2026-11-18 10:00:00,000 ERROR boom", LogLevel.ERROR),
        ("E1118 10:00:00.000000 1 main.go:3] boom", LogLevel.ERROR),
        ("panic: no config", LogLevel.FATAL),
        ("ModuleNotFoundError: No module named 'x'", LogLevel.ERROR),
        ('  File "/app/main.py", line 7, in <module>', LogLevel.INFO),
        ('level=warn msg="slow"', LogLevel.WARNING),
        ("GET /error-pages 200", LogLevel.INFO),
    ],
)
def test_a_level_is_read_from_the_line_itself(line: str, level: LogLevel) -> None:
    read = read_log("p", "c", LogRead((f"2026-11-18T10:00:00.1Z {line}",), "GET", ""))

    assert read.lines[0].level is level


@given(st.text(max_size=300))
def test_an_excerpt_holds_no_control_characters_and_is_short(words: str) -> None:
    kept = excerpt(words, 80)

    assert len(kept) <= 80
    assert not any(character in kept for character in "\x1b\x00\x07\r\u202e")
