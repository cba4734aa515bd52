"""The folder that a crawl fills: files appear and change as a whole, and never outside it.

A page is Markdown with front matter that says where it came from. Its address becomes a relative path that is safe on
every file system: `/docs/setup/` is `docs/setup/index.md`, `/docs/setup.html` is `docs/setup.md`.
"""

import asyncio
import hashlib
import os
import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

from search.errors import CrawlFolderUnusable

PAGE = ".md"
_WEB_SUFFIX = re.compile(r"(?<=.)\.(?:x?html?|php\d?|aspx?|jspx?|do|md|markdown|txt)$", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f\ufffd]+')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)", re.IGNORECASE)
#: A folder that is called as files are could stand where a file has to.
_LIKE_A_FILE = re.compile(r"\.(?:md|pdf|docx|docm|xlsx|xlsm)$", re.IGNORECASE)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_LONGEST_SEGMENT = 80  # bytes of UTF-8, so that a suffix and a mark still fit below 255
_LONGEST = 300
_DEEPEST = 15


def path_of(address: str, *, suffix: str = PAGE, taken: Container[str] = ()) -> str:
    """Return the path below the crawl's folder; `taken` holds others' paths as `folded` gives them.

    It is relative, never leads upwards, holds no hidden file, no name of a device and nothing that cannot be seen.
    """
    parts = urlsplit(address)
    *folders, last = [unquote(segment) for segment in parts.path.split("/")] or [""]
    name = safe(_WEB_SUFFIX.sub("", last) if suffix == PAGE else last.removesuffix(suffix)) or "index"
    if parts.query:
        name = f"{name}-{safe(unquote(parts.query))[:40].rstrip('. ')}-{_mark(address)}"
    kept = [(f"{segment}_" if _LIKE_A_FILE.search(segment) else segment) for segment in map(safe, folders) if segment]
    folder = "/".join(kept[:_DEEPEST])
    if len(kept) > _DEEPEST or len(f"{folder}/{name}".encode()) > _LONGEST:
        folder, name = kept[0] if kept else "", f"{name}-{_mark(address)}"
    found = f"{folder}/{name}{suffix}".lstrip("/")
    if folded(found) in taken:
        found = f"{found.removesuffix(suffix)}-{_mark(address)}{suffix}"
    return found


def safe(segment: str) -> str:
    """Return a part of a path as a name that every file system takes, or "" where nothing is left of it."""
    seen = "".join(
        letter for letter in unicodedata.normalize("NFC", segment) if unicodedata.category(letter) not in _INVISIBLE
    )
    name = _FORBIDDEN.sub("-", seen).lstrip(". ~").rstrip(". ")
    if len(name.encode()) > _LONGEST_SEGMENT:
        cut = name.encode()[: _LONGEST_SEGMENT - 9].decode("utf-8", "ignore").rstrip(". ")
        name = f"{cut}-{_mark(segment)}"
    return f"_{name}" if _DEVICE.match(name) else name


def folded(path: str) -> str:
    """Return a path in the form in which file systems that ignore case compare it."""
    return unicodedata.normalize("NFC", path.casefold())


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


@dataclass(frozen=True)
class PageFile:
    """What is kept of one page; `updated` is a day as ISO 8601, or ""."""

    address: str
    title: str
    markdown: str
    language: str = ""
    updated: str = ""

    @property
    def digest(self) -> str:
        """Return what changes when the page does; what stands before the dot is the text's alone."""
        rest = _hash(f"{self.title}\0{self.language}")
        return f"{_hash(self.markdown)}.{rest[:8]}"

    def rendered(self, fetched: datetime) -> bytes:
        """Return the file's content."""
        front = {
            "title": self.title,
            "url": self.address,
            "language": self.language,
            "updated": self.updated,
            "fetched": fetched.replace(microsecond=0).isoformat(),
        }
        told = {name: value for name, value in front.items() if value}
        block = yaml.safe_dump(told, allow_unicode=True, sort_keys=False, width=10_000)
        return f"---\n{block}---\n\n{self.markdown.strip()}\n".encode()


def text_of(digest: str) -> str:
    """Return the part of a digest that pages with the same text have in common."""
    return digest.partition(".")[0]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


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
