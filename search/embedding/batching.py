"""Which texts a model reads together: those of like length, so that little is padding."""

from collections.abc import Iterator, Sequence


def batches(lengths: Sequence[int], *, tokens: int, texts: int) -> Iterator[list[int]]:
    """Yield positions of texts, shortest first: at most so many texts, and with their padding at most so many tokens.

    A text that is longer than the limit is a batch of its own.
    """
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == texts or (len(batch) + 1) * lengths[position] > tokens):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
