"""Lists of a cluster's objects, page by page, and what is kept of each object."""

import hashlib
from dataclasses import dataclass, replace

from queries.observe.errors import RETRYABLE, FailureKind, ReadFailed
from queries.observe.reading import Listed
from queries.observe.sources.allowance import may_send_another
from queries.observe.sources.asking import HttpAsker, Outgoing
from storage.ids import JsonObject

#: Who set which field, and what was last applied: half of each object, of no use here, with secrets at times.
_BOOKKEEPING = "kubectl.kubernetes.io/last-applied-configuration"
#: Pages of one list at most.
_MOST_PAGES = 40


@dataclass(frozen=True)
class WantedList:
    """Which list is wanted, and how much of it."""

    path: str
    selector: str = ""
    most: int = 500
    page: int = 500
    newest: bool = False  # keep the newest of all pages, instead of the first ones: for events, which are in key order

    @property
    def outgoing(self) -> Outgoing:
        """Return the request, without its page: so it is named."""
        return Outgoing(self.path, (("labelSelector", self.selector),) if self.selector else ())


async def read_list(asker: HttpAsker, wanted: WantedList) -> Listed:
    """Return the objects of all pages; a list that grew too old on the way is begun again once."""
    try:
        return await _read_pages(asker, wanted)
    except ReadFailed as error:
        if error.kind is not FailureKind.EXPIRED or not may_send_another():
            raise
        return await _read_pages(asker, wanted)


async def _read_pages(asker: HttpAsker, wanted: WantedList) -> Listed:
    objects: list[JsonObject] = []
    digest = hashlib.sha256()
    told = wanted.outgoing.told
    after, complete, requests = "", True, 0
    for page in range(_MOST_PAGES):
        if page and not may_send_another():
            complete = False
            break
        try:
            found, after, body = await _page(asker, wanted, after=after)
        except ReadFailed as error:
            if not page or error.kind not in RETRYABLE:
                raise
            complete = False  # what came before stands
            break
        requests += 1
        digest.update(body)
        objects += found
        if wanted.newest:
            complete = complete and len(objects) <= wanted.most
            objects = newest(objects, wanted.most)
        if not after or (len(objects) >= wanted.most and not wanted.newest):
            break
    complete = complete and not after and len(objects) <= wanted.most
    return Listed(tuple(objects[: wanted.most]), told, digest.hexdigest(), complete=complete, requests=requests)


async def _page(asker: HttpAsker, wanted: WantedList, *, after: str) -> tuple[list[JsonObject], str, bytes]:
    outgoing = wanted.outgoing
    told = outgoing.told
    query = (*outgoing.query, ("limit", str(wanted.page)), *((("continue", after),) if after else ()))
    answer, body = await asker.json(replace(outgoing, query=query, words=told))
    items = answer.get("items")
    metadata = answer.get("metadata")
    # A list that is empty is `null` from some servers.
    if not isinstance(items, list | None) or not isinstance(metadata, dict) or "items" not in answer:
        raise ReadFailed(FailureKind.UNREADABLE, told, detail="the answer is no list of objects")
    objects = [_kept(each) for each in items or () if isinstance(each, dict)]
    further = metadata.get("continue")
    return objects, further if isinstance(further, str) and further != after else "", body


def _kept(item: JsonObject) -> JsonObject:
    metadata = item.get("metadata")
    if isinstance(metadata, dict):
        metadata.pop("managedFields", None)
        annotations = metadata.get("annotations")
        if isinstance(annotations, dict):
            annotations.pop(_BOOKKEEPING, None)
    return item


def newest(events: list[JsonObject], most: int) -> list[JsonObject]:
    """Return the newest events, in the order that they have."""
    if len(events) <= most:
        return events
    places = sorted(range(len(events)), key=lambda place: _last_seen(events[place]), reverse=True)[:most]
    return [events[place] for place in sorted(places)]


def _last_seen(event: JsonObject) -> str:
    series, metadata = event.get("series"), event.get("metadata")
    times = (
        series.get("lastObservedTime") if isinstance(series, dict) else None,
        event.get("lastTimestamp"),
        event.get("eventTime"),
        event.get("firstTimestamp"),
        metadata.get("creationTimestamp") if isinstance(metadata, dict) else None,
    )
    return next((each for each in times if isinstance(each, str) and each), "")
