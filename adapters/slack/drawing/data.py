"""Tables and charts as Slack's own blocks, where its limits let them be; they stand in messages only."""

from collections.abc import Iterator, Sequence
from typing import Any

from slack_sdk.models.blocks import Block, ContextBlock, MarkdownTextObject, PlainTextObject, SectionBlock, TableBlock
from slack_sdk.models.blocks.basic_components import RawTextObject

from adapters.cards import Chart, Table
from adapters.markdown.plain import table_pieces
from adapters.markdown.text import exceeds, shorten, size
from adapters.outbound.packing import Keep
from adapters.slack.drawing.packing import SlackPart
from adapters.slack.drawing.text import escaped, plain

#: Of a table, its head among the rows; and what one may weigh, so that a heading stands in its message.
ROWS_MAX, COLUMNS_MAX, CELL_MAX, TABLE_WEIGHT = 100, 20, 2_900, 8_000
#: Of a chart. Slack's page names six series and segments, its newer limits twelve: six are taken everywhere.
SERIES_MAX, CATEGORIES_MAX, LABEL_MAX, TITLE_MAX = 6, 20, 20, 50
_LINE_MAX, _TITLE_LINE_MAX = 2_900, 2_000
_ALIGN = {"text": "left", "date": "left", "number": "right"}


class ChartBlock(Block):
    """Slack's `data_visualization`, which slack_sdk does not know yet."""

    type = "data_visualization"

    @property
    def attributes(self) -> set[str]:  # type: ignore[override]  # as its other blocks do
        """Return what is written beside the type."""
        return super().attributes.union({"title", "chart"})

    def __init__(self, *, title: str, chart: dict[str, Any]) -> None:
        """Take the finished parts."""
        super().__init__(type=self.type)
        self.title = title
        self.chart = chart


def table(block: Table) -> list[SlackPart] | None:
    """Return a table as one for each message; None when Slack's cannot hold it."""
    head = [_cell(column.heading) for column in block.columns]
    rows = [[_cell(cell) for cell in row] for row in block.rows]
    if len(head) > COLUMNS_MAX or any(exceeds(cell, CELL_MAX) for row in (head, *rows) for cell in row):
        return None
    heavy = [sum(size(cell) + len("raw_text") for cell in row) for row in (head, *rows)]
    if max(heavy) > TABLE_WEIGHT // 2:
        return None
    settings = [{"align": _ALIGN[column.holds], "is_wrapped": True} for column in block.columns]
    room = TABLE_WEIGHT - heavy[0]
    parts = list(title(block.title))
    for first, after in table_pieces(heavy[1:], room=room, rows=ROWS_MAX - 1):
        shown = [[RawTextObject(text=cell) for cell in row] for row in (head, *rows[first:after])]
        parts.append(SlackPart(TableBlock(rows=shown, column_settings=settings), Keep.FLOW))
        if after - first < len(rows):
            parts.append(SlackPart(_small(f"{first + 1}–{after} / {len(rows)}"), Keep.FLOW))
    return [*parts, *(SlackPart(_small(each)) for each in (block.note,) if each.strip())]


def chart(block: Chart) -> list[SlackPart] | None:
    """Return a chart with its words below it; None when Slack's cannot show all its numbers."""
    drawn = _pie(block) if block.shape == "pie" else _axes(block)
    name = " ".join(plain(block.title or block.alternative).split())  # Slack wants one
    if drawn is None or not name:
        return None
    long = title(block.title) if exceeds(block.title, TITLE_MAX) else ()
    made = ChartBlock(title=shorten(name, TITLE_MAX), chart=drawn)
    return [
        *long,
        SlackPart(made, Keep.FLOW),
        *(SlackPart(_small(each)) for each in (block.alternative,) if each.strip()),
    ]


def title(text: str) -> Iterator[SlackPart]:
    """Yield the line above a table or a chart, if it has one."""
    if said := " ".join(escaped(shorten(text, _TITLE_LINE_MAX // 5)).split()):
        yield SlackPart(SectionBlock(text=MarkdownTextObject(text=f"*{said}*")), leads=True)


def _pie(block: Chart) -> dict[str, Any] | None:
    labels, values = _labels(block.categories), block.series[0].values
    if labels is None or len(labels) > SERIES_MAX or not all(value is not None and value > 0 for value in values):
        return None
    return {"type": "pie", "segments": _points(labels, values)}


def _axes(block: Chart) -> dict[str, Any] | None:
    labels, names = _labels(block.categories), _labels([each.name for each in block.series])
    if labels is None or names is None or len(labels) > CATEGORIES_MAX or len(names) > SERIES_MAX:
        return None
    if any(value is None for each in block.series for value in each.values):
        return None
    series = [
        {"name": name, "data": _points(labels, values)}
        for name, values in zip(names, (each.values for each in block.series), strict=True)
    ]
    axes: dict[str, Any] = {"categories": labels}
    said = {"x_label": plain(block.x_label).strip(), "y_label": plain(block.unit).strip()}
    axes |= {key: shorten(words, TITLE_MAX) for key, words in said.items() if words}
    return {"type": block.shape, "series": series, "axis_config": axes}


def _points(labels: Sequence[str], values: Sequence[float | None]) -> list[dict[str, Any]]:
    return [{"label": label, "value": _number(value)} for label, value in zip(labels, values, strict=True)]


def _number(value: float | None) -> float | int | None:
    """Return a number as it is labelled: Slack writes 180105.0 for one that is whole."""
    return int(value) if value is not None and value.is_integer() else value


def _labels(names: Sequence[str]) -> list[str] | None:
    """Return the names as short as Slack wants them; None when two of them are the same or one is empty."""
    short = [shorten(" ".join(plain(name).split()), LABEL_MAX) for name in names]
    return short if all(short) and len(set(short)) == len(short) else None


def _cell(text: str) -> str:
    return plain(text).strip() or "–"


def _small(text: str) -> ContextBlock:
    return ContextBlock(elements=[PlainTextObject(text=shorten(plain(text).strip(), _LINE_MAX) or "…")])
