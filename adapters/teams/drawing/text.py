"""Untrusted text made harmless for Teams: no mention, no HTML, no picture, no link that says another place."""

import re

from adapters.markdown.text import WORD_JOINER, cleaned, misleads, web_address

#: What HTML and mentions begin with; an entity would be decoded by Markdown. Before these characters it is a sign.
_TAG = re.compile(r"(<|&lt;?+|&LT;?+|&#0*60;?+|&#[xX]0*3[cC];?+)(?=[^\s\d=<\u2060-])")
#: A link whose words have no brackets and whose address has no space: the one shape that all readers agree on.
_LINK = re.compile(
    r"(?<![!\\\]])\[([^\[\]\n]{0,499}[^\[\]\n\\])\]\((https?://[^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\)[^\s<>()]{0,200}){0,3})\)"
)
#: Every other beginning of a link, a picture or a definition.
_BRACKET = re.compile(r"\](?=[(:])|!(?=\[)")
#: An address that names one host and leads to another.
_DISGUISED = re.compile(r"(https?:)(?=//[!-.0-~]*@)", re.IGNORECASE)
#: Clients replace these by a date in the reader's own time.
_TEMPLATE = re.compile(r"\{(?=\{(?:DATE|TIME)\()")
_UNDERLINES = ("-", "=", "*", "_")
#: A line that would make the line above a title, or be drawn as a rule.
_UNDERLINE = re.compile(r"[ \t]*(?P<mark>[-=*_])(?:[ \t]*(?P=mark))*[ \t]*\Z")
_BLOCK_START = re.compile(r"(?m)^(?=[ \t]*(?:[#>=|]|[-+](?=[-+\s]|\Z)|\d{1,9}[.)](?:\s|\Z))|    |\t)")
#: Marks that change how text looks; `_` within a word does not.
_STYLE = re.compile(r"[*`]|~(?=~)|(?<=~)~|(?<![^\W_])_|_(?![^\W_])|\\(?=[!-/:-@\[-`{-~\s]|\Z)|&(?=#?\w{1,32};)")


def harmless(markdown: str) -> str:
    """Return Markdown of one paragraph or more that can only change how its own words look."""
    safe = plain(markdown)
    pieces, at = [], 0
    for link in _LINK.finditer(safe):
        pieces += [_unlinked(safe[at : link.start()]), _opened(link[1], link[2])]
        at = link.end()
    return "".join([*pieces, _unlinked(safe[at:])])


def exact(text: str) -> str:
    """Return text for a place that reads Markdown, where it is to be seen as it is."""
    safe = _BRACKET.sub(rf"\g<0>{WORD_JOINER}", plain(text))
    return _BLOCK_START.sub(WORD_JOINER, _STYLE.sub(r"\\\g<0>", safe)).replace("\n", "  \n")


def plain(text: str) -> str:
    """Return text for a place without markup: nothing in it is taken for a tag, a mention or a template."""
    safe = _DISGUISED.sub(rf"\1{WORD_JOINER}", _TAG.sub(rf"\1{WORD_JOINER}", cleaned(text)))
    return verbatim(safe)


def verbatim(text: str) -> str:
    """Return text for a place where nothing but the clients' own templates is read."""
    return _TEMPLATE.sub(rf"{{{WORD_JOINER}", cleaned(text))


def line(text: str) -> str:
    """Return text in one line, for a title or a label without markup."""
    return " ".join(plain(text).split())


def link(words: str, url: str) -> str:
    """Return words that lead to an address, in Markdown; only the words when it cannot be linked."""
    said, address = exact(" ".join(words.split())), web_address(url, longest=1_000)
    if address is None or not said:
        return said
    return f"[{said}]({address.replace('(', '%28').replace(')', '%29')})"


def unruled(text: str) -> str:
    """Return a line of Markdown so that it says nothing about the line above; a rule becomes a line of dashes."""
    found = _UNDERLINE.match(text) if text.lstrip()[:1] in _UNDERLINES else None
    if found is None:
        return text
    return "———" if found["mark"] != "=" and text.count(found["mark"]) >= 3 else f"{WORD_JOINER}{text.strip()}"


def _opened(words: str, url: str) -> str:
    if misleads(words, url) or web_address(url) is None:
        return _unlinked(f"[{words}]({url})")
    return f"[{_unlinked(words)}]({url})"


def _unlinked(text: str) -> str:
    return _BRACKET.sub(rf"\g<0>{WORD_JOINER}", text)
