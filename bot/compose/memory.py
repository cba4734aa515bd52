"""Memory that is free again and still held by the C library: given back to the machine while the desk serves.

A large file leaves hundreds of megabytes of small holes behind, in the heaps of whichever threads worked on it, and
glibc keeps them. After a few dozen of such files a desk would hold several times of what it uses.
"""

import asyncio
import ctypes
import resource
from collections.abc import Callable
from pathlib import Path

#: Seconds between two looks, and the bytes by which the process may have grown since memory was given back.
LOOKS_EVERY_S, GROWN = 2.0, 100_000_000
#: Of `mallopt`: how many heaps there may be. glibc makes eight for each core, and fills each with holes of its own.
_ARENA_MAX, _ARENAS = -8, 2


class FreedMemory:
    """Gives back what this process holds and does not use; does nothing where the C library cannot."""

    def __init__(self, trim: Callable[[int], int] | None = None, *, held: Callable[[], int] | None = None) -> None:
        self._trim = trim or _trimmer()
        self._held = held or resident
        self._least = 0

    async def run(self) -> None:
        """Look every few seconds until it is cancelled; the work is done in a thread."""
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            await asyncio.to_thread(self.give_back)

    def give_back(self) -> bool:
        """Give memory back if the process has grown since the last time; return whether it was done."""
        held = self._held()
        self._least = min(self._least or held, held)
        if self._trim is None or held - self._least < GROWN:
            return False
        self._trim(0)
        self._least = self._held()
        return True


def resident() -> int:
    """Return the bytes of memory that this process holds, 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * resource.getpagesize()


def few_heaps() -> None:
    """Let threads share two heaps; to be called before there are many threads."""
    library = _library()
    if library is not None:
        library.mallopt(_ARENA_MAX, _ARENAS)


def _trimmer() -> Callable[[int], int] | None:
    library = _library()
    return None if library is None else library.malloc_trim


def _library() -> ctypes.CDLL | None:
    """Return glibc, which alone knows these calls; None with another C library."""
    try:
        library = ctypes.CDLL("libc.so.6")
    except OSError:
        return None
    return library if hasattr(library, "malloc_trim") else None
