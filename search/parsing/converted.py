"""Which files are read, by their names, and what the reader of a format hands over."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import PurePosixPath

from search.documents import Section


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


#: What programs write as a title when nobody gave one.
_NO_TITLE = re.compile(
    r"(?:untitled|\(?anonymous\)?|unknown|\(?unspecified\)?|(?:word )?document|book|workbook|presentation|"
    r"无标题|文档|新建文档|工作簿)\s*\d*",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"microsoft (?:office )?(?:word|excel|powerpoint) - ", re.IGNORECASE)
_SUFFIX = re.compile(r"(?<=\S)\.(?:docx?|docm|xlsx?|xlsm|pptx?|pdf|odt|rtf|txt|html?|wps)$", re.IGNORECASE)


@dataclass(frozen=True)
class PageLink:
    """Where a web page or a sitemap leads; `updated` is the day that a sitemap names, as ISO 8601, or ""."""

    address: str
    updated: str = ""


@dataclass(frozen=True)
class Converted:
    """One file as Markdown. `remark` says in one line what was left out or taken for granted.

    `front_matter` is the block at its top as it was written, where there is one: what it says is read elsewhere.
    Only what came from the web has `links` and an `about`: language, canonical, robots, index.
    """

    markdown: str
    title: str = ""
    updated: date | None = None
    remark: str = ""
    front_matter: str = ""
    links: tuple[PageLink, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)


def own_title(text: str | None) -> str:
    """Return the title that a file's properties name, or "" where it is a program's and not an author's."""
    title = _SUFFIX.sub("", _PROGRAM.sub("", " ".join((text or "").split())))
    return "" if _NO_TITLE.fullmatch(title) else title


@dataclass(frozen=True)
class ParsedPage:
    """One page after parsing. `problem` says in one line what was wrong with it; the rest still stands."""

    title: str
    root: Section
    text: str  # what may be shown: no front matter, no comments, line ends as `\n`
    updated: date | None = None
    front_matter: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""
    access_unreadable: bool = False  # the front matter could not be read, so nobody knows who may read the page
