"""What the command line prints: words, tables, JSON. Whatever others wrote is cleaned of control characters."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from adapters.cards import Block
from adapters.terminal.drawing import Style, TerminalLine, draw_block, printable

#: Columns of a table when the output is a file or a pipe, where nothing should be cut.
PIPE_WIDTH = 200

_STYLES: Mapping[Style, str] = {
    "choice": "cyan",
    "error": "red",
    "heading": "bold",
    "note": "dim",
    "status": "dim italic",
    "text": "",
}


def console(*, stderr: bool = False) -> Console:
    """Return the terminal, or plain text of a fixed width where there is none."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else PIPE_WIDTH, highlight=False, soft_wrap=False)


def say(text: str, style: str = "") -> None:
    """Print one paragraph."""
    console().print(Text(printable(text), style=style), soft_wrap=True)


def warn(text: str) -> None:
    """Print one paragraph to the error stream."""
    console(stderr=True).print(Text(printable(text), style="yellow"), soft_wrap=True)


def note(text: str) -> None:
    """Print something by the way to the error stream."""
    console(stderr=True).print(Text(printable(text), style="dim"), soft_wrap=True)


def fail(text: str) -> None:
    """Print an error to the error stream."""
    said = Text("Error: ", style="bold red").append(printable(text), style="not bold default")
    console(stderr=True).print(said, soft_wrap=True)


def show_line(text: str, style: Style) -> None:
    """Print a line of a drawn card."""
    console().print(Text(text, style=_STYLES[style]), soft_wrap=True)


def show_blocks(blocks: Iterable[Block]) -> None:
    """Print the blocks of a card; buttons are left out, since nothing waits for a press."""
    for block in blocks:
        if block.kind not in ("buttons", "rating"):
            for line in draw_block(block, lambda _choice: 0):
                drawn = _without_number(line)
                show_line(printable(drawn.text), drawn.style)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str) -> None:
    """Print rows under headings, or `empty` when there are none."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        drawn.add_column(heading, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    if drawn.row_count:
        console().print(drawn)
    else:
        say(empty, "dim")


def facts(rows: Iterable[tuple[str, str]]) -> None:
    """Print label and value pairs, a line each; empty values are left out."""
    drawn = Table.grid(padding=(0, 2))
    drawn.add_column(style="bold")
    drawn.add_column(overflow="fold")
    for label, value in rows:
        if value:
            drawn.add_row(label, Text(printable(value)))
    console().print(drawn)


def show_json(value: Any) -> None:
    """Print JSON for programs: one document, UTF-8, no colours."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


def moment(at: datetime | None) -> str:
    """Return an instant to the second in this machine's time zone."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at else ""


def _without_number(line: TerminalLine) -> TerminalLine:
    if line.style != "choice":
        return line
    return TerminalLine(f"  - {line.text.partition(') ')[2]}", "text")
