"""What is still to be asked for, handed to several workers; each address once in a run."""

import asyncio
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One address to ask for, so many links from the start. `insist`: it is kept even if it names another as itself."""

    address: str
    depth: int
    insist: bool = False


class Frontier:
    """A queue that knows when nothing is left: no item waits and none is under way."""

    def __init__(self) -> None:
        self._waiting: deque[Item] = deque()
        self._seen: set[str] = set()
        self._underway = 0
        self._changed = asyncio.Condition()
        self._ended = False

    def __len__(self) -> int:
        """Return how many addresses wait or are under way."""
        return len(self._waiting) + self._underway

    def is_new(self, address: str) -> bool:
        """Say whether an address was not offered before."""
        return address not in self._seen

    def see(self, address: str) -> None:
        """Never take this address."""
        self._seen.add(address)

    def add(self, item: Item) -> None:
        """Let an item wait for its turn."""
        self._seen.add(item.address)
        self._waiting.append(item)

    async def next(self) -> Item | None:
        """Return the next item, waiting for one that is under way to bring some; None at the end."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._ended or bool(self._waiting) or not self._underway)
            if self._ended or not self._waiting:
                return None
            self._underway += 1
            return self._waiting.popleft()

    async def done(self, *, ended: bool = False) -> None:
        """Say that an item is dealt with, and what it brought is added; `ended`: nothing more is handed out."""
        async with self._changed:
            self._underway -= 1
            self._ended = self._ended or ended
            self._changed.notify_all()
