"""The public face of search: sources are added, kept in line and removed; passages are found; pages are shown.

Every use case takes the actor first. There is no way to search without one.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Collection, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

import numpy as np

from identity.actor import Actor
from identity.permissions import Permission
from identity.policy import decide, require
from identity.readership import ALONE, Readership, Shared, ThreadOnly
from language.scripts import language_of
from search.access import THREAD_FILES, Scope, checked_principals, scope_of, thread_principal
from search.config import SearchConfig
from search.documents import ChangedPages, Document, Hit, IndexedPage, SearchResult, Signals
from search.embedding.likeness import Likeness
from search.embedding.port import Embedder
from search.errors import EmbedderUnavailable, IndexBeingMade, IndexUnavailable, SourceNotFound
from search.indexes.port import Index, IndexQuery, Recovering, Statistics, StoredPage
from search.parsing.markdown.sections import parse_body
from search.ranking.context import sections_of, stretch, worth_more
from search.ranking.editions import as_of
from search.ranking.explanation import Explanation, explained
from search.ranking.finding import Finder
from search.sources.report import Progress, SyncReport, together
from search.sync import store
from search.sync.intake import Intake, figures, record_change
from search.sync.naming import checked_name, existing_folder, name_of, settled
from search.sync.rebuilding import generational, rebuild
from search.sync.store import StoredSource
from search.sync.sync import Synchroniser
from storage.clock import Clock
from storage.database import Database
from storage.ids import JsonObject

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
#: Passages on either side among which the neighbours of one are looked for.
_REACH = 16
#: Passages of a page that are read at once.
_LONGEST_PAGE = 120
#: Pages that came or changed of which it is asked who may read them.
MOST_CHANGES = 1_000
#: Seconds for which it is known which sources are folders of the company.
_KNOWN_S = 30


@dataclass(frozen=True)
class SourceStatus:
    """A source as `knowledge status` shows it."""

    source: StoredSource
    statistics: Statistics
    model: str  # that the settings name

    @property
    def name(self) -> str:
        """Return the source's name."""
        return self.source.name

    @property
    def other_model(self) -> str:
        """Return whose vectors the index holds while they are not those of the settings' model; else nothing."""
        return self.statistics.model if self.statistics.model != self.model else ""


class SearchService:
    """Sources in the application's database, passages in the index."""

    def __init__(
        self,
        database: Database,
        index: Index,
        embedder: Embedder,
        clock: Clock,
        config: SearchConfig | None = None,
        *,
        link_hosts: tuple[str, ...] = (),
    ) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder
        self._clock = clock
        self._config = config or SearchConfig()
        self._synchroniser = Synchroniser(index=index, embedder=embedder, clock=clock)
        self._intake = Intake(database, index, self._synchroniser, clock, self._config, link_hosts)
        self._finder = Finder(index=index, embedder=embedder, config=self._config)
        self._likeness = Likeness(embedder)
        self._embedding = asyncio.Lock()
        self._mending = asyncio.Lock()
        self._own = (datetime.min.replace(tzinfo=UTC), frozenset[str]())

    async def add_folder(
        self,
        actor: Actor,
        path: Path,
        *,
        allow: tuple[str, ...] = (),
        name: str | None = None,
        site: str = "",
        progress: Progress | None = None,
    ) -> SyncReport:
        """Index a folder as a source of its own; the same folder again is a refresh.

        `allow` holds for pages that name no list; `site` is an address on the site that the folder was crawled from, to
        which its pages may lead then. Without them a folder that was indexed before keeps what it had.
        Raises `FolderUnreadable`, `SourceNameTaken`, `SourceNameInvalid` and `AccessInvalid`.
        """
        require(actor, Permission.KNOWLEDGE_MANAGE)
        principals = checked_principals(allow)
        folder = await asyncio.to_thread(existing_folder, path)
        wanted = StoredSource(
            name=checked_name(name or name_of(folder)), path=str(folder), default_allow=principals, site=site
        )
        async with self._database.transaction() as session:
            claims = await store.claiming(session, name=wanted.name, path=wanted.path)
            source = settled(claims, wanted, named=name is not None)
            if not any(claim.path == source.path for claim in claims):
                await store.add(session, source, now=self._clock.now())
            elif source not in claims:
                await store.settle(session, source)
        return await self._intake.sync(actor, source, progress=progress)

    async def refresh(self, actor: Actor, *, source: str | None = None, progress: Progress | None = None) -> SyncReport:
        """Bring one source, or all of them, in line with its folder.

        Of several, one whose folder is not there is told as a problem and keeps its pages.
        """
        require(actor, Permission.KNOWLEDGE_MANAGE)
        async with self._database.reading() as session:
            known = await store.sources(session)
        if source is not None:
            known = tuple(one for one in known if one.name == source)
            if not known:
                raise SourceNotFound(source)
            return await self._intake.sync(actor, known[0], progress=progress)
        return together([await self._intake.sync_or_tell(actor, one, progress=progress) for one in known])

    async def keep_up(self, actor: Actor, *, source: str) -> SyncReport | None:
        """Bring a source in line as `refresh` does, unless a run is under way: then return None.

        Files that could not be read are read again when they changed, and of a folder that is suddenly empty or away
        the pages are kept.
        """
        require(actor, Permission.KNOWLEDGE_MANAGE)
        if await self._intake.is_busy():
            return None
        async with self._database.reading() as session:
            known = next((one for one in await store.sources(session) if one.name == source), None)
        if known is None:
            raise SourceNotFound(source)
        return await self._intake.sync_or_tell(actor, known, progress=None, attended=False)

    async def mend(
        self, actor: Actor, *, progress: Progress | None = None, thoroughly: bool = False
    ) -> SyncReport | None:
        """Fill an index that was begun anew (damaged, restored) from every source; return None for nothing to do.

        It is known to be damaged where that has shown; `thoroughly`: all of it is read to find out.
        """
        require(actor, Permission.KNOWLEDGE_MANAGE)
        index = self._index
        if not isinstance(index, Recovering):
            return None
        if thoroughly and (await index.verify() or (not await index.unfilled() and await self._is_lost())):
            await index.set_aside()
        async with self._mending:
            mark = await index.unfilled()
            if not mark:
                return None
            async with self._database.reading() as session:
                known = await store.sources(session)
            report = together([await self._intake.sync_or_tell(actor, one, progress=progress) for one in known])
            await index.filled(mark)
        await self._record(actor, "knowledge.mend", "source:*", detail=figures(report))
        return report

    async def is_unfilled(self, actor: Actor) -> bool:
        """Return whether the index is still to be made from the sources: it was damaged, is away, or was restored."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        return isinstance(self._index, Recovering) and (bool(await self._index.unfilled()) or await self._is_lost())

    async def _is_lost(self) -> bool:
        """Return whether the index holds nothing of sources that had pages."""
        return await self._pages_known() > 0 and (await self._index.statistics()).documents == 0

    async def _pages_known(self) -> int:
        async with self._database.reading() as session:
            return sum(one.report.pages for one in await store.sources(session) if one.report)

    async def _found(self, searching: Awaitable[T]) -> T:
        """Return what a search finds; of an index that is being made again say how many pages are still to go."""
        try:
            return await searching
        except IndexBeingMade as error:
            left = max(await self._pages_known() - error.done, 0)
            raise IndexBeingMade(done=error.done, left=left) from error

    async def embed_pending(self, *, progress: Progress | None = None, limit: int | None = None) -> int:
        """Make missing vectors until none is left; stored batch by batch, so that a killed run goes on later."""
        async with self._embedding:
            return await self._synchroniser.embed_pending(
                progress=progress, limit=limit, batch=self._config.embed_tokens
            )

    async def warm_up(self) -> None:
        """Load the model and the vectors, so that the first question does not wait for them."""
        question = IndexQuery(depth=1)
        try:
            await self._embedder.warm_up()
            question = replace(question, vector=np.zeros(self._embedder.dimensions, dtype=np.float32))
        except EmbedderUnavailable as error:
            _LOG.warning("questions will be answered by words alone: %s", error)
        await self._index.search(question, Scope(everything=True, principals=frozenset()))

    async def sources(self, actor: Actor) -> tuple[SourceStatus, ...]:
        """Return every source with what the index holds of it."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        async with self._database.reading() as session:
            known = await store.sources(session)
        held = [await self._index.statistics(one.name) for one in known]
        model = self._embedder.name
        return tuple(SourceStatus(one, counted, model) for one, counted in zip(known, held, strict=True))

    async def names(self, actor: Actor) -> tuple[str, ...]:
        """Return what the sources are called, without what was sent in chat; whoever may ask may know that."""
        require(actor, Permission.KNOWLEDGE_ASK)
        async with self._database.reading() as session:
            return tuple(one.name for one in await store.sources(session) if one.name != THREAD_FILES)

    async def remove(self, actor: Actor, name: str) -> int:
        """Remove a source and its pages; return how many pages there were."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        async with self._database.transaction() as session:
            if await store.find(session, name) is None:
                raise SourceNotFound(name)
            await store.remove(session, name)
            now = self._clock.now()
            await record_change(session, actor, "knowledge.remove", f"source:{name}", detail={}, now=now)
        async with self._intake.turn:
            return await self._index.delete(name)

    async def rebuild(self, actor: Actor, *, progress: Progress | None = None) -> SyncReport:
        """Build the index anew from every source beside the one that serves; it takes over in one step."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        async with self._database.reading() as session:
            known = await store.sources(session)
        async with self._intake.turn, self._embedding, AsyncExitStack() as opened:
            sources = [await opened.enter_async_context(self._intake.folder(one)) for one in known]
            report = await rebuild(
                self._index, self._embedder, sources, batch=self._config.embed_tokens, progress=progress
            )
        await self._record(actor, "knowledge.rebuild", "source:*", detail=figures(report))
        return report

    async def rollback(self, actor: Actor) -> Statistics:
        """Let the index of before serve again, without what changed or went since; return what it holds."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        async with self._intake.turn:
            await generational(self._index).rollback()
        await self._record(actor, "knowledge.rollback", "source:*", detail={})
        async with self._database.reading() as session:
            sent = await store.find(session, THREAD_FILES)
        if sent is not None:  # nobody sends a second time what was sent in a thread since
            await self._intake.sync_or_tell(actor, sent, progress=None)
        return await self._index.statistics()

    async def verify(self, actor: Actor) -> tuple[str, ...]:
        """Return what does not fit together in the index; nothing when all is well."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        return await self._index.verify()

    async def search(
        self,
        actor: Actor,
        query: str,
        *,
        language: str = "",
        limit: int = 8,
        readership: Readership = ALONE,
        around: int = 0,
        meant: str = "",
    ) -> SearchResult:
        """Return the best passages that the actor may read, and everybody with them who reads along.

        The result says whether the actor alone would be told more. `language` only matters for a question that holds no
        letters. With `around` the best come with their neighbours in the section, so many tokens long together with
        each. With `meant`, what is meant in one language, passages in the other one are looked for: by the words of the
        query, where they are in that one, and by the vectors that tell how near they are to it.
        """
        require(actor, Permission.KNOWLEDGE_ASK)
        scope = scope_of(actor, readership)
        files = thread_principal(readership.thread) if isinstance(readership, ThreadOnly) else ""
        found = await self._found(
            self._finder.find(query, scope, language=language, limit=limit, files=files, meant=meant)
        )
        own, today = await self._own_sources(), self._today(actor)
        hits = as_of(today, found.hits, asked=query)
        found = replace(found, hits=tuple(replace(each, own=each.source in own) for each in hits))
        return await self._found(self._around(found, scope, tokens=around)) if around and found.hits else found

    def _today(self, actor: Actor) -> date:
        return self._clock.now().astimezone(ZoneInfo(actor.timezone)).date()

    async def _own_sources(self) -> frozenset[str]:
        """Return the folders that were indexed as they are, by name; as they were up to `_KNOWN_S` seconds ago."""
        read_at, own = self._own
        now = self._clock.now()
        if abs((now - read_at).total_seconds()) > _KNOWN_S:
            async with self._database.reading() as session:
                known = await store.sources(session)
            own = frozenset(one.name for one in known if not one.site and one.name != THREAD_FILES)
            self._own = now, own
        return own

    async def explain(self, actor: Actor, query: str, *, reader: Actor | None = None, limit: int = 8) -> Explanation:
        """Search as the reader (the actor, if nobody is named), and return why each passage is where it is.

        Somebody else's eyes need `knowledge:manage`, and whose they were is recorded. They open nothing: what the actor
        may not read is left out of every leg, as in a channel of the two; what is hidden is counted for the operator
        alone, since by the count alone one could find out what a page says.
        """
        require(actor, Permission.KNOWLEDGE_ASK)
        own = scope_of(actor)
        if reader is None or reader.id == actor.id:
            reader, scope = actor, own
        else:
            require(actor, Permission.KNOWLEDGE_MANAGE)
            await self._record(actor, "knowledge.search_as", f"person:{reader.id}", detail={"characters": len(query)})
            scope = scope_of(reader, ALONE if own.everything else Shared(own.principals))
        trace = await self._found(self._finder.trace(query, scope, language=reader.language, limit=limit))
        return explained(trace, scope, tell_hidden=own.everything)

    async def page(self, actor: Actor, source: str, path: str, *, readership: Readership = ALONE) -> IndexedPage | None:
        """Return a page; None when it is absent or not permitted, with no way to tell which."""
        require(actor, Permission.KNOWLEDGE_ASK)
        stored = await self._index.page(source, path, scope_of(actor, readership))
        return await asyncio.to_thread(_page, stored) if stored else None

    async def on_page(self, actor: Actor, document: str, *, readership: Readership = ALONE) -> SearchResult:
        """Return the passages of a page (by its document's id) in reading order, those of a section joined.

        They are in no order of likeness, and have no signals. There are none where the page is absent or not permitted,
        with no way to tell which.
        """
        require(actor, Permission.KNOWLEDGE_ASK)
        scope = scope_of(actor, readership)
        source, _, path = document.partition(":")
        stored = await self._found(self._index.page(source, path, scope))
        if stored is None:
            return SearchResult(hits=(), legs=(), hidden=0)
        chunks = await self._found(self._index.neighbours(f"{document}#0", scope, before=0, after=_LONGEST_PAGE))
        own, today = source in await self._own_sources(), self._today(actor)
        hits = tuple(
            Hit(
                chunk=chunk,
                source=source,
                document_path=path,
                title=stored.title,
                language=stored.language,
                updated=stored.updated,
                score=0.0,
                signals=Signals(),
                authz=scope.reason(stored.allow),
                url=stored.url,
                own=own,
                valid=stored.valid,
                not_in_force=stored.valid.not_on(today),
            )
            for chunk in chunks
        )
        return SearchResult(hits=hits, legs=(), hidden=0, stretches=sections_of(chunks))

    async def likeness(
        self, actor: Actor, questions: Sequence[str], texts: Sequence[str]
    ) -> tuple[tuple[float, ...], ...]:
        """Return for each text how near it is to each of the questions; nothing where no model can tell."""
        require(actor, Permission.KNOWLEDGE_ASK)
        return await self._likeness.of(questions, texts) if texts else ()

    async def changed(
        self, actor: Actor, *, since: datetime, readership: Readership = ALONE, limit: int
    ) -> ChangedPages:
        """Return the pages that came or changed since an instant, of those that the actor and all with them may read.

        That there are others is not told: nobody learns that a page exists which they may not read.
        """
        require(actor, Permission.KNOWLEDGE_ASK)
        async with self._database.reading() as session:
            found = await store.changes_since(session, since, limit=MOST_CHANGES)
        readable = await self.readable(actor, [each.id for each in found], readership=readership)
        shown = tuple(each for each in found if each.id in readable)
        return ChangedPages(len(shown), shown[:limit])

    async def readable(
        self, actor: Actor, documents: Collection[str], *, readership: Readership = ALONE, can_wait: bool = False
    ) -> frozenset[str]:
        """Return which pages, by the ids of their documents, the actor and all who read along may read now.

        A page that is gone is nobody's to read. While the index does not answer, nothing is: what is shown by this is
        withheld then. Whoever `can_wait` for it gets `IndexUnavailable` instead.
        """
        if not documents or not decide(actor, Permission.KNOWLEDGE_ASK).allowed:
            return frozenset()
        try:
            return await self._index.readable(documents, scope_of(actor, readership))
        except IndexUnavailable as error:
            if can_wait:
                raise
            _LOG.warning("what was quoted before is withheld while the index does not answer: %s", error)
            return frozenset()

    async def _around(self, found: SearchResult, scope: Scope, *, tokens: int) -> SearchResult:
        """Add what stands around the best hits; all are asked for at once, within the scope of the search."""
        started = time.perf_counter()
        best = worth_more(found.hits)
        near = await asyncio.gather(
            *(self._index.neighbours(hit.chunk.id, scope, before=_REACH, after=_REACH) for hit in best)
        )
        made = (stretch(hit, around, found.hits, tokens=tokens) for hit, around in zip(best, near, strict=True))
        spent = (time.perf_counter() - started) * 1_000
        return replace(
            found,
            stretches=tuple(each for each in made if each is not None),
            timings_ms={**found.timings_ms, "search": found.timings_ms.get("search", 0.0) + spent},
        )

    async def close(self) -> None:
        """Give back the index's files."""
        await self._index.close()

    async def _record(self, actor: Actor, action: str, resource: str, *, detail: JsonObject) -> None:
        async with self._database.transaction() as session:
            await record_change(session, actor, action, resource, detail=detail, now=self._clock.now())


def _page(stored: StoredPage) -> IndexedPage:
    document = Document(
        source=stored.source,
        path=stored.path,
        title=stored.title,
        root=parse_body(stored.markdown),
        content_hash=stored.content_hash,
        allow=stored.allow,
        language=stored.language or language_of(stored.markdown),
        updated=stored.updated,
        url=stored.url,
        valid=stored.valid,
    )
    return IndexedPage(document=document, markdown=stored.markdown)
