"""One address for each page: the form under which a page is asked for, remembered and cited."""

import re
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from w3lib.url import canonicalize_url

LONGEST = 2_000
_PORTS = {"http": 80, "https": 443}
#: Query parameters that say where a visitor came from or who they are, not what is shown.
_TRACKING = re.compile(
    r"utm_\w*|gclid|gbraid|wbraid|fbclid|msclkid|dclid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hsenc|_hsmi|mkt_tok|spm|"
    r"ref_src|phpsessid|jsessionid|aspsessionid\w*|cftoken|cfid",
    re.IGNORECASE,
)
_SESSION = re.compile(r";(?:jsessionid|sid|phpsessid)=[^/?#;]*", re.IGNORECASE)
#: What a name or an IP address consists of once it was encoded.
_HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+(?:%[\w.-]+)?")
_STRAY = re.compile(r"[\x00-\x20\x7f]+")


def canonical(address: str) -> str | None:
    """Return the one form of an address, or None for what is no web address that may be asked for.

    Dropped are fragments, tracking and session parameters, default ports and `..`; parameters are put in order.
    Addresses that carry a user or a password are refused.
    """
    try:
        parts = urlsplit(_STRAY.sub(_encoded, address.strip()))
        if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc or "\\" in address:
            return None
        kept = parts._replace(path=_SESSION.sub("", parts.path), query=_without_tracking(parts.query))
        whole = urlsplit(canonicalize_url(urlunsplit(kept)))
        found = urlunsplit(whole._replace(netloc=_netloc(whole)))
    except ValueError:  # an impossible port, host or encoding
        return None
    return found if len(found) <= LONGEST else None


def host_of(address: str) -> tuple[str, int]:
    """Return host and port of a canonical address; http and https on their usual ports count as one."""
    parts = urlsplit(address)
    port = parts.port or 0
    return parts.hostname or "", port


def shown(address: str) -> str:
    """Return an address as it is told to people: without what stands in its query."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=unquote(parts.path), query="…" if parts.query else "", fragment=""))


def _encoded(found: re.Match[str]) -> str:
    """Return white space as a browser sends it; line ends and tabs are dropped, as there."""
    return "".join("%20" for letter in found[0] if letter == " ")


def _without_tracking(query: str) -> str:
    return "&".join(
        part for part in query.split("&") if part and not _TRACKING.fullmatch(unquote(part.partition("=")[0]))
    )


def _netloc(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    if not _HOST.fullmatch(host):
        raise ValueError("no host")
    name = f"[{host}]" if ":" in host else host
    return name if parts.port in {None, _PORTS[parts.scheme]} else f"{name}:{parts.port}"
