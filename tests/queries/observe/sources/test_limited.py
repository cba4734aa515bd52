"""A run is held to its limits, whatever it reads; what fails again and again is left alone by all runs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ClusterSources, Listed, LogRead, ObjectKind
from queries.observe.sources.kubernetes.reader import KubernetesReader
from queries.observe.sources.limited import Breakers, ReadLimits, limited
from queries.observe.sources.prometheus import PrometheusReader
from storage.clock import ManualClock, SystemClock
from tests.queries.observe.served import Answer, Question, asking, listed

NOW = datetime(2026, 11, 18, 11, tzinfo=UTC)


@dataclass
class Slow:
    """A reader that counts how many calls are on their way."""

    fails: FailureKind | None = None
    at_once: int = 0
    most_at_once: int = 0
    calls: list[str] = field(default_factory=list)

    async def list(self, kind: ObjectKind, *, namespace: str = "", selector: str = "", most: int = 500) -> Listed:
        self.calls.append(namespace)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0.01)
        self.at_once -= 1
        if self.fails:
            raise ReadFailed(self.fails, namespace)
        return Listed((), f"{kind} {selector} {most}", "")

    async def log(
        self, namespace: str, pod: str, container: str, *, previous: bool = False, lines: int = 500
    ) -> LogRead:
        self.calls.append(f"{namespace} {pod} {container} {previous} {lines}")
        return LogRead(("line",) * (lines // 2), "log", "")

    async def may(self, verb: str, kind: ObjectKind, *, namespace: str = "", subresource: str = "") -> bool:
        self.calls.append(f"{verb} {kind} {namespace} {subresource}")
        return False


async def kinds_of(read: Callable[[str], object], names: list[str]) -> list[FailureKind | None]:
    """Return how each of several readings at once fails."""

    async def kind(name: str) -> FailureKind | None:
        try:
            await read(name)  # type: ignore[misc]
        except ReadFailed as error:
            return error.kind
        return None

    return await asyncio.gather(*map(kind, names))


async def test_a_run_asks_so_often_and_so_much_at_once() -> None:
    slow = Slow()
    run = limited(ClusterSources("c", objects=slow), Breakers(ManualClock()), limits=ReadLimits(requests=10, at_once=3))
    objects = run.sources.objects
    assert objects
    found = await kinds_of(
        lambda name: objects.list(ObjectKind.PODS, namespace=name), [f"n{number}" for number in range(12)]
    )

    assert found.count(None) == 10
    assert found.count(FailureKind.OVER_BUDGET) == 2
    assert (slow.most_at_once, len(slow.calls), run.counted.calls) == (3, 10, 10)


async def test_what_is_asked_again_is_answered_from_what_was_read() -> None:
    slow = Slow()
    run = limited(ClusterSources("c", objects=slow), Breakers(ManualClock()))
    objects = run.sources.objects
    assert objects
    found = await asyncio.gather(*(objects.list(ObjectKind.PODS, namespace="shop") for _ in range(5)))
    allowed = [await objects.may("list", ObjectKind.PODS) for _ in range(2)]

    assert (len({id(each) for each in found}), allowed) == (1, [False, False])
    assert (len(slow.calls), run.counted.calls, run.counted.repeated) == (2, 2, 5)


async def test_a_failure_is_not_asked_for_again() -> None:
    slow = Slow(fails=FailureKind.FORBIDDEN)
    run = limited(ClusterSources("c", objects=slow), Breakers(ManualClock()))
    objects = run.sources.objects
    assert objects
    found = await kinds_of(lambda name: objects.list(ObjectKind.PODS, namespace=name), ["hr", "hr"])

    assert (found, len(slow.calls), run.counted.failed) == ([FailureKind.FORBIDDEN] * 2, 1, 1)


async def test_the_lines_of_a_run_are_counted_and_what_was_not_there_is_given_back() -> None:
    slow = Slow()
    run = limited(ClusterSources("c", objects=slow), Breakers(ManualClock()), limits=ReadLimits(log_lines=1_000))
    objects = run.sources.objects
    assert objects
    read = [len((await objects.log("shop", f"p{number}", "web", lines=800)).lines) for number in range(4)]
    again = len((await objects.log("shop", "p0", "web", lines=800)).lines)

    assert (read, again) == ([400, 300, 150, 75], 400)
    assert sum(read) <= 1_000


async def test_what_fails_again_and_again_is_left_alone_by_all_runs_for_a_while() -> None:
    clock = ManualClock()
    breakers, slow = Breakers(clock, failures=3, open_s=20), Slow(fails=FailureKind.SERVER_ERROR)

    async def asked(*names: str) -> list[FailureKind | None]:
        objects = limited(ClusterSources("c", objects=slow), breakers).sources.objects
        assert objects
        return [
            (await kinds_of(lambda name: objects.list(ObjectKind.PODS, namespace=name), [name]))[0] for name in names
        ]

    first, second = await asked("a", "b", "c", "d"), await asked("a")
    clock.advance(21)
    slow.fails = None
    third = await asked("a", "b")

    assert first == [FailureKind.SERVER_ERROR] * 3 + [FailureKind.RESTING]
    assert (second, third) == ([FailureKind.RESTING], [None, None])


async def test_what_is_refused_for_good_opens_no_breaker() -> None:
    slow = Slow(fails=FailureKind.FORBIDDEN)
    run = limited(ClusterSources("c", objects=slow), Breakers(ManualClock(), failures=2))
    objects = run.sources.objects
    assert objects
    found = await kinds_of(lambda name: objects.list(ObjectKind.PODS, namespace=name), list("abcdef"))

    assert found == [FailureKind.FORBIDDEN] * 6


async def test_pages_and_second_tries_are_requests_of_the_run() -> None:
    def answers(asked: Question) -> Answer:
        if "flaky" in asked.path:
            return Answer(status=503)
        return listed("a", after=f"{asked.query.get('continue', '')}x")

    async with asking(answers) as (asker, served):
        sources = ClusterSources("c", objects=KubernetesReader(asker))
        run = limited(sources, Breakers(SystemClock()), limits=ReadLimits(requests=5))
        assert run.sources.objects
        with pytest.raises(ReadFailed) as flaky:
            await run.sources.objects.list(ObjectKind.PODS, namespace="flaky")
        pages = await run.sources.objects.list(ObjectKind.PODS, namespace="shop")

    assert flaky.value.kind is FailureKind.SERVER_ERROR
    assert (len(pages.objects), pages.complete) == (3, False)
    assert (len(served.asked), run.counted.requests) == (5, 5)


async def test_metrics_are_within_the_same_limits() -> None:
    empty = Answer({"status": "success", "data": {"resultType": "vector", "result": []}})
    async with asking(lambda _: empty) as (asker, served):
        sources = ClusterSources("c", metrics=PrometheusReader(asker))
        run = limited(sources, Breakers(SystemClock()), limits=ReadLimits(requests=2))
        metrics = run.sources.metrics
        assert metrics
        found = await kinds_of(lambda query: metrics.instant(query, at=NOW), ["a", "b", "a", "c"])

    assert (found.count(None), found.count(FailureKind.OVER_BUDGET), len(served.asked)) == (3, 1, 2)
