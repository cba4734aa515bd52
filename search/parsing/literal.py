"""Plain words to Markdown that shows them as they were written: what would be taken for markup is escaped.

Only what really would be is touched, so that a passage stays near the original and can be quoted.
"""

import re

#: Marks of where a word may be broken, which would part it for whoever looks for it.
_UNSEEN = str.maketrans({"\u00ad": "", "\u200b": "", "\u2060": "", "\ufeff": "", "\0": "\ufffd"})
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)", re.MULTILINE)
_STARS = re.compile(r"(?<![*\\])\*+")
_UNDERSCORES = re.compile(r"(?<!_)_+")
_ENTITY = re.compile(r"&(?=(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)")
_TAG = re.compile(r"<(?=[A-Za-z/!?][^>]*>)")
_START = re.compile(
    r"#{1,6}(?=\s|$)|>|~{3}|<(?=[A-Za-z/!?])|\[(?=[^\]]+\]:)|[|:=_-](?=[|:=_\s-]*$)|[-+](?=$)|\*(?=\s|$)",
)
_LIST_MARK = re.compile(r"(?:[-+]|\d{1,9}[.)])[ \t]+")
_BARE_NUMBER = re.compile(r"\d{1,9}[.)]")

#: Characters that stay in an address between the brackets of a link.
SAFE = "/:?#@!$&'+,;=%~._-"


def inline(text: str) -> str:
    """Return text that shows as written inside a paragraph, a heading or a cell."""
    text = _BACKSLASH.sub(r"\\\\", text.translate(_UNSEEN))
    if "*" in text:
        text = _STARS.sub(lambda found: _outside_words(found, text), text)
    if "_" in text:
        text = _UNDERSCORES.sub(lambda found: _inside_words(found, text), text)
    text = _TAG.sub(r"\\<", _ENTITY.sub(r"\\&", text))
    return text.replace("`", "\\`").replace("](", "]\\(")


def line(text: str) -> str:
    """Return a line of `inline` text that begins nothing new: no heading, quote, fence, rule, table or HTML.

    The marks of lists stay, since a list is what they mean in plain text, too.
    """
    text = text.strip()
    if mark := _LIST_MARK.match(text):
        return text[: mark.end()] + line(text[mark.end() :])
    if _BARE_NUMBER.fullmatch(text):
        return f"{text[:-1]}\\{text[-1]}"
    return f"\\{text}" if _START.match(text) else text


def cell(text: str) -> str:
    """Return `inline` text that fits into a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def _outside_words(found: re.Match[str], text: str) -> str:
    """Escape stars unless white space is on both sides: those begin and end no emphasis."""
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    alone = len(found[0]) == 1 and bool(before) and before.isspace() and before != "\n" and after.isspace()
    return found[0] if alone else "\\*" * len(found[0])


def _inside_words(found: re.Match[str], text: str) -> str:
    """Escape underscores but for those inside a word (`snake_case`), which mean nothing to Markdown."""
    before, after = text[: found.start()][-1:], text[found.end() :][:1]
    return found[0] if before.isalnum() and after.isalnum() else "\\_" * len(found[0])
