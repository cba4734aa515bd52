"""Found passages with what stands around them, in the form in which a brain reads them: every word once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agent.results import DocumentSource, Passage
from search.documents import Hit, SearchResult, Stretch


@dataclass(frozen=True)
class Laid:
    """A passage between what stands before and after it that is no passage of its own."""

    text: str
    whole: str  # all that is shown of its section in one piece, other passages included
    before: str = ""
    after: str = ""
    goes_on_in: str = ""  # the passage that follows right on `after`


def passages_of(found: SearchResult) -> tuple[Passage, ...]:
    """Return what a search found, best first, each with what is shown around it and where it stands."""
    layout = laid_out(found)
    return tuple(_passage(hit, layout[hit.chunk.id]) for hit in found.hits)


def laid_out(found: SearchResult) -> Mapping[str, Laid]:
    """Return each hit by the id of its chunk; joined in reading order, the parts of a stretch are the page's text."""
    laid = {hit.chunk.id: Laid(text=hit.chunk.text, whole=hit.chunk.text) for hit in found.hits}
    for stretch in found.stretches:
        laid.update(_laid(stretch, laid))
    return laid


def _laid(stretch: Stretch, hits: Mapping[str, Laid]) -> Iterator[tuple[str, Laid]]:
    places = [number for number, chunk in enumerate(stretch.chunks) if chunk.id in hits]
    for place, following in zip(places, [*places[1:], None], strict=True):
        end = len(stretch.chunks) if following is None else following
        yield (
            stretch.chunks[place].id,
            Laid(
                text=stretch.added[place],
                whole=stretch.text,
                before=_between(stretch, 0, place) if place == places[0] else "",
                after=_between(stretch, place + 1, end),
                goes_on_in="" if following is None else stretch.chunks[following].id,
            ),
        )


def _between(stretch: Stretch, start: int, end: int) -> str:
    """Return the passages from `start` to before `end`, with the gaps that join them to what stands on either side."""
    return "".join(
        part
        for number in range(start, min(end + 1, len(stretch.chunks)))
        for part in (stretch.chunks[number].gap if number else "", stretch.added[number] if number < end else "")
    )


def _passage(hit: Hit, laid: Laid) -> Passage:
    return Passage(
        text=laid.text,
        source=source_of(hit),
        whole=laid.whole,
        before=laid.before,
        after=laid.after,
        goes_on_in=laid.goes_on_in,
        score=hit.score,
        reason=hit.authz,
    )


def source_of(hit: Hit) -> DocumentSource:
    """Return where a passage that was found comes from, with the signals of the search."""
    return DocumentSource(
        title=hit.title,
        section=" > ".join(hit.chunk.section_path),
        source=hit.document_path,
        source_name=hit.source,
        uri=hit.url,
        chunk_id=hit.chunk.id,
        document_id=hit.chunk.document_id,
        anchor=hit.chunk.anchor,
        kind=hit.chunk.kind.value,
        language=hit.language,
        updated=hit.updated.isoformat() if hit.updated else "",
        coverage=round(hit.signals.coverage, 4),
        cosine=None if hit.signals.cosine is None else round(hit.signals.cosine, 4),
        own=hit.own,
        not_in_force=hit.not_in_force,
    )
