"""Keeps what a run reads, in a folder that can be served again, so that an incident becomes a test.

Secrets are taken out before anything is written. Put it below the limits of the run: `limited(recorder.sources, ...)`.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

from queries.observe.errors import ReadFailed
from queries.observe.reading import ClusterSources, Listed, LogRead, MetricRead, MetricReader, ObjectKind, ObjectReader
from queries.observe.report.report import DiagnosisRequest
from queries.observe.sources.kubernetes.paths import GROUPS, list_path, log_path
from queries.observe.sources.recorded import measured
from queries.observe.sources.recorded.api import failure
from queries.observe.sources.recorded.openmetrics import raw_selectors, written
from storage.ids import JsonObject, JsonValue
from storage.redaction.stored import MARK, redact, redact_json

#: How far before the moment of the question metrics are kept.
_METRICS_S = 7_200
_MOST_SELECTORS = 60


@dataclass(frozen=True)
class _ReadAnswer:
    """One answer, or the failure in its place, with the request that a server would have had."""

    path: str
    query: Mapping[str, str]
    name: str  # of its file, without an ending
    answer: Listed | LogRead | ReadFailed


class Recorder:
    """Sources that remember what they gave, and write it down."""

    def __init__(self, sources: ClusterSources) -> None:
        self._metrics = sources.metrics
        self._read: list[_ReadAnswer] = []
        self._measured: list[measured.KeptAnswer] = []
        self.sources = replace(
            sources,
            objects=_RecordedObjects(sources.objects, self._read) if sources.objects else None,
            metrics=_RecordedMetrics(sources.metrics, self._measured) if sources.metrics else None,
        )

    async def save(self, folder: Path, asked: DiagnosisRequest) -> None:
        """Write all that was read into a folder, which may not hold another recording. Logs of a search are left out.

        Raise OSError where it cannot be written, FileExistsError when there is a recording already.
        """
        metrics = await self._raw(asked.now)
        await asyncio.to_thread(self._write, folder, asked, metrics)

    async def _raw(self, at: datetime) -> list[MetricRead]:
        """Return the samples that the queries were computed from, so that they can be computed again."""
        selectors = sorted({each for kept in self._measured for each in raw_selectors(kept.query)})[:_MOST_SELECTORS]
        found = []
        for selector in selectors if self._metrics else ():
            try:
                assert self._metrics  # noqa: S101 - the loop runs only where there is one
                found.append(await self._metrics.instant(f"{selector}[{_METRICS_S}s]", at=at))
            except ReadFailed:
                continue  # the recording holds what could be read
        return found

    def _write(self, folder: Path, asked: DiagnosisRequest, metrics: list[MetricRead]) -> None:
        (folder / "logs").mkdir(parents=True, exist_ok=True)
        if (folder / "requests.json").exists():
            raise FileExistsError(f"{folder} holds a recording already")
        requests, names = [], set[str]()
        for read in self._read:
            ending = ".error.json" if isinstance(read.answer, ReadFailed) else _ENDINGS[type(read.answer)]
            name = next(each for each in _numbered(read.name) if f"{each}{ending}" not in names) + ending
            names.add(name)
            status, content_type, body = _body(read)
            (folder / name).write_bytes(body)
            requests.append(
                {
                    "method": "GET",
                    "path": read.path,
                    "query": dict(read.query),
                    "status": status,
                    "content_type": content_type,
                    "file": name,
                }
            )
        if text := written(metrics):
            (folder / "metrics.om").write_text(text, encoding="utf-8")
        if self._measured:
            (folder / measured.FILE).write_text(measured.written(self._measured), encoding="utf-8")
        (folder / "expected.yaml").write_text(_expected(asked), encoding="utf-8")
        (folder / "requests.json").write_text(json.dumps(requests, indent=1), encoding="utf-8")


_ENDINGS = {Listed: ".json", LogRead: ".txt"}


@dataclass(frozen=True)
class _RecordedObjects:
    reader: ObjectReader
    read: "list[_ReadAnswer]"

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        query = {"labelSelector": selector} if selector else {}
        try:
            answer = await self.reader.list(kind, namespace=namespace, selector=selector, most=most)
        except ReadFailed as error:
            self.read.append(_ReadAnswer(list_path(kind, namespace), query, str(kind), error))
            raise
        self.read.append(_ReadAnswer(list_path(kind, namespace), query, str(kind), answer))
        return answer

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        query = {"container": container, "timestamps": "true", "tailLines": str(lines)}
        query |= {"previous": "true"} if previous else {}
        path, name = log_path(namespace, pod), f"logs/{pod}__{container}{'__previous' if previous else ''}"
        try:
            answer = await self.reader.log(namespace, pod, container, previous=previous, lines=lines)
        except ReadFailed as error:
            self.read.append(_ReadAnswer(path, query, name, error))
            raise
        self.read.append(_ReadAnswer(path, query, name, answer))
        return answer

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        return await self.reader.may(verb, kind, namespace=namespace, subresource=subresource)


@dataclass(frozen=True)
class _RecordedMetrics:
    reader: MetricReader
    kept: "list[measured.KeptAnswer]"

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        answer = await self.reader.instant(query, at=at)
        self.kept.append(measured.KeptAnswer(query, at, answer))
        return answer

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        answer = await self.reader.range(query, start=start, end=end, step_s=step_s)
        self.kept.append(measured.KeptAnswer(query, end, answer, start, step_s))
        return answer


def _numbered(name: str) -> Iterator[str]:
    return (f"{name}-{number}" if number > 1 else name for number in count(1))


def _body(read: _ReadAnswer) -> tuple[int, str, bytes]:
    """Return status, type and bytes as a server would have sent them, without secrets."""
    match read.answer:
        case Listed(objects=objects, complete=complete):
            # A list that goes on names a next page, which the recording then does not hold.
            metadata: JsonObject = {} if complete else {"continue": "not-recorded"}
            items: list[JsonValue] = [redact_json(_without_values(each)) for each in objects]
            kind: JsonObject = {"kind": "List", "apiVersion": _version(read.path), "metadata": metadata, "items": items}
            return 200, "application/json", json.dumps(kind, ensure_ascii=False).encode()
        case LogRead(lines=lines):
            return 200, "text/plain", redact("".join(f"{line}\n" for line in lines)).encode()
        case ReadFailed() as error:
            status = error.status or 503  # no answer came: a server that cannot be reached is what stands for it
            body = failure(status, redact(error.detail), reason=str(error.kind)).body
            return status, "application/json", body


def _without_values(value: JsonValue) -> JsonValue:
    """Return an object without the values of its environment variables, any of which may be a secret."""
    if isinstance(value, dict):
        return {
            name: [_without_value(each) for each in item]
            if name == "env" and isinstance(item, list)
            else _without_values(item)
            for name, item in value.items()
        }
    return [_without_values(each) for each in value] if isinstance(value, list) else value


def _without_value(variable: JsonValue) -> JsonValue:
    return {**variable, "value": MARK} if isinstance(variable, dict) and variable.get("value") else variable


def _version(path: str) -> str:
    return next((group for group in GROUPS.values() if path.startswith(f"/apis/{group}/")), "v1")


def _expected(asked: DiagnosisRequest) -> str:
    """Return what was asked, in the form in which a case says what is expected; that is for a person to add."""
    given = {
        "question": redact(asked.question),
        "language": asked.language,
        "namespace": asked.namespace,
        "app": asked.app,
        "selector": asked.selector,
        "pod": asked.pod,
        "window_s": asked.window_s,
        "now": asked.now.isoformat(),
        "severity": None,
        "findings": [],
    }
    head = "# Recorded. Say what is expected: severity, findings (rule, object, role), must_not_report_as_cause.\n"
    return head + "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in given.items())
