"""Reads metrics from a server that speaks PromQL. Queries are made by templates of ours, never of a person's words."""

import hashlib
import math
from datetime import UTC, datetime

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import MeasuredSeries, MetricRead
from queries.observe.sources.asking import HttpAsker, Outgoing
from storage.ids import JsonObject, JsonValue

#: Prometheus refuses more points in one series.
MOST_POINTS = 11_000
_MOST_SERIES = 2_000
_TIMEOUT = "4s"


class PrometheusReader:
    """Metrics of one server."""

    def __init__(self, asker: HttpAsker) -> None:
        self._asker = asker

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        """Return each series' value; what is not a finite number (0/0) is no value."""
        return await self._read("/api/v1/query", query, (("time", _time(at)),))

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        """Return each series' values over a window; raise `ReadFailed` of BAD_REQUEST for more than 11,000 points."""
        if step_s <= 0 or (end - start).total_seconds() / step_s > MOST_POINTS:
            raise ReadFailed(FailureKind.BAD_REQUEST, query, detail=f"more than {MOST_POINTS} points in a series")
        window = (("start", _time(start)), ("end", _time(end)), ("step", f"{step_s:g}"))
        return await self._read("/api/v1/query_range", query, window)

    async def _read(self, path: str, query: str, when: tuple[tuple[str, str], ...]) -> MetricRead:
        form = (("query", query), *when, ("timeout", _TIMEOUT))
        answer, body = await self._asker.json(Outgoing(path, method="POST", form=form, words=query))
        return metrics_in(answer, query, sha256=hashlib.sha256(body).hexdigest())


def metrics_in(answer: JsonObject, query: str, *, sha256: str) -> MetricRead:
    """Return what an answer in Prometheus' form holds; raise `ReadFailed` of UNREADABLE."""
    data = answer.get("data")
    if answer.get("status") != "success" or not isinstance(data, dict):
        raise ReadFailed(FailureKind.UNREADABLE, query, detail="the answer is not Prometheus' form")
    result = data.get("result")
    try:
        if data.get("resultType") == "scalar":
            found = [_series({}, [result])]
        else:
            found = [_measured(each) for each in _listed(result)[:_MOST_SERIES]]
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise ReadFailed(FailureKind.UNREADABLE, query, detail="the answer holds no series") from error
    cut = isinstance(result, list) and len(result) > _MOST_SERIES
    partial = cut or bool(answer.get("warnings")) or answer.get("isPartial") is True
    return MetricRead(tuple(each for each in found if each.values), query, sha256, partial=partial)


def _listed(given: JsonValue) -> list[JsonValue]:
    if not isinstance(given, list):
        raise TypeError("no list")
    return given


def _measured(given: JsonValue) -> MeasuredSeries:
    if not isinstance(given, dict) or not isinstance(labels := given["metric"], dict):
        raise TypeError("no series")
    values = _listed(given.get("values", [given["value"]] if "value" in given else []))
    return _series({name: str(value) for name, value in labels.items()}, values)


def _series(labels: dict[str, str], pairs: list[JsonValue]) -> MeasuredSeries:
    values = []
    for pair in pairs:
        if not isinstance(pair, list) or not isinstance(pair[0], int | float):
            raise TypeError("no time with a value")
        value = float(str(pair[1]))
        if math.isfinite(value):
            values.append((datetime.fromtimestamp(pair[0], tz=UTC), value))
    return MeasuredSeries(labels, tuple(values))


def _time(at: datetime) -> str:
    return f"{at.timestamp():.3f}"
