"""Collections of pages of which each page can be taken away: every page gets a principal of its own.

The search itself leaves a page out then, by the filter that guards pages from people, so that what is left is ranked,
weighed and compared as on a desk that never had it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from search.access import Scope
from search.config import SearchConfig
from search.documents import Document
from search.embedding.port import Embedder
from search.indexes.embedded.engine import EmbeddedIndex
from search.ranking.finding import Finder
from search.sources.folder import FolderSource
from search.sources.port import Listing, Loaded, PageSource
from search.sync.sync import Synchroniser

#: Groups of pages: a question is asked of all of them, of all but one, or of a few as of a small desk.
GROUPS = 48
#: Groups of the large documentation that are read, by the folder of its language: vectors of Chinese pages take long.
_READ = {"en/docs/": range(8, 24), "zh-cn/docs/": range(16, 28)}
#: Companies that were invented for the evals, each with its pages.
HERE = Path(__file__).resolve().parent
EVALS = HERE.parent / "evals"
COMPANIES = {
    "garden": EVALS / "garden",
    "pottery": EVALS / "pottery",
    **{name: EVALS / "staff" / name for name in ("laundry", "ferry", "dental", "wind", "kitchen", "museum")},
    **{name: HERE / name for name in ("roastery", "hotel", "instruments", "building", "insurance", "cinema", "lifts")},
}


def group_of(path: str) -> int:
    """Return the group of a page, the same one for all its translations."""
    plain = path
    for prefix in _READ:  # a page goes with its twin
        plain = plain.removeprefix(prefix)
    return int(hashlib.sha256(plain.encode()).hexdigest(), 16) % GROUPS


def scope_of(groups: Sequence[int]) -> Scope:
    """Return a reader of these groups."""
    return Scope(everything=False, principals=frozenset(f"group:judge-{number}" for number in groups))


@dataclass(frozen=True)
class Grouped:
    """A source whose pages open by their group alone."""

    name: str
    source: PageSource
    keep: Mapping[str, range] | None = None  # the groups that are kept, by what their paths begin with; None for all
    parts: Sequence[str] = ("",)  # of those, what follows that beginning

    async def listing(self) -> Listing:
        """Return the kept pages of the source."""
        found = await self.source.listing()
        kept = {
            path: known for path, known in found.hashes.items() if self.keep is None or self._is_kept(self.keep, path)
        }
        return Listing(kept)

    def _is_kept(self, keep: Mapping[str, range], path: str) -> bool:
        return any(
            group_of(path) in groups and path.removeprefix(beginning).startswith(tuple(self.parts))
            for beginning, groups in keep.items()
            if path.startswith(beginning)
        )

    async def load(self, paths: Sequence[str]) -> Loaded:
        """Return pages, each in its group."""
        loaded = await self.source.load(paths)
        return Loaded(tuple(replace(page, document=_grouped(page.document)) for page in loaded.pages))


def _grouped(document: Document) -> Document:
    return replace(document, allow=(f"group:judge-{group_of(document.path)}",))


@dataclass(frozen=True)
class Collection:
    """Pages by path, and the search over them."""

    name: str
    documents: Mapping[str, Document]
    finder: Finder


async def opened(name: str, source: PageSource, *, home: Path, embedder: Embedder) -> Collection:
    """Index a source, or open what was indexed before."""
    index = EmbeddedIndex(home / f"{name}.sqlite")
    synchroniser = Synchroniser(index=index, embedder=embedder)
    await synchroniser.sync(source)
    await synchroniser.embed_pending()
    listed = await source.listing()
    loaded = await source.load(tuple(listed.hashes))
    documents = {page.document.path: page.document for page in loaded.pages}
    return Collection(name, documents, Finder(index=index, embedder=embedder, config=SearchConfig()))


def sources(data: Path, *, pages: Path, sample: Path) -> Mapping[str, PageSource]:
    """Return the collections by name: `data` as the project is given it, `pages` its packed documentation, unpacked."""
    parts = ("concepts/", "tasks/", "tutorials/", "setup/")
    return {
        "kubernetes": Grouped("kubernetes", FolderSource("kubernetes", pages), _READ, parts),
        "freight": Grouped("freight", FolderSource("freight", data / "desk-freight" / "handbook")),
        "sample": Grouped("sample", FolderSource("sample", sample)),
        **{name: Grouped(name, FolderSource(name, folder / "pages")) for name, folder in COMPANIES.items()},
    }
