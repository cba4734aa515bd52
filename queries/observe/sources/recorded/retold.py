"""What the sources told one run, kept beside its report, so that the report can be made again with none asked.

Unlike a recording it holds the answers as the run had them, failures too, after every limit. Secrets are taken out.
"""

import asyncio
import json
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import TypeVar, assert_never, cast

from pydantic import TypeAdapter

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ClusterSources, Listed, LogRead, MetricRead, ObjectKind
from storage.ids import JsonObject, JsonValue
from storage.redaction.stored import MARK, redact, redact_json

#: Stands for each secret of a log, and is taken for one again: that a log holds secrets is a finding.
_STAND_IN = "AKIA" + "X" * 16
AnswerT = TypeVar("AnswerT", Listed, LogRead, MetricRead)


@dataclass(frozen=True)
class ToldFailure:
    """That a source gave no answer."""

    kind: FailureKind
    request: str
    status: int = 0
    detail: str = ""


ToldAnswer = Listed | LogRead | MetricRead | ToldFailure


@dataclass(frozen=True)
class ToldByCluster:
    """The answers of one run by what was asked, and which kinds of source there were."""

    cluster: str
    objects: bool
    metrics: bool
    logs: bool
    answers: dict[str, ToldAnswer] = field(default_factory=dict)


class AnswerKeeper:
    """Sources that keep what they tell. Put it above the limits of the run, so that it hears what the run hears."""

    def __init__(self, sources: ClusterSources) -> None:
        self._told = ToldByCluster(
            sources.cluster, sources.objects is not None, sources.metrics is not None, sources.logs is not None
        )
        self.sources = _asking(self._told, _Through(sources, self._told.answers))

    def written(self) -> bytes:
        """Return all that was told, compressed and without secrets."""
        hidden: dict[str, str] = {}
        answers = {asked: _without_secrets(answer, hidden) for asked, answer in self._told.answers.items()}
        form = _adapter().dump_python(replace(self._told, answers=answers), mode="json")
        return zlib.compress(json.dumps(form, ensure_ascii=False).encode())


def retelling(written: bytes) -> ClusterSources:
    """Return sources that tell the same again, and nothing else."""
    told = _adapter().validate_python(json.loads(zlib.decompress(written)))
    return _asking(told, _Again(told.answers))


@cache
def _adapter() -> TypeAdapter[ToldByCluster]:
    return TypeAdapter(ToldByCluster)


def _asking(told: ToldByCluster, way: "_Through | _Again") -> ClusterSources:
    return ClusterSources(
        told.cluster,
        objects=_Objects(way) if told.objects else None,
        metrics=_Metrics(way) if told.metrics else None,
        logs=_Logs(way) if told.logs else None,
    )


@dataclass(frozen=True)
class _Through:
    """Asks the sources, and keeps the answer."""

    sources: ClusterSources
    answers: dict[str, ToldAnswer]

    async def ask(
        self, asked: str, kind: type[AnswerT], read: Callable[[ClusterSources], Awaitable[AnswerT]]
    ) -> AnswerT:
        del kind
        try:
            answer = await read(self.sources)
        except ReadFailed as error:
            self.answers.setdefault(asked, ToldFailure(error.kind, error.request, error.status, error.detail))
            raise
        except asyncio.CancelledError:  # the run waited no longer
            self.answers.setdefault(asked, ToldFailure(FailureKind.TIMED_OUT, asked))
            raise
        self.answers.setdefault(asked, answer)
        return answer


@dataclass(frozen=True)
class _Again:
    """Gives the answer that was kept."""

    answers: dict[str, ToldAnswer]

    async def ask(
        self, asked: str, kind: type[AnswerT], read: Callable[[ClusterSources], Awaitable[AnswerT]]
    ) -> AnswerT:
        del read
        answer = self.answers.get(asked, ToldFailure(FailureKind.NOT_RECORDED, asked))
        if isinstance(answer, kind):
            return answer
        failure = cast("ToldFailure", answer)
        raise ReadFailed(failure.kind, failure.request, detail=failure.detail, status=failure.status)


@dataclass(frozen=True)
class _Objects:
    way: _Through | _Again

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        def read(sources: ClusterSources) -> Awaitable[Listed]:
            assert sources.objects  # noqa: S101 - there is one where this class is used
            return sources.objects.list(kind, namespace=namespace, selector=selector, most=most)

        return await self.way.ask(f"list {kind} {namespace} {selector} {most}", Listed, read)

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        def read(sources: ClusterSources) -> Awaitable[LogRead]:
            assert sources.objects  # noqa: S101 - as above
            return sources.objects.log(namespace, pod, container, previous=previous, lines=lines)

        return await self.way.ask(f"log {namespace} {pod} {container} {previous} {lines}", LogRead, read)

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        """Refuse: a diagnosis asks for no rights."""
        raise ReadFailed(FailureKind.NOT_RECORDED, f"may {verb} {kind} {namespace} {subresource}")


@dataclass(frozen=True)
class _Metrics:
    way: _Through | _Again

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        def read(sources: ClusterSources) -> Awaitable[MetricRead]:
            assert sources.metrics  # noqa: S101 - as above
            return sources.metrics.instant(query, at=at)

        return await self.way.ask(f"instant {at.isoformat()} {query}", MetricRead, read)

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        def read(sources: ClusterSources) -> Awaitable[MetricRead]:
            assert sources.metrics  # noqa: S101 - as above
            return sources.metrics.range(query, start=start, end=end, step_s=step_s)

        return await self.way.ask(f"range {start.isoformat()} {end.isoformat()} {step_s:g} {query}", MetricRead, read)


@dataclass(frozen=True)
class _Logs:
    way: _Through | _Again

    async def search(self, namespace: str, app: str, *, start: datetime, end: datetime, lines: int = 500) -> LogRead:
        def read(sources: ClusterSources) -> Awaitable[LogRead]:
            assert sources.logs  # noqa: S101 - as above
            return sources.logs.search(namespace, app, start=start, end=end, lines=lines)

        asked = f"search {namespace} {app} {start.isoformat()} {end.isoformat()} {lines}"
        return await self.way.ask(asked, LogRead, read)


def _without_secrets(answer: ToldAnswer, hidden: dict[str, str]) -> ToldAnswer:
    match answer:
        case Listed(objects=objects):
            kept = (redact_json(_without_values(each, hidden)) for each in objects)
            return replace(answer, objects=tuple(cast("JsonObject", each) for each in kept))
        case LogRead(lines=lines):
            return replace(answer, lines=tuple(_line(each) for each in lines))
        case ToldFailure(detail=detail):
            return replace(answer, detail=redact(detail))
        case MetricRead():
            return answer
        case _:
            assert_never(answer)


def _line(line: str) -> str:
    clean = redact(line)
    return line if clean == line else clean.replace(MARK, _STAND_IN)


def _without_values(value: JsonValue, hidden: dict[str, str]) -> JsonValue:
    """Return an object without the values of its variables: a number for each, so that a changed one is still seen."""
    if isinstance(value, list):
        return [_without_values(each, hidden) for each in value]
    if not isinstance(value, dict):
        return value
    made = {name: _without_values(item, hidden) for name, item in value.items()}
    variables = made.get("env")
    for each in variables if isinstance(variables, list) else ():
        if isinstance(each, dict) and each.get("value"):
            each["value"] = hidden.setdefault(str(each["value"]), f"{MARK} {len(hidden) + 1}")
    return made
