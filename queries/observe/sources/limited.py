"""Holds a run to its limits, whatever it reads: requests in all and at once, lines of logs, nothing asked twice.

A source that fails again and again is left alone for a while, by all runs: its breaker outlives them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from queries.observe.errors import RETRYABLE, FailureKind, ReadFailed
from queries.observe.reading import (
    ClusterSources,
    Listed,
    LogRead,
    LogSearch,
    MetricRead,
    MetricReader,
    ObjectKind,
    ObjectReader,
)
from queries.observe.sources.allowance import Allowance, paid_by
from storage.breaker import Breaker
from storage.clock import Clock

T = TypeVar("T", Listed, LogRead, MetricRead, bool)
Answer = Listed | LogRead | MetricRead | bool | ReadFailed


@dataclass(frozen=True)
class ReadLimits:
    """What one run may ask."""

    requests: int = 30
    at_once: int = 6
    log_lines: int = 5_000


@dataclass
class Counted:
    """What a run has asked so far."""

    calls: int = 0  # that went to a source
    repeated: int = 0  # that were answered from what was read before
    failed: int = 0
    requests: int = 0  # over the network, with pages and second tries


class Breakers:
    """One breaker for each source of a cluster, shared by all runs."""

    def __init__(self, clock: Clock, *, failures: int = 5, open_s: float = 20.0) -> None:
        self._clock = clock
        self._failures = failures
        self._open_s = open_s
        self._breakers: dict[str, Breaker] = {}

    def of(self, source: str) -> Breaker:
        """Return the breaker of a source."""
        if source not in self._breakers:
            self._breakers[source] = Breaker(self._clock, failures=self._failures, open_s=self._open_s)
        return self._breakers[source]


@dataclass(frozen=True)
class LimitedSources:
    """Sources for one run, and the count of what it asked of them."""

    sources: ClusterSources
    counted: Counted


def limited(sources: ClusterSources, breakers: Breakers, *, limits: ReadLimits | None = None) -> LimitedSources:
    """Return the sources within the limits of one run; a call past them raises `ReadFailed` of OVER_BUDGET."""
    run = _Run(limits or ReadLimits(), breakers)
    within = replace(
        sources,
        objects=_LimitedObjects(sources.objects, run) if sources.objects else None,
        metrics=_LimitedMetrics(sources.metrics, run) if sources.metrics else None,
        logs=_LimitedLogs(sources.logs, run) if sources.logs else None,
    )
    return LimitedSources(within, run.counted)


@dataclass(frozen=True)
class _ReaderCall:
    """One call of a reader; those that are equal are asked once."""

    source: str
    method: str
    arguments: tuple[object, ...]

    @property
    def words(self) -> str:
        return f"{self.method} {' '.join(str(each) for each in self.arguments if each != '')}"


class _Run:
    """The limits of one run, with what it has read."""

    def __init__(self, limits: ReadLimits, breakers: Breakers) -> None:
        self.counted = Counted()
        self.lines_left = limits.log_lines
        self._allowance = Allowance(limits.requests)
        self._at_once = asyncio.Semaphore(limits.at_once)
        self._breakers = breakers
        self._answers: dict[_ReaderCall, Answer] = {}
        self._turns: dict[_ReaderCall, asyncio.Lock] = {}

    async def ask(self, asked: _ReaderCall, send: Callable[[], Awaitable[T]], kind: type[T]) -> T:
        """Return the answer, sent for once; raise `ReadFailed`, the same each time."""
        async with self._turns.setdefault(asked, asyncio.Lock()):
            found = self._answers.get(asked)
            if found is None:
                found = self._answers[asked] = await self._sent(asked, send)
            else:
                self.counted.repeated += 1
        if isinstance(found, ReadFailed):
            raise found
        assert isinstance(found, kind)  # noqa: S101 - the key holds the method, and so the type
        return found

    async def _sent(self, asked: _ReaderCall, send: Callable[[], Awaitable[T]]) -> T | ReadFailed:
        async with self._at_once:
            breaker = self._breakers.of(asked.source)
            if not breaker.admits():
                return ReadFailed(FailureKind.RESTING, asked.words)
            if not self._allowance.take():
                return ReadFailed(FailureKind.OVER_BUDGET, asked.words)
            self.counted.calls += 1
            try:
                with paid_by(self._allowance):
                    answer = await send()
            except ReadFailed as error:
                self.counted.failed += 1
                if error.kind in RETRYABLE:
                    breaker.failed()
                else:  # it answers, if not as hoped
                    breaker.succeeded()
                return error
            finally:
                self.counted.requests = self._allowance.used
            breaker.succeeded()
            return answer

    async def lines(self, asked: _ReaderCall, send: Callable[[int], Awaitable[LogRead]], *, wanted: int) -> LogRead:
        """Return lines of a log, as many as the run has left at most."""
        granted = min(wanted, self.lines_left)
        if granted <= 0 and asked not in self._answers:
            raise ReadFailed(FailureKind.OVER_BUDGET, asked.words)
        known = asked in self._answers
        self.lines_left -= 0 if known else granted
        came = 0
        try:
            read = await self.ask(asked, lambda: send(granted), LogRead)
            came = len(read.lines)
        finally:
            self.lines_left += 0 if known else granted - came
        return read


@dataclass(frozen=True)
class _LimitedObjects:
    reader: ObjectReader
    run: _Run

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        asked = _ReaderCall("kubernetes", "list", (kind, namespace, selector, most))
        return await self.run.ask(
            asked, lambda: self.reader.list(kind, namespace=namespace, selector=selector, most=most), Listed
        )

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        asked = _ReaderCall("kubernetes", "log", (namespace, pod, container, previous, lines))
        return await self.run.lines(
            asked,
            lambda granted: self.reader.log(namespace, pod, container, previous=previous, lines=granted),
            wanted=lines,
        )

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        asked = _ReaderCall("kubernetes", "may", (verb, kind, namespace, subresource))
        return await self.run.ask(
            asked, lambda: self.reader.may(verb, kind, namespace=namespace, subresource=subresource), bool
        )


@dataclass(frozen=True)
class _LimitedMetrics:
    reader: MetricReader
    run: _Run

    async def instant(self, query: str, *, at: datetime) -> MetricRead:
        asked = _ReaderCall("prometheus", "instant", (query, at))
        return await self.run.ask(asked, lambda: self.reader.instant(query, at=at), MetricRead)

    async def range(self, query: str, *, start: datetime, end: datetime, step_s: float) -> MetricRead:
        asked = _ReaderCall("prometheus", "range", (query, start, end, step_s))
        return await self.run.ask(
            asked, lambda: self.reader.range(query, start=start, end=end, step_s=step_s), MetricRead
        )


@dataclass(frozen=True)
class _LimitedLogs:
    reader: LogSearch
    run: _Run

    async def search(self, namespace: str, app: str, *, start: datetime, end: datetime, lines: int = 500) -> LogRead:
        asked = _ReaderCall("logs", "search", (namespace, app, start, end, lines))
        return await self.run.lines(
            asked,
            lambda granted: self.reader.search(namespace, app, start=start, end=end, lines=granted),
            wanted=lines,
        )
