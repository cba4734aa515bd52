"""From the Markdown that a reader made of a file to the page with its section tree."""

from dataclasses import replace
from pathlib import PurePosixPath

from search.documents import Section
from search.parsing.converted import Converted, Kind, ParsedPage
from search.parsing.markdown.front_matter import read_front_matter
from search.parsing.markdown.sections import parse_body, parse_markdown
from search.parsing.text.encoding import Decoded


def of_markdown(decoded: Decoded, *, path: str) -> ParsedPage:
    """Return the page of a Markdown file; that its encoding was guessed is told where nothing else is wrong."""
    found = parse_markdown(decoded.text, path=path)
    return replace(found, problem=found.problem or decoded.remark)


def parsed(converted: Converted, *, kind: Kind, path: str) -> ParsedPage:
    """Return the page; `path` names the one that has no title of its own."""
    root = parse_body(converted.markdown)
    front = read_front_matter(converted.front_matter)
    return ParsedPage(
        title=front.title or converted.title or PurePosixPath(path).stem,
        root=continued(root) if kind is Kind.PDF else root,
        text=converted.markdown,
        updated=front.updated or converted.updated,
        front_matter=front.values,
        problem=front.problem or converted.remark,
        access_unreadable=bool(front.problem),
    )


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
