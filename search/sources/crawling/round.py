"""One round over a site: workers that visit what is found, until nothing is left or a limit is met."""

import asyncio
from dataclasses import replace

from search.sources.crawling.fetching.sitemaps import Sitemaps
from search.sources.crawling.kept.folder import text_of
from search.sources.crawling.kept.journal import Journal, JournalRecord, State
from search.sources.crawling.plan import CrawlLimits
from search.sources.crawling.report import Tally
from search.sources.crawling.visiting.discovery import Discovery, FrontierItem
from search.sources.crawling.visiting.visitor import PageVisitor
from search.sources.report import Progress, Stopwatch
from storage.clock import Clock


class Round:
    """`begin`, then `run`: once."""

    def __init__(
        self,
        *,
        limits: CrawlLimits,
        discovery: Discovery,
        visitor: PageVisitor,
        journal: Journal,
        clock: Clock,
        tally: Tally,
        progress: Progress | None,
    ) -> None:
        self._limits = limits
        self._discovery = discovery
        self._visitor = visitor
        self._journal = journal
        self._tally = tally
        self._watch = Stopwatch("crawling", clock, progress)
        self._failures = 0
        self._start = ""
        self.stopped = ""  # why it stopped before the end

    async def begin(self, sitemaps: Sitemaps, start: str, updated: dict[str, str]) -> None:
        """Find what to ask for first: the start, what the site lists, what is known from before."""
        self._start = start
        known = dict(self._journal.known())
        self._discovery.start()
        async for link in sitemaps.links(start):
            if link.updated:
                updated[link.address] = link.updated
            self._discovery.offer(link.address, known.pop(link.address, 1))
        for address, depth in known.items():
            await self._discovery.offer_again(address, depth)

    async def run(self) -> None:
        """Visit everything, or as much as the limits let."""
        going = True
        while going:
            try:
                async with asyncio.TaskGroup() as workers:
                    for _ in range(self._limits.at_once):
                        workers.create_task(self._work())
            except ExceptionGroup as group:  # a full disk, a folder that leads elsewhere: one of them tells it
                raise group.exceptions[0] from None
            going = not self.stopped and self._insist()

    async def _work(self) -> None:
        frontier = self._discovery.frontier
        while (item := await frontier.next()) is not None:
            try:
                await self._visit(item)
                self.stopped = self._limit()
            finally:
                await frontier.done(ended=bool(self.stopped))
            self._watch.tell(self._tally.done, self._tally.done + len(frontier))

    async def _visit(self, item: FrontierItem) -> None:
        visit = await self._visitor.visit(item)
        record = visit.record
        if record.state is State.LEFT_OUT:
            self._tally.left_out[record.why] += 1
        new = self._discovery.offer_links(visit.links, item.depth + 1)
        # Offered before it is written: what is in the file once is not lost when this process ends here.
        await self._journal.put(replace(record, links=tuple(dict.fromkeys((*record.links, *new)))))
        self._tally.done += 1
        self._failures = 0 if visit.answered else self._failures + 1
        if self._failures >= self._limits.failures_in_a_row and await self._visitor.site_answers(self._start):
            self._failures = 0  # a part of the site is broken, the rest of it goes on

    def _insist(self) -> bool:
        """Take pages again that named another as themselves which is not there; say whether there are any."""
        records = self._journal.records
        mine = [record for record in records.values() if record.round == self._journal.round]
        alone = [record for record in mine if _alone(record, records)]
        for record in alone:
            self._discovery.frontier.add(FrontierItem(record.address, record.depth, insist=True))
        return bool(alone)

    def _limit(self) -> str:
        """Return which limit is met, or ""."""
        limits = self._limits
        if self._failures >= limits.failures_in_a_row:
            return f"the site stopped answering ({self._failures} failures in a row)"
        if self._tally.answers >= limits.pages:
            return f"the limit of {limits.pages:,} pages is reached (--pages)"
        if self._tally.content_bytes >= limits.total_bytes:
            return f"the limit of {limits.total_bytes / 1_000_000:,g} MB is reached (--total-mb)"
        if limits.seconds and self._watch.seconds >= limits.seconds:
            return f"the limit of {limits.seconds / 60:g} minutes is reached (--minutes)"
        return self.stopped


def _alone(record: JournalRecord, records: dict[str, JournalRecord]) -> bool:
    """Say whether a page gave way to another one that is not kept, or not with the same text."""
    if record.state is not State.ALIAS or record.why == "redirect":
        return False
    other = _meant(record, records)
    if other is None or other.state not in {State.KEPT, State.FAILED} or not other.path:
        return True
    return record.why == "same" and text_of(other.digest) != text_of(record.digest)


def _meant(record: JournalRecord, records: dict[str, JournalRecord]) -> JournalRecord | None:
    """Return the record at the end of a chain of names, None where there is none or it goes round in a circle."""
    seen = {record.address}
    found: JournalRecord | None = record
    while found is not None and found.state is State.ALIAS:
        found = records.get(found.target) if found.target not in seen else None
        seen.add(found.address if found is not None else "")
    return found
