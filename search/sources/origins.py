"""Where a page can be read on the site that it comes from, and whether an answer may lead there.

An address in front matter is the word of whoever wrote the file. It counts on the site that the source was crawled from
and on hosts that an operator named; elsewhere a file could put a link of its own choice under an honest title.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

#: What every platform takes of a link, after encoding.
LONGEST = 500
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|[0-9a-f:.]+")
#: What no address consists of, and control characters in disguise.
_REFUSED = re.compile(r"[\x00-\x20\x7f-\x9f\\]|%(?:[01][0-9a-f]|7f)", re.IGNORECASE)
_LONE = re.compile(r"%(?![0-9a-fA-F]{2})")
#: Characters that stay as they are; brackets and quotes end a link in some of the places where one is written.
_KEPT = "/%:@!$&*+,;=~"


@dataclass(frozen=True)
class Origins:
    """The places to which pages of one source may lead."""

    site: str = ""  # an address on the site that the source was crawled from; "" for what was not crawled
    hosts: Sequence[str] = ()  # named by an operator; what lies below one counts, too

    @property
    def fingerprint(self) -> str:
        """Return what changes when other addresses count, "" while none does."""
        return " ".join(("origins", self.site, *sorted(self.hosts))) if self.site or self.hosts else ""

    def original(self, named: object) -> str:
        """Return the address that a page names, in plain ASCII, or "" for one that may not be linked to."""
        if not isinstance(named, str) or _REFUSED.search(named):
            return ""
        try:
            parts = urlsplit(named)
            place = _place(parts)
            address = _encoded(parts, place) if place and self._counts(place) else ""
        except ValueError:  # an impossible port or host, half a character
            return ""
        return address if len(address) <= LONGEST else ""

    def _counts(self, place: tuple[str, int]) -> bool:
        host, _ = place
        if self.site and place == _place(urlsplit(self.site)):
            return True
        return any(host == name or host.endswith(f".{name}") for name in map(str.casefold, self.hosts) if name)


#: Nothing is known of where the pages of a source come from.
NOWHERE = Origins()


def site_of(address: str) -> str:
    """Return scheme, host and port of a web address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}/"


def _place(parts: SplitResult) -> tuple[str, int] | None:
    """Return host and port, 0 for the usual ones; None for what is no address of the web or holds a user's name."""
    host = (parts.hostname or "").rstrip(".").casefold()
    if parts.scheme not in _PORTS or "@" in parts.netloc or not _HOST.fullmatch(host):
        return None
    return host, 0 if parts.port in {None, _PORTS[parts.scheme]} else parts.port or 0


def _encoded(parts: SplitResult, place: tuple[str, int]) -> str:
    host, port = place
    name = f"[{host}]" if ":" in host else host
    return urlunsplit((
        parts.scheme,
        f"{name}:{port}" if port else name,
        _plain(parts.path, kept=_KEPT),
        _plain(parts.query, kept=f"{_KEPT}?"),
        _plain(parts.fragment, kept=f"{_KEPT}?"),
    ))  # fmt: skip


def _plain(text: str, *, kept: str) -> str:
    return quote(_LONE.sub("%25", text), safe=kept)
