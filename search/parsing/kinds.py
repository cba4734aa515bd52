"""Which files are read, by their names."""

from enum import StrEnum
from pathlib import PurePosixPath


class Kind(StrEnum):
    """A format that has a reader."""

    MARKDOWN = "markdown"
    TEXT = "text"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    XLSX = "xlsx"
    WEB_PAGE = "web-page"  # as `Fetched` packs it; no file on disk is one
    SITEMAP = "sitemap"  # the same


KINDS = {
    ".md": Kind.MARKDOWN,
    ".markdown": Kind.MARKDOWN,
    ".txt": Kind.TEXT,
    ".text": Kind.TEXT,
    ".html": Kind.HTML,
    ".htm": Kind.HTML,
    ".xhtml": Kind.HTML,
    ".pdf": Kind.PDF,
    ".docx": Kind.DOCX,
    ".docm": Kind.DOCX,
    ".xlsx": Kind.XLSX,
    ".xlsm": Kind.XLSX,
}
#: Documents that somebody may miss, and what to do about each; other files (pictures, archives) are passed over.
UNREAD = {
    ".doc": "is in the old Word format, which is not read; save it as .docx",
    ".xls": "is in the old Excel format, which is not read; save it as .xlsx",
    ".xlsb": "is a binary Excel file, which is not read; save it as .xlsx",
    ".ppt": "is a presentation, which is not read; save it as .pdf",
    ".pptx": "is a presentation, which is not read; save it as .pdf",
    ".odt": "is an OpenDocument file, which is not read; save it as .docx",
    ".ods": "is an OpenDocument file, which is not read; save it as .xlsx",
    ".rtf": "is an RTF file, which is not read; save it as .docx",
    ".wps": "is a WPS file, which is not read; save it as .docx",
    ".et": "is a WPS file, which is not read; save it as .xlsx",
}


def kind_of(path: str) -> Kind | None:
    """Return the format that a file's name stands for, or None where there is no reader."""
    return KINDS.get(PurePosixPath(path).suffix.lower())


def unread(path: str) -> str:
    """Return why a document of this name is not read and what to do, or "" for a file that nobody misses."""
    return UNREAD.get(PurePosixPath(path).suffix.lower(), "")
