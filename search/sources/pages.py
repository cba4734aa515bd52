"""From the bytes of one file to a page with its access list."""

import hashlib
from datetime import UTC, datetime

from search.access import read_allow
from search.analysis import language_of
from search.documents import Document
from search.errors import AccessInvalid
from search.parsing.markdown import parse_markdown
from search.parsing.page import ParsedPage
from search.source import Problem, SourcePage


def page_hash(content: bytes, allow: tuple[str, ...]) -> str:
    """Return a hash over the file and the list that its folders give it; the page's own list is in the file."""
    return hashlib.sha256("\n".join(allow).encode() + b"\0" + content).hexdigest()


def read_page(
    content: bytes, *, source: str, path: str, allow: tuple[str, ...], modified_at: datetime | None = None
) -> tuple[SourcePage | None, tuple[Problem, ...]]:
    """Return the page, and what was wrong with it. A page whose access cannot be read is the operator's only."""
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        return None, (Problem(path=path, what=f"is no UTF-8 text (byte {error.start}) and was left out"),)
    parsed = parse_markdown(text, path=path)
    allowed, problem = _effective(parsed, allow)
    document = Document(
        source=source,
        path=path,
        title=parsed.title,
        root=parsed.root,
        content_hash=page_hash(content, allow),
        allow=allowed,
        language=language_of(f"{parsed.title}\n{parsed.text}"),
        updated=parsed.updated,
        modified_at=modified_at,
    )
    problems = (Problem(path=path, what=problem),) if problem else ()
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


def instant(seconds: float) -> datetime:
    """Return a file's time as an aware instant."""
    return datetime.fromtimestamp(seconds, UTC)
