"""A sitemap (XML, or one address a line; packed or not) to the addresses that it lists: sitemaps.org/protocol.html."""

import gzip
import zlib
from collections.abc import Iterator
from io import BytesIO
from xml.etree import ElementTree as ET

from search.errors import FileUnreadable
from search.parsing.converted import Converted, PageLink
from search.parsing.fetched import joined, unpacked
from search.parsing.markdown.front_matter import day_of
from search.parsing.text.encoding import decode

_MOST_BYTES = 60_000_000
_MOST_LINKS = 100_000
_GZIP = b"\x1f\x8b"


def convert(content: bytes) -> Converted:
    """Return the addresses as links; `about` has `index` where they are sitemaps again. Raises `FileUnreadable`."""
    fetched = unpacked(content)
    text = _unzipped(fetched.content)
    if not text.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Converted(markdown="", links=tuple(_listed(decode(text).text, fetched.address)))
    links: list[PageLink] = []
    about: dict[str, str] = {}
    remark = ""
    try:
        for link in _entries(text, fetched.address, about):
            links.append(link)
            if len(links) == _MOST_LINKS:
                break
    except (ET.ParseError, LookupError, ValueError) as error:  # the last two of an encoding that Python has not
        remark = f"is no valid XML: {error}"
        if not links:
            raise FileUnreadable(remark) from error
    return Converted(markdown="", remark=remark, links=tuple(links), about=about)


def _unzipped(content: bytes) -> bytes:
    if not content.startswith(_GZIP):
        return content
    try:
        with gzip.open(BytesIO(content)) as packed:
            text = packed.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FileUnreadable("is packed and cannot be unpacked") from error
    if len(text) > _MOST_BYTES:
        raise FileUnreadable(f"unpacks to more than {_MOST_BYTES // 1_000_000} MB")
    return text


def _listed(text: str, address: str) -> Iterator[PageLink]:
    for line in text.splitlines()[:_MOST_LINKS]:
        if line.strip().startswith(("http://", "https://", "/")) and (whole := joined(address, line)):
            yield PageLink(whole)


def _entries(text: bytes, address: str, about: dict[str, str]) -> Iterator[PageLink]:
    # Entities of other files are never loaded, and this process has little memory and time to lose.
    for _, element in ET.iterparse(BytesIO(text), events=("end",)):  # noqa: S314
        name = element.tag.rpartition("}")[2]
        if name == "sitemapindex":
            about["index"] = "yes"
        if name not in {"url", "sitemap"}:
            continue
        inside = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in element}
        if name == "sitemap":
            about["index"] = "yes"
        if location := joined(address, inside.get("loc", "")):
            updated = day_of(inside.get("lastmod"))
            yield PageLink(location, updated=updated.isoformat() if updated else "")
        element.clear()
