"""What Teams says about an answer: that a machine wrote it, and where each mark in its text comes from."""

import re

from adapters.cards import Card, Source, Sources
from adapters.markdown.text import shorten, web_address
from adapters.teams.drawing.elements import Json
from adapters.teams.drawing.text import line

#: What Teams takes of a citation, and how much of them one message gives room.
NAME_MAX, ABSTRACT_MAX, ADDRESS_MAX, CITATIONS_MAX = 80, 160, 500, 10
_MARK = re.compile(r"\[(\d{1,3})\]")


def labelled(text: str, card: Card) -> tuple[Json, ...]:
    """Return the entity that labels an answer, with the sources of the marks in this text of it."""
    marks = {int(number) for number in _MARK.findall(text)}
    items = [item for block in card.blocks if isinstance(block, Sources) for item in block.items]
    cited = {item.number: item for item in reversed(items) if item.number in marks and item.number > 0}
    entity: Json = {
        "type": "https://schema.org/Message",
        "@type": "Message",
        "@context": "https://schema.org",
        "@id": "",
        "additionalType": ["AIGeneratedContent"],
    }
    if cited:
        entity["citation"] = [_claim(cited[number]) for number in sorted(cited)][:CITATIONS_MAX]
    return (entity,)


def _claim(item: Source) -> Json:
    appearance: Json = {
        "@type": "DigitalDocument",
        "name": _cut(item.place, NAME_MAX),
        "abstract": _cut(item.quote.strip() or item.place, ABSTRACT_MAX),
    }
    url = web_address(item.url, longest=ADDRESS_MAX)
    if url is not None:
        appearance["url"] = url
    return {"@type": "Claim", "position": item.number, "appearance": appearance}


def _cut(text: str, limit: int) -> str:
    return shorten(line(text), limit) or "…"
