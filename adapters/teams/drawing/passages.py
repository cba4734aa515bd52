"""Markdown as the elements of a card: Teams reads bold, italic, lists and links in a text, and nothing else."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from microsoft_teams.cards.core import (
    CardElement,
    ColumnDefinition,
    Container,
    RichTextBlock,
    Table,
    TableCell,
    TableRow,
    TextBlock,
    TextRun,
)

from adapters.markdown.splitting import split_markdown, split_words
from adapters.outbound.packing import Keep
from adapters.teams.drawing import sections
from adapters.teams.drawing.packing import TeamsPart, weight
from adapters.teams.drawing.text import verbatim

#: A cut makes at most three bytes of a unit, so that a piece fits into a message.
PIECE, SMALL_PIECE = 6_000, 1_500
#: A table with more columns, or a row of more bytes, is read line by line.
COLUMNS_MAX, ROW_MAX, TABLE_MAX = 8, 3_000, 12_000
_CELL_BYTES = 90


def passages(markdown: str, *, piece: int = PIECE) -> Iterator[TeamsPart]:
    """Yield what draws a text in a card, in pieces of at most `piece` units."""
    for section in sections.sections(markdown):
        match section:
            case sections.Prose(markdown=said):
                yield from (
                    TeamsPart(TextBlock(text=each, wrap=True), Keep.FLOW) for each in split_markdown(said, piece)
                )
            case sections.Title(markdown=said):
                for each in split_markdown(said, piece):
                    yield TeamsPart(TextBlock(text=each, wrap=True, weight="Bolder"), Keep.FLOW, leads=True)
            case sections.Quote(markdown=said):
                for each in split_markdown(said, piece):
                    yield TeamsPart(_framed(TextBlock(text=each, wrap=True, is_subtle=True)), Keep.FLOW)
            case sections.CodeSection(text=text):
                yield from (TeamsPart(_framed(code(each)), Keep.FLOW) for each in split_words(text, piece))
            case sections.TableSection():
                yield from _table(section, piece)
            case _:
                assert_never(section)


def code(text: str) -> RichTextBlock:
    """Return lines exactly as they are."""
    return RichTextBlock(inlines=[TextRun(text=verbatim(text), font_type="Monospace")])


def _framed(element: CardElement) -> Container:
    return Container(style="emphasis", items=[element])


def _table(table: sections.TableSection, piece: int) -> Iterator[TeamsPart]:
    """Yield tables with the head repeated; what no row can hold is a list below the names of its columns."""
    if len(table.head) > COLUMNS_MAX or _weight(table.head) > ROW_MAX:
        yield from _as_lines(table.head, table.rows, piece)
        return
    rows: list[tuple[str, ...]] = []
    heavy = 0
    for cells in table.rows:
        more = _weight(cells)
        if rows and (more > ROW_MAX or heavy + more > TABLE_MAX):
            yield _drawn(table.head, rows)
            rows, heavy = [], 0
        if more > ROW_MAX:
            yield from _as_lines(table.head, [cells], piece)
        else:
            rows.append(cells)
            heavy += more
    if rows or not table.rows:
        yield _drawn(table.head, rows)


def _drawn(head: Sequence[str], rows: Sequence[Sequence[str]]) -> TeamsPart:
    # The first row is a head unless a card says no: its schema and its readers call that member by different names.
    columns = [ColumnDefinition(width=1) for _ in head]
    return TeamsPart(Table(columns=columns, rows=[_row(head), *map(_row, rows)]), Keep.FLOW)


def _row(cells: Sequence[str]) -> TableRow:
    return TableRow(cells=[TableCell(items=[TextBlock(text=cell or " ", wrap=True)]) for cell in cells])


def _weight(cells: Sequence[str]) -> int:
    """Return the bytes of a row, a little more than it will be."""
    return sum(weight(cell) + _CELL_BYTES for cell in cells)


def _as_lines(head: Sequence[str], rows: Sequence[Sequence[str]], piece: int) -> Iterator[TeamsPart]:
    for cells in rows or [("",) * len(head)]:
        said = "\n".join(f"- {name} · {cell}" for name, cell in zip(head, cells, strict=True))
        yield from (TeamsPart(TextBlock(text=each, wrap=True), Keep.FLOW) for each in split_markdown(said, piece))
