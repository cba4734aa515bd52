"""Links out of what a brain wrote: only to hosts that an operator named, whatever a document asked for."""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

#: What stands where a foreign address was.
REMOVED = "…"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_DEFINITION = re.compile(r"(?m)^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*\S+.*$")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)]*\)|!\[([^\]]*)\]\[[^\]]*\]")
_INLINE = re.compile(r"\[([^\[\]]*)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?[^()]*\)")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\]]*\]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*\b(?:href|src|action|srcset|poster|data)\b[^<>]*>|</?[aA](?:\s[^<>]*)?>")
_INSIDE = r"[^\s<>()\[\]\"'`，。；、（）【】]+"
# No word boundary before the scheme: Chinese has none, and whoever turns addresses into links finds them anywhere.
_BARE = re.compile(rf"<?[a-z][a-z0-9+.-]*://{_INSIDE}>?|www\.{_INSIDE}|(?:java|vb)script:{_INSIDE}", re.IGNORECASE)
_TRAILING = ".,;:!?'\"*_~"


def allowed_only(text: str, hosts: Iterable[str]) -> str:
    """Return the text with every foreign link reduced to its words; a bare foreign address becomes `REMOVED`."""
    known = frozenset(host.casefold() for host in hosts)
    text = _DEFINITION.sub("", text)
    text = _IMAGE.sub(lambda found: found[1] or found[2] or "", text)
    text = _INLINE.sub(lambda found: found[0] if _is_allowed(found[2], known) else found[1], text)
    text = _REFERENCE.sub(lambda found: found[1], text)
    text = _TAG.sub("", text)
    return _BARE.sub(lambda found: _bare(found[0], known), text)


def has_address(text: str) -> bool:
    """Tell whether a text holds a bare address."""
    return _BARE.search(text) is not None


def without_addresses(text: str) -> list[str]:
    """Return the verbatim parts of a text between its addresses."""
    return [part for part in _BARE.split(text) if part is not None]


def _bare(found: str, known: frozenset[str]) -> str:
    inner = found.strip("<>")
    address = inner.rstrip(_TRAILING)
    return found if _is_allowed(address, known) else REMOVED + inner[len(address) :]


def _is_allowed(address: str, known: frozenset[str]) -> bool:
    """Only http and https to a known host or one below it; a relative link leads nowhere outside its page."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").rstrip(".").casefold()
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc or "\\" in address:
        return False
    return host in _LOOPBACK or any(host == name or host.endswith(f".{name}") for name in known)
