"""Cards without a chat around them: as plain text and as HTML, with links to the console and no button to press."""

from collections.abc import Iterator
from html import escape
from urllib.parse import urljoin

from adapters.cards import Block, Buttons, Card, Facts, Heading, Link, Note, Rating, Sources, Suggestions, Text
from adapters.markdown import parsing, plain
from adapters.markdown.text import web_address


def lines(card: Card, base: str) -> list[str]:
    """Return a card as lines of plain text; `base` is the address that people open the desk's pages under."""
    return [line for block in card.blocks for line in _lines(block, base)]


def html(card: Card, base: str) -> str:
    """Return a card as HTML."""
    return "".join(_html(block, base) for block in card.blocks)


def _lines(block: Block, base: str) -> Iterator[str]:
    match block:
        case Text(markdown=markdown):
            yield from (parsing.to_words(markdown), "")
        case Heading(text=text, badge=badge):
            yield from (f"{text} [{badge}]" if badge else text, "")
        case Note(text=text):
            yield text
        case Facts(rows=rows):
            yield from (f"{label}: {value}" for label, value in rows)
            yield ""
        case Buttons(items=items):
            yield from (f"{item.label}: {_absolute(item.url, base)}" for item in items if isinstance(item, Link))
        case Sources(items=sources):
            yield from (f"[{each.number}] {each.place}" for each in sources)
        case Suggestions() | Rating():
            return  # there is nobody to press them
        case _:
            yield from plain.lines(block)


def _html(block: Block, base: str) -> str:  # noqa: PLR0911 - one line for each kind of block
    match block:
        case Text(markdown=markdown):
            return parsing.to_html(markdown, links=parsing.Links(own=False))
        case Heading(text=text, badge=badge):
            return f"<h3>{escape(text)}{f' <small>({escape(badge)})</small>' if badge else ''}</h3>"
        case Facts(rows=rows):
            cells = "".join(
                f"<tr><td><b>{escape(label)}</b></td><td>{escape(value)}</td></tr>" for label, value in rows
            )
            return f"<table>{cells}</table>"
        case Buttons(items=items):
            links = ((item.label, _absolute(item.url, base)) for item in items if isinstance(item, Link))
            return "".join(f'<p><a href="{escape(url)}">{escape(label)}</a></p>' for label, url in links)
        case Note() | Sources():
            return "".join(f"<p>{escape(line)}</p>" for line in _lines(block, base))
        case Suggestions() | Rating():
            return ""
        case _:
            return f"<pre>{escape(chr(10).join(_lines(block, base)))}</pre>"


def _absolute(url: str, base: str) -> str:
    """Return one of our pages under the address that people open from elsewhere."""
    return web_address(urljoin(f"{base}/", url)) or base
