"""Whatever is wrong with the cluster is one line that says what to do, and nothing secret."""

import json
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from pydantic import SecretStr, ValidationError

from search.config import ElasticsearchConfig
from search.errors import IndexUnavailable, IndexUnusable
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.port import IndexQuery
from search.sources.memory import MemorySource
from search.sync.rebuilding import rebuild
from search.sync.sync import Synchroniser
from storage.clock import ManualClock
from tests.architecture.source import ROOT
from tests.desks.process import free_port
from tests.elasticsearch import Cluster
from tests.fakes import certificates
from tests.search.making import EMBEDDER, EVERYTHING, entry

QUESTION = IndexQuery(terms=("vpn",))
PAGE = entry("vpn.md", "# VPN\n\nInstall it.\n")


@asynccontextmanager
async def serving(
    answer: dict[str, object], *, headers: dict[str, str], tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Answer everything with the same; yield the port."""

    async def told(_: web.Request) -> web.Response:
        return web.json_response(answer, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", told)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def problem(config: ElasticsearchConfig, clock: ManualClock | None = None) -> str:
    """Return what a search says that cannot be done; it is one line."""
    index = ElasticsearchIndex(config, clock=clock)
    with pytest.raises((IndexUnavailable, IndexUnusable)) as raised:
        await index.search(QUESTION, EVERYTHING)
    await index.close()
    assert "\n" not in str(raised.value)
    return str(raised.value)


PRODUCT = {"X-Elastic-Product": "Elasticsearch"}


@pytest.mark.parametrize("number", ["7.17.29", "8.18.8"])
async def test_a_cluster_that_is_too_old(number: str) -> None:
    async with serving({"version": {"number": number}}, headers=PRODUCT) as port:
        said = await problem(ElasticsearchConfig(url=f"http://127.0.0.1:{port}"))
    assert said.endswith(f"is {number}; 8.19 or newer is needed: upgrade the cluster, or unset its address")


async def test_something_else_than_elasticsearch() -> None:
    async with serving({"version": {"number": "2.19.0"}}, headers={}) as port:
        said = await problem(ElasticsearchConfig(url=f"http://127.0.0.1:{port}"))
    assert "is not Elasticsearch 8.19 or newer: correct DUTYDESK_SEARCH__ELASTICSEARCH__URL" in said


async def test_nobody_answers() -> None:
    said = await problem(ElasticsearchConfig(url=f"http://127.0.0.1:{free_port()}"))
    assert "does not answer (ConnectionError): start it, or correct DUTYDESK_SEARCH__ELASTICSEARCH__URL" in said


async def test_a_cluster_that_stays_away_is_left_alone_for_a_while(clock: ManualClock) -> None:
    config = ElasticsearchConfig(url=f"http://127.0.0.1:{free_port()}", retry_s=5)
    index = ElasticsearchIndex(config, clock=clock)
    said = []
    for _ in range(4):
        with pytest.raises(IndexUnavailable) as raised:
            await index.search(QUESTION, EVERYTHING)
        said.append("a moment ago" in str(raised.value))
    assert said == [False, False, False, True]
    clock.advance(6)
    with pytest.raises(IndexUnavailable, match="start it"):
        await index.search(QUESTION, EVERYTHING)
    await index.close()


async def test_a_certificate_that_is_not_trusted_until_its_ca_is_named(tmp_path: Path) -> None:
    certificate, key = certificates.make(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)
    async with serving({"version": {"number": "8.18.0"}}, headers=PRODUCT, tls=tls) as port:
        url = f"https://127.0.0.1:{port}"
        assert "is not trusted: set DUTYDESK_SEARCH__ELASTICSEARCH__CA_FILE" in await problem(
            ElasticsearchConfig(url=url)
        )
        assert "is 8.18.0" in await problem(ElasticsearchConfig(url=url, ca_file=certificate))
    missing = ElasticsearchConfig(url=url, ca_file=tmp_path / "nothing.pem")
    assert "nothing.pem cannot be read as the CA file" in await problem(missing)


async def test_a_wrong_password_is_told_and_not_shown(elasticsearch_config: ElasticsearchConfig) -> None:
    wrong = elasticsearch_config.model_copy(update={"username": "elastic", "password": SecretStr("not-the-password")})
    said = await problem(wrong)
    assert "does not know the key or password: correct DUTYDESK_SEARCH__ELASTICSEARCH__API_KEY, or USERNAME" in said
    assert "not-the-password" not in said
    assert "not-the-password" not in repr(wrong)


def key(cluster: Cluster, config: ElasticsearchConfig, role: Mapping[str, object]) -> ElasticsearchConfig:
    """Return the same corner with an API key of that role."""
    with cluster.asking() as client:
        asked = {"name": "test", "role_descriptors": {"dutydesk": role}}
        made = client.post("/_security/api_key", json=asked).raise_for_status().json()
    without = {"username": "", "password": SecretStr(""), "api_key": SecretStr(made["encoded"])}
    return config.model_copy(update=without)


@pytest.fixture
def read_only(cluster: Cluster, elasticsearch_config: ElasticsearchConfig) -> ElasticsearchConfig:
    indices = [{"names": [f"{elasticsearch_config.prefix}*"], "privileges": ["read"]}]
    return key(cluster, elasticsearch_config, {"cluster": ["monitor"], "indices": indices})


async def test_the_key_of_the_page_may_do_all_that_is_needed(
    cluster: Cluster, elasticsearch_config: ElasticsearchConfig
) -> None:
    page = (ROOT / "docs" / "how-to" / "use-elasticsearch.md").read_text(encoding="utf-8")
    (asked,) = re.findall(r"^POST /_security/api_key\n(\{.*?^\})$", page, re.DOTALL | re.MULTILINE)
    role = json.loads(asked.replace("dutydesk*", f"{elasticsearch_config.prefix}*"))["role_descriptors"]["dutydesk"]
    index = ElasticsearchIndex(key(cluster, elasticsearch_config, role))
    source = MemorySource("book", {"vpn.md": "# VPN\n\nInstall it.\n"})
    synchroniser = Synchroniser(index=index, embedder=EMBEDDER)
    await synchroniser.sync(source)
    await synchroniser.embed_pending()
    await rebuild(index, EMBEDDER, [source], batch=500)
    await index.rollback()
    assert await index.verify() == ()
    assert await index.delete("book") == 1
    await index.close()


async def test_a_key_that_may_only_read_finds_and_says_what_it_lacks(
    index: ElasticsearchIndex, read_only: ElasticsearchConfig
) -> None:
    await index.replace([PAGE])
    reader = ElasticsearchIndex(read_only)
    assert (await reader.search(QUESTION, EVERYTHING)).legs["bm25"]
    with pytest.raises(IndexUnusable, match="the key needs more rights on test-") as raised:
        await reader.replace([PAGE])
    assert read_only.api_key.get_secret_value() not in str(raised.value)
    await reader.close()


async def test_a_full_disk_is_told(
    index: ElasticsearchIndex, cluster: Cluster, elasticsearch_config: ElasticsearchConfig
) -> None:
    await index.replace([PAGE])
    with cluster.asking() as client:
        blocked = {"index.blocks.read_only_allow_delete": True}
        client.put(f"/{elasticsearch_config.prefix}*/_settings", json=blocked).raise_for_status()
    with pytest.raises(IndexUnusable, match="its disk is full: make room"):
        await index.replace([PAGE])
    assert (await index.search(QUESTION, EVERYTHING)).legs["bm25"]


async def test_an_index_that_somebody_removed_is_made_again(
    index: ElasticsearchIndex, cluster: Cluster, elasticsearch_config: ElasticsearchConfig
) -> None:
    await index.replace([PAGE])
    with cluster.asking() as client:
        for name in client.get(f"/{elasticsearch_config.prefix}*").json():
            client.delete(f"/{name}").raise_for_status()
    assert not (await index.search(QUESTION, EVERYTHING)).legs["bm25"]
    await index.replace([PAGE])
    assert (await index.search(QUESTION, EVERYTHING)).legs["bm25"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"url": "localhost:9200"}, "https://host:9200"),
        ({"url": "https://one:9200, ftp://two"}, "https://host:9200"),
        ({"url": "https://elastic:secret@host:9200"}, "url holds a password"),
        ({"url": "https://h", "username": "elastic"}, "go together"),
        ({"url": "https://h", "username": "e", "password": "p", "api_key": "k"}, "not both"),
        ({"prefix": "Desk"}, "lower-case"),
        ({"prefix": "*"}, "lower-case"),
    ],
)
def test_wrong_settings_are_told_before_anything_is_asked(settings: dict[str, str], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ElasticsearchConfig(**settings)


def test_several_nodes_are_named_with_commas() -> None:
    assert ElasticsearchConfig(url="https://a:9200, https://b:9200/").urls == ("https://a:9200", "https://b:9200")
