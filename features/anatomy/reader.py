"""Who reads what is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from adapters.cards import Language
from features.anatomy.moments import moment


@dataclass(frozen=True)
class Reader:
    """Who reads a card: in which language, zone, and how our own pages are linked for them."""

    language: Language
    timezone: str = "UTC"
    base: str = ""  # "" where links may be relative to the page
    bare: bool = False  # commands are typed without `/desk`


def page_url(reader: Reader, *, source: str, path: str, anchor: str = "") -> str:
    """Return the link to a section of a page of the knowledge."""
    fragment = f"#{quote(anchor)}" if anchor else ""
    return f"{reader.base}/knowledge/page/{quote(source, safe='')}/{quote(path)}{fragment}"


def moments(instants: Sequence[datetime], reader: Reader) -> tuple[str, ...]:
    """Return instants in the reader's zone: their times alone where all are of one day."""
    whole = [when(each, reader) for each in instants]
    days = {each.rpartition(" ")[0] for each in whole}
    return tuple(each.rpartition(" ")[2] for each in whole) if len(days) == 1 else tuple(whole)


def when(at: datetime, reader: Reader) -> str:
    """Return an instant in the reader's words and zone."""
    return moment(at, language=reader.language, timezone=reader.timezone)
