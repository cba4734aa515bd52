"""From one parsed page to a document with its access list."""

import hashlib
from datetime import UTC, datetime

from language.scripts import language_of
from search.access import read_allow
from search.documents import Document
from search.errors import AccessInvalid, FileUnreadable
from search.parsing.converted import ParsedPage
from search.parsing.markdown.front_matter import validity_of
from search.parsing.page import of_markdown
from search.parsing.text.encoding import decode
from search.sources.origins import NOWHERE, Origins
from search.sources.port import SourcePage, SourceProblem


def page_hash(
    content: bytes, allow: tuple[str, ...], *, reader: str = "", origins: Origins = NOWHERE, address: str = ""
) -> str:
    """Return a hash over the file and the list that its folders give it; the page's own list is in the file.

    `reader` names the version of what read it, where that may change what a file says; `origins`, where it may lead;
    `address`, where it was fetched, where it does not say so itself.
    """
    known = (*allow, *filter(None, (reader, origins.fingerprint, address)))
    return hashlib.sha256("\n".join(known).encode() + b"\0" + content).hexdigest()


def read_page(
    content: bytes,
    *,
    source: str,
    path: str,
    allow: tuple[str, ...],
    modified_at: datetime | None = None,
    origins: Origins = NOWHERE,
) -> tuple[SourcePage | None, tuple[SourceProblem, ...]]:
    """Return the page of a Markdown file, and what was wrong with it; None when it cannot be read at all."""
    try:
        decoded = decode(content)
    except FileUnreadable as error:
        return None, (SourceProblem(path=path, what=str(error), reason=error.reason),)
    return page_of(
        of_markdown(decoded, path=path),
        source=source,
        path=path,
        allow=allow,
        content_hash=page_hash(content, allow, origins=origins),
        modified_at=modified_at,
        origins=origins,
    )


def page_of(
    parsed: ParsedPage,
    *,
    source: str,
    path: str,
    allow: tuple[str, ...],
    content_hash: str,
    modified_at: datetime | None = None,
    origins: Origins = NOWHERE,
    address: str = "",
) -> tuple[SourcePage, tuple[SourceProblem, ...]]:
    """Return the page, and what was wrong with it. A page whose access cannot be read is the operator's only."""
    allowed, problem = _effective(parsed, allow)
    document = Document(
        source=source,
        path=path,
        title=parsed.title,
        root=parsed.root,
        content_hash=content_hash,
        allow=allowed,
        language=language_of(f"{parsed.title}\n{parsed.text}"),
        updated=parsed.updated,
        modified_at=modified_at,
        url=origins.original(parsed.front_matter.get("url", address)),
        valid=validity_of(parsed.front_matter),
    )
    problems = (SourceProblem(path=path, what=problem),) if problem else ()
    return SourcePage(document=document, markdown=parsed.text), problems


def _effective(parsed: ParsedPage, inherited: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    if parsed.access_unreadable:
        return (), f"{parsed.problem}; who may read it is unknown, so only the operator sees it"
    if "access" not in parsed.front_matter:
        return inherited, parsed.problem
    try:
        return read_allow(parsed.front_matter["access"]), parsed.problem
    except AccessInvalid as error:
        return (), f"{error}; only the operator sees it"


def instant(seconds: float) -> datetime | None:
    """Return a file's time as an aware instant, None for one beyond the years that there are."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
