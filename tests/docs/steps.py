"""A how-to as a program: its blocks are files to write, changes to make and commands to run, in order.

The paragraph before a block names the file: a `python`, `yaml` or `markdown` block is that file, a `diff` block
changes it. Lines of a change that begin with a blank or a minus must stand in the file exactly once, together; `@@`
stands between several places.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(?P<kind>python|yaml|markdown|diff|sh)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"`([\w./-]+\.\w+)`")


class DoesNotFit(Exception):
    """A step cannot be carried out on this tree; the text says which and why."""


@dataclass(frozen=True)
class Create:
    """Write a file that is not there yet."""

    path: str
    text: str

    def apply(self, root: Path) -> None:
        """Write it."""
        if (root / self.path).exists():
            raise DoesNotFit(f"{self.path} is there already")
        (root / self.path).parent.mkdir(parents=True, exist_ok=True)
        (root / self.path).write_text(self.text, encoding="utf-8")


@dataclass(frozen=True)
class Change:
    """Change lines of a file."""

    path: str
    diff: str

    def apply(self, root: Path) -> None:
        """Put the new lines where the old ones stand."""
        text = (root / self.path).read_text(encoding="utf-8")
        for hunk in re.split(r"^@@.*\n", self.diff, flags=re.MULTILINE):
            old, new = _side(hunk, "-"), _side(hunk, "+")
            if text.count(old) != 1:
                raise DoesNotFit(f"{self.path} has {text.count(old)} places like this:\n{old}")
            text = text.replace(old, new)
        (root / self.path).write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Run:
    """Run a command in the tree."""

    line: str


Step = Create | Change | Run


def steps(page: str) -> Iterator[Step]:
    """Yield the steps of a how-to; raise DoesNotFit for a block whose paragraph names no file."""
    for block in _BLOCK.finditer(page):
        kind, body = block["kind"], block["body"]
        if kind == "sh":
            yield from (Run(line) for line in body.splitlines())
            continue
        paragraph = page[: block.start()].rstrip("\n").rpartition("\n\n")[2]
        named = _PATH.findall(paragraph)
        if not named:
            raise DoesNotFit(f"no file is named before:\n{body}")
        yield Change(named[-1], body) if kind == "diff" else Create(named[-1], body)


def _side(hunk: str, sign: str) -> str:
    """Return the lines of one side: the kept ones and those of the sign; an empty line is a kept one."""
    lines = hunk.splitlines(keepends=True)
    return "".join(line[1:] or "\n" for line in lines if line[0] in {" ", "\n", sign})
