"""Who reads what is drawn."""

from dataclasses import dataclass
from datetime import datetime

from adapters.cards import Language
from features.anatomy.moments import moment


@dataclass(frozen=True)
class Reader:
    """Who reads a card: in which language, zone, and how our own pages are linked for them."""

    language: Language
    timezone: str = "UTC"
    base: str = ""  # "" where links may be relative to the page
    bare: bool = False  # commands are typed without `/desk`


def when(at: datetime, reader: Reader) -> str:
    """Return an instant in the reader's words and zone."""
    return moment(at, language=reader.language, timezone=reader.timezone)
