"""Tables, code, charts and pictures as HTML: charts are drawn here as SVG, so that no script and no style is needed."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, cos, floor, log10, pi, sin
from typing import assert_never

from adapters.cards import Chart, Code, Image, Table
from adapters.markdown.plain import chart_table, number
from adapters.markdown.text import shorten
from adapters.web.words import WebWords

#: Of a chart: the picture, what is kept free around it for words, and how many colours the style sheet has.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, COLOURS = 640, 310, 64, 12, 28, 46, 8
_LABELS_MAX, _LABEL_CHARS, _TICKS = 12, 14, 4
#: Of a label: how wide a letter is at most, and a Chinese character; and the fewest characters that are left of a name.
_LETTER, _CHARACTER, _LEAST_CHARS = 7.0, 13.0, 3


def draw(block: Table | Code | Chart | Image, words: WebWords) -> str:
    """Return a block as HTML."""
    match block:
        case Table():
            return table(block)
        case Code():
            return code(block, words)
        case Chart():
            return chart(block, words)
        case Image():
            return image(block)
        case _:
            assert_never(block)


def table(block: Table) -> str:
    """Return a table with its caption; on a narrow screen it scrolls by itself."""
    caption = f"<caption>{escape(block.title)}</caption>" if block.title else ""
    aligned = ["" if column.holds != "number" else ' class="number"' for column in block.columns]
    heads = zip(aligned, block.columns, strict=True)
    head = "".join(f'<th scope="col"{align}>{escape(column.heading)}</th>' for align, column in heads)
    rows = "".join(
        f"<tr>{''.join(f'<td{align}>{escape(cell)}</td>' for align, cell in zip(aligned, row, strict=True))}</tr>"
        for row in block.rows
    )
    note = f'<p class="note">{escape(block.note)}</p>' if block.note else ""
    label = f' aria-label="{escape(block.title)}"' if block.title else ""
    return (
        f'<div class="table-block"><div class="scroll" tabindex="0" role="region"{label}>'
        f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>{note}</div>"
    )


def code(block: Code, words: WebWords) -> str:
    """Return code with a button that copies it (`chat.js`)."""
    title = f"<figcaption>{escape(block.title)}</figcaption>" if block.title else ""
    button = f'<button type="button" class="button copy" data-copy>{escape(words.copy_code)}</button>'
    shown = f'<pre tabindex="0"><code>{escape(block.text)}</code></pre>'
    return f'<figure class="code-block">{title}{button}{shown}</figure>'


def image(block: Image) -> str:
    """Return a picture inside the page: it is nobody's address."""
    title = f"<figcaption>{escape(block.title)}</figcaption>" if block.title else ""
    source = f"data:image/png;base64,{b64encode(block.png).decode()}"
    return f'<figure class="picture">{title}<img src="{source}" alt="{escape(block.alternative)}"></figure>'


def chart(block: Chart, words: WebWords) -> str:
    """Return a chart with its words below it, and its numbers for whoever cannot see it or wants them."""
    drawn = _pie(block) if block.shape == "pie" and _is_pie(block) else _axes(block)
    names = block.categories if block.shape == "pie" and _is_pie(block) else [each.name for each in block.series]
    legend = "".join(f'<li><i class="series-{at % COLOURS}"></i>{escape(name)}</li>' for at, name in enumerate(names))
    shown = f'<ul class="legend">{legend}</ul>' if len(names) > 1 else ""
    numbers = chart_table(block)
    title = f"<figcaption>{escape(block.title)}</figcaption>" if block.title else ""
    said, scrolled = escape(block.alternative), '<div class="scroll" tabindex="0">'
    figure = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{said}">{drawn}</svg>'
    return (
        f'<figure class="chart">{title}{scrolled}{figure}</div>{shown}<p class="note">{said}</p>'
        f"<details><summary>{escape(words.numbers)}</summary>"
        f"{table(Table(numbers.columns, numbers.rows))}</details></figure>"
    )


def _axes(block: Chart) -> str:
    """Return bars or lines between two axes; zero is always among the values of bars."""
    known = [value for each in block.series for value in each.values if value is not None]
    scale = _Scale([*known, 0.0] if block.shape != "line" or not known else known)
    step = (WIDTH - LEFT - RIGHT) / len(block.categories)
    grid = "".join(
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{scale.at(tick):.1f}" y2="{scale.at(tick):.1f}"/>'
        f'<text class="tick" x="{LEFT - 8}" y="{scale.at(tick) + 4:.1f}">{escape(_short(tick))}</text>'
        for tick in scale.ticks
    )
    series = "".join(
        _line(block, at, scale, step) if block.shape == "line" else _bars(block, at, scale, step)
        for at in range(len(block.series))
    )
    labels = "".join(
        f'<text class="label" x="{min(LEFT + step * (at + 0.5), WIDTH - _wide(name) / 2):.1f}"'
        f' y="{HEIGHT - BOTTOM + 18}">{escape(name)}</text>'
        for at, name in _labels(block, step)
    )
    middle = LEFT + (WIDTH - LEFT - RIGHT) // 2
    below = f'<text class="axis" x="{middle}" y="{HEIGHT - 6}">{escape(block.x_label)}</text>'
    unit = f'<text class="axis unit" x="4" y="12">{escape(block.unit)}</text>'
    return f'<g class="grid">{grid}</g>{series}{labels}{below if block.x_label else ""}{unit if block.unit else ""}'


def _labels(block: Chart, step: float) -> Iterator[tuple[int, str]]:
    """Yield which places have a label, and which, so that none covers another: of a line some, of bars shorter ones."""
    most = _LABEL_CHARS
    if block.shape != "line":
        long = [name for name in block.categories if _wide(name) > step]
        fits = (int((step - _CHARACTER) / _wide(name) * len(name)) + 1 for name in long)
        most = max(_LEAST_CHARS, min((most, *fits)))
    names = [shorten(name, most) for name in block.categories]
    widest = max(map(_wide, names), default=0.0)
    every = max(ceil(len(names) / _LABELS_MAX), ceil(widest / step) if block.shape == "line" else 1)
    yield from ((at, name) for at, name in enumerate(names) if at % every == 0)


def _wide(name: str) -> float:
    return sum(_LETTER if letter.isascii() else _CHARACTER for letter in name)


def _bars(block: Chart, at: int, scale: "_Scale", step: float) -> str:
    each, wide = block.series[at], step * 0.72 / len(block.series)
    return "".join(
        f'<rect class="series-{at % COLOURS}" x="{LEFT + step * (place + 0.14) + wide * at:.1f}"'
        f' width="{max(wide - 1, 0.5):.1f}" y="{min(scale.at(value), scale.at(0.0)):.1f}"'
        f' height="{max(abs(scale.at(value) - scale.at(0.0)), 0.5):.1f}">'
        f"<title>{_told(block, at, place)}</title></rect>"
        for place, value in enumerate(each.values)
        if value is not None
    )


def _line(block: Chart, at: int, scale: "_Scale", step: float) -> str:
    """Return a line for each run of values without a gap, and a dot for each value where they are few."""
    drawn: list[str] = []
    for run in _runs(block.series[at].values):
        points = " ".join(f"{LEFT + step * (place + 0.5):.1f},{scale.at(value):.1f}" for place, value in run)
        drawn.append(f'<polyline class="series-{at % COLOURS}" points="{points}"/>')
        dots = run if len(run) == 1 or len(block.categories) <= 3 * _LABELS_MAX else ()
        drawn += [
            f'<circle class="series-{at % COLOURS}" cx="{LEFT + step * (place + 0.5):.1f}" cy="{scale.at(value):.1f}"'
            f' r="3"><title>{_told(block, at, place)}</title></circle>'
            for place, value in dots
        ]
    return "".join(drawn)


def _runs(values: Sequence[float | None]) -> Iterator[list[tuple[int, float]]]:
    run: list[tuple[int, float]] = []
    for place, value in enumerate([*values, None]):
        if value is not None:
            run.append((place, value))
        elif run:
            yield run
            run = []


def _is_pie(block: Chart) -> bool:
    """Return whether the values are shares of something."""
    values = [value for value in block.series[0].values if value is not None]
    return all(value >= 0 for value in values) and 0 < sum(values) < float("inf")


def _pie(block: Chart) -> str:
    values = [value or 0.0 for value in block.series[0].values]
    whole, turned, drawn = sum(values), 0.0, []
    x, y, radius = WIDTH / 2, HEIGHT / 2, HEIGHT / 2 - TOP
    for at, value in enumerate(values):
        share = value / whole
        told = f"<title>{_told(block, 0, at)}</title>"
        if share >= 0.9999:
            drawn.append(f'<circle class="series-{at % COLOURS}" cx="{x}" cy="{y}" r="{radius}">{told}</circle>')
        elif share > 0:
            ends = [
                (x + radius * sin(2 * pi * each), y - radius * cos(2 * pi * each)) for each in (turned, turned + share)
            ]
            (x1, y1), (x2, y2) = ends
            drawn.append(
                f'<path class="series-{at % COLOURS}" d="M{x},{y} L{x1:.1f},{y1:.1f}'
                f' A{radius},{radius} 0 {int(share > 0.5)} 1 {x2:.1f},{y2:.1f} Z">{told}</path>'
            )
        turned += share
    return "".join(drawn)


def _told(block: Chart, at: int, place: int) -> str:
    """Return what is said of one value when it is pointed at."""
    each = block.series[at]
    unit = f" {block.unit}" if block.unit else ""
    named = f"{each.name}, " if each.name and len(block.series) > 1 else ""
    return escape(f"{named}{block.categories[place]}: {number(each.values[place], block.unit)}{unit}")


class _Scale:
    """Turns values into heights, with round numbers at the lines of the grid."""

    def __init__(self, values: Sequence[float]) -> None:
        low, high = min(values), max(values)
        if low == high:
            low, high = (min(low, 0.0), max(high, 0.0)) if low else (0.0, 1.0)
        self.ticks = _ticks(low, high)
        self.low, self.high = min(low, self.ticks[0]), max(high, self.ticks[-1])

    def at(self, value: float) -> float:
        """Return the height of a value; halves are taken, so that a difference stays finite."""
        share = (value / 2 - self.low / 2) / (self.high / 2 - self.low / 2)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _ticks(low: float, high: float) -> list[float]:
    """Return round numbers around the lowest and the highest value, or just these two when they are extreme."""
    span = high - low
    if not 1e-9 < span < 1e15 or max(abs(low), abs(high)) > 1e6 * span:
        return [low, high]
    rough = span / _TICKS
    size = 10.0 ** floor(log10(rough))
    step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= rough * 0.999)
    return [round(step * at, 12) for at in range(floor(low / step), ceil(high / step) + 1)]


def _short(value: float) -> str:
    return number(value) if abs(value) < 1e7 else f"{value:.3g}"
