"""The folder that a crawl fills: files appear and change as a whole, and never outside it."""

import asyncio
import os
from pathlib import Path

from search.errors import CrawlFolderUnusable

_MARK = ".part"


class Folder:
    """Writes and removes files by their paths below the folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def holds(self, path: str) -> bool:
        """Say whether there is such a file."""
        return await asyncio.to_thread((self._root / path).is_file)

    async def write(self, path: str, content: bytes) -> None:
        """Write a file; whoever reads meanwhile sees the old one or the new one."""
        await asyncio.to_thread(self._write, path, content)

    async def remove(self, path: str) -> None:
        """Remove a file, and the folders that it leaves empty; one that is not there is no error."""
        await asyncio.to_thread(self._remove, path)

    def _write(self, path: str, content: bytes) -> None:
        file = self._inside(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f".{file.name[:100]}{_MARK}")
        part.write_bytes(content)
        part.replace(file)

    def _remove(self, path: str) -> None:
        file = self._inside(path)
        file.unlink(missing_ok=True)
        for above in file.parents:
            if above == self._root:
                return
            try:
                above.rmdir()
            except OSError:  # it holds something else
                return

    def _inside(self, path: str) -> Path:
        """Return where a file lies; a link that leads out of the folder is not followed."""
        root = Path(os.path.realpath(self._root))
        if not Path(os.path.realpath(self._root / path)).is_relative_to(root):
            raise CrawlFolderUnusable(f"{self._root / path} leads out of the folder")
        return self._root / path
