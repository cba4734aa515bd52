"""What goes out: a card is a closed union of blocks. All words arrive finished, in one language."""

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]
Tone = Literal["neutral", "info", "good", "warn", "bad"]


@dataclass(frozen=True)
class Text:
    """A paragraph in our Markdown subset (`adapters/markdown.py`). Citations are written `[1]`."""

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
    """Things to say next; choosing one sends it as a message."""

    label: str
    items: tuple[str, ...]
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


Block = Text | Heading | Facts | Sources | Note | Buttons | Suggestions | Rating


@dataclass(frozen=True)
class Card:
    """A message: blocks, and the plain text for notifications and screen readers."""

    blocks: tuple[Block, ...]
    fallback: str
    language: Language = "en"


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
