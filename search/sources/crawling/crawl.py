"""A crawl from its start to its report: one round over a site, in one run or in several."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from search.errors import CrawlImpossible
from search.parsing.isolation import Readers
from search.sources.crawling.addresses import canonical
from search.sources.crawling.asking import Asker
from search.sources.crawling.content import Reading
from search.sources.crawling.discovery import Discovery
from search.sources.crawling.ending import remove_what_is_gone
from search.sources.crawling.fetching import Fetcher
from search.sources.crawling.folder import Folder
from search.sources.crawling.guard import Guard, Unknown
from search.sources.crawling.journal import Journal
from search.sources.crawling.plan import Plan
from search.sources.crawling.report import CrawlReport, Tally
from search.sources.crawling.round import Round
from search.sources.crawling.site import Site, meet
from search.sources.crawling.sitemaps import Sitemaps
from search.sources.crawling.visiting import Visitor
from search.sources.origins import site_of
from search.sources.report import Progress
from storage.clock import Clock


async def crawl(
    plan: Plan,
    folder: Path,
    *,
    clock: Clock,
    readers: Readers,
    guard: Guard | None = None,
    progress: Progress | None = None,
) -> CrawlReport:
    """Fetch a site to a folder of Markdown, or what changed of it since the last time.

    A run that is ended at any moment leaves whole files, and the next one goes on where it was. Raises
    `CrawlImpossible` when the site is away or does not want a crawl (then nothing is changed) and
    `CrawlFolderUnusable`. `readers` are the processes that read pages.
    """
    start = canonical(plan.start)
    if start is None:
        raise CrawlImpossible(_wrong(plan.start))
    began = clock.monotonic()
    guard = guard or Guard(private=plan.private)
    await _trust(guard, start)
    journal = Journal(folder, start=start, terms=plan.terms, now=clock.now())
    tally = Tally()
    await journal.open()
    try:
        async with Fetcher(guard, plan.limits) as fetcher:
            asker = Asker(fetcher, clock, plan.limits)
            site = await meet(plan, start, asker, tally)
            await journal.begin()
            running = _Running(plan, site, journal, Folder(folder), asker, readers, clock, tally)
            stopped = await running.run(progress)
    finally:
        await journal.close()
    return CrawlReport(
        start=start,
        site=site_of(site.scope.start),
        added=tally.added,
        changed=tally.changed,
        unchanged=tally.unchanged,
        removed=tally.removed,
        duplicates=tally.duplicates,
        requests=asker.asked,
        seconds=clock.monotonic() - began,
        left_out=dict(tally.left_out),
        problems=tuple(tally.problems),
        unfinished=stopped,
    )


@dataclass(frozen=True)
class _Running:
    """A crawl of a site that was met."""

    plan: Plan
    site: Site
    journal: Journal
    folder: Folder
    asker: Asker
    readers: Readers
    clock: Clock
    tally: Tally

    async def run(self, progress: Progress | None) -> str:
        """Go through the site; return why it stopped before the end, or ""."""
        had = sum(bool(record.path) for record in self.journal.records.values())
        updated: dict[str, str] = {}
        discovery = Discovery(self.plan, self.site, self.journal, tally=self.tally)
        going = Round(
            limits=self.plan.limits,
            discovery=discovery,
            visitor=self._visitor(updated),
            journal=self.journal,
            clock=self.clock,
            tally=self.tally,
            progress=progress,
        )
        sitemaps = Sitemaps(self.asker, self.readers, self.site.robots, self.tally)
        await going.begin(sitemaps, self.site.first, updated)
        await going.run()
        discovery.tell_traps()
        if not going.stopped:
            await remove_what_is_gone(self.journal, self.folder, start=self.site.first, had=had, tally=self.tally)
            await self.journal.finish()
        return going.stopped

    def _visitor(self, updated: dict[str, str]) -> Visitor:
        return Visitor(
            asker=self.asker,
            reading=Reading(self.plan, self.readers),
            folder=self.folder,
            journal=self.journal,
            scope=self.site.scope,
            clock=self.clock,
            tally=self.tally,
            updated=updated,
        )


async def _trust(guard: Guard, start: str) -> None:
    parts = urlsplit(start)
    host = parts.hostname or ""
    try:
        await guard.trust(host, parts.port or 443)
    except Unknown as error:
        raise CrawlImpossible(f"{host} {error}") from error


def _wrong(start: str) -> str:
    if "@" in urlsplit(start).netloc:
        return "the address holds a user name or a password, which is not supported"
    return f"{start!r} is no web address; it has to look like https://example.com/docs/"
