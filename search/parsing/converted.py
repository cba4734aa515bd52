"""What the reader of a format hands over."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

#: What programs write as a title when nobody gave one.
_NO_TITLE = re.compile(
    r"(?:untitled|\(?anonymous\)?|unknown|\(?unspecified\)?|(?:word )?document|book|workbook|presentation|"
    r"无标题|文档|新建文档|工作簿)\s*\d*",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"microsoft (?:office )?(?:word|excel|powerpoint) - ", re.IGNORECASE)
_SUFFIX = re.compile(r"(?<=\S)\.(?:docx?|docm|xlsx?|xlsm|pptx?|pdf|odt|rtf|txt|html?|wps)$", re.IGNORECASE)


@dataclass(frozen=True)
class Link:
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
    links: tuple[Link, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)


def own_title(text: str | None) -> str:
    """Return the title that a file's properties name, or "" where it is a program's and not an author's."""
    title = _SUFFIX.sub("", _PROGRAM.sub("", " ".join((text or "").split())))
    return "" if _NO_TITLE.fullmatch(title) else title
