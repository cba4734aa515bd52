"""Sites that are crawled again by the clock: a schedule for each, made when a site is crawled."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from pydantic import TypeAdapter

from features.anatomy.schedules import Slot
from identity.actor import Actor, system_actor
from identity.permissions import Permission
from identity.policy import require
from search.config import SearchConfig
from search.parsing.apart.readers import FileReaders, limits_of
from search.service import SearchService
from search.sources.crawling.crawl import crawl
from search.sources.crawling.plan import Plan
from storage.clock import Clock
from storage.database import Database
from storage.queue import schedules
from storage.queue.schedules import Every, Schedule

#: Topic of the slots.
CRAWL = "crawl"
#: Who crawls, in the audit.
CRAWLER = "crawl sites again"

_PLANS = TypeAdapter(Plan)


@dataclass(frozen=True)
class Crawls:
    """Plans crawls, and carries out what is due."""

    database: Database
    clock: Clock
    search: SearchService
    config: SearchConfig

    async def plan(self, actor: Actor, plan: Plan, folder: Path, *, hours: float) -> None:
        """Crawl a site again every so many hours from now on, 0: not any more; needs `knowledge:manage`."""
        require(actor, Permission.KNOWLEDGE_MANAGE)
        every, whole = timedelta(hours=hours), await asyncio.to_thread(folder.resolve)
        schedule = Schedule(
            f"crawl {plan.start}",
            CRAWL,
            Every(every.total_seconds()),
            payload={"plan": _PLANS.dump_python(plan, mode="json"), "folder": str(whole)},
            next_at=self.clock.now() + every,
        )
        async with self.database.transaction() as session:
            if hours:
                await schedules.put(session, schedule)
            else:
                await schedules.remove(session, schedule.name)

    async def again(self, slot: Slot) -> str:
        """Fetch what changed on a site and bring its source in line; a site whose source was removed is left alone."""
        plan, folder = _PLANS.validate_python(slot.payload["plan"]), Path(str(slot.payload["folder"]))
        crawler = system_actor(CRAWLER)
        sources = await self.search.sources(crawler)
        source = next((each.name for each in sources if each.source.path == str(folder)), None)
        if source is None:
            async with self.database.transaction() as session:
                await schedules.remove(session, slot.schedule)
            return "its source is removed: it is not crawled any more"
        with FileReaders(limits_of(self.config)) as readers:
            fetched = await crawl(plan, folder, clock=self.clock, readers=readers)
        report = await self.search.refresh(crawler, source=source)
        await self.search.embed_pending()
        done = f"{report.added} added, {report.changed} changed, {report.removed} removed"
        return f"{done}; stopped before the end: {fetched.unfinished}" if fetched.unfinished else done
