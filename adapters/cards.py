"""What goes out: a card is a closed union of blocks. All words arrive finished, in one language."""

from dataclasses import dataclass
from math import isfinite
from typing import Literal

from pydantic import Base64Bytes

Language = Literal["en", "zh"]
Tone = Literal["neutral", "info", "good", "warn", "bad"]


@dataclass(frozen=True)
class Text:
    """A paragraph in our Markdown subset (`adapters/markdown/parsing.py`). Citations are written `[1]`."""

    markdown: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True)
class Heading:
    """A short title line, with an optional state badge."""

    text: str
    badge: str | None = None
    tone: Tone = "neutral"
    kind: Literal["heading"] = "heading"


@dataclass(frozen=True)
class Facts:
    """Label and value pairs."""

    rows: tuple[tuple[str, str], ...]
    kind: Literal["facts"] = "facts"


@dataclass(frozen=True)
class Source:
    """One numbered citation. `url` is followed on whatever site it is: it must not be anybody's word but the desk's."""

    number: int
    title: str
    section: str
    url: str
    quote: str
    age: str = ""
    told: bool = False  # the answer above holds the words of the quote

    @property
    def quoted(self) -> str:
        """Return the quote where it is to be shown beside the source; nothing where it was read above already."""
        return "" if self.told else self.quote

    @property
    def place(self) -> str:
        """Return `title > section`, or the section alone where it begins with the title; never empty."""
        title, section = (" ".join(each.split()) for each in (self.title, self.section))
        place = section if section.startswith(title) else f"{title} > {section}"
        return place.removesuffix(" > ") or self.url or "…"


@dataclass(frozen=True)
class Sources:
    """The citations of an answer, under a label."""

    label: str
    items: tuple[Source, ...]
    kind: Literal["sources"] = "sources"


@dataclass(frozen=True)
class Note:
    """A small line: confidence, who pressed, a reference id."""

    text: str
    tone: Tone = "neutral"
    kind: Literal["note"] = "note"


@dataclass(frozen=True)
class Button:
    """A button carries an action, an id and a nonce, nothing else."""

    label: str
    action: str
    id: str
    nonce: str = ""
    style: Literal["plain", "primary", "danger"] = "plain"


@dataclass(frozen=True)
class Link:
    """A button that opens one of our own pages."""

    label: str
    url: str


@dataclass(frozen=True)
class Buttons:
    """A row of buttons."""

    items: tuple[Button | Link, ...]
    kind: Literal["buttons"] = "buttons"


@dataclass(frozen=True)
class Suggestions:
    """Things to say next; choosing one sends it as a message. `rests_on` is what `Card` says of it."""

    label: str
    items: tuple[str, ...]
    rests_on: tuple[str, ...] = ()
    kind: Literal["suggestions"] = "suggestions"


@dataclass(frozen=True)
class Rating:
    """The 👍/👎 pair of an answer and the words of its reason form."""

    id: str
    up: str
    down: str
    reason_label: str
    thanks: str
    kind: Literal["rating"] = "rating"


@dataclass(frozen=True)
class Column:
    """What stands in one column of a table. Numbers stand at the right; `unit` is shown beside the label."""

    label: str
    unit: str = ""
    holds: Literal["text", "number", "date"] = "text"

    @property
    def heading(self) -> str:
        """Return `label (unit)`, or the label alone."""
        return f"{self.label} ({self.unit})" if self.unit else self.label


@dataclass(frozen=True)
class Table:
    """Rows of plain words, as they are to be read; raise ValueError when a row is not as long as the columns.

    `note` says what is not shown ("first 50 of 1,203 rows"); platforms say for themselves what they leave out.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    note: str = ""
    kind: Literal["table"] = "table"

    def __post_init__(self) -> None:
        """Check the shape."""
        if not self.columns or any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("a table has columns, and each row as many cells as columns")


@dataclass(frozen=True)
class Code:
    """Lines to be shown exactly: a statement, a log, a manifest. `language` is a name such as `sql`, or empty."""

    text: str
    language: str = ""
    title: str = ""
    kind: Literal["code"] = "code"


@dataclass(frozen=True)
class ChartSeries:
    """The values of one line or of one colour of bars, one for each category; None where nothing was measured."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Chart:
    """Numbers to be seen at a glance; raise ValueError when a series does not fit the categories.

    `alternative` says in words what the picture shows: it stands wherever the picture cannot be seen.
    """

    shape: Literal["bar", "line", "pie"]
    title: str
    categories: tuple[str, ...]
    series: tuple[ChartSeries, ...]
    alternative: str
    unit: str = ""
    x_label: str = ""
    kind: Literal["chart"] = "chart"

    def __post_init__(self) -> None:
        """Check the shape."""
        if not self.categories or not self.series or (self.shape == "pie" and len(self.series) != 1):
            raise ValueError("a chart has categories and series, a pie one series")
        for each in self.series:
            if len(each.values) != len(self.categories) or not all(isfinite(value or 0) for value in each.values):
                raise ValueError("a series has one finite value, or None, for each category")


@dataclass(frozen=True)
class Image:
    """A picture of at most `IMAGE_BYTES`, and in words what it shows. Other formats than PNG are not shown anywhere."""

    png: Base64Bytes
    alternative: str
    title: str = ""
    kind: Literal["image"] = "image"

    def __post_init__(self) -> None:
        """Check the signature and the size."""
        if not self.png.startswith(PNG) or len(self.png) > IMAGE_BYTES:
            raise ValueError(f"an image is a PNG of at most {IMAGE_BYTES} bytes")


#: How a PNG begins, and how many bytes of it a card may carry.
PNG = b"\x89PNG\r\n\x1a\n"
IMAGE_BYTES = 200_000

Block = Text | Heading | Facts | Sources | Note | Buttons | Suggestions | Rating | Table | Code | Chart | Image


@dataclass(frozen=True)
class Card:
    """A message: blocks, and the plain text for notifications and screen readers.

    `rests_on` are the ids of the pages that it quotes: whoever shows it again later asks first who may read them.
    """

    blocks: tuple[Block, ...]
    fallback: str
    language: Language = "en"
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Field:
    """One input of a form."""

    name: str
    label: str
    value: str = ""
    kind: Literal["text", "paragraph", "choice"] = "text"
    choices: tuple[tuple[str, str], ...] = ()  # (value, label)
    required: bool = True
    hint: str = ""


@dataclass(frozen=True)
class Form:
    """A form that comes back as `FormSubmit` with the same form name, id and nonce."""

    form: str
    id: str
    nonce: str
    title: str
    submit: str
    cancel: str
    fields: tuple[Field, ...]
    language: Language = "en"
