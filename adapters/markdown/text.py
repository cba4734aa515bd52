"""Untrusted text made harmless, measured and cut. Sizes are in UTF-16 units, as chat platforms count."""

import re
import unicodedata
from html import unescape
from urllib.parse import urlsplit

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
_EXTENDING = ("Mn", "Me", "Mc")


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
    end = at
    while at - _ONE_MAX < end < len(text) and end > 0 and _joined(text, end):
        end -= 1
    return end if end > max(0, at - _ONE_MAX) else at


def _host(url: str) -> str:
    try:
        host = urlsplit(url if "://" in url else f"//{url}").hostname or ""
    except ValueError:
        return url
    return host.removeprefix("www.")


def _joined(text: str, at: int) -> bool:
    """Return True when the characters on both sides of a place are one for the reader."""
    before, after = text[at - 1], text[at]
    if unicodedata.category(after) in _EXTENDING or after in "\u200c\u200d" or before == "\u200d":
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if unicodedata.combining(before) == 9 and unicodedata.category(after) == "Lo":
        return True  # a consonant after a virama
    if _is_flag_letter(before) and _is_flag_letter(after):
        return _flag_letters_before(text, at) % 2 == 1
    return _is_hangul_joined(before, after) or (before, after) == ("\r", "\n")


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_letters_before(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag_letter(text[start - 1]):
        start -= 1
    return at - start


def _is_hangul_joined(before: str, after: str) -> bool:
    leading = "\u1100" <= before <= "\u115f"
    return "\u1160" <= after <= "\u11ff" or (
        leading and ("\u1100" <= after <= "\u115f" or "\uac00" <= after <= "\ud7a3")
    )
