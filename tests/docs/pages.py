"""The documentation as the checks see it: pages, their headings, links and shell lines."""

import math
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

_FENCE = re.compile(r"^(```+|~~~+)(\w*)[^\n]*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)[^)]*\)")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*$", re.MULTILINE)
#: Words after which a line of shell is somebody else's command again.
_SEPARATORS = {"|", "&&", "||", ";", ">", ">>", "<", "&"}


@dataclass(frozen=True)
class Page:
    """One Markdown file."""

    path: Path
    text: str

    @property
    def prose(self) -> str:
        """Return the text without its code blocks and inline code."""
        return re.sub(r"`[^`\n]+`", "", _FENCE.sub("", self.text))

    def blocks(self, language: str) -> list[str]:
        """Return the code blocks that are marked with a language."""
        return [body for _, marked, body in _FENCE.findall(self.text) if marked == language]

    @property
    def links(self) -> list[str]:
        return _LINK.findall(self.prose)

    @property
    def anchors(self) -> set[str]:
        return {anchor_of(heading) for heading in _HEADING.findall(_FENCE.sub("", self.text))}


def read(root: Path) -> tuple[Page, ...]:
    """Return the pages of `docs` and those that stand beside it."""
    files = [*sorted((root / "docs").rglob("*.md")), *sorted(root.glob("*.md"))]
    return tuple(Page(path, path.read_text(encoding="utf-8")) for path in files)


def anchor_of(heading: str) -> str:
    """Return the anchor that code hosts give a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def broken_links(pages: tuple[Page, ...], root: Path) -> Iterator[str]:
    """Yield each link to a file or heading that does not exist. Links out of the project are not followed."""
    by_path = {page.path.resolve(): page for page in pages}
    for page in pages:
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            path = (page.path.parent / target).resolve() if target else page.path.resolve()
            if not path.exists():
                yield f"{page.path.relative_to(root)}: {link} leads nowhere"
            elif anchor and (path not in by_path or anchor not in by_path[path].anchors):
                yield f"{page.path.relative_to(root)}: {link} names no heading"


def orphans(pages: tuple[Page, ...], start: Path) -> set[str]:
    """Return the pages that cannot be reached from `start` by links."""
    by_path = {page.path.resolve(): page for page in pages}
    reached: set[Path] = set()
    queue = [start.resolve()]
    while queue:
        path = queue.pop()
        if path in by_path and path not in reached:
            reached.add(path)
            queue += [(path.parent / link.partition("#")[0]).resolve() for link in by_path[path].links]
    return {path.name for path in by_path if path not in reached}


def shell_lines(page: Page, program: str) -> Iterator[list[str]]:
    """Yield the words after `program` wherever a shell block of the page runs it."""
    for _, language, body in _FENCE.findall(page.text):
        if language in {"sh", "shell", "bash", "console"}:
            for line in body.replace("\\\n", " ").splitlines():
                yield from _runs_of(program, line)


def wrong_use(words: list[str], command: click.Command) -> str | None:
    """Return what is wrong with a command line: an unknown command or option, or missing arguments."""
    name = command.name or "dutydesk"
    options = {opt: each for each in command.params if isinstance(each, click.Option) for opt in _spellings(each)}
    given = 0
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in {"--help", "-h", "--version"}:
            return None
        if word.startswith("-") and word != "-":
            option = options.get(word.partition("=")[0])
            if option is None:
                return f"{name} has no option {word}"
            if not option.is_flag and "=" not in word:
                rest = rest[1:]
        elif isinstance(command, click.Group):
            child = command.commands.get(word)
            return wrong_use(rest, child) if child else f"{name} has no command {word}"
        else:
            given += 1
    return _miscounted(command, given)


def _miscounted(command: click.Command, given: int) -> str | None:
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    required = sum(each.required for each in arguments)
    most = math.inf if any(each.nargs == -1 for each in arguments) else len(arguments)
    if isinstance(command, click.Group) or (required <= given <= most):
        return None
    return f"{command.name} takes {required} to {most} arguments, not {given}"


def _spellings(option: click.Option) -> list[str]:
    return [*option.opts, *option.secondary_opts]


def _runs_of(program: str, line: str) -> Iterator[list[str]]:
    words: list[str] = []
    inside = False
    for word in shlex.split(line.removeprefix("$ "), comments=True):
        if word in _SEPARATORS:
            if inside:
                yield words
            words, inside = [], False
        elif inside:
            words.append(word)
        elif word == program or word.endswith(f"/{program}"):
            inside = True
    if inside:
        yield words
