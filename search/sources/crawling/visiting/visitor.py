"""One address: asked for, judged, kept or not, and remembered."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never
from urllib.parse import urlsplit

from search.parsing.fetched import joined
from search.sources.crawling.addresses import canonical, shown
from search.sources.crawling.fetching.fetcher import NotFetched, SiteResponse
from search.sources.crawling.fetching.pacing import Asker
from search.sources.crawling.kept.folder import Folder, folded, path_of, text_of
from search.sources.crawling.kept.journal import Journal, JournalRecord, State
from search.sources.crawling.report import Tally
from search.sources.crawling.scope import CrawlScope
from search.sources.crawling.visiting.content import BrokenResponse, ContentReading, FetchedPage, NotKept, SavedFile
from search.sources.crawling.visiting.discovery import FrontierItem
from search.sources.port import SourceProblem
from storage.clock import Clock

_LONGEST_MARK = 500


@dataclass(frozen=True)
class PageVisit:
    """What came of one address, and where it leads. `answered`: the server did answer."""

    record: JournalRecord
    links: tuple[str, ...] = ()
    answered: bool = True


@dataclass
class Shelf:
    """Which paths and texts are taken, by which address."""

    paths: dict[str, str] = field(default_factory=dict)  # folded path → address
    texts: dict[str, str] = field(default_factory=dict)  # digest of the text → address

    @classmethod
    def of(cls, records: Mapping[str, JournalRecord]) -> "Shelf":
        """Return the shelf as earlier rounds left it."""
        kept = [record for record in records.values() if record.path]
        return cls(
            paths={folded(record.path): record.address for record in kept},
            texts={text_of(record.digest): record.address for record in kept if record.state is State.KEPT},
        )


class PageVisitor:
    """Visits addresses for one round."""

    def __init__(
        self,
        *,
        asker: Asker,
        reading: ContentReading,
        folder: Folder,
        journal: Journal,
        scope: CrawlScope,
        clock: Clock,
        tally: Tally,
        updated: Mapping[str, str],
    ) -> None:
        self._asker = asker
        self._reading = reading
        self._folder = folder
        self._journal = journal
        self._scope = scope
        self._clock = clock
        self._tally = tally
        self._updated = updated  # by address, as the sitemap has it
        self._shelf = Shelf.of(journal.records)

    async def visit(self, item: FrontierItem) -> PageVisit:
        """Ask for an address and return what it is now; a page is in the folder when this returns."""
        before = self._journal.records.get(item.address)
        fresh = JournalRecord(
            address=item.address,
            state=State.FAILED,
            round=self._journal.round,
            depth=item.depth,
            path=before.path if before is not None else "",
        )
        there = bool(fresh.path) and await self._folder.holds(fresh.path)
        unread = self._journal.same_terms and not item.insist
        known = before if unread and there and before is not None and before.digest else None
        try:
            answer = await self._asker.get(
                item.address, wanted=self._reading.wanted, headers=_conditions(known) if known else None
            )
        except NotFetched as error:
            return PageVisit(self._failed(fresh, before, str(error)), answered=not error.later)
        self._tally.content_bytes += len(answer.content)
        if answer.status == 304 and known is not None:
            self._tally.unchanged += 1
            self._shelf.texts.setdefault(text_of(known.digest), item.address)
            return PageVisit(replace(known, state=State.KEPT, round=fresh.round, depth=item.depth), links=known.links)
        return await self._judged(answer, item, fresh, before if there else None)

    async def _judged(
        self, answer: SiteResponse, item: FrontierItem, fresh: JournalRecord, known: JournalRecord | None
    ) -> PageVisit:
        if answer.is_redirect:
            return self._redirected(answer, fresh)
        if answer.status in {404, 410}:
            return PageVisit(replace(fresh, state=State.GONE))
        if answer.status != 200:
            return PageVisit(self._failed(fresh, self._journal.records.get(item.address), answer.said))
        self._tally.answers += 1
        return await self._taken(answer, item, fresh, known)

    async def _taken(
        self, answer: SiteResponse, item: FrontierItem, fresh: JournalRecord, known: JournalRecord | None
    ) -> PageVisit:
        match await self._reading.read(answer, updated=self._updated.get(item.address, "")):
            case FetchedPage() as page:
                return await self._page(page, item, answer, fresh, known)
            case SavedFile() as file:
                return PageVisit(await self._saved(file, answer, fresh, known))
            case NotKept(reason=reason, links=links):
                return PageVisit(replace(fresh, state=State.LEFT_OUT, why=reason), links=links)
            case BrokenResponse(why=why):
                return PageVisit(self._failed(fresh, known, why))
            case unexpected:
                assert_never(unexpected)

    async def site_answers(self, start: str) -> bool:
        """Say whether the site is there at all, whatever single pages do."""
        try:
            await self._asker.get(start, wanted=lambda _: 0)
        except NotFetched:
            return False
        return True

    def _redirected(self, answer: SiteResponse, fresh: JournalRecord) -> PageVisit:
        target = canonical(joined(answer.address, answer.headers["location"]))
        if target is None or not self._scope.covers(target):
            return PageVisit(replace(fresh, state=State.LEFT_OUT, why="elsewhere"))
        return PageVisit(replace(fresh, state=State.ALIAS, target=target, why="redirect"), links=(target,))

    async def _page(
        self,
        page: FetchedPage,
        item: FrontierItem,
        answer: SiteResponse,
        fresh: JournalRecord,
        known: JournalRecord | None,
    ) -> PageVisit:
        alias = None if item.insist else self._alias(page, fresh)
        if alias is not None:
            return PageVisit(alias, links=(*page.links, alias.target))
        kept = _kept(fresh, answer, path=await self._path(fresh, ".md"), digest=page.file.digest)
        self._shelf.texts.setdefault(text_of(kept.digest), item.address)
        if known is None or known.digest != kept.digest:
            await self._folder.write(kept.path, page.file.rendered(self._clock.now()))
        self._count(kept, known)
        return PageVisit(kept, links=page.links)

    def _alias(self, page: FetchedPage, fresh: JournalRecord) -> JournalRecord | None:
        """Return the record of a page that is another one: by its own word, or word by word."""
        if named := self._named(page.canonical, fresh.address):
            return replace(fresh, state=State.ALIAS, target=named, why="canonical")
        owner = self._shelf.texts.get(text_of(page.file.digest), fresh.address)
        if owner == fresh.address:
            return None
        self._tally.duplicates += 1
        return replace(fresh, state=State.ALIAS, target=owner, why="same", digest=page.file.digest)

    async def _saved(
        self, file: SavedFile, answer: SiteResponse, fresh: JournalRecord, known: JournalRecord | None
    ) -> JournalRecord:
        digest = await asyncio.to_thread(lambda: hashlib.sha256(file.content).hexdigest())
        kept = _kept(fresh, answer, path=await self._path(fresh, file.suffix), digest=digest)
        if known is None or known.digest != digest:
            await self._folder.write(kept.path, file.content)
        self._count(kept, known)
        return kept

    def _named(self, named: str, address: str) -> str:
        """Return the address that a page names as its own, where it is another one that can be believed."""
        believed = named and named != address and self._scope.covers(named)
        # Careless templates name the home page on every page.
        return named if believed and urlsplit(named).path != "/" else ""

    async def _path(self, fresh: JournalRecord, suffix: str) -> str:
        """Return where the address is kept: where it was, unless it became something of another kind."""
        if fresh.path.endswith(suffix):
            return fresh.path
        if fresh.path:
            await self._folder.remove(fresh.path)
        path = path_of(fresh.address, suffix=suffix, taken=self._shelf.paths)
        self._shelf.paths[folded(path)] = fresh.address
        return path

    def _count(self, kept: JournalRecord, known: JournalRecord | None) -> None:
        if known is None:
            self._tally.added += 1
        elif known.digest != kept.digest:
            self._tally.changed += 1
        else:
            self._tally.unchanged += 1

    def _failed(self, fresh: JournalRecord, before: JournalRecord | None, why: str) -> JournalRecord:
        """Return a record of a failure; what is in the folder stays, and so does what is known of it."""
        kept = "; what was fetched before is kept" if fresh.path else ""
        self._tally.problems.append(SourceProblem(path=shown(fresh.address), what=f"{why}{kept}"))
        if before is None:
            return fresh
        return replace(before, state=State.FAILED, round=fresh.round, depth=fresh.depth)


def _conditions(known: JournalRecord) -> dict[str, str]:
    """Return the headers that ask for a page only if it changed."""
    conditions = {"if-none-match": known.etag, "if-modified-since": known.modified}
    return {name: value for name, value in conditions.items() if value}


def _kept(fresh: JournalRecord, answer: SiteResponse, *, path: str, digest: str) -> JournalRecord:
    return replace(
        fresh,
        state=State.KEPT,
        path=path,
        digest=digest,
        etag=_sendable(answer.headers.get("etag", "")),
        modified=_sendable(answer.headers.get("last-modified", "")),
    )


def _sendable(value: str) -> str:
    """Return a header's value if it can be sent back as it came, or ""."""
    return value if value.isascii() and value.isprintable() and len(value) <= _LONGEST_MARK else ""
