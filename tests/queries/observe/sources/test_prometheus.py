"""Metrics are read from what Prometheus answers, as it was recorded and from a real one."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import MetricRead
from queries.observe.sources.prometheus import PrometheusReader
from queries.observe.sources.recorded.prometheus import PrometheusFailed, prometheus_installed, recorded_metrics
from storage.clock import SystemClock
from tests.queries.observe.served import Answer, Question, asking, recordings

NOW = datetime(2026, 11, 18, 11, 30, tzinfo=UTC)
SAMPLES = """\
requests_total{app="web",code="200"} 100.0 1795000000
requests_total{app="web",code="200"} 160.0 1795000060
limits{app="web"} 0.0 1795000060
# EOF
"""
AT = datetime.fromtimestamp(1_795_000_060, tz=UTC)


def always(answer: Answer) -> Callable[[Question], Answer]:
    return lambda _: answer


async def answered(body: object, status: int = 200) -> MetricRead:
    """Return what an instant query gives."""
    async with asking(lambda _: Answer(body, status)) as (asker, _):
        return await PrometheusReader(asker).instant("up", at=NOW)


async def test_recorded_answers_are_read() -> None:
    folder = recordings() / "_errors"
    for name, series, values in (("200-vector", 3, 1), ("200-range", 3, 13), ("200-empty", 0, 0)):
        answer = Answer((folder / f"prometheus-{name}.json").read_bytes())
        async with asking(always(answer)) as (asker, served):
            read = await PrometheusReader(asker).range("up", start=NOW - timedelta(hours=1), end=NOW, step_s=300)
        assert (len(read.series), {len(each.values) for each in read.series} or {0}) == (series, {values})
        assert (served.asked[0].method, served.asked[0].path) == ("POST", "/api/v1/query_range")


async def test_recorded_failures_have_their_kind() -> None:
    folder = recordings() / "_errors"
    for name in ("400-parse-error", "400-too-many-points", "422-execution-error"):
        with pytest.raises(ReadFailed) as error:
            await answered((folder / f"prometheus-{name}.json").read_bytes(), int(name[:3]))
        assert error.value.kind is FailureKind.BAD_REQUEST
        assert error.value.detail


async def test_warnings_say_that_something_is_missing() -> None:
    body = {"status": "success", "warnings": ["a store is away"], "data": {"resultType": "vector", "result": []}}

    assert (await answered(body)).partial


@pytest.mark.parametrize(
    "body",
    [
        {"status": "error", "error": "x"},
        {"status": "success", "data": {"resultType": "vector", "result": [{"metric": {}, "value": ["x"]}]}},
        {"status": "success", "data": {"resultType": "vector", "result": {"a": 1}}},
        {"status": "success", "data": {"resultType": "vector", "result": [{"metric": {}, "value": [1e300, "1"]}]}},
        b"<html>",
    ],
)
async def test_what_is_no_answer_of_prometheus_is_told_as_such(body: object) -> None:
    with pytest.raises(ReadFailed) as error:
        await answered(body)

    assert error.value.kind is FailureKind.UNREADABLE


async def test_more_points_than_a_series_may_have_are_not_asked_for() -> None:
    async with asking(lambda _: Answer(status=500)) as (asker, served):
        with pytest.raises(ReadFailed) as error:
            await PrometheusReader(asker).range("up", start=NOW - timedelta(days=10), end=NOW, step_s=1)

    assert (error.value.kind, served.asked) == (FailureKind.BAD_REQUEST, [])


@pytest.fixture
def installed() -> None:
    if not prometheus_installed():
        pytest.skip("no Prometheus is installed (apt-get install prometheus)")


@pytest.fixture
async def real(tmp_path: Path, installed: None) -> AsyncIterator[PrometheusReader]:  # noqa: ARG001 - skips
    (tmp_path / "metrics.om").write_text(SAMPLES)
    async with recorded_metrics(tmp_path / "metrics.om", SystemClock()) as reader:
        assert reader
        yield reader


@pytest.mark.usefixtures("no_blocking")
async def test_a_real_one_computes_what_was_recorded(real: PrometheusReader) -> None:
    rate = await real.instant('rate(requests_total{app="web"}[2m])', at=AT)
    window = await real.range('requests_total{app="web"}', start=AT - timedelta(seconds=60), end=AT, step_s=30)
    nothing = await real.instant('requests_total{app="other"}', at=AT)
    no_number = await real.instant('limits{app="web"} / limits{app="web"}', at=AT)

    assert [(dict(each.labels), each.values) for each in rate.series] == [({"app": "web", "code": "200"}, ((AT, 1.0),))]
    assert [value for _, value in window.series[0].values] == [100.0, 100.0, 160.0]
    assert (nothing.series, no_number.series) == ((), ())
    with pytest.raises(ReadFailed) as error:
        await real.instant("sum(rate(", at=AT)
    assert (error.value.kind, "parse error" in error.value.detail) == (FailureKind.BAD_REQUEST, True)


@pytest.mark.usefixtures("installed")
async def test_metrics_that_cannot_be_loaded_are_told(tmp_path: Path) -> None:
    (tmp_path / "metrics.om").write_text("no metrics\n")
    with pytest.raises(PrometheusFailed):
        async with recorded_metrics(tmp_path / "metrics.om", SystemClock()):
            pass


async def test_without_metrics_there_is_no_server(tmp_path: Path) -> None:
    async with recorded_metrics(tmp_path / "metrics.om", SystemClock()) as reader:
        assert reader is None
