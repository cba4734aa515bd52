"""Reads logs that Elasticsearch keeps, by one fixed form of query: no scripts, no words of a person.

Its time, its size and the number of documents that it looks at are bounded on the server's side too.
"""

import hashlib
from datetime import UTC, datetime

from queries.observe.config import LogFields
from queries.observe.errors import FailureKind, ReadFailed
from queries.observe.reading import LogRead
from queries.observe.sources.asking import HttpAsker, Outgoing
from queries.observe.sources.kubernetes.paths import checked_app, checked_namespace
from queries.observe.sources.log_lines import LONGEST_LINE, plain
from storage.ids import JsonObject, JsonValue

_MOST_LINES = 1_000
_TIMEOUT = "3s"
#: Documents that a shard looks at; past that the answer says that it ended early.
_TERMINATE_AFTER = 200_000


class ElasticsearchLogs:
    """Logs of the indices that `clusters.yaml` allows, and of no others."""

    def __init__(self, asker: HttpAsker, *, indices: str, fields: LogFields) -> None:
        self._asker = asker
        self._indices = indices
        self._fields = fields

    async def search(self, namespace: str, app: str, *, start: datetime, end: datetime, lines: int = 500) -> LogRead:
        """Return the newest lines of an app, oldest first."""
        size = min(lines, _MOST_LINES)
        query = self._query(checked_namespace(namespace), checked_app(app), start=start, end=end, size=size)
        words = f"logs of {app} in {namespace} from {start:%Y-%m-%dT%H:%M:%SZ} to {end:%Y-%m-%dT%H:%M:%SZ}"
        asked = Outgoing(
            f"/{self._indices}/_search",
            # An index that is not there is an error, and not "no lines".
            (("ignore_unavailable", "true"), ("allow_no_indices", "false")),
            method="POST",
            json=query,
            words=words,
        )
        answer, body = await self._asker.json(asked)
        hits = answer.get("hits")
        found = hits.get("hits") if isinstance(hits, dict) else None
        if not isinstance(hits, dict) or not isinstance(found, list):
            raise ReadFailed(FailureKind.UNREADABLE, words, detail="the answer is not Elasticsearch's form")
        total = hits.get("total")
        more = isinstance(total, dict) and isinstance(count := total.get("value"), int) and count > len(found)
        shards = answer.get("_shards")
        failed = isinstance(shards, dict) and bool(shards.get("failed"))
        cut = more or failed or bool(answer.get("timed_out")) or bool(answer.get("terminated_early"))
        read = tuple(line for each in reversed(found) if (line := self._line(each)))
        return LogRead(read, words, hashlib.sha256(body).hexdigest(), cut=cut)

    def _query(self, namespace: str, app: str, *, start: datetime, end: datetime, size: int) -> JsonObject:
        fields = self._fields
        window = {"gte": _time(start), "lte": _time(end), "format": "strict_date_optional_time"}
        return {
            "size": size,
            "timeout": _TIMEOUT,
            "terminate_after": _TERMINATE_AFTER,
            "track_total_hits": size + 1,
            "_source": False,
            "fields": [{"field": fields.time, "format": "strict_date_time"}, fields.message, fields.pod],
            "sort": [{fields.time: {"order": "desc"}}],
            "query": {
                "bool": {
                    "filter": [
                        {"range": {fields.time: window}},
                        {"term": {fields.namespace: namespace}},
                        {"term": {fields.app: app}},
                    ]
                }
            },
        }

    def _line(self, hit: JsonValue) -> str:
        fields = hit.get("fields") if isinstance(hit, dict) else None
        if not isinstance(fields, dict):
            return ""
        time, message = (_first(fields.get(name)) for name in (self._fields.time, self._fields.message))
        one_line = " ".join(message[:LONGEST_LINE].splitlines())
        return plain(f"{time} {one_line}".encode("utf-8", "replace")) if time else ""


def _first(values: JsonValue) -> str:
    return str(values[0]) if isinstance(values, list) and values else ""


def _time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
