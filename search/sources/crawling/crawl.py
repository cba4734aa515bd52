"""A crawl from its start to its report: one round over a site, in one run or in several.

At the end of a round, what is not on the site any more goes from the folder, unless the site itself is in doubt.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from search.errors import CrawlImpossible
from search.parsing.apart.readers import FileReaders
from search.sources.crawling.addresses import canonical, shown
from search.sources.crawling.fetching.fetcher import Fetcher
from search.sources.crawling.fetching.guard import ConnectionGuard, HostUnknown
from search.sources.crawling.fetching.pacing import Asker
from search.sources.crawling.fetching.sitemaps import Sitemaps
from search.sources.crawling.kept.folder import Folder
from search.sources.crawling.kept.journal import Journal, State
from search.sources.crawling.plan import Plan
from search.sources.crawling.report import CrawlReport, Tally
from search.sources.crawling.round import Round
from search.sources.crawling.site import Site, meet
from search.sources.crawling.visiting.content import ContentReading
from search.sources.crawling.visiting.discovery import Discovery
from search.sources.crawling.visiting.visitor import PageVisitor
from search.sources.origins import site_of
from search.sources.port import SourceProblem
from search.sources.report import Progress
from storage.clock import Clock

#: From so many pages on, more than half of them gone at once is a site that moved or is broken, not an edit.
_SUSPICIOUS = 20
_TO_GO = frozenset({State.GONE, State.ALIAS, State.LEFT_OUT})


async def remove_what_is_gone(journal: Journal, folder: Folder, *, start: str, had: int, tally: Tally) -> None:
    """Remove the files of pages that are gone; `had` is how many there were when the round began."""
    to_go = [record for record in journal.records.values() if record.path and record.state in _TO_GO]
    missing = sum(record.state is State.GONE for record in to_go)
    if missing >= _SUSPICIOUS and missing * 2 > had:
        what = (
            f"{missing} of {had} pages are not there any more; all were kept, in case the site is broken. "
            "If they are to go, crawl into a new folder (--out)"
        )
        tally.problems.append(SourceProblem(path=shown(start), what=what))
        to_go = [record for record in to_go if record.state is not State.GONE]
    held = {record.path for record in journal.records.values() if record.path and record.state not in _TO_GO}
    for record in to_go:
        if record.path not in held:
            await folder.remove(record.path)
            tally.removed += 1
        await journal.put(replace(record, path="", digest="", etag="", modified=""))


async def crawl(
    plan: Plan,
    folder: Path,
    *,
    clock: Clock,
    readers: FileReaders,
    guard: ConnectionGuard | None = None,
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
    guard = guard or ConnectionGuard(private=plan.private)
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
    readers: FileReaders
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

    def _visitor(self, updated: dict[str, str]) -> PageVisitor:
        return PageVisitor(
            asker=self.asker,
            reading=ContentReading(self.plan, self.readers),
            folder=self.folder,
            journal=self.journal,
            scope=self.site.scope,
            clock=self.clock,
            tally=self.tally,
            updated=updated,
        )


async def _trust(guard: ConnectionGuard, start: str) -> None:
    parts = urlsplit(start)
    host = parts.hostname or ""
    try:
        await guard.trust(host, parts.port or 443)
    except HostUnknown as error:
        raise CrawlImpossible(f"{host} {error}") from error


def _wrong(start: str) -> str:
    if "@" in urlsplit(start).netloc:
        return "the address holds a user name or a password, which is not supported"
    return f"{start!r} is no web address; it has to look like https://example.com/docs/"
