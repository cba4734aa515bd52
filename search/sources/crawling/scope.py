"""Which addresses belong to a crawl: the host, the part of the site, patterns; and what is a trap."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from search.sources.crawling.addresses import host_of

#: What no page of text ends with: not asked for.
_OTHER_SUFFIXES = (
    ".7z .apk .avi .bin .bmp .bz2 .css .csv .deb .dmg .eot .epub .exe .flac .gif .gz .ico .ics .iso .jar .jpeg .jpg "
    ".js .json .m4a .map .mjs .mov .mp3 .mp4 .mpeg .msi .ogg .otf .png .pkg .psd .rar .rpm .rss .svg .tar .tgz .tif "
    ".tiff .ttf .wasm .wav .webm .webmanifest .webp .whl .woff .woff2 .xz .zip"
)
_OTHER = frozenset(_OTHER_SUFFIXES.split())
#: Documents that are saved as they are, where that is wanted.
FILES = frozenset({".pdf", ".docx", ".docm", ".xlsx", ".xlsm"})
_OLD_FILES = frozenset({".doc", ".xls", ".xlsb", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".rtf"})
#: So many pages that differ in their query alone are a calendar, a filter or a basket.
MOST_VARIANTS = 50
_MOST_REPEATS = 3


@dataclass(frozen=True)
class CrawlScope:
    """The part of a site that is crawled. Patterns are globs over the path; `*` matches `/` too."""

    start: str  # canonical
    include: tuple[str, ...] = ()  # in place of "at or below the start"
    exclude: tuple[str, ...] = ()

    def covers(self, address: str) -> bool:
        """Say whether a canonical address belongs to the crawl."""
        if host_of(address) != host_of(self.start):
            return False
        if address == self.start:
            return True
        path = unquote(urlsplit(address).path)
        if any(fnmatchcase(path, pattern) for pattern in self.exclude):
            return False
        if self.include:
            return any(fnmatchcase(path, pattern) for pattern in self.include)
        return below(path, unquote(urlsplit(self.start).path))


def below(path: str, start: str) -> bool:
    """Say whether a path is the start or below it; a file such as `/docs/index.html` starts at its folder."""
    if start.endswith("/") or "." in start.rpartition("/")[2]:
        folder = start.rpartition("/")[0] + "/"
        return path.startswith(folder) or path == folder.rstrip("/")
    return path == start or path.startswith(f"{start}/")


def suffix_of(address: str) -> str:
    """Return the suffix of an address's last part in lower case, or ""."""
    return PurePosixPath(unquote(urlsplit(address).path)).suffix.lower()


def is_other(address: str) -> bool:
    """Say whether an address names what holds no text for us: pictures, archives, style sheets, programs."""
    return suffix_of(address) in _OTHER


def is_file(address: str) -> bool:
    """Say whether an address names a document that is no web page."""
    return suffix_of(address) in FILES | _OLD_FILES


@dataclass
class Traps:
    """Sees places that never end: paths that go round in circles, pages with ever new queries."""

    _variants: Counter[str] = field(default_factory=Counter)
    endless: set[str] = field(default_factory=set)  # paths of which variants were left out

    def catches(self, address: str) -> bool:
        """Say whether an address is better left alone; each address is asked about once."""
        parts = urlsplit(address)
        if _repeats(parts.path.split("/")):
            return True
        if parts.query:
            # A calendar counts in its path or in its query: numbers are one and the same there.
            place = re.sub(r"\d+", "0", parts.path)
            self._variants[place] += 1
            if self._variants[place] > MOST_VARIANTS:
                self.endless.add(parts.path)
                return True
        return False


def _repeats(segments: Sequence[str]) -> bool:
    """Say whether a run of segments comes three times in a row, as relative links that go wrong make them."""
    named = [segment for segment in segments if segment]
    for length in range(1, len(named) // _MOST_REPEATS + 1):
        for at in range(len(named) - _MOST_REPEATS * length + 1):
            run = named[at : at + length]
            if all(
                named[at + turn * length : at + (turn + 1) * length] == run for turn in range(1, _MOST_REPEATS)
            ) and not all(segment.isdigit() for segment in run):
                return True
    return False
