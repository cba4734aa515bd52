"""The addresses that a site lists itself: sitemaps, and indexes of sitemaps."""

from collections import deque
from collections.abc import AsyncIterator
from urllib.parse import urljoin

from search.parsing.apart.exchange import Unreadable
from search.parsing.apart.readers import FileReaders
from search.parsing.converted import Kind, PageLink
from search.parsing.fetched import Fetched, joined
from search.sources.crawling.addresses import canonical, host_of, shown
from search.sources.crawling.fetching.fetcher import NotFetched, SiteResponse
from search.sources.crawling.fetching.pacing import Asker
from search.sources.crawling.fetching.robots import Robots
from search.sources.crawling.report import Tally
from search.sources.port import SourceProblem

_MOST_BYTES = 60_000_000
_MOST = 200
_MOST_HOPS = 5


class Sitemaps:
    """Reads the sitemaps that robots.txt names, or the one in the usual place."""

    def __init__(self, asker: Asker, readers: FileReaders, robots: Robots, tally: Tally) -> None:
        self._asker = asker
        self._readers = readers
        self._robots = robots
        self._tally = tally

    async def links(self, start: str) -> AsyncIterator[PageLink]:
        """Yield what the site lists, each link with its canonical address; what is wrong goes into the tally."""
        usual = urljoin(start, "/sitemap.xml")
        waiting = deque(self._robots.sitemaps or (usual,))
        seen = set(waiting)
        while waiting:
            address = waiting.popleft()
            content = await self._content(address, expected=bool(self._robots.sitemaps))
            if content is None:
                continue
            packed = Fetched(address, content).packed()
            [found] = await self._readers.waiting.run(self._readers.read, [(Kind.SITEMAP, packed)])
            if isinstance(found, Unreadable) or found.remark:
                self._tell(address, found.why if isinstance(found, Unreadable) else found.remark)
            if isinstance(found, Unreadable):
                continue
            for link in found.links:
                target = canonical(link.address)
                if target is None:
                    continue
                if not found.about.get("index"):
                    yield PageLink(target, updated=link.updated)
                elif target not in seen and len(seen) < _MOST and host_of(target) == host_of(start):
                    seen.add(target)
                    waiting.append(target)

    async def _content(self, address: str, *, expected: bool) -> bytes | None:
        """Return a sitemap; that there is none is told where one was named."""
        try:
            answer = await self._answer(address)
        except NotFetched as error:
            self._tell(address, str(error))
            return None
        if answer.status == 200:
            return answer.content
        if expected:
            self._tell(address, answer.said)
        return None

    async def _answer(self, address: str) -> SiteResponse:
        for _ in range(_MOST_HOPS):
            answer = await self._asker.get(address, wanted=_wanted)
            target = canonical(joined(address, answer.headers["location"])) if answer.is_redirect else None
            if target is None or host_of(target) != host_of(address):
                return answer
            address = target
        raise NotFetched(f"redirects more than {_MOST_HOPS} times", later=False)

    def _tell(self, address: str, what: str) -> None:
        self._tally.problems.append(SourceProblem(path=shown(address), what=f"sitemap {what}"))


def _wanted(answer: SiteResponse) -> int:
    # A site that answers everything with a page has no sitemap.
    return _MOST_BYTES if answer.status == 200 and answer.content_type != "text/html" else 0
