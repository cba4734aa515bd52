"""The lines of a file that others made: UTF-8 with or without its mark, any line ends, packed by gzip or not."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

_PACKED = ".gz"


class CorpusInvalid(Exception):
    """The folder is no corpus; the text says what is missing or wrong."""


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold something, with their numbers; a file that is missing may be there packed."""
    found = path if path.exists() else path.with_name(path.name + _PACKED)
    try:
        packed = found.suffix == _PACKED
        with gzip.open(found, "rt", encoding="utf-8-sig") if packed else found.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except FileNotFoundError as error:
        raise CorpusInvalid(f"{path} is missing") from error
    except UnicodeDecodeError as error:
        raise CorpusInvalid(f"{found} is no UTF-8 text") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CorpusInvalid(f"{found} cannot be unpacked: {error}") from error


def whole(text: str) -> str:
    """Return text as it comes out of a page that was read: lines end in one way, no half characters, no NUL."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    return plain if plain.isascii() else plain.encode("utf-8", "replace").decode()
