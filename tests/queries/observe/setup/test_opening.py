"""Clusters are opened from every kind of kubeconfig; what cannot be opened says why, and connects to nothing."""

import asyncio
import base64
import json
import ssl
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml

from queries.observe.config import ObserveConfig
from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import ClusterSources, ObjectKind
from queries.observe.setup import opening
from queries.observe.setup.opening import OpenCluster, open_clusters
from queries.observe.setup.reading import parse_clusters
from storage.clock import ManualClock, SystemClock
from tests.queries.observe.served import Answer, Question, Served, listed, listening
from tests.queries.observe.setup.certificates import Authority, made

PLUGIN = """\
#!/bin/sh
echo run >> {folder}/runs
echo '{{"kind": "ExecCredential", "status": {{"token": "'"$PREFIX-$1"'", "expirationTimestamp": {until}}}}}'
"""


def secret(reference: str) -> str:
    raise LookupError(f"{reference} is empty or not set")


def config(kubernetes: Mapping[str, object]) -> ObserveConfig:
    return parse_clusters(json.dumps({"clusters": {"prod": {"kubernetes": kubernetes}}}), Path("clusters.yaml"))


def kubeconfig(folder: Path, server: str, user: Mapping[str, object], **cluster: object) -> Path:
    path = folder / "kubeconfig"
    path.write_text(yaml.safe_dump({
        "apiVersion": "v1", "kind": "Config", "current-context": "prod",
        "contexts": [{"name": "prod", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": server, **cluster}}],
        "users": [{"name": "u", "user": dict(user)}],
    }))  # fmt: skip
    return path


def with_token(*tokens: str) -> Callable[[Question], Answer]:
    """Return what answers who shows one of these tokens."""
    known = {f"Bearer {token}" for token in tokens}
    return lambda asked: listed("a") if asked.headers.get("authorization") in known else Answer(status=401)


def opened(
    folder: Path, kubernetes: Mapping[str, object], clock: SystemClock | ManualClock | None = None
) -> OpenCluster:
    return open_clusters(config(kubernetes), clock or SystemClock(), home=folder, resolve=secret)["prod"]


async def pods(cluster: OpenCluster) -> int | FailureKind:
    """Return how many pods are read, or how that fails; the cluster is closed then."""
    try:
        return await listed_pods(cluster.sources)
    except ReadFailed as error:
        return error.kind
    finally:
        await cluster.close()


async def listed_pods(sources: ClusterSources) -> int:
    assert sources.objects
    return len((await sources.objects.list(ObjectKind.PODS, namespace="shop")).objects)


async def test_a_token_of_a_kubeconfig_is_shown(tmp_path: Path) -> None:
    async with listening(Served(with_token("t1"))) as url:
        kubeconfig(tmp_path, url, {"token": "t1"})
        assert await pods(opened(tmp_path, {"kubeconfig": "kubeconfig"})) == 1
        kubeconfig(tmp_path, url, {"token": "wrong"})
        assert await pods(opened(tmp_path, {"kubeconfig": "kubeconfig"})) is FailureKind.UNAUTHORIZED


async def test_a_token_in_a_file_is_read_again_when_it_was_replaced(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("old\n")
    served = Served(with_token("new"))
    async with listening(served) as url:
        kubeconfig(tmp_path, url, {"tokenFile": "token"})
        cluster = opened(tmp_path, {"kubeconfig": "kubeconfig"})
        with pytest.raises(ReadFailed):
            await listed_pods(cluster.sources)
        (tmp_path / "token").write_text("new\n")
        found = await pods(cluster)

    assert found == 1
    assert [each.headers["authorization"] for each in served.asked] == ["Bearer old"] * 3 + ["Bearer new"]


async def test_a_token_is_read_again_after_a_minute(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("old")
    clock, served = ManualClock(), Served(lambda _: listed("a"))
    async with listening(served) as url:
        kubeconfig(tmp_path, url, {"tokenFile": "token"})
        cluster = opened(tmp_path, {"kubeconfig": "kubeconfig"}, clock)
        await listed_pods(cluster.sources)
        (tmp_path / "token").write_text("new")
        await listed_pods(cluster.sources)
        clock.advance(61)
        await pods(cluster)

    assert [each.headers["authorization"][7:] for each in served.asked] == ["old", "old", "new"]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return made(tmp_path_factory.mktemp("authority"))


@pytest.mark.usefixtures("no_blocking")
async def test_a_client_certificate_is_shown_to_a_server_that_is_known(tmp_path: Path, authority: Authority) -> None:
    tls = {
        "ssl_certfile": str(authority.server.certificate), "ssl_keyfile": str(authority.server.key),
        "ssl_ca_certs": str(authority.ca), "ssl_cert_reqs": ssl.CERT_REQUIRED,
    }  # fmt: skip
    data = {
        "client-certificate-data": base64.b64encode(authority.client.certificate.read_bytes()).decode(),
        "client-key-data": base64.b64encode(authority.client.key.read_bytes()).decode(),
    }
    files = {"client-certificate": str(authority.client.certificate), "client-key": str(authority.client.key)}
    found = {}
    async with listening(Served(lambda _: listed("a")), **tls) as url:
        for name, user, cluster in (
            ("data", data, {"certificate-authority": str(authority.ca)}),
            ("files", files, {"certificate-authority": str(authority.ca), "tls-server-name": "kubernetes"}),
            ("unknown server", files, {}),
            ("other name", files, {"certificate-authority": str(authority.ca), "tls-server-name": "other"}),
            ("no certificate", {"token": "t"}, {"certificate-authority": str(authority.ca)}),
        ):
            kubeconfig(tmp_path, url, user, **cluster)
            found[name] = await pods(await asyncio.to_thread(opened, tmp_path, {"kubeconfig": "kubeconfig"}))

    unreachable = FailureKind.UNREACHABLE
    assert found == {
        "data": 1, "files": 1, "unknown server": unreachable, "other name": unreachable, "no certificate": unreachable
    }  # fmt: skip


def plugin(folder: Path, script: str) -> Mapping[str, object]:
    path = folder / "plugin.sh"
    path.write_text(script)
    path.chmod(0o755)
    return {"exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "command": "./plugin.sh", "args": ["x"],
        "env": [{"name": "PREFIX", "value": "p"}], "interactiveMode": "Never",
    }}  # fmt: skip


@pytest.mark.usefixtures("no_blocking")
async def test_a_plug_in_is_run_once_while_its_token_holds(tmp_path: Path) -> None:
    async with listening(Served(with_token("p-x"))) as url:
        kubeconfig(tmp_path, url, plugin(tmp_path, PLUGIN.format(folder=tmp_path, until='"2099-01-01T00:00:00Z"')))
        cluster = await asyncio.to_thread(opened, tmp_path, {"kubeconfig": "kubeconfig"})
        found = [await listed_pods(cluster.sources), await pods(cluster)]
        lasting = (tmp_path / "runs").read_text().count("run")
        kubeconfig(tmp_path, url, plugin(tmp_path, PLUGIN.format(folder=tmp_path, until='"2020-01-01T00:00:00Z"')))
        cluster = await asyncio.to_thread(opened, tmp_path, {"kubeconfig": "kubeconfig"})
        found += [await listed_pods(cluster.sources), await pods(cluster)]

    assert (found, lasting) == ([1] * 4, 1)
    assert (tmp_path / "runs").read_text().count("run") == 3


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("#!/bin/sh\necho 'sign in first' >&2; exit 3\n", "sign in first"),
        ("#!/bin/sh\necho '{}'\n", "no ExecCredential"),
        ("#!/bin/sh\nyes\n", "no answer in"),
        ("no program", "plugin.sh"),
    ],
)
async def test_a_plug_in_that_fails_is_told(tmp_path: Path, script: str, told: str) -> None:
    kubeconfig(tmp_path, "http://127.0.0.1:9", plugin(tmp_path, script))
    cluster = opened(tmp_path, {"kubeconfig": "kubeconfig"})
    credentials = cluster.askers[0].credentials
    credentials.timeout_s = 0.5  # type: ignore[attr-defined]
    with pytest.raises(ReadFailed) as error:
        await credentials.present()

    assert told in str(error.value)


#: A user or cluster that is not followed, and what is told of it.
REFUSED: tuple[tuple[Mapping[str, object], Mapping[str, object], str], ...] = (
    ({"token": "t"}, {"insecure-skip-tls-verify": True}, "the server's certificate is always checked"),
    ({"token": "t"}, {"proxy-url": "http://proxy"}, "proxies are not used"),
    ({"token": "t", "as": "admin"}, {}, "impersonation is not used"),
    ({"auth-provider": {"name": "gcp"}}, {}, "Use `exec`"),
    ({}, {}, "names neither token"),
    ({"client-certificate": "/nowhere"}, {}, "/nowhere cannot be read"),
    ({"client-key-data": "!"}, {}, "is no base64"),
    ({"exec": {"args": []}}, {}, "needs a command"),
    ({"token": "a\nb"}, {}, "more than one line"),
    ({"token": "t"}, {"server": "http://k8s.example.com"}, "https://"),
    ({"token": "t"}, {"server": "https://["}, "is no address"),
    ({"exec": {"command": "x", "env": "A=b"}}, {}, "are lists"),
)


@pytest.mark.parametrize(("user", "cluster", "told"), REFUSED)
async def test_what_is_not_followed_is_told_with_its_line(
    tmp_path: Path, user: Mapping[str, object], cluster: Mapping[str, object], told: str
) -> None:
    path = kubeconfig(tmp_path, "https://127.0.0.1:9", user)
    written = yaml.safe_load(path.read_text())
    written["clusters"][0]["cluster"].update(cluster)
    path.write_text(yaml.safe_dump(written))
    objects = opened(tmp_path, {"kubeconfig": "kubeconfig"}).sources.objects
    assert objects
    with pytest.raises(ReadFailed, match=r"kubeconfig:\d+:") as error:
        await objects.list(ObjectKind.PODS)

    assert error.value.kind is FailureKind.NOT_SET_UP
    assert told in error.value.detail


@pytest.mark.parametrize("kubernetes", [
    {"kubeconfig": "nowhere"}, {"kubeconfig": "kubeconfig", "context": "other"}, {"in_cluster": True},
    {"url": "https://127.0.0.1:9", "token": "env:NOTHING"}, {"url": "https://127.0.0.1:9", "ca": "nowhere.pem"},
])  # fmt: skip
async def test_what_cannot_be_opened_is_there_and_says_why(tmp_path: Path, kubernetes: Mapping[str, object]) -> None:
    kubeconfig(tmp_path, "https://127.0.0.1:9", {"token": "t"})

    assert await pods(opened(tmp_path, kubernetes)) is FailureKind.NOT_SET_UP


async def test_a_service_account_is_read_where_kubernetes_puts_it(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ca.crt").write_bytes(authority.ca.read_bytes())
    (tmp_path / "token").write_text("mine\n")
    tls = {"ssl_certfile": str(authority.server.certificate), "ssl_keyfile": str(authority.server.key)}
    async with listening(Served(with_token("mine")), **tls) as url:
        monkeypatch.setattr(opening, "SERVICE_ACCOUNT", tmp_path)
        monkeypatch.setattr(opening, "IN_CLUSTER", url)
        assert await pods(opened(tmp_path, {"in_cluster": True})) == 1


async def test_every_source_of_a_cluster_is_opened_with_its_secret(tmp_path: Path) -> None:
    def answers(_: Question) -> Answer:
        return Answer({"status": "success", "data": {"resultType": "vector", "result": []}, "hits": {"hits": []}})

    served = Served(answers)
    async with listening(served) as url:
        text = json.dumps({"clusters": {"edge": {
            "prometheus": {
                "url": f"{url}/prom", "user": "desk", "password": "env:P", "headers": {"X-Scope-OrgID": "shop"}
            },
            "logs": {"url": url, "api_key": "env:K", "indices": "logs-*"},
        }}})  # fmt: skip
        cluster = open_clusters(
            parse_clusters(text, Path("c.yaml")),
            ManualClock(),
            home=tmp_path,
            resolve=lambda name: f"secret of {name}\n",
        )["edge"]
        sources = cluster.sources
        assert sources.metrics
        assert sources.logs
        now = ManualClock().now()
        await sources.metrics.instant("up", at=now)
        await sources.logs.search("shop", "web", start=now, end=now)
        await cluster.close()
    first, second = served.asked

    assert (first.path, first.headers["x-scope-orgid"]) == ("/prom/api/v1/query", "shop")
    assert base64.b64decode(first.headers["authorization"].removeprefix("Basic ")) == b"desk:secret of env:P"
    assert (second.path, second.headers["authorization"]) == ("/logs-*/_search", "ApiKey secret of env:K")
