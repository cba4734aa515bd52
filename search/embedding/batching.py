"""What every model shares: text as tokenizers take it, batches of like length, and the threads that read them."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar


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


#: Characters that a tokenizer is given at once: until it is done it keeps some hundred bytes for each of them.
_AT_ONCE = 50_000


def counted(texts: Sequence[str], count: Callable[[list[str]], Sequence[int]]) -> list[int]:
    """Return the tokens of each text as `count` tells them of pieces; a long one may have one more at each cut."""
    totals = [0] * len(texts)
    for group in _groups([readable(text) for text in texts]):
        for (number, _), tokens in zip(group, count([piece for _, piece in group]), strict=True):
            totals[number] += tokens
    return totals


def _groups(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """Yield pieces of texts, with the number of their text, as many as are read at once."""
    group, size = list[tuple[int, str]](), 0
    for number, text in enumerate(texts):
        for start in range(0, len(text), _AT_ONCE):
            piece = text[start : start + _AT_ONCE]
            if size + len(piece) > _AT_ONCE:
                yield group
                group, size = [], 0
            group.append((number, piece))
            size += len(piece)
    if group:
        yield group


ResultT = TypeVar("ResultT")

#: Up to so many texts are the work of a question, which must not wait until a batch of pages is through.
_FEW = 16


class Lanes:
    """Runs a model's work off the event loop."""

    def __init__(self) -> None:
        self._pages = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed-pages")
        self._questions = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed-question")

    async def run(self, work: Callable[[], ResultT], *, texts: int) -> ResultT:
        """Return what the work returns; `texts` says how many it reads."""
        lane = self._questions if texts <= _FEW else self._pages
        return await asyncio.get_running_loop().run_in_executor(lane, work)


def readable(text: str) -> str:
    """Return the text with halves of characters, which have no UTF-8, and NULs, at which C ends, replaced."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
