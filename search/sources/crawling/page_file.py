"""A page as it is kept: Markdown with front matter that says where it came from."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

import yaml


@dataclass(frozen=True)
class PageFile:
    """What is kept of one page; `updated` is a day as ISO 8601, or ""."""

    address: str
    title: str
    markdown: str
    language: str = ""
    updated: str = ""

    @property
    def digest(self) -> str:
        """Return what changes when the page does; what stands before the dot is the text's alone."""
        rest = _hash(f"{self.title}\0{self.language}")
        return f"{_hash(self.markdown)}.{rest[:8]}"

    def rendered(self, fetched: datetime) -> bytes:
        """Return the file's content."""
        front = {
            "title": self.title,
            "url": self.address,
            "language": self.language,
            "updated": self.updated,
            "fetched": fetched.replace(microsecond=0).isoformat(),
        }
        told = {name: value for name, value in front.items() if value}
        block = yaml.safe_dump(told, allow_unicode=True, sort_keys=False, width=10_000)
        return f"---\n{block}---\n\n{self.markdown.strip()}\n".encode()


def text_of(digest: str) -> str:
    """Return the part of a digest that pages with the same text have in common."""
    return digest.partition(".")[0]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
