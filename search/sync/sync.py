"""Bringing an index in line with a source: only what changed is read, what is gone is gone at once, vectors follow."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from search.documents import ChangedPage
from search.embedding.batching import batches
from search.embedding.port import Embedder, FloatArray
from search.errors import FileUnreadable, FolderUnreadable, Reason
from search.indexes.passage_text import embedded_texts
from search.indexes.port import EmbeddedText, Index, IndexEntry
from search.parsing.apart.threads import LongWork
from search.sources.port import Fleeting, Listing, PageSource, SourcePage, SourceProblem
from search.sources.report import Progress, Stopwatch, SyncReport
from search.sync.chunking import ChunkSizes, CountTokens, chunk
from storage.clock import Clock, SystemClock

#: Grows with any change of how pages are read: they are read anew by the next sync, and found as they were until then.
READING = 4
#: Tokens that are embedded at once: some seconds of work on two cores.
EMBEDDED_TOKENS = 32_768
_AHEAD = 2_048
#: Seconds of processor time that one page may take to be cut into passages, in a thread of the server: its text is
#: bounded by the reader, which gave it, and cutting is linear in it.
CHUNKING_S = 120.0
#: Texts of one batch, so that many short ones do not keep what is made waiting.
_TEXTS = 512
#: Of a token: a Chinese character is one of three bytes; of Latin letters it takes a few more.
_BYTES = 3
#: How many times as long the model takes that compares languages.
_SLOWER = 4


async def embed_missing(index: Index, embedder: Embedder, *, tokens: int, limit: int | None, watch: Stopwatch) -> int:
    """Make vectors until none is missing or `limit` are made, about so many tokens at once; return how many.

    Those by which people find a page who ask in another language come last: they take five times as long.
    """
    counted = await index.statistics()
    waiting = counted.vectors_pending + counted.abroad_pending
    made = 0
    while limit is None or made < limit:
        texts = await index.pending(embedder.name, limit=_AHEAD if limit is None else min(_AHEAD, limit - made))
        if not texts:
            break
        for batch in _batches(texts, tokens):
            vectors = await vectors_of(batch, embedder)
            found = {pending.key: vector for pending, vector in zip(batch, vectors, strict=True)}
            await index.put_vectors(embedder.name, found)
            made += len(batch)
            watch.tell(made, max(waiting, made))
    return made


async def vectors_of(texts: Sequence[EmbeddedText], embedder: Embedder) -> FloatArray:
    """Return the vectors of texts that are all for one's own language or all for another one."""
    model = embedder.across() if texts[0].abroad else embedder
    return await (model or embedder).embed([each.text for each in texts])


def _batches(texts: Sequence[EmbeddedText], tokens: int) -> Iterator[list[EmbeddedText]]:
    """Yield texts of like length together; how long they are is told well enough without the model's tokenizer."""
    for abroad, of_one in groupby(texts, key=lambda each: each.abroad):
        alike = [*of_one]
        lengths = [len(pending.text.encode()) // _BYTES for pending in alike]
        for batch in batches(lengths, tokens=tokens // _SLOWER if abroad else tokens, texts=_TEXTS):
            yield [alike[place] for place in batch]


_BATCH = 32
#: So many pages gone at once, and nothing left, is rather a share that is away than an edit.
_SUSPICIOUS = 20


@dataclass(frozen=True)
class Taken:
    """Pages that went into the index, what was wrong with them, and the paths that could not be read at all."""

    entries: tuple[IndexEntry, ...]
    problems: tuple[SourceProblem, ...]
    lost: frozenset[str]


@dataclass(frozen=True)
class Unread:
    """A page that could not be read, as it was then, and why."""

    fingerprint: str
    problems: tuple[SourceProblem, ...]


@dataclass(frozen=True)
class Synchroniser:
    """An index and the model that its passages are cut for."""

    index: Index
    embedder: Embedder
    clock: Clock = field(default_factory=SystemClock)
    cutting: LongWork = field(default_factory=lambda: LongWork("cut-pages"))
    unread: dict[tuple[str, str], Unread] = field(default_factory=dict)  # by source and path, since this process began

    async def sync(
        self,
        source: PageSource,
        *,
        progress: Progress | None = None,
        anew: bool = False,
        attended: bool = True,
        earlier: Sequence[SourceProblem] = (),
        changes: list[ChangedPage] | None = None,
    ) -> SyncReport:
        """Index what is new or changed in a source (`anew`: everything) and remove what is gone from it.

        What was told `earlier` of pages that did not change is told again. Where nobody has `attended` to it, pages
        that could not be read are only read again when they changed, since some take as long as a reader may take;
        and a source of which nothing is left keeps its pages: `FolderUnreadable`. To `changes` is added what came or
        changed in a source that had pages before; another model alone changes none.
        """
        watch = Stopwatch("indexing", self.clock, progress)
        # In this order: a page that comes in between is read once more, and not taken for one that is gone.
        known = await self.index.manifest(source.name)
        listing = await source.listing()
        wanted = {path: self._fingerprint(content) for path, content in listing.hashes.items()}
        if not attended and not wanted and len(known) >= _SUSPICIOUS:
            raise FolderUnreadable(f"all {len(known)} pages are gone, as of a share that is not mounted")
        removed = [path for path in known if path not in wanted]
        await self.index.delete(source.name, removed) if removed else None
        stale = [path for path, fingerprint in wanted.items() if anew or known.get(path) != fingerprint]
        left = {} if attended else self._left(source, {path: wanted[path] for path in stale})
        problems = [*listing.problems, *(one for each in left.values() for one in each.problems)]
        asked = [path for path in stale if path not in left]
        same_content = {
            path for path, content in listing.hashes.items() if known.get(path, "").startswith(f"{content}.")
        }

        def note(entries: Sequence[IndexEntry]) -> None:
            fresh = (entry.document for entry in entries if known and entry.document.path not in same_content)
            if changes is not None:
                changes.extend(
                    ChangedPage(source.name, each.path, each.title, each.path not in known) for each in fresh
                )

        lost = await self._take_in(source, asked, problems=problems, watch=watch, note=note)
        self._remember(source, {path: wanted[path] for path in asked}, lost, problems)
        lost |= left.keys()
        same = wanted.keys() - set(stale)
        problems.extend(each for each in earlier if each.path in same)
        report = await self._report(source, listing, known=set(known), stale=set(stale), lost=lost)
        return replace(report, problems=tuple(problems), seconds=round(watch.seconds, 3))

    async def take_in(self, source: PageSource, paths: Sequence[str]) -> Taken:
        """Index these pages of the source's last listing; one that cannot be read is taken out of the index."""
        loaded = await source.load(paths)
        entries, too_slow = await self.cutting.run(self._entries, loaded.pages)
        await self.index.replace(entries)
        missing = set(paths) - {entry.document.path for entry in entries}
        if isinstance(source, Fleeting):  # taken away while it was read: whoever did so deleted too early
            missing |= await source.gone(paths)
        if missing:  # an old version of a page that cannot be read any more must not be cited
            await self.index.delete(source.name, sorted(missing))
        return Taken(entries=tuple(entries), problems=(*loaded.problems, *too_slow), lost=frozenset(missing))

    async def embed_pending(
        self, *, progress: Progress | None = None, limit: int | None = None, batch: int = EMBEDDED_TOKENS
    ) -> int:
        """Make the missing vectors, about `batch` tokens at once, each batch stored; return how many were made."""
        watch = Stopwatch("embedding", self.clock, progress)
        return await embed_missing(self.index, self.embedder, tokens=batch, limit=limit, watch=watch)

    def _left(self, source: PageSource, stale: Mapping[str, str]) -> dict[str, Unread]:
        """Return those of the pages that could not be read when they were what they are now."""
        known = {path: self.unread.get((source.name, path)) for path in stale}
        return {path: unread for path, unread in known.items() if unread and unread.fingerprint == stale[path]}

    def _remember(
        self, source: PageSource, asked: Mapping[str, str], lost: Collection[str], problems: Sequence[SourceProblem]
    ) -> None:
        for path, fingerprint in asked.items():
            self.unread.pop((source.name, path), None)
            if path in lost:
                told = tuple(each for each in problems if each.path == path)
                self.unread[source.name, path] = Unread(fingerprint, told)

    def _fingerprint(self, content: str) -> str:
        """Passages are cut by the model's tokenizer, so another model means another index of the same page."""
        return f"{content}.{self.embedder.name}.{READING}"

    async def _take_in(
        self,
        source: PageSource,
        paths: Sequence[str],
        *,
        problems: list[SourceProblem],
        watch: Stopwatch,
        note: Callable[[Sequence[IndexEntry]], None],
    ) -> set[str]:
        """Index pages in batches; return those that could not be read."""
        lost: set[str] = set()
        for start in range(0, len(paths), _BATCH):
            asked = paths[start : start + _BATCH]
            taken = await self.take_in(source, asked)
            problems.extend(taken.problems)
            note(taken.entries)
            lost |= taken.lost
            watch.tell(min(start + _BATCH, len(paths)), len(paths))
        return lost

    def _entries(self, pages: Sequence[SourcePage]) -> tuple[list[IndexEntry], list[SourceProblem]]:
        entries: list[IndexEntry] = []
        problems: list[SourceProblem] = []
        for page in pages:
            try:
                entries.append(self._entry(page))
            except FileUnreadable as error:
                problems.append(SourceProblem(path=page.document.path, what=str(error), reason=error.reason))
        return entries, problems

    def _entry(self, page: SourcePage) -> IndexEntry:
        document = replace(page.document, content_hash=self._fingerprint(page.document.content_hash))
        chunks = chunk(
            document, _in_time(self.embedder.count_all), sizes=ChunkSizes.of_window(self.embedder.max_tokens)
        )
        embeds = self.embedder.reads(document.language)
        return IndexEntry(
            document=document,
            chunks=chunks,
            markdown=page.markdown,
            embedded=tuple(embedded_texts(passage, document.title) if embeds else () for passage in chunks),
            abroad=self.embedder.across() is not None,
        )

    async def _report(
        self, source: PageSource, listing: Listing, *, known: set[str], stale: set[str], lost: set[str]
    ) -> SyncReport:
        now = await self.index.statistics(source.name)
        return SyncReport(
            source=source.name,
            added=len(stale - known - lost),
            changed=len((stale & known) - lost),
            removed=len(known - (set(listing.hashes) - lost)),
            unchanged=len(set(listing.hashes) - stale),
            chunks=now.chunks,
            passed_over=listing.passed_over,
            without_access=now.without_access,
            vectors_pending=now.vectors_pending + now.abroad_pending,
            exceeds=now.exceeds,
        )


def _in_time(count: CountTokens) -> CountTokens:
    """Return a counter that gives up on a page once cutting it has taken too much of this thread's own time."""
    until = time.thread_time() + CHUNKING_S

    def counted(texts: Sequence[str]) -> Sequence[int]:
        if time.thread_time() > until:
            raise FileUnreadable(f"takes longer than {CHUNKING_S:g} s to be cut into passages", Reason.TOO_SLOW)
        return count(texts)

    return counted
