"""Whether everything that counts fits together."""

from collections.abc import Iterator

from search.indexes.elasticsearch.commits.counting import CHUNK, PAGE, WINDOW, lacking
from search.indexes.elasticsearch.commits.head import Head
from search.indexes.elasticsearch.commits.reader import Answer, Body, HeadReader, HeadView
from search.indexes.elasticsearch.documents.queries import all_of, count


async def verify(reader: HeadReader) -> tuple[str, ...]:
    """Return what is wrong; nothing when all is well, or when there is nothing yet.

    What is found while somebody writes may be on its way, so only what is found twice is told.
    """
    first = await _problems(reader)
    return tuple(each for each in await _problems(reader) if each in first) if first else ()


async def _problems(reader: HeadReader) -> tuple[str, ...]:
    answers = await reader.ask(
        lambda view: (
            _counting(view),
            {"size": 0, "query": {"range": {"version": {"gt": view.head.last}}}, "track_total_hits": True},
        )
    )
    if answers is None:
        return ()
    return tuple(_told(answers.view.head, *answers.each))


def _told(head: Head, counted: Answer, beyond: Answer) -> Iterator[str]:
    for name, told in (("chunks", head.chunks), ("windows", head.windows)):
        found, promised = count(counted, name), int(counted["aggregations"]["pages"][name]["value"])
        if found != promised:
            yield f"{name}: pages have {promised}, {found} are there"
        if found != told:
            yield f"{name}: the head says {told}, {found} are there"
    if count(counted, "waiting") > head.waiting:
        yield f"windows without a vector: the head says {head.waiting}, {count(counted, 'waiting')} are there"
    if unknown := int(beyond["hits"]["total"]["value"]):
        yield f"documents of versions that were never given out: {unknown}"


def _counting(view: HeadView) -> Body:
    sums = {name: {"sum": {"field": name}} for name in ("chunks", "windows")}
    return {
        "size": 0,
        "query": view.head.visible(),
        "aggs": {
            "chunks": {"filter": CHUNK},
            "windows": {"filter": WINDOW},
            "pages": {"filter": PAGE, "aggs": sums},
            "waiting": {"filter": all_of(WINDOW, lacking(view.head.model))},
        },
    }
