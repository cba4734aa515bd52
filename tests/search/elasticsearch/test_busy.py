"""A cluster whose shard is not started yet answers 503: it is asked again for a moment, by readers and by writers."""

from collections.abc import Awaitable, Callable

import pytest

from search.config import ElasticsearchConfig
from search.errors import IndexUnavailable
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.port import IndexQuery
from storage.clock import ManualClock
from tests.elasticsearch import Cluster
from tests.search.making import EMBEDDER, EVERYTHING, entry

PAGE = entry("vpn.md", "# VPN\n\nInstall it.\n")
QUESTION = IndexQuery(terms=("instal",))
NODE = "index.routing.allocation.require._name"


def hold_back(cluster: Cluster, config: ElasticsearchConfig) -> None:
    """Make the index anew, empty, with a shard that does not start for as long as a test wants."""
    with cluster.asking() as client:
        ((index, held),) = client.get(f"/{config.prefix}*/_alias").json().items()
        client.delete(f"/{index}").raise_for_status()
        anew = {"settings": {NODE: "nowhere"}, "aliases": held["aliases"]}
        client.put(f"/{index}", json=anew, params={"wait_for_active_shards": 0}).raise_for_status()
        assert client.get(f"/{index}/_search").status_code == 503


def let_go(cluster: Cluster, config: ElasticsearchConfig) -> None:
    """Let the shard start, and wait until it has."""
    with cluster.asking() as client:
        client.put(f"/{config.prefix}*/_settings", json={NODE: None}).raise_for_status()
        waited = {"wait_for_status": "green", "timeout": "30s"}
        client.get(f"/_cluster/health/{config.prefix}*", params=waited).raise_for_status()


Ask = Callable[[ElasticsearchIndex], Awaitable[object]]
ASKS: dict[str, Ask] = {
    "search": lambda index: index.search(QUESTION, EVERYTHING),
    "page": lambda index: index.page("book", "vpn.md", EVERYTHING),
    "manifest": lambda index: index.manifest("book"),
    "pending": lambda index: index.pending(EMBEDDER.name, limit=10),
    "replace": lambda index: index.replace([PAGE]),
    "delete": lambda index: index.delete("book"),
    "begin": lambda index: index.begin(),
}


@pytest.mark.parametrize("kind", ASKS)
async def test_what_a_shard_that_starts_refused_is_asked_again(
    cluster: Cluster, elasticsearch_config: ElasticsearchConfig, kind: str
) -> None:
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            let_go(cluster, elasticsearch_config)

    clock = ManualClock()
    index = ElasticsearchIndex(elasticsearch_config, clock=clock)
    await index.replace([PAGE])
    hold_back(cluster, elasticsearch_config)
    clock.on_advance = wait
    await ASKS[kind](index)
    assert len(waited) == 2
    assert await index.verify() == ()
    await index.close()


async def test_a_question_does_not_wait_for_long_and_the_cluster_is_not_pressed(
    cluster: Cluster, elasticsearch_config: ElasticsearchConfig, timed: ElasticsearchIndex, clock: ManualClock
) -> None:
    await timed.replace([PAGE])
    hold_back(cluster, elasticsearch_config)
    for _ in range(3):
        before = clock.monotonic()
        with pytest.raises(IndexUnavailable, match="too busy"):
            await timed.search(QUESTION, EVERYTHING)
        assert 1 < clock.monotonic() - before < 3
    before = clock.monotonic()
    with pytest.raises(IndexUnavailable, match="a moment ago"):
        await timed.search(QUESTION, EVERYTHING)
    assert clock.monotonic() == before
    let_go(cluster, elasticsearch_config)
    clock.advance(elasticsearch_config.retry_s)
    assert (await timed.search(QUESTION, EVERYTHING)).total == 0


async def test_indexing_waits_longer_than_a_question(
    cluster: Cluster, elasticsearch_config: ElasticsearchConfig, timed: ElasticsearchIndex, clock: ManualClock
) -> None:
    await timed.replace([PAGE])
    hold_back(cluster, elasticsearch_config)
    before = clock.monotonic()
    with pytest.raises(IndexUnavailable):
        await timed.delete("book", ["vpn.md"])
    assert 5 < clock.monotonic() - before < 20
