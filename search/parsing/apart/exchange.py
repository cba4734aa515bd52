"""What goes to a reading process and what comes back: lines of JSON, and the bytes of files.

What comes back is data and is held to its shape: a process that a file took over can hand over neither code nor more
than the limit, and nonsense from it counts as a file that broke it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from search.documents import Section, SectionKind, Unit, UnitKind
from search.errors import Reason
from search.parsing.converted import Converted, Kind, PageLink, ParsedPage


@dataclass(frozen=True)
class ReaderFile:
    """A file to be read. With a `path` it becomes a page of that name, without one the Markdown that it holds."""

    kind: Kind
    content: bytes
    path: str = ""
    charset: str = ""  # that a server named


@dataclass(frozen=True)
class Unreadable:
    """Why a file could not be read, in one line to be read after its name, and as a code."""

    why: str
    reason: Reason = Reason.OTHER


class NoAnswer(Exception):
    """What came back is no answer."""


def request(file: ReaderFile) -> bytes:
    """Return what is sent for a file."""
    told = {"kind": file.kind, "size": len(file.content), "path": file.path, "charset": file.charset}
    return json.dumps(told).encode() + b"\n" + file.content


def dumped(told: Mapping[str, object]) -> bytes:
    """Return an answer as one line; half a character, which no text holds, becomes a question mark."""
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def page_told(page: ParsedPage) -> dict[str, object]:
    """Return a page as values of JSON; dates of its front matter become texts."""
    return {
        "title": page.title,
        "root": _section_told(page.root),
        "text": page.text,
        "updated": page.updated.isoformat() if page.updated else "",
        "front_matter": {name: _plain(value) for name, value in page.front_matter.items()},
        "problem": page.problem,
        "access_unreadable": page.access_unreadable,
    }


def converted_told(converted: Converted) -> dict[str, object]:
    """Return what a file became as values of JSON."""
    return {
        "markdown": converted.markdown,
        "title": converted.title,
        "updated": converted.updated.isoformat() if converted.updated else "",
        "remark": converted.remark,
        "front_matter": converted.front_matter,
        "links": [[link.address, link.updated] for link in converted.links],
        "about": dict(converted.about),
    }


def understood(line: bytes) -> Converted | ParsedPage | Unreadable:
    """Return what an answer says; raise `NoAnswer` for anything else."""
    try:
        told = json.loads(line)
        if "unreadable" in told:
            return Unreadable(str(told["unreadable"]), Reason(told["reason"]))
        return _page(told) if "root" in told else _converted(told)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise NoAnswer from error


def _page(told: Mapping[str, Any]) -> ParsedPage:
    return ParsedPage(
        title=str(told["title"]),
        root=_section(told["root"], above=()),
        text=str(told["text"]),
        updated=date.fromisoformat(told["updated"]) if told["updated"] else None,
        front_matter=dict(told["front_matter"]),
        problem=str(told["problem"]),
        access_unreadable=told["access_unreadable"] is not False,
    )


def _converted(told: Mapping[str, Any]) -> Converted:
    return Converted(
        markdown=str(told["markdown"]),
        title=str(told["title"]),
        updated=date.fromisoformat(told["updated"]) if told["updated"] else None,
        remark=str(told["remark"]),
        front_matter=str(told["front_matter"]),
        links=tuple(PageLink(str(address), updated=str(updated)) for address, updated in told["links"]),
        about={str(name): str(value) for name, value in told["about"].items()},
    )


#: A section is a list, since there may be a hundred thousand; what most have in common is left out.
def _section_told(section: Section, above: tuple[str, ...] = ()) -> list[object]:
    path = section.path
    usual = path in {above, (*above, section.heading)}
    return [
        section.heading,
        section.level,
        section.anchor,
        section.kind,
        (len(path) - len(above)) if usual else list(path),
        [[unit.kind, unit.text, unit.gap] if unit.gap != _GAP else [unit.kind, unit.text] for unit in section.units],
        [_section_told(child, path) for child in section.children],
    ]


_GAP = "\n\n"


def _section(told: Sequence[Any], *, above: tuple[str, ...]) -> Section:
    heading, level, anchor, kind, path, units, children = told
    heading = str(heading)
    whole = ((*above, heading) if path else above) if isinstance(path, int) else tuple(str(each) for each in path)
    return Section(
        heading=heading,
        level=int(level),
        path=whole,
        anchor=str(anchor),
        kind=SectionKind(kind),
        units=tuple(Unit(UnitKind(what), str(text), *(str(each) for each in gap)) for what, text, *gap in units),
        children=tuple(_section(child, above=whole) for child in children),
    )


def _plain(value: object) -> object:
    """Return a value of front matter as JSON has it; it is short, and of few levels."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, int) and value.bit_length() > _LONGEST_NUMBER:
        return ""
    return value if isinstance(value, str | int | float | None) else str(value)


#: Bits of a number; a longer one has more digits than Python writes.
_LONGEST_NUMBER = 10_000
