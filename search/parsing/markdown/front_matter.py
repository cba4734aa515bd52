"""The block between `---` lines at the top of a page: title, date, access. Of Markdown, HTML and plain text alike."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from email.utils import parsedate_to_datetime

from search.documents import Validity
from search.parsing.markdown.safe_yaml import YamlRefused, load_plain


def day_of(value: object) -> date | None:
    """Return the day of a date, a time, or their ISO, HTTP or PDF (`D:20240131…`) form; None for anything else."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.startswith("D:"):
        text = f"{text[2:6]}-{text[6:8]}-{text[8:10]}"
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text).date()
    except (ValueError, OverflowError):  # of a zone beyond all zones
        return None


_DATE_KEYS = ("updated", "lastmod", "last_updated", "date", "valid_from")
_WHOLE = re.compile(r"\A---[ \t]*\n(?P<block>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_UNCLOSED = re.compile(r"\A---[ \t]*\n\s*[\w-]+[ \t]*:(?:[ \t]|\n)")
#: A line of words for people, never of rights, whose words hold a colon as only quoted ones may in YAML.
_LOOSE_TEXT = re.compile(
    r"^((?:title|subtitle|description|summary|owner|author):[ \t]+)([^\s\"'\[{|>&*!%@`#\n][^\n]*?:[ \t][^\n]*)$",
    re.MULTILINE,
)
_OPENED = "---\n"
#: Characters of a title: it is kept, and embedded, with each passage of its page.
_LONGEST_TITLE = 300


@dataclass(frozen=True)
class FrontMatter:
    """The values, and what was wrong with the block."""

    values: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""

    @property
    def title(self) -> str:
        """Return the title, or "" when there is none."""
        title = self.values.get("title")
        try:
            words = str(title).strip() if isinstance(title, str | int | float) else ""
        except ValueError:  # a number of more digits than Python writes
            return ""
        return words[:_LONGEST_TITLE]

    @property
    def updated(self) -> date | None:
        """Return the day of the last change that the page itself names."""
        return next((day for key in _DATE_KEYS if (day := day_of(self.values.get(key))) is not None), None)


def validity_of(values: Mapping[str, object]) -> Validity:
    """Return when a page holds by its `valid_from` and `valid_until`; what is no day counts as absent."""
    return Validity(day_of(values.get("valid_from")), day_of(values.get("valid_until")))


def cut(text: str) -> tuple[str, str]:
    """Return the block with its dashes, "" where there is none, and the text below it. Line ends are plain ones.

    Of a block that is never closed only the opening is cut off, as a copy: what it was to say is unknown.
    """
    if found := _WHOLE.match(text):
        return found[0], text[found.end() :]
    return (_OPENED if _UNCLOSED.match(text) else ""), text


def read_front_matter(cut_off: str) -> FrontMatter:
    """Return the values of what `cut` found; a broken block has none and says why in one line."""
    if not cut_off:
        return FrontMatter()
    found = _WHOLE.match(cut_off)
    return _read(found["block"]) if found else FrontMatter(problem="front matter is opened by --- and never closed")


def _read(block: str) -> FrontMatter:
    try:
        loaded = _load(block)
        if loaded is None:
            return FrontMatter()
        if not isinstance(loaded, dict):
            return FrontMatter(problem="front matter is no list of `name: value` lines")
        return FrontMatter(values={str(key): value for key, value in loaded.items()})
    except YamlRefused as error:
        return FrontMatter(problem=f"front matter {error}")
    except ValueError:  # a name that is a number of more digits than Python writes
        return FrontMatter(problem="front matter holds a wrong value: a name that is a huge number")


def _load(block: str) -> object:
    """Return the values of a block; a title with a colon in it ("Rules: what holds") needs no quotes."""
    try:
        return load_plain(block, first_line=2)
    except YamlRefused:
        quoted = _LOOSE_TEXT.sub(lambda found: f"{found[1]}{json.dumps(found[2].strip(), ensure_ascii=False)}", block)
        if quoted == block:
            raise
        return load_plain(quoted, first_line=2)
