"""What the reader of a format hands over."""

from dataclasses import dataclass
from datetime import date

#: What programs write as a title when nobody gave one.
_NO_TITLES = ("untitled", "(anonymous)", "anonymous", "unknown", "(unspecified)", "document", "无标题", "文档")
_PROGRAMS = ("microsoft word - ", "microsoft excel - ", "microsoft powerpoint - ")


@dataclass(frozen=True)
class Converted:
    """One file as Markdown. `remark` says in one line what was left out or taken for granted."""

    markdown: str
    title: str = ""
    updated: date | None = None
    remark: str = ""


def own_title(text: str | None) -> str:
    """Return the title that a file's properties name, or "" where it is a program's and not an author's."""
    title = " ".join((text or "").split())
    for program in _PROGRAMS:
        if title.lower().startswith(program):
            title = title[len(program) :].rpartition(".")[0] or title[len(program) :]
    return "" if title.lower() in _NO_TITLES else title
