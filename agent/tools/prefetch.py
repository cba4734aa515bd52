"""The search that begins with the run: what it asks of the knowledge, and when a later call means the same."""

from collections.abc import Collection, Sequence
from typing import Protocol

from identity.actor import Actor
from identity.readership import ALONE, Readership
from search.documents import SearchResult


class KnowledgeSearch(Protocol):
    """What the prefetch and its tool need of `search.service`: permitted passages for one actor and query."""

    async def search(
        self,
        actor: Actor,
        query: str,
        *,
        language: str,
        limit: int = 8,
        readership: Readership = ALONE,
        around: int = 0,
        meant: str = "",
    ) -> SearchResult:
        """Return passages, best first; never one that the actor, or anybody who reads along, may not read.

        The best passages come with what stands around them, so many tokens (`around`) together with each. With `meant`
        they are those in another language than what is meant, which the query may say there.
        """
        ...

    async def on_page(self, actor: Actor, document: str, *, readership: Readership = ALONE) -> SearchResult:
        """Return the passages of one page in reading order; none where it is absent or not permitted."""
        ...

    async def likeness(
        self, actor: Actor, questions: Sequence[str], texts: Sequence[str]
    ) -> tuple[tuple[float, ...], ...]:
        """Return for each text how near it is to each of the questions; nothing where no model can tell."""
        ...


class PageRights(Protocol):
    """What reads quotations again needs of `search.service`: the rights of this moment."""

    async def readable(
        self, actor: Actor, documents: Collection[str], *, readership: Readership = ALONE, can_wait: bool = False
    ) -> frozenset[str]:
        """Return which pages, by the ids of their documents, the actor and all who read along may read now.

        While the index does not answer, none; whoever can wait for it gets `IndexUnavailable`.
        """
        ...


def same_words(query: str) -> str:
    """Return the form in which two queries count as the same words."""
    return " ".join(query.casefold().split())
