"""Where a page is kept: an address as a relative path that is safe on every file system.

`/docs/setup/` becomes `docs/setup/index.md`, `/docs/setup.html` becomes `docs/setup.md`.
"""

import hashlib
import re
import unicodedata
from collections.abc import Container
from urllib.parse import unquote, urlsplit

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
    kept = [_folder(segment) for segment in map(safe, folders) if segment]
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


def _folder(segment: str) -> str:
    return f"{segment}_" if _LIKE_A_FILE.search(segment) else segment


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
