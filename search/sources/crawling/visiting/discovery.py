"""Which of the addresses that are found are asked for, each once in a round, and handed to several workers."""

import asyncio
from collections import deque
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from search.sources.crawling.addresses import canonical, shown
from search.sources.crawling.kept.journal import Journal
from search.sources.crawling.plan import Plan
from search.sources.crawling.report import Tally
from search.sources.crawling.scope import Traps, is_file, is_other
from search.sources.crawling.site import Site
from search.sources.port import SourceProblem


@dataclass(frozen=True)
class FrontierItem:
    """One address to ask for, so many links from the start. `insist`: it is kept even if it names another as itself."""

    address: str
    depth: int
    insist: bool = False


class Frontier:
    """A queue that knows when nothing is left: no item waits and none is under way."""

    def __init__(self) -> None:
        self._waiting: deque[FrontierItem] = deque()
        self._seen: set[str] = set()
        self._underway = 0
        self._changed = asyncio.Condition()
        self._ended = False

    def __len__(self) -> int:
        """Return how many addresses wait or are under way."""
        return len(self._waiting) + self._underway

    def is_new(self, address: str) -> bool:
        """Say whether an address was not offered before."""
        return address not in self._seen

    def see(self, address: str) -> None:
        """Never take this address."""
        self._seen.add(address)

    def add(self, item: FrontierItem) -> None:
        """Let an item wait for its turn."""
        self._seen.add(item.address)
        self._waiting.append(item)

    async def next(self) -> FrontierItem | None:
        """Return the next item, waiting for one that is under way to bring some; None at the end."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._ended or bool(self._waiting) or not self._underway)
            if self._ended or not self._waiting:
                return None
            self._underway += 1
            return self._waiting.popleft()

    async def done(self, *, ended: bool = False) -> None:
        """Say that an item is dealt with, and what it brought is added; `ended`: nothing more is handed out."""
        async with self._changed:
            self._underway -= 1
            self._ended = self._ended or ended
            self._changed.notify_all()


class Discovery:
    """Fills the frontier; what is left out is counted in the tally."""

    def __init__(self, plan: Plan, site: Site, journal: Journal, *, tally: Tally) -> None:
        self._plan = plan
        self._site = site
        self._journal = journal
        self._tally = tally
        self._traps = Traps()
        self.frontier = Frontier()

    def start(self) -> None:
        """Begin at the start, which belongs to the crawl whatever patterns say."""
        self.frontier.add(FrontierItem(self._site.first, 0))

    def offer(self, address: str, depth: int) -> bool:
        """Take a canonical address that is new and belongs to the crawl; say whether it was taken."""
        if not self.frontier.is_new(address) or not self._site.scope.covers(address):
            return False
        self.frontier.see(address)
        if self._journal.is_done(address):
            return False
        if why := self._unwanted(address, depth):
            self._tally.left_out[why] += 1
            return False
        self.frontier.add(FrontierItem(address, depth))
        return True

    def offer_links(self, links: tuple[str, ...], depth: int) -> tuple[str, ...]:
        """Take the links of a page; return those that were taken."""
        found = (canonical(link) for link in links)
        return tuple(link for link in found if link is not None and self.offer(link, depth))

    async def offer_again(self, address: str, depth: int) -> None:
        """Take what is known from before; what does not belong to the crawl any more is given up."""
        record = self._journal.records.get(address)
        if self._site.scope.covers(address):
            self.offer(address, depth)
            if record is not None and record.path and not self._site.robots.allows(address):
                what = "may not be asked for any more, says robots.txt; what was fetched before is kept"
                self._tally.problems.append(SourceProblem(path=shown(address), what=what))
        elif record is not None and record.path:
            await self._journal.give_up(record)

    def tell_traps(self) -> None:
        """Tell which places never ended."""
        for path in sorted(self._traps.endless):
            what = "has ever new parameters; only the first variants were fetched (--exclude leaves it out)"
            self._tally.problems.append(SourceProblem(path=unquote(urlsplit(path).path), what=what))

    def _unwanted(self, address: str, depth: int) -> str:
        """Return why an address is not even asked for, as `report.LEFT_OUT` names it, or ""."""
        if is_other(address):
            return "type"
        if is_file(address) and not self._plan.files:
            return "file"
        if not self._site.robots.allows(address):
            return "robots"
        if depth > self._plan.limits.depth:
            return "depth"
        return "trap" if self._traps.catches(address) else ""
