"""Untrusted text made harmless for Slack: nobody in it can be mentioned."""

import re

from adapters.markdown.text import WORD_JOINER, cleaned, honest, unlinked

_LESS_THAN = r"<|&lt;|&LT;|&#0*60;|&#[xX]0*3[cC];"
#: What a mention begins with; an entity or a backslash would be taken away by Markdown.
_MENTION = re.compile(rf"({_LESS_THAN})(?=\\?[!@#]|&)")
#: Slack's own link, with words that say something else than its address.
_LABELLED = re.compile(rf"({_LESS_THAN})(?=[A-Za-z][A-Za-z0-9+.-]*:[^\s<>|]{{0,3000}}\|)")
#: Fenced code and code in a line, where Markdown makes no links.
_CODE = re.compile(
    r"(?ms)(^[ \t>]*(?P<fence>```++|~~~++)[^\n]*+\n.*?(?:^[ \t>]*(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`++)[^\n]{0,500}?(?<!`)(?P=ticks)(?!`))"
)


def plain(text: str) -> str:
    """Return the text for a place without markup: nothing in it can be taken for a mention."""
    return _MENTION.sub(rf"\1{WORD_JOINER}", cleaned(text))


def escaped(text: str) -> str:
    """Return the text for mrkdwn: no mention, no link."""
    return cleaned(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def link_words(text: str) -> str:
    """Return the text for the words of a link in mrkdwn."""
    return " ".join(escaped(text).replace("|", "¦").split())


def markdown(text: str) -> str:
    """Return Markdown without mentions and pictures; links that do not openly lead to the web become words."""
    safe = honest(_LABELLED.sub(rf"\1{WORD_JOINER}", plain(text)))
    pieces, at = [], 0
    for code in _CODE.finditer(safe):
        pieces += [unlinked(safe[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, unlinked(safe[at:])])
