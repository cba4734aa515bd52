"""The fake source: pages from a mapping. Ships for tests and for whoever writes a source of their own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from search.sources.origins import NOWHERE, Origins
from search.sources.pages import page_hash, read_page
from search.sources.port import Listing, Loaded, SourcePage, SourceProblem


@dataclass
class MemorySource:
    """Markdown by path; `allow` holds for pages that name no list themselves."""

    name: str
    texts: Mapping[str, str]
    allow: tuple[str, ...] = ("staff",)
    origins: Origins = NOWHERE
    asked: list[str] = field(default_factory=list)  # the paths that were loaded, in order

    async def listing(self) -> Listing:
        """Return every page."""
        return Listing(
            hashes={
                path: page_hash(text.encode(), self.allow, origins=self.origins) for path, text in self.texts.items()
            }
        )

    async def load(self, paths: Sequence[str]) -> Loaded:
        """Return these pages, as a folder would."""
        pages: list[SourcePage] = []
        problems: list[SourceProblem] = []
        for path in paths:
            self.asked.append(path)
            page, wrong = read_page(
                self.texts[path].encode(), source=self.name, path=path, allow=self.allow, origins=self.origins
            )
            problems.extend(wrong)
            if page is not None:
                pages.append(page)
        return Loaded(pages=tuple(pages), problems=tuple(problems))
