"""A kubemin server is read for one tenant and one app at a time, whatever form its pods have."""

from datetime import UTC, datetime

import pytest

from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ClusterSources, ObjectKind
from queries.observe.setup.checking import examine
from queries.observe.setup.opening import OpenCluster
from queries.observe.sources.asking import Presented
from queries.observe.sources.kubemin import KubeminMetrics, KubeminReader
from queries.observe.sources.limited import Breakers
from storage.clock import SystemClock
from tests.queries.observe.served import Answer, Question, asking

SIMPLE = {
    "name": "web-0", "status": "Running", "node": "n1", "createdAt": "2026-11-18T10:00:00Z",
    "containers": [{
        "name": "web", "image": "web:1", "ready": False, "restartCount": 3, "reason": "CrashLoopBackOff",
        "lastReason": "OOMKilled", "lastExitCode": 137,
    }],
}  # fmt: skip
WHOLE = {"metadata": {"name": "web-0", "namespace": "shop"}, "status": {"phase": "Running"}}


class Tenant:
    async def present(self, *, again: bool = False) -> Presented:  # noqa: ARG002 - the port's
        return Presented({"x-tenant-id": "acme"})


def answers(asked: Question) -> Answer:
    if asked.path.endswith("/logs"):
        return Answer(b"2026-11-18T10:00:00Z one\n")
    if asked.path.endswith("/query"):
        result = [{"metric": {"pod": "web-0"}, "value": [1_795_000_000, "2"]}]
        return Answer({"code": 0, "data": {"status": "success", "data": {"resultType": "vector", "result": result}}})
    return Answer([SIMPLE])


@pytest.mark.parametrize(
    "body", [[WHOLE], {"items": [WHOLE]}, {"data": [WHOLE]}, {"code": 0, "data": {"items": [WHOLE]}}]
)
async def test_pods_of_kubernetes_are_taken_as_they_are(body: object) -> None:
    async with asking(lambda _: Answer(body)) as (asker, _):
        found = await KubeminReader(asker).list(ObjectKind.PODS, namespace="shop", selector="app=web")

    assert found.objects == (WHOLE,)


async def test_simple_pods_become_pods_of_kubernetes() -> None:
    async with asking(answers) as (asker, _):
        (pod,) = (await KubeminReader(asker).list(ObjectKind.PODS, namespace="shop", selector="app=web")).objects

    assert pod["metadata"] == {"name": "web-0", "namespace": "shop", "creationTimestamp": "2026-11-18T10:00:00Z"}
    assert pod["status"] == {"phase": "Running", "containerStatuses": [{
        "name": "web", "image": "web:1", "ready": False, "restartCount": 3,
        "state": {"waiting": {"reason": "CrashLoopBackOff"}},
        "lastState": {"terminated": {"reason": "OOMKilled", "exitCode": 137}},
    }]}  # fmt: skip


async def test_each_request_has_tenant_and_app() -> None:
    async with asking(answers, credentials=Tenant()) as (asker, served):
        reader = KubeminReader(asker)
        await reader.list(ObjectKind.PODS, namespace="shop", selector="app=web")
        log = await reader.log("shop", "web-0", "web", lines=9)
        query = 'sum(rate(x_total{namespace="shop",app="web"}[5m]))'
        read = await KubeminMetrics(asker).instant(query, at=datetime(2026, 11, 18, tzinfo=UTC))
    scopes = {(each.headers["x-tenant-id"], each.query["namespace"], each.query["appId"]) for each in served.asked}

    assert (scopes, log.lines, read.series[0].values[0][1]) == (
        {("acme", "shop", "web")},
        ("2026-11-18T10:00:00Z one",),
        2,
    )
    assert [each.path for each in served.asked] == [
        "/api/v1/observability/pods", "/api/v1/observability/pods/web-0/logs", "/api/v1/observability/prom/query"
    ]  # fmt: skip
    assert (served.asked[1].query["tailLines"], served.asked[2].query["expr"]) == ("9", query)


async def test_what_it_cannot_tell_is_said_and_not_asked() -> None:
    kinds = []
    async with asking(answers) as (asker, served):
        reader = KubeminReader(asker)
        for asked in (
            lambda: reader.list(ObjectKind.EVENTS, namespace="shop"),
            lambda: reader.list(ObjectKind.PODS, namespace="shop"),
            lambda: reader.list(ObjectKind.PODS, namespace="../hr", selector="app=web"),
            lambda: reader.log("shop", "of-another-app", "web"),
        ):
            with pytest.raises(ReadFailed) as error:
                await asked()
            kinds.append(error.value.kind)

    assert served.asked == []
    assert kinds == [FailureKind.NOT_SET_UP, FailureKind.BAD_REQUEST, FailureKind.BAD_REQUEST, FailureKind.NOT_FOUND]


async def test_a_check_asks_it_once_and_tells_what_it_has_not() -> None:
    async with asking(answers) as (asker, served):
        cluster = OpenCluster(ClusterSources("km", objects=KubeminReader(asker)), Breakers(SystemClock()))
        found = await examine(cluster, ["shop"], now=datetime.now(UTC))

    assert {each.path for each in served.asked} == {"/api/v1/observability/pods"}
    assert [(each.what, each.ok) for each in found] == [
        ("answers", True), ("tells of pods and their logs only", False), ("may change nothing", True)
    ]  # fmt: skip


async def test_a_check_says_that_a_token_is_not_taken() -> None:
    async with asking(lambda _: Answer({}, 401)) as (asker, _):
        cluster = OpenCluster(ClusterSources("km", objects=KubeminReader(asker)), Breakers(SystemClock()))
        (found,) = await examine(cluster, ["shop"], now=datetime.now(UTC))

    assert (found.what, found.ok) == ("answers", False)
    assert found.detail.startswith("unauthorized")
