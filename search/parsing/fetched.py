"""What a web server sent, packed for the process that reads it: where it came from belongs to what it says."""

import json
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit


@dataclass(frozen=True)
class Fetched:
    """A response's body with the address that it came from and the encoding that the server named."""

    address: str
    content: bytes
    charset: str = ""

    def packed(self) -> bytes:
        """Return all of it as bytes: a line of JSON, then the body."""
        return json.dumps([self.address, self.charset]).encode() + b"\n" + self.content


def unpacked(packed: bytes) -> Fetched:
    """Return what `packed` made."""
    line, _, content = packed.partition(b"\n")
    address, charset = json.loads(line)
    return Fetched(address=address, content=content, charset=charset)


def joined(base: str, target: str) -> str:
    """Return a link's target as a whole web address, or "" where it is none."""
    try:
        address = urljoin(base, target.strip())
        return address if target.strip() and urlsplit(address).scheme in {"http", "https"} else ""
    except ValueError:
        return ""
