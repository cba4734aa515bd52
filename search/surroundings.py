"""What stands around a passage in its section, up to a budget of tokens. Pure."""

from collections.abc import Sequence

from search.documents import Chunk


def within(around: Sequence[Chunk], chunk_id: str, *, tokens: int) -> tuple[Chunk, ...]:
    """Return the passage and its nearest neighbours of the same section, in reading order; nothing when it is gone.

    What follows and what precedes take turns, each until the section ends or the next passage would not fit. The
    passage itself stays, however long it is.
    """
    middle = next((chunk for chunk in around if chunk.id == chunk_id), None)
    if middle is None:
        return ()
    section = {chunk.number: chunk for chunk in around if chunk.section_path == middle.section_path}
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
