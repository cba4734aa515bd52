"""What stands around found passages in their sections, up to a budget of tokens for each. Pure."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

from search.documents import Chunk, Hit, Stretch, UnitKind

#: The best hits of so many different sections are shown with what stands around them.
_SECTIONS = 3


def worth_more(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """Return the hits that may carry the answer: the best of each of the first sections, none that leads elsewhere."""
    best: dict[tuple[str, ...], Hit] = {}
    for hit in hits:
        if hit.chunk.kind is not UnitKind.NAVIGATION:
            best.setdefault(_place(hit.chunk), hit)
    return tuple(best.values())[:_SECTIONS]


def stretch(hit: Hit, around: Sequence[Chunk], hits: Iterable[Hit], *, tokens: int) -> Stretch | None:
    """Return a hit with its neighbours, at most `tokens` long, and the other hits that stand there or right beside it.

    Nothing when there is no neighbour, and when the page changed since it was searched.
    """
    run = within(around, hit.chunk.id, tokens=tokens)
    if not run:
        return None
    found = {each.chunk.number: each.chunk for each in hits if _place(each.chunk) == _place(hit.chunk)}
    run = _joined(run, found)
    as_found = all(found.get(chunk.number, chunk).text == chunk.text for chunk in run)
    return Stretch(run) if as_found and len(run) > 1 else None


def sections_of(chunks: Sequence[Chunk]) -> tuple[Stretch, ...]:
    """Return the sections of a page that more than one of its passages make up."""
    runs = (tuple(run) for _, run in itertools.groupby(chunks, key=_place))
    return tuple(Stretch(run) for run in runs if len(run) > 1)


def within(around: Sequence[Chunk], chunk_id: str, *, tokens: int) -> tuple[Chunk, ...]:
    """Return the passage and its nearest neighbours of the same section, in reading order; nothing when it is gone.

    What follows and what precedes take turns, each until the section ends or the next passage would not fit. The
    passage itself stays, however long it is.
    """
    middle = next((chunk for chunk in around if chunk.id == chunk_id), None)
    if middle is None:
        return ()
    section = {chunk.number: chunk for chunk in around if _place(chunk) == _place(middle)}
    first = last = middle.number
    spent = middle.tokens
    open_ends = [1, -1]
    while open_ends:
        for step in tuple(open_ends):
            number = last + 1 if step > 0 else first - 1
            if number not in section or spent + section[number].tokens > tokens:
                open_ends.remove(step)
                continue
            spent += section[number].tokens
            first, last = min(first, number), max(last, number)
    return tuple(section[number] for number in range(first, last + 1))


def _joined(run: tuple[Chunk, ...], found: Mapping[int, Chunk]) -> tuple[Chunk, ...]:
    """Return the run with the hits that follow right on it: they are shown anyway, and belong together."""
    before, after = run[0].number - 1, run[-1].number + 1
    while before in found:
        run, before = (found[before], *run), before - 1
    while after in found:
        run, after = (*run, found[after]), after + 1
    return run


def _place(chunk: Chunk) -> tuple[str, ...]:
    """Return what names a section; two of a page may have the same headings."""
    return (chunk.document_id, chunk.anchor, *chunk.section_path)
