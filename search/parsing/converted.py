"""What the reader of a format hands over."""

import re
from dataclasses import dataclass
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
class Converted:
    """One file as Markdown. `remark` says in one line what was left out or taken for granted."""

    markdown: str
    title: str = ""
    updated: date | None = None
    remark: str = ""


def own_title(text: str | None) -> str:
    """Return the title that a file's properties name, or "" where it is a program's and not an author's."""
    title = _SUFFIX.sub("", _PROGRAM.sub("", " ".join((text or "").split())))
    return "" if _NO_TITLE.fullmatch(title) else title
