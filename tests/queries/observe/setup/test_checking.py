"""`observe check` says what can be read and what is missing, and the least RBAC that mends it; `apps draft` drafts."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from queries.observe.config import ObserveConfig
from queries.observe.reading import ClusterSources, ObjectKind
from queries.observe.setup.checking import SourceCheck, examine
from queries.observe.setup.drafting import draft_apps
from queries.observe.setup.opening import OpenCluster
from queries.observe.setup.reading import parse_clusters
from queries.observe.setup.rights import EVERYWHERE, least_rbac, namespaces_of
from queries.observe.sources.kubernetes.reader import KubernetesReader
from queries.observe.sources.limited import Breakers
from queries.observe.sources.prometheus import PrometheusReader
from storage.clock import SystemClock
from tests.queries.observe.served import Answer, Question, asking

NOW = datetime(2026, 11, 18, 11, tzinfo=UTC)


def allowing(denied: Callable[[Mapping[str, str]], bool]) -> Callable[[Question], Answer]:
    """Return a cluster that allows reading, but for what is denied."""

    def answers(asked: Question) -> Answer:
        wanted = json.loads(asked.body)["spec"]["resourceAttributes"]
        return Answer({"status": {"allowed": wanted["verb"] != "delete" and not denied(wanted)}}, 201)

    return answers


async def checks(answers: Callable[[Question], Answer], *namespaces: str) -> tuple[SourceCheck, ...]:
    async with asking(answers) as (asker, _):
        cluster = OpenCluster(ClusterSources("prod", objects=KubernetesReader(asker)), Breakers(SystemClock()))
        return await examine(cluster, namespaces, now=NOW)


def missing(found: tuple[SourceCheck, ...]) -> set[tuple[str, bool]]:
    return {(each.what, each.needed) for each in found if not each.ok}


async def test_an_account_with_the_least_rights_lacks_nothing() -> None:
    found = await checks(allowing(lambda _: False), "shop")

    assert missing(found) == set()
    assert len(found) == 3


async def test_each_missing_right_is_named_with_its_place() -> None:
    def denied(wanted: Mapping[str, str]) -> bool:
        return wanted["resource"] == "nodes" or (wanted["resource"] == "pods" and wanted.get("namespace") == "pay")

    found = await checks(allowing(denied), "shop", "pay")

    assert missing(found) == {
        ("may not list pods in pay", True),
        ("may not get pods/log in pay", True),
        ("may not list nodes in the whole cluster", False),
    }
    assert {each.mend for each in found if not each.ok} == {least_rbac(("shop", "pay"))}


async def test_an_account_that_may_write_is_told() -> None:
    found = await checks(lambda _: Answer({"status": {"allowed": True}}, 201), "shop")

    assert missing(found) == {("may change nothing", False)}


@pytest.mark.parametrize(("status", "told"), [(401, "unauthorized"), (403, "forbidden"), (404, "not found")])
async def test_a_cluster_that_does_not_say_is_one_finding(status: int, told: str) -> None:
    (found,) = await checks(lambda _: Answer({"message": "no"}, status), "shop")

    assert (found.ok, found.needed, found.detail, bool(found.mend)) == (False, True, f"{told}: no", True)


async def test_a_prometheus_without_metrics_of_pods_is_told() -> None:
    empty = Answer({"status": "success", "data": {"resultType": "vector", "result": []}})
    async with asking(lambda _: empty) as (asker, _):
        cluster = OpenCluster(ClusterSources("prod", metrics=PrometheusReader(asker)), Breakers(SystemClock()))
        (found,) = await examine(cluster, [EVERYWHERE], now=NOW)

    assert (found.source, found.ok, found.needed) == ("prometheus", False, False)
    assert "kube-state-metrics" in found.mend


def test_the_least_rbac_allows_what_is_read_and_nothing_else() -> None:
    documents = list(yaml.safe_load_all(least_rbac(("shop", "pay"))))
    roles = [each for each in documents if each["kind"] == "ClusterRole"]
    rules = [rule for role in roles for rule in role["rules"]]
    resources = {name for rule in rules for name in rule["resources"]}
    bound = {
        (each["kind"], each["metadata"].get("namespace"), each["roleRef"]["name"])
        for each in documents
        if "Binding" in each["kind"]
    }

    assert resources == {*map(str, ObjectKind), "pods/log"}
    assert {verb for rule in rules for verb in rule["verbs"]} == {"get", "list"}
    assert bound == {
        ("ClusterRoleBinding", None, "dutydesk-read-cluster"),
        ("RoleBinding", "shop", "dutydesk-read"), ("RoleBinding", "pay", "dutydesk-read"),
    }  # fmt: skip


def config(*namespaces: str) -> ObserveConfig:
    return parse_clusters(json.dumps({
        "clusters": {"prod": {"prometheus": {"url": "http://m"}}, "other": {"prometheus": {"url": "http://m"}}},
        "scopes": [{"to": ["staff"], "clusters": ["prod"], "namespaces": namespaces}],
        "apps": {"web": {"cluster": "prod", "namespace": "web", "labels": {"app": "web"}}},
    }), Path("clusters.yaml"))  # fmt: skip


def test_rights_are_asked_for_where_somebody_may_look() -> None:
    assert namespaces_of(config("shop"), "prod") == ("shop", "web")
    assert namespaces_of(config("shop-*"), "prod") == (EVERYWHERE,)
    assert namespaces_of(config("shop"), "other") == (EVERYWHERE,)


async def test_the_directory_is_drafted_from_what_runs() -> None:
    def workload(name: str, namespace: str, **labels: str) -> Mapping[str, object]:
        return {
            "metadata": {"name": name, "namespace": namespace, "annotations": {"team": 'Läden: "A"\n# x'}},
            "spec": {"selector": {"matchLabels": labels}},
        }

    def answers(asked: Question) -> Answer:
        if not asked.path.endswith("/deployments"):
            return Answer({"metadata": {}, "items": []})
        return Answer({"metadata": {}, "items": [
            workload("order-api", "shop", app="order-api"), workload("order-api", "staging", app="order-api", env="s"),
            workload("proxy", "kube-system", app="proxy"), workload("nameless", "shop"),
            workload("on", "shop", app="on"),
        ]})  # fmt: skip

    async with asking(answers) as (asker, _):
        text = await draft_apps(KubernetesReader(asker), "prod", [EVERYWHERE])
    apps = parse_clusters(f"clusters: {{prod: {{prometheus: {{url: 'http://m'}}}}}}\n{text}", Path("c.yaml")).apps

    assert set(apps) == {"order-api", "staging-order-api", "on"}
    assert (apps["staging-order-api"].namespace, dict(apps["staging-order-api"].labels)) == (
        "staging", {"app": "order-api", "env": "s"}
    )  # fmt: skip
    assert (apps["on"].title.en, apps["on"].team) == ("on", 'Läden: "A"\n# x')
