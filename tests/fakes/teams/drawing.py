"""What one person is shown of a message: its words as they are read, what can be pressed, and its marks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.fakes.teams.content import CARD
from tests.fakes.teams.controls import Control, controls, elements, inputs, label_of
from tests.fakes.teams.entity_rules import AI_MESSAGE, entity_of
from tests.fakes.teams.inputs import initial
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.records import Json, Message, User
from tests.fakes.teams.streams import is_open

#: Under a stream that ended before its message was whole.
STOPPED = "This response was stopped."


@dataclass(frozen=True)
class Citation:
    """One source behind a number in the text."""

    position: int
    name: str
    quote: str
    url: str


@dataclass(frozen=True)
class Shown:
    """A message before one person's eyes."""

    said: Message
    #: The message's own words, and those of its cards.
    text: str
    card_text: str
    controls: tuple[Control, ...]
    citations: tuple[Citation, ...]
    ai_generated: bool
    #: Whether there are thumbs under it.
    rated: bool
    #: What the inputs of its cards hold, by label.
    fields: dict[str, str]
    state: Literal["", "streaming", "stopped"] = ""

    @property
    def words(self) -> str:
        """Everything that can be read, in its order."""
        return "\n".join(filter(None, (self.text, self.card_text)))

    @property
    def labels(self) -> tuple[str, ...]:
        """What can be pressed."""
        return tuple(each.label for each in self.controls)


def cards_of(said: Message, user: User) -> list[Json]:
    """Return the cards of a message as one person sees them: those that answered their own presses among them."""
    cards = [each["content"] for each in said.attachments if each.get("contentType") == CARD]
    return [said.own_cards[user.id], *cards[1:]] if user.id in said.own_cards else cards


def shown(organisation: Organisation, user: User, said: Message) -> Shown:
    """Draw a message for a person."""
    cards = cards_of(said, user)
    label = entity_of({"entities": said.entities}, AI_MESSAGE) or {}
    data = said.channel_data
    return Shown(
        said,
        _text(organisation, said),
        "\n".join(line for card in cards for line in card_lines(card)),
        tuple(controls(cards)),
        tuple(_citations(label)),
        "AIGeneratedContent" in (label.get("additionalType") or ()),
        bool(data.get("feedbackLoop") or data.get("feedbackLoopEnabled")),
        {label_of(each): initial(each) for card in cards for each in inputs(card)},
        _state(organisation, said),
    )


def _state(organisation: Organisation, said: Message) -> Literal["", "streaming", "stopped"]:
    if is_open(organisation, said):
        return "streaming"
    return "" if said.stream is None or said.stream.ending == "final" else "stopped"


def _text(organisation: Organisation, said: Message) -> str:
    match _state(organisation, said):
        case "streaming" | "stopped" if said.stream is not None:
            ending = STOPPED if said.stream.ending else said.stream.pieces[-1].text if not said.stream.text else ""
            return "\n".join(filter(None, (read(said.stream.text), ending)))
        case _:
            return said.text if said.text_format == "plain" else read(said.text)


def _citations(label: Mapping[str, Any]) -> Iterator[Citation]:
    for each in label.get("citation") or ():
        source = each["appearance"]
        yield Citation(each["position"], source["name"], source["abstract"], source.get("url", ""))


def card_lines(card: Json) -> Iterator[str]:
    """Yield the words of a card, line by line, without those on its buttons."""
    for each in elements(card):
        match each.get("type"):
            case "TextBlock":
                yield read(each["text"], dialect="card")
            case "RichTextBlock":
                yield "".join(run if isinstance(run, str) else str(run["text"]) for run in each["inlines"])
            case "CodeBlock":
                yield str(each["codeSnippet"])
            case "FactSet":
                for fact in each["facts"]:
                    yield f"{read(fact['title'], dialect='card')} {read(fact['value'], dialect='card')}"
            case "Input.Text" | "Input.Number" | "Input.Date" | "Input.Time" | "Input.Toggle" | "Input.ChoiceSet":
                yield label_of(each)
            case _:
                pass


def read(markdown: str, *, dialect: Literal["message", "card"] = "message") -> str:
    """Return Markdown as it is read: of what the dialect does not know, the marks themselves are seen."""
    found = re.sub(r"</?at>", "", markdown)
    return "\n".join(filter(None, _lines(_parser(dialect).parse(found))))


@cache
def _parser(dialect: Literal["message", "card"]) -> MarkdownIt:
    if dialect == "message":
        return MarkdownIt("commonmark", {"html": False}).enable("strikethrough")
    return MarkdownIt("zero").enable(["emphasis", "link", "list", "newline", "escape", "entity"])


def _lines(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in {"fence", "code_block"}:
            yield token.content.rstrip("\n")
        elif token.type == "inline":
            yield "".join(_words(each) for each in token.children or ())


def _words(token: Token) -> str:
    return "\n" if token.type in {"softbreak", "hardbreak"} else token.content
