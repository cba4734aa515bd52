"""What a file holds, judged by its bytes before any reader sees it: nothing, something else, or far too much."""

import zipfile
import zlib
from collections.abc import Sequence
from io import BytesIO

from search.errors import FileUnreadable, Reason
from search.parsing.converted import Kind

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIN_PARTS = {"word/document.xml": "a Word file", "xl/workbook.xml": "an Excel file", "ppt/presentation.xml": "slides"}
_EXPECTED = {Kind.PDF: "a PDF file", Kind.DOCX: "a Word file", Kind.XLSX: "an Excel file"}
#: Bytes of the texts inside (XML), and of all parts together.
MOST_TEXT = 150_000_000
MOST = 1_000_000_000
_MOST_PARTS = 20_000
_LOCKED, _IS_LOCKED = 0x1, "is locked by a password"
_RELATIONS, _STRICT, _ENOUGH = "_rels/.rels", b"http://purl.oclc.org/ooxml/", 65_536
#: What reading a damaged archive raises.
BROKEN_ARCHIVE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError)


def check(kind: Kind, content: bytes) -> None:
    """Raise `FileUnreadable` for a file that is empty, is not what its name says, or is an archive out of all size."""
    if not content.strip():
        raise FileUnreadable("is empty", Reason.EMPTY)
    if wrong := mislabelled(kind, content):
        raise FileUnreadable(wrong, Reason.LOCKED if wrong == _IS_LOCKED else Reason.MISLABELLED)
    if kind in {Kind.DOCX, Kind.XLSX}:
        _check_archive(content)


def mislabelled(kind: Kind, content: bytes) -> str:
    """Return in one line what a file holds instead of what its name says, or ""."""
    expected = _EXPECTED.get(kind)
    if expected is None:
        return "" if kind is Kind.MARKDOWN or not (found := _binary(content)) else f"is {found}, in spite of its name"
    found = _held(content)
    if found == expected or not found:
        return ""
    if found == "OLE":
        return _old_or_locked(content)
    return f"is {found}, in spite of its name"


def _held(content: bytes) -> str:
    """Return what a file is by its first bytes, or "" when they tell nothing."""
    if found := _binary(content):
        return found
    start = content[:1_024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
        return "an HTML page"
    return ""


def _binary(content: bytes) -> str:
    if b"%PDF-" in content[:1_024]:
        return "a PDF file"
    if content.startswith(_OLE):
        return "OLE"
    return _zipped(content) if content.startswith(b"PK\x03\x04") else ""


def _zipped(content: bytes) -> str:
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            names = set(archive.namelist())
    except BROKEN_ARCHIVE:
        return ""  # its reader says what is broken
    return next((what for part, what in _MAIN_PARTS.items() if part in names), "a ZIP archive")


def _old_or_locked(content: bytes) -> str:
    """Say which: a file of before 2007, or one that a password locks; both are kept in the same container."""
    if "EncryptedPackage".encode("utf-16-le") in content:
        return _IS_LOCKED
    return "is in the format of Office before 2007, in spite of its name; save it as .docx or .xlsx"


def _check_archive(content: bytes) -> None:
    """Judge by the sizes that the archive states: whoever reads a part stops there, whatever it really holds."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            parts = archive.infolist()
            _check_parts(parts, len(content))
            start = archive.open(_RELATIONS).read(_ENOUGH) if _RELATIONS in archive.namelist() else b""
    except BROKEN_ARCHIVE as error:
        raise FileUnreadable("is broken: it is no Office file that can be opened", Reason.BROKEN) from error
    if _STRICT in start:
        words = "is in the strict variant of its format, which is not read; save it in the usual one"
        raise FileUnreadable(words, Reason.OLD_FORMAT)


def _check_parts(parts: Sequence[zipfile.ZipInfo], size: int) -> None:
    if any(part.flag_bits & _LOCKED for part in parts):
        raise FileUnreadable(_IS_LOCKED, Reason.LOCKED)
    text = sum(part.file_size for part in parts if part.filename.lower().endswith((".xml", ".rels")))
    total = sum(part.file_size for part in parts)
    if text > MOST_TEXT or total > MOST or len(parts) > _MOST_PARTS:
        sizes = f"{size / 1_000_000:.1f} MB that unpack to {total // 1_000_000} MB"
        words = f"has {sizes}, more than is taken from one file (a ZIP bomb?)"
        raise FileUnreadable(words, Reason.TOO_MUCH_INSIDE)
