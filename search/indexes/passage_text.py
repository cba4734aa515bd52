"""The two readings of a passage: the words that are searched, and the text that is embedded.

What is shown and quoted is always the verbatim text; these only leave out what is markup and no word.
"""

import hashlib
import re
from collections.abc import Sequence

from search.documents import Chunk

_SHORTCODE = re.compile(r"\{\{(?P<inside>(?:[^{}\n]|\{(?!\{)|\}(?!\}))*+)\}\}")
_QUOTED = re.compile(r'"([^"]*)"')
# Only what really is HTML: `<user-name>` in a command is a word that somebody may look for.
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|caption|center|code|col|colgroup|dd|details|div|dl|dt|em|figcaption|figure|font|"
    r"h[1-6]|hr|i|iframe|img|input|kbd|li|ol|p|pre|script|small|span|strong|style|sub|summary|sup|table|tbody|td|"
    r"tfoot|th|thead|tr|u|ul|video)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_LINK = re.compile(r"!?\[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]*+)[^()]*+\)")
_MARKS = re.compile(r"[*`|]+|^[#>\s-]+(?=\s)", re.MULTILINE)
_SPACE = re.compile(r"\s+")
#: What the keys of vectors begin with by which a text is found from another language.
ABROAD = "abroad."


def searched_text(text: str) -> str:
    """Return the text whose words are indexed: tags left out, template tags reduced to what they quote."""
    return _TAG.sub(" ", _SHORTCODE.sub(_quoted, text))


def searched_path(path: str) -> str:
    """Return the words of a page's path that are indexed: those of its folders and its name, without the ending."""
    return path.rpartition(".")[0].replace("/", " ")


def embedded_text(text: str) -> str:
    """Return the text that the model reads: as `searched_text`, and links reduced to their words."""
    plain = _LINK.sub(lambda found: found["text"], searched_text(text))
    return _SPACE.sub(" ", _MARKS.sub(" ", plain)).strip()


def embedded_texts(chunk: Chunk, title: str) -> tuple[str, ...]:
    """Return what the dense leg embeds of a chunk: each window below its title and section."""
    context = context_line(title, chunk.section_path)
    return tuple(f"{context}\n{embedded_text(piece)}".strip() for piece in chunk.windows or (chunk.text,))


def embedded_key(text: str, *, abroad: bool = False) -> str:
    """Return the key under which the vector of an embedded text is kept.

    `abroad`: the one by which people find it who ask in another language.
    """
    return f"{ABROAD if abroad else ''}{hashlib.sha256(text.encode()).hexdigest()}"


def context_line(title: str, section_path: Sequence[str]) -> str:
    """Return title and section in one line, the title once."""
    return " > ".join(dict.fromkeys(part for part in (title, *section_path) if part))


def _quoted(found: re.Match[str]) -> str:
    return " " + " ".join(_QUOTED.findall(found["inside"])) + " "
