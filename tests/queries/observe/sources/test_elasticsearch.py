"""Logs are read from a real Elasticsearch by one fixed query; what it left out is said."""

import json
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from queries.observe.config import LogFields
from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.sources.asking import Endpoint, HttpAsker, Presented
from queries.observe.sources.credentials import basic
from queries.observe.sources.elasticsearch import ElasticsearchLogs
from storage.clock import SystemClock
from tests.elasticsearch import Cluster
from tests.queries.observe.served import Answer, asking

NOW = datetime(2026, 11, 18, 11, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
KEYWORD = {"type": "keyword"}


def document(minutes: int, message: str, *, namespace: str = "shop", app: str = "web") -> str:
    return json.dumps({
        "@timestamp": (NOW - minutes * MINUTE).isoformat(), "message": message,
        "kubernetes": {"namespace": namespace, "labels": {"app": app}, "pod": {"name": f"{app}-0"}},
    })  # fmt: skip


@pytest.fixture(scope="module")
def indices(cluster: Cluster) -> Iterator[str]:
    """Return the pattern of an index with some lines of several apps."""
    name = f"test-logs-{secrets.token_hex(4)}"
    with cluster.asking() as client:
        properties = {
            "@timestamp": {"type": "date"}, "message": {"type": "text"},
            "kubernetes": {"properties": {
                "namespace": KEYWORD,
                "labels": {"properties": {"app": KEYWORD}}, "pod": {"properties": {"name": KEYWORD}},
            }},
        }  # fmt: skip
        client.put(f"/{name}", json={"mappings": {"properties": properties}}).raise_for_status()
        lines = [
            document(1, "the newest"), document(2, "two\nlines \x1b[31mred"), document(9, "older"),
            document(50, "too old"),
            document(1, "of another app", app="api"), document(1, "of another namespace", namespace="hr"),
        ]  # fmt: skip
        body = "".join(f'{{"index": {{}}}}\n{line}\n' for line in lines)
        headers = {"content-type": "application/x-ndjson"}
        client.post(f"/{name}/_bulk?refresh=true", content=body, headers=headers).raise_for_status()
        yield f"{name}*"
        client.delete(f"/{name}").raise_for_status()


class SignedIn:
    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def present(self, *, again: bool = False) -> Presented:  # noqa: ARG002 - the port's
        return basic(self._cluster.username, self._cluster.password) if self._cluster.password else Presented()


async def search(cluster: Cluster, indices: str, *, lines: int = 500) -> tuple[tuple[str, ...], bool]:
    asker = HttpAsker(Endpoint(cluster.url), SignedIn(cluster), SystemClock(), timeout_s=30)
    try:
        logs = ElasticsearchLogs(asker, indices=indices, fields=LogFields())
        read = await logs.search("shop", "web", start=NOW - 30 * MINUTE, end=NOW, lines=lines)
    finally:
        await asker.close()
    return read.lines, read.cut


async def test_the_lines_of_an_app_within_the_window_are_read(cluster: Cluster, indices: str) -> None:
    lines, cut = await search(cluster, indices)

    assert [line.partition("Z ")[2] for line in lines] == ["older", "two lines red", "the newest"]
    assert lines[2].startswith("2026-11-18T10:59:00")
    assert not cut


async def test_the_newest_are_kept_and_it_is_said(cluster: Cluster, indices: str) -> None:
    lines, cut = await search(cluster, indices, lines=2)

    assert [line.partition("Z ")[2] for line in lines] == ["two lines red", "the newest"]
    assert cut


async def test_an_index_that_is_not_there_is_not_told_as_no_lines(cluster: Cluster) -> None:
    with pytest.raises(ReadFailed) as error:
        await search(cluster, "test-logs-nowhere-*")

    assert error.value.kind is FailureKind.NOT_FOUND


@pytest.mark.parametrize(("namespace", "app"), [("../hr", "web"), ("shop", "web*"), ("shop", 'web"}}'), ("shop", "")])
async def test_what_is_no_name_is_not_sent(namespace: str, app: str) -> None:
    async with asking(lambda _: Answer({"hits": {"hits": []}})) as (asker, served):
        with pytest.raises(ReadFailed):
            await ElasticsearchLogs(asker, indices="logs-*", fields=LogFields()).search(
                namespace, app, start=NOW, end=NOW
            )

    assert served.asked == []


async def test_the_query_is_bounded_and_has_no_script() -> None:
    async with asking(lambda _: Answer({"hits": {"hits": []}, "timed_out": True})) as (asker, served):
        logs = ElasticsearchLogs(asker, indices="logs-*", fields=LogFields())
        read = await logs.search("shop", "web", start=NOW, end=NOW, lines=50_000)
    body = json.loads(served.asked[0].body)

    assert (body["size"], body["timeout"], body["terminate_after"]) == (1_000, "3s", 200_000)
    assert "script" not in served.asked[0].body.decode()
    assert read.cut
