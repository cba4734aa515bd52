"""Untrusted text made harmless, measured and cut. Sizes are in UTF-16 units, as chat platforms count."""

import re
from html import unescape
from urllib.parse import urlsplit

import regex

#: Invisible, without width: it parts what a platform would read together.
WORD_JOINER = "\u2060"
_REMOVED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]")
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_HALF = re.compile(r"[\ud800-\udfff]")
_CODE_SO_FAR = re.compile(r"(?<!`)(?P<ticks>`++)[^\n]{0,500}?(?<!`)(?P=ticks)(?=[^`])")
_NO_WEB_AUTOLINK = re.compile(r"<(?=(?!https?://|\u2060)[^\s<>:@]*+[:@][^\s<>]*+>)")
_NO_WEB_LINK = re.compile(r"\](?=\((?![ \t]*<?https?://[^\s/]))")
_PICTURE = re.compile(r"!(?=\[[^\[\]\n]*\]\()")
#: A definition would turn a citation mark into a link of the writer's choice.
_DEFINITION = re.compile(r"(?m)^([ \t>*+\-.)\d]*\[[^\]\n]+\])(?=:)")
#: Where a link to the web ends its words; those with brackets in them are not known.
_NAMED = re.compile(r"(?:(?<!\\)\[(?P<words>[^\[\]\n]+))?\](?=\(\s*<?(?P<url>https?://[^\s)>]{1,3000}))")
_ADDRESS = re.compile(r"https?://[^\s\])>]+|www\.[^\s\])>]+")
#: The end of a line whose meaning depends on what follows.
_UNSETTLED = re.compile(r"(?:\\|<[^\s<>]*|&[#\w]*;?|`+[^`]*`*|~~~.*|!?\[[^\[\]]*(?:\](?:\([^)]*)?)?|!|~+)\Z")
#: No character that a reader sees is made of more.
_ONE_MAX = 64
#: Characters before a place from which on it is looked at: what is one for the reader is rarely longer.
_LOOKED_BACK = 256
#: Two of these letters are a flag: where a run of them is cut depends on where it begins.
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
_CLUSTER = regex.compile(r"\X")


def size(text: str) -> int:
    """Return the length in UTF-16 units, which is never less than the number of characters."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def exceeds(text: str, limit: int) -> bool:
    """Return whether a text is longer than so many units, without measuring a long one."""
    return len(text) > limit or size(text) > limit


def cleaned(text: str) -> str:
    """Return the text without control characters, direction overrides and halves of characters."""
    return _HALF.sub("\ufffd", _REMOVED.sub("", _LINE_END.sub("\n", text)))


def unlinked(text: str) -> str:
    """Return Markdown without pictures and definitions; links that do not openly lead to the web become words."""
    text = _PICTURE.sub(f"!{WORD_JOINER}", _NO_WEB_LINK.sub(f"]{WORD_JOINER}", text))
    text = _NO_WEB_AUTOLINK.sub(f"<{WORD_JOINER}", text)
    text = _DEFINITION.sub(rf"\1{WORD_JOINER}", text)
    return honest(text)


def honest(text: str) -> str:
    """Return Markdown in which no link to the web, be it in what looks like code, says another place."""
    return _NAMED.sub(
        lambda link: link[0] + (WORD_JOINER if link["words"] is None or misleads(link["words"], link["url"]) else ""),
        text,
    )


def misleads(label: str, url: str) -> bool:
    """Return True when the words of a link name another host than the one it leads to."""
    shown = _ADDRESS.search(unescape(label.replace("\\", "")))
    return shown is not None and _host(shown[0]) != _host(url)


def settled(text: str) -> str:
    """Return how much of a growing text can be shown: `markdown` of it stays the beginning of what comes later."""
    at = max(text.rfind("\n") + 1, len(text) - 3_000)
    line = _CODE_SO_FAR.sub(lambda code: "x" * len(code[0]), text[at:])
    found = _UNSETTLED.search(line)
    return text[: at + found.start()] if found else text


def web_address(url: str, *, longest: int = 3_000) -> str | None:
    """Return the address when it can be linked, with the characters that mean something in mrkdwn encoded."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        return None
    if re.search(r"[\x00-\x20\x7f-\x9f\\]", url) or cleaned(url) != url:
        return None
    encoded = re.sub(r"[<>|\"`]", lambda found: f"%{ord(found[0]):02X}", url)
    return encoded if size(encoded) <= longest else None


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` units of the text, with an ellipsis when something is left out."""
    if not exceeds(text, limit):
        return text
    return text[: fit(text, limit - 1)].rstrip() + "…"


def fit(text: str, limit: int) -> int:
    """Return how many characters fit into `limit` units without parting what a reader sees as one character."""
    at = min(len(text), max(0, limit))
    while (over := size(text[:at]) - limit) > 0:
        at -= max(1, over // 2)
    end = _cluster_start(text, at)
    return end if end > max(0, at - _ONE_MAX) else at


def _host(url: str) -> str:
    try:
        host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    except ValueError:
        return url
    return host.removeprefix("www.")


def _cluster_start(text: str, at: int) -> int:
    """Return the place, or where the character begins that a reader would see cut in two there."""
    before = text[: max(0, at - _LOOKED_BACK)]
    first = len(before) - (len(before) - len(before.rstrip(_FLAG_LETTERS))) % 2
    for found in _CLUSTER.finditer(text[first : at + _ONE_MAX]):
        if first + found.end() > at:
            return first + int(found.start())
    return at
