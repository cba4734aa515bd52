"""What an answer holds: how much of it is wanted, and the page or the file that it is."""

from dataclasses import dataclass
from typing import Literal

from search.parsing.apart.exchange import ReaderFile, Unreadable
from search.parsing.apart.readers import FileReaders
from search.parsing.converted import Converted, Kind, ParsedPage
from search.parsing.fetched import Fetched
from search.sources.crawling.addresses import canonical
from search.sources.crawling.fetching.fetcher import FILE_TYPES, HTML, TEXT, VAGUE, SiteResponse
from search.sources.crawling.kept.folder import PageFile
from search.sources.crawling.plan import Plan
from search.sources.crawling.scope import FILES, is_file, suffix_of

_DOCUMENT = (b"<!doctype html", b"<html", b"<head", b"<?xml")
_OFFICE = b"PK\x03\x04"

#: Why an answer is not kept; the words of the report are in `report.LEFT_OUT`.
Reason = Literal["noindex", "file", "unread", "type", "empty"]


@dataclass(frozen=True)
class FetchedPage:
    """A page of text, with what it says of itself."""

    file: PageFile
    links: tuple[str, ...] = ()
    canonical: str = ""
    noindex: bool = False


@dataclass(frozen=True)
class SavedFile:
    """A document that is kept as it is."""

    content: bytes
    suffix: str


@dataclass(frozen=True)
class NotKept:
    """Nothing for the folder; a page without text may lead on."""

    reason: Reason
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class BrokenResponse:
    """A page that cannot be read, in one line."""

    why: str


class ContentReading:
    """Turns answers into pages; foreign files are read in processes of their own."""

    def __init__(self, plan: Plan, readers: FileReaders) -> None:
        self._plan = plan
        self._readers = readers

    def wanted(self, answer: SiteResponse) -> int:
        """Return how many bytes of an answer's body are worth having."""
        if answer.status != 200:
            return 0
        if answer.content_type in HTML | TEXT:
            return self._plan.limits.page_bytes
        if _file_suffix(answer):
            return self._plan.limits.file_bytes if self._plan.files else 0
        vague = answer.content_type in VAGUE and not is_file(answer.address)
        return self._plan.limits.page_bytes if vague else 0

    async def read(
        self, answer: SiteResponse, *, updated: str = ""
    ) -> FetchedPage | SavedFile | NotKept | BrokenResponse:
        """Return what an answer is; `updated` is the day that the sitemap names, for a page that names none."""
        start = answer.content[:1_024]
        if (suffix := _file_suffix(answer)) or b"%PDF-" in start:
            return self._file(answer, suffix or ".pdf")
        if answer.content_type in HTML or start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_DOCUMENT):
            return await self._page(answer, updated=updated)
        if answer.content_type in TEXT and answer.content:
            return await self._text(answer, updated=updated)
        return NotKept("unread" if is_file(answer.address) else "type")

    def _file(self, answer: SiteResponse, suffix: str) -> SavedFile | NotKept | BrokenResponse:
        if not self._plan.files:
            return NotKept("file")
        expected = b"%PDF-" in answer.content[:1_024] if suffix == ".pdf" else answer.content.startswith(_OFFICE)
        return (
            SavedFile(answer.content, suffix)
            if expected
            else BrokenResponse(f"is no {suffix} file, in spite of its name")
        )

    async def _page(self, answer: SiteResponse, *, updated: str) -> FetchedPage | NotKept | BrokenResponse:
        found = await self._read(Kind.WEB_PAGE, Fetched(answer.address, answer.content, answer.charset).packed())
        if isinstance(found, Unreadable):
            return BrokenResponse(found.why)
        wishes = answer.headers.get("x-robots-tag", "").lower()
        leads = "nofollow" not in wishes and "none" not in wishes
        links = tuple(link.address for link in found.links) if leads else ()
        if "noindex" in found.about.get("robots", "") or "noindex" in wishes or "none" in wishes:
            return NotKept("noindex", links=links)
        if not found.markdown:
            return NotKept("empty", links=links)
        file = PageFile(
            address=answer.address,
            title=found.title,
            markdown=found.markdown,
            language=found.about.get("language") or answer.headers.get("content-language", "")[:35],
            updated=found.updated.isoformat() if found.updated else updated,
        )
        return FetchedPage(file=file, links=links, canonical=canonical(found.about.get("canonical", "")) or "")

    async def _text(self, answer: SiteResponse, *, updated: str) -> FetchedPage | NotKept | BrokenResponse:
        """Return a text; what stands in its front matter, such as who may read it, is not for it to say."""
        if suffix_of(answer.address) in {".md", ".markdown"} or "markdown" in answer.content_type:
            page = await self._markdown(answer)
            if isinstance(page, Unreadable):
                return BrokenResponse(page.why)
            title, markdown = page.title, page.text
        else:
            found = await self._read(Kind.TEXT, answer.content, charset=answer.charset)
            if isinstance(found, Unreadable):
                return BrokenResponse(found.why)
            title, markdown = found.title, found.markdown
        if not markdown.strip():
            return NotKept("empty")
        return FetchedPage(PageFile(address=answer.address, title=title, markdown=markdown, updated=updated))

    async def _markdown(self, answer: SiteResponse) -> ParsedPage | Unreadable:
        file = ReaderFile(Kind.MARKDOWN, answer.content, path=answer.address, charset=answer.charset)
        [page] = await self._readers.waiting.run(self._readers.pages, [file])
        return page

    async def _read(self, kind: Kind, content: bytes, *, charset: str = "") -> Converted | Unreadable:
        [found] = await self._readers.waiting.run(self._readers.convert, [ReaderFile(kind, content, charset=charset)])
        return found


def _file_suffix(answer: SiteResponse) -> str:
    """Return the suffix under which a document is kept, or "" for what is none by type or name."""
    if found := FILE_TYPES.get(answer.content_type):
        return found
    suffix = suffix_of(answer.address)
    return suffix if answer.content_type in VAGUE and suffix in FILES else ""
