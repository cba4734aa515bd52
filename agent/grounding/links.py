"""Links out of what a brain wrote: only to hosts that an operator named, and what the company's own pages hold."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

#: What stands where a foreign address was.
REMOVED = "…"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_DEFINITION = re.compile(r"(?m)^[ \t]{0,3}\[[^\]\n]+\]:[ \t]*\S+.*$")
_IMAGE = re.compile(r"!\[([^\]]{0,500})\](?:\([^)]{0,3000}\)|\[[^\]]{0,500}\])")
_INLINE = re.compile(r"\[([^\[\]]*+)\]\(\s*+<?([^()\s<>]*+(?:\([^()\s]*+\)[^()\s<>]*+)*+)>?[^()]*+\)")
_RELATIVE = re.compile(r"\[([^\[\]\n]{1,200})\]\((?!https?:)[^()\s]{1,300}\)")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\]]*\]")
_TAG = re.compile(
    r"</?[a-zA-Z](?=[^<>]*+>)[^<>]*\b(?:href|src|action|srcset|poster|data)\b[^<>]*>|</?[aA](?:\s[^<>]*)?>"
)
_INSIDE = r"[^\s<>()\[\]\"'`，。；、（）【】]+"
# No word boundary before the scheme: Chinese has none, and whoever turns addresses into links finds them anywhere.
_BARE = re.compile(
    rf"<?[a-z][a-z0-9+.-]{{0,60}}+://{_INSIDE}>?|www\.{_INSIDE}|(?:java|vb)script:{_INSIDE}", re.IGNORECASE
)
_WWW = re.compile(r"www\.", re.IGNORECASE)
_TRAILING = ".,;:!?'\"*_~"


def without_relative(text: str) -> str:
    """Return Markdown with the words alone of links that lead somewhere from their own page only."""
    return _RELATIVE.sub(r"\1", text)


@dataclass(frozen=True)
class Allowed:
    """Where a text may lead: to these hosts and what lies below them, and where trusted texts do, as they write it."""

    hosts: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()  # addresses, and links with their words, as they stand in trusted texts

    @classmethod
    def of(cls, hosts: Iterable[str], *texts: str) -> "Allowed":
        """Allow hosts, and what stands in texts that are trusted."""
        written = (piece for text in texts for piece in _written(text))
        return cls(frozenset(host.casefold() for host in hosts), frozenset(written))

    def lets(self, address: str, *, written: str) -> bool:
        """Tell whether an address may be followed that is written so: http and https only.

        A relative link leads nowhere outside its page.
        """
        parts, host = _taken_apart(address)
        if parts is None or parts.scheme not in ("http", "https") or not host:
            return False
        if "@" in parts.netloc or "\\" in address:
            return False
        return (
            written in self.written
            or host in _LOOPBACK
            or any(host == name or host.endswith(f".{name}") for name in self.hosts)
        )


def allowed_only(text: str, allowed: Allowed) -> str:
    """Return the text with every foreign link reduced to its words; a bare foreign address becomes `REMOVED`."""
    text = _DEFINITION.sub("", text)
    text = _IMAGE.sub(lambda found: found[1], text)
    text = _INLINE.sub(lambda found: found[0] if allowed.lets(found[2], written=found[0]) else found[1], text)
    text = _REFERENCE.sub(lambda found: found[1], text)
    text = _TAG.sub("", text)
    return _BARE.sub(lambda found: _bare(found[0], allowed), text)


def _taken_apart(address: str) -> tuple[SplitResult | None, str]:
    """Return the parts of an address, None where it is none, and its host, "" where it has none."""
    try:
        parts = urlsplit(f"https://{address}" if _WWW.match(address) else address)
        return parts, (parts.hostname or "").rstrip(".").casefold()
    except ValueError:
        return None, ""


def _written(text: str) -> Iterator[str]:
    yield from (found[0] for found in _INLINE.finditer(text))
    yield from (found[0].strip("<>").rstrip(_TRAILING) for found in _BARE.finditer(text))


def hosts_in(text: str) -> frozenset[str]:
    """Return the hosts that the addresses of a text name."""
    named = (found.strip("<>") for found in _BARE.findall(text))
    hosts = (_taken_apart(address)[1] for address in named)
    return frozenset(host for host in hosts if host)


def has_address(text: str) -> bool:
    """Tell whether a text holds a bare address."""
    return _BARE.search(text) is not None


def without_addresses(text: str) -> list[str]:
    """Return the verbatim parts of a text between its addresses."""
    return [part for part in _BARE.split(text) if part is not None]


def _bare(found: str, allowed: Allowed) -> str:
    inner = found.strip("<>")
    address = inner.rstrip(_TRAILING)
    return found if allowed.lets(address, written=address) else REMOVED + inner[len(address) :]
