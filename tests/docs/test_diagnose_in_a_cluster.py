"""`docs/how-to/diagnose-from-inside-a-cluster.md`: its files and the rights it prints do for a diagnosis, and no more."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from queries.observe.config import ObserveConfig
from queries.observe.diagnosis.diagnose import diagnose
from queries.observe.report.report import DiagnosisRequest
from queries.observe.setup import opening
from queries.observe.setup.checking import examine
from queries.observe.setup.opening import OpenCluster, open_clusters
from queries.observe.setup.reading import parse_clusters
from queries.observe.setup.rights import least_rbac, namespaces_of
from storage.clock import SystemClock
from tests.architecture.source import ROOT
from tests.docs.pages import Page
from tests.queries.observe.served import Answer, Question, Served, listening
from tests.queries.observe.setup.certificates import Authority, made

SOURCE = ROOT / "docs" / "how-to" / "diagnose-from-inside-a-cluster.md"
PAGE = Page(SOURCE, SOURCE.read_text(encoding="utf-8"))
CLUSTERS, DEPLOYMENT, TOKEN = PAGE.blocks("yaml")
CONFIG = parse_clusters(CLUSTERS, Path("clusters.yaml"))


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return made(tmp_path_factory.mktemp("certificates"))


def granted(cluster: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield verb, group, resource and namespace ("" for all) of each right that the printed manifests give."""
    documents = list(yaml.safe_load_all(least_rbac(namespaces_of(CONFIG, cluster))))
    roles = {each["metadata"]["name"]: each["rules"] for each in documents if each["kind"] == "ClusterRole"}
    account = {"kind": "ServiceAccount", "name": "dutydesk", "namespace": "dutydesk"}
    for each in documents:
        if "Binding" in each["kind"]:
            assert each["subjects"] == [account]
            for rule in roles[each["roleRef"]["name"]]:
                for group in rule["apiGroups"]:
                    for resource in rule["resources"]:
                        for verb in rule["verbs"]:
                            yield verb, group, resource, each["metadata"].get("namespace", "")


class GuardedApi:
    """An API server that lets the account of the manifests do what they give, and nothing else."""

    def __init__(self, token: str, cluster: str) -> None:
        self.token = token
        self.rights = set(granted(cluster))
        self.refused: list[str] = []

    def __call__(self, asked: Question) -> Answer:
        if asked.headers.get("authorization") != f"Bearer {self.token}":
            return Answer({"message": "Unauthorized"}, 401)
        if asked.method == "POST":
            wanted = json.loads(asked.body)["spec"]["resourceAttributes"]
            name = "/".join(filter(None, (wanted["resource"], wanted.get("subresource"))))
            allowed = self._may(wanted["verb"], wanted["group"], name, wanted.get("namespace", ""))
            return Answer({"status": {"allowed": allowed}}, 201)
        group, namespace, resource = self._wanted(asked.path)
        if not self._may("get" if resource == "pods/log" else "list", group, resource, namespace):
            self.refused.append(asked.path)
            return Answer({"message": "forbidden"}, 403)
        return Answer(b"ERROR out of rails\n") if resource == "pods/log" else Answer(self._list(resource))

    def _may(self, verb: str, group: str, resource: str, namespace: str) -> bool:
        return bool({(verb, group, resource, namespace), (verb, group, resource, "")} & self.rights)

    def _wanted(self, path: str) -> tuple[str, str, str]:
        parts = path.strip("/").split("/")
        group, rest = (parts[1], parts[3:]) if parts[0] == "apis" else ("", parts[2:])
        namespace = ""
        if rest[0] == "namespaces" and len(rest) > 2:
            namespace, rest = rest[1], rest[2:]
        return group, namespace, "pods/log" if rest[-1] == "log" else rest[0]

    def _list(self, resource: str) -> dict[str, Any]:
        items = [POD] if resource == "pods" else [{"metadata": {"name": "n1"}, "status": {}}] * (resource == "nodes")
        return {"kind": "List", "metadata": {"resourceVersion": "1"}, "items": items}


POD: dict[str, Any] = {
    "metadata": {"name": "cart-0", "namespace": "shop", "labels": {"app": "cart"}},
    "spec": {"nodeName": "n1", "containers": [{"name": "cart", "image": "cart:1"}]},
    "status": {
        "phase": "Running",
        "containerStatuses": [{
            "name": "cart", "ready": False, "restartCount": 7, "image": "cart:1", "lastState": {},
            "state": {"waiting": {"reason": "CrashLoopBackOff"}},
        }],
    },
}  # fmt: skip


def in_cluster() -> ObserveConfig:
    """Return the page's clusters without the Prometheus, which is not served here."""
    here = CONFIG.clusters["here"].model_copy(update={"prometheus": None})
    return CONFIG.model_copy(update={"clusters": {**CONFIG.clusters, "here": here}})


async def told(cluster: OpenCluster, namespace: str) -> tuple[list[str], set[str]]:
    """Return the rules of a report on a namespace, and what could not be read."""
    now = datetime.now(UTC)
    asked = DiagnosisRequest("r", "why?", "en", "here", namespace, now, app="cart", selector="app=cart")
    report = await diagnose(asked, cluster.limited().sources)
    return [each.rule for each in report.issues], {each.what for each in report.not_checked} - {"metrics"}


async def test_the_rights_that_are_printed_do_for_a_whole_diagnosis_and_end_at_the_namespaces(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ca.crt").write_bytes(authority.ca.read_bytes())
    (tmp_path / "token").write_text("first\n")
    api = GuardedApi("first", "here")
    tls = {"ssl_certfile": str(authority.server.certificate), "ssl_keyfile": str(authority.server.key)}
    async with listening(Served(api), **tls) as url:
        monkeypatch.setattr(opening, "SERVICE_ACCOUNT", tmp_path)
        monkeypatch.setattr(opening, "IN_CLUSTER", url)
        cluster = open_clusters(in_cluster(), SystemClock(), home=tmp_path, resolve=str)["here"]
        checks = await examine(cluster, namespaces_of(CONFIG, "here"), now=datetime.now(UTC))
        found, unread = await told(cluster, "shop")
        refused = list(api.refused)
        api.token = "second"  # Kubernetes replaced it in the pod's folder
        (tmp_path / "token").write_text("second\n")
        again, _ = await told(cluster, "payments")
        elsewhere, closed = await told(cluster, "kube-system")
        await cluster.close()

    assert [each.what for each in checks if not each.ok] == []
    assert (found[0], unread, refused) == ("CRASH_LOOP", set(), [])
    assert again[0] == "CRASH_LOOP"
    assert "CRASH_LOOP" not in elsewhere
    assert {"pods", "events", "deployments"} <= closed


async def test_another_cluster_is_read_with_the_token_of_its_folder(tmp_path: Path, authority: Authority) -> None:
    (tmp_path / "token").write_text("edge\n")
    api = GuardedApi("edge", "edge")
    tls = {"ssl_certfile": str(authority.server.certificate), "ssl_keyfile": str(authority.server.key)}
    async with listening(Served(api), **tls) as url:
        moved = CLUSTERS.replace("https://edge.example.org:6443", url).replace(
            "/etc/dutydesk/edge/ca.crt", str(authority.ca)
        )

        def resolve(reference: str) -> str:
            return (tmp_path / Path(reference.removeprefix("file:")).name).read_text()

        clusters = open_clusters(parse_clusters(moved, Path("c.yaml")), SystemClock(), home=tmp_path, resolve=resolve)
        found, unread = await told(clusters["edge"], "shop")
        for each in clusters.values():
            await each.close()

    assert (found[0], unread, api.refused) == ("CRASH_LOOP", set(), [])


def test_the_desk_runs_with_the_account_that_the_rights_are_given_to() -> None:
    desk = yaml.safe_load(DEPLOYMENT)
    (token,) = yaml.safe_load_all(TOKEN)
    pod = desk["spec"]["template"]["spec"]
    mounted = {each["name"] for each in pod["containers"][0]["volumeMounts"]}

    assert (desk["metadata"]["namespace"], pod["serviceAccountName"]) == ("dutydesk", "dutydesk")
    assert mounted == {each["name"] for each in pod["volumes"]}
    assert token["metadata"]["annotations"] == {"kubernetes.io/service-account.name": "dutydesk"}
    assert token["metadata"]["namespace"] == "dutydesk"
    assert not any(each[0] not in {"get", "list"} or each[2] in {"secrets", "configmaps"} for each in granted("here"))
