"""What the reader of a format hands over, and the section tree that it becomes."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath

from search.documents import Section
from search.parsing.kinds import Kind
from search.parsing.markdown import parse_body
from search.parsing.page import ParsedPage

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


def parsed(converted: Converted, *, kind: Kind, path: str) -> ParsedPage:
    """Return the page; `path` names the one that has no title of its own."""
    root = parse_body(converted.markdown)
    return ParsedPage(
        title=converted.title or PurePosixPath(path).stem,
        root=continued(root) if kind is Kind.PDF else root,
        text=converted.markdown,
        updated=converted.updated,
        problem=converted.remark,
    )


def own_title(text: str | None) -> str:
    """Return the title that a file's properties name, or "" where it is a program's and not an author's."""
    title = " ".join((text or "").split())
    for program in _PROGRAMS:
        if title.lower().startswith(program):
            title = title[len(program) :].rpartition(".")[0] or title[len(program) :]
    return "" if title.lower() in _NO_TITLES else title


def continued(root: Section) -> Section:
    """Return a tree of printed pages in which a section that runs over to the next page is named there, too.

    Pages are the headings of the first level. What stands on a page above its first heading belongs to the section
    that was open on the page before; its path is then the page, followed by that section's own headings.
    """
    open_before: list[tuple[int, str]] = []
    return replace(root, children=tuple(_continued(page, page.heading, open_before) for page in root.children))


def _continued(section: Section, page: str, open_before: list[tuple[int, str]]) -> Section:
    if section.level > 1:
        while open_before and open_before[-1][0] >= section.level:
            open_before.pop()
        open_before.append((section.level, section.heading))
    path = (page, *(heading for _, heading in open_before))
    return replace(
        section, path=path, children=tuple(_continued(child, page, open_before) for child in section.children)
    )
