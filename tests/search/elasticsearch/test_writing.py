"""What is written by many at once, given up half-way, or no longer wanted."""

import asyncio
import sys
from typing import Any

import pytest

from search.access import Scope
from search.config import ElasticsearchConfig
from search.errors import IndexUnusable
from search.indexes.elasticsearch.commits.head import ABANDONED_S, GRACE_S, HEAD_ID, OPEN_S
from search.indexes.elasticsearch.documents.mapping import VERSION
from search.indexes.elasticsearch.engine import ElasticsearchIndex
from search.indexes.port import IndexQuery
from storage.clock import ManualClock
from tests.elasticsearch import Cluster
from tests.processes import ROOT
from tests.search.making import EMBEDDER, EVERYTHING, entry
from tests.search.test_killed import told

FIRST = f"-v{VERSION}-g000001"


def ids(cluster: Cluster, config: ElasticsearchConfig) -> set[str]:
    """Return the id of every document that is there, whether it counts or not."""
    with cluster.asking() as client:
        client.post(f"/{config.prefix}*/_refresh")
        found = client.get(f"/{config.prefix}{FIRST}/_search", params={"size": 10_000, "_source": "false"}).json()
    return {each["_id"] for each in found["hits"]["hits"]} - {HEAD_ID}


def head(cluster: Cluster, config: ElasticsearchConfig) -> dict[str, Any]:
    with cluster.asking() as client:
        stored: dict[str, Any] = client.get(f"/{config.prefix}{FIRST}/_doc/{HEAD_ID}").json()["_source"]["stored"]
    return stored


async def test_many_write_at_once_and_every_page_is_there(elasticsearch_config: ElasticsearchConfig) -> None:
    writers = [ElasticsearchIndex(elasticsearch_config) for _ in range(4)]

    async def write(number: int) -> None:
        for turn in range(5):
            await writers[number].replace([entry(f"w{number}-{turn}.md", f"# W\n\nfrom{number} turn{turn} common\n")])

    await asyncio.gather(*(write(number) for number in range(4)))
    assert len(await writers[0].manifest("book")) == 20
    assert await writers[0].verify() == ()
    findings = await writers[1].search(IndexQuery(terms=("common",)), EVERYTHING)
    assert findings.total == len(findings.legs["bm25"]) == 20
    for each in writers:
        await each.close()


async def test_the_last_of_two_that_write_one_page_holds_and_one_version_counts(
    elasticsearch_config: ElasticsearchConfig,
) -> None:
    writers = [ElasticsearchIndex(elasticsearch_config) for _ in range(3)]
    await asyncio.gather(
        *(each.replace([entry("same.md", f"# Same\n\nversion{n} common\n")]) for n, each in enumerate(writers))
    )
    findings = await writers[0].search(IndexQuery(terms=("common",)), EVERYTHING)
    assert findings.total == len(findings.legs["bm25"]) == 1
    assert await writers[0].verify() == ()
    for each in writers:
        await each.close()


async def test_processes_write_side_by_side(
    elasticsearch_config: ElasticsearchConfig, index: ElasticsearchIndex
) -> None:
    source = """
import asyncio, json, sys
from tests.search.index_and_die import opened
from tests.search.making import entry
async def main():
    index = opened(sys.argv[1])
    for turn in range(4):
        await index.replace([entry(f"{sys.argv[2]}-{turn}.md", "# Page\\n\\ncommon words\\n")])
    await index.close()
asyncio.run(main())
"""
    place = told(elasticsearch_config)
    started = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", source, place, str(number), cwd=ROOT)
        for number in range(3)
    ]
    assert [await process.wait() for process in started] == [0, 0, 0]
    assert (await index.statistics("book")).documents == 12
    assert await index.verify() == ()


async def test_what_was_replaced_or_deleted_is_removed_for_good_after_a_while(
    timed: ElasticsearchIndex, clock: ManualClock, cluster: Cluster, elasticsearch_config: ElasticsearchConfig
) -> None:
    await timed.replace([entry("a.md", "# A\n\nold\n"), entry("b.md", "# B\n\nold\n")])
    await timed.replace([entry("a.md", "# A\n\nnew\n")])
    assert await timed.delete("book", ["b.md"]) == 1
    assert {"1", "2", "3"} <= ids(cluster, elasticsearch_config), "a search that began before may still be under way"
    clock.advance(GRACE_S + 1)
    await timed.pending(EMBEDDER.name, limit=10)
    vectors = await EMBEDDER.embed(["one"])
    await timed.put_vectors(EMBEDDER.name, {each.key: vectors[0] for each in await timed.pending("m", limit=9)})
    await timed.pending(EMBEDDER.name, limit=10)
    assert {each.partition(".")[0] for each in ids(cluster, elasticsearch_config)} == {"3"}
    assert head(cluster, elasticsearch_config)["dead"] == []
    assert await timed.verify() == ()


async def test_a_search_that_began_before_a_deletion_still_sees_one_state(
    index: ElasticsearchIndex, elasticsearch_config: ElasticsearchConfig
) -> None:
    """The reader's commit is one behind: it asks again, and what it then sees is the new state alone."""
    reader = ElasticsearchIndex(elasticsearch_config)
    await index.replace([entry("a.md", "# A\n\ncommon\n"), entry("b.md", "# B\n\ncommon\n")])
    before = await reader.search(IndexQuery(terms=("common",)), EVERYTHING)
    await index.delete("book", ["a.md"])
    after = await reader.search(IndexQuery(terms=("common",)), EVERYTHING)
    assert (before.total, len(before.legs["bm25"]), before.frequencies) == (2, 2, {"common": 2})
    assert (after.total, len(after.legs["bm25"]), after.frequencies) == (1, 1, {"common": 1})
    await reader.close()


async def test_a_write_that_was_given_up_never_shows_and_is_cleared_away(
    timed: ElasticsearchIndex, clock: ManualClock, cluster: Cluster, elasticsearch_config: ElasticsearchConfig
) -> None:
    await timed.replace([entry("a.md", "# A\n\ncommon\n")])
    _give_up_half_way(cluster, elasticsearch_config, until=clock.now().timestamp() + OPEN_S)
    assert "2.0" in ids(cluster, elasticsearch_config)
    assert (await timed.search(IndexQuery(terms=("common",)), EVERYTHING)).frequencies == {"common": 1}
    assert await timed.verify() == ()
    clock.advance(OPEN_S + 1)
    await timed.replace([entry("b.md", "# B\n\ncommon\n")])
    assert (await timed.search(IndexQuery(terms=("common",)), EVERYTHING)).frequencies == {"common": 2}
    clock.advance(ABANDONED_S + 1)
    await timed.replace([entry("c.md", "# C\n\ncommon\n")])
    assert "2.0" not in ids(cluster, elasticsearch_config)
    assert await timed.verify() == ()


def _give_up_half_way(cluster: Cluster, config: ElasticsearchConfig, *, until: float) -> None:
    """Leave behind what a writer leaves that is killed after its first request."""
    left = head(cluster, config)
    left |= {"last": left["last"] + 1, "open": [[left["last"] + 1, left["last"] + 1, until]]}
    version = left["last"]
    with cluster.asking() as client:
        index = f"/{config.prefix}{FIRST}/_doc"
        client.put(f"{index}/{HEAD_ID}", params={"refresh": "true"}, json={"kind": "head", "stored": left})
        chunk = {"kind": "chunk", "version": version, "number": 0, "source": "book", "allow": [], "words": "common"}
        client.put(f"{index}/{version}.0", params={"refresh": "true"}, json=chunk).raise_for_status()


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/_doc/1.0", None, "chunks: pages have 1, 0 are there"),
        ("/_doc/99.0", {"kind": "chunk", "version": 99, "number": 0}, "never given out: 1"),
        ("/_doc/1.0.7", {"kind": "window", "version": 1, "number": 0}, "windows: pages have 1, 2 are there"),
    ],
)
async def test_verification_tells_what_does_not_fit(
    index: ElasticsearchIndex,
    cluster: Cluster,
    elasticsearch_config: ElasticsearchConfig,
    path: str,
    body: dict[str, Any] | None,
    said: str,
) -> None:
    await index.replace([entry("a.md", "# A\n\ntext\n")])
    assert await index.verify() == ()
    with cluster.asking() as client:
        url = f"/{elasticsearch_config.prefix}{FIRST}{path}"
        answer = (
            client.delete(url, params={"refresh": "true"})
            if body is None
            else client.put(url, params={"refresh": "true"}, json=body)
        )
        answer.raise_for_status()
    assert said in "\n".join(await index.verify())


async def test_a_page_that_cannot_be_taken_is_told_and_nothing_of_it_shows(index: ElasticsearchIndex) -> None:
    whole = entry("a.md", "# A\n\ntext\n")
    await index.replace([whole])
    too_long = entry("b.md", "# B\n\ntext\n", allow=["group:" + "x" * 40_000])
    with pytest.raises(IndexUnusable, match="refused a page"):
        await index.replace([too_long])
    assert set(await index.manifest("book")) == {"a.md"}
    assert await index.verify() == ()
    staff = Scope(everything=False, principals=frozenset({"staff"}))
    assert len((await index.search(IndexQuery(terms=("text",)), staff)).legs["bm25"]) == 1
