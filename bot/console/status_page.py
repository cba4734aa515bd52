"""How the desk is doing, in words; `/health` is the short answer for probes."""

from dataclasses import dataclass
from datetime import datetime

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from bot.compose.platforms import Platform
from bot.console.pages import Pages, back_to
from bot.delivery import address_store
from bot.delivery.news import store
from bot.rendering.texts.catalogue import has
from features.anatomy.pages import Visit
from identity import audit
from identity.permissions import Permission
from identity.policy import decide, require
from storage.queue import work

#: Most of what could not be delivered that is listed.
LOST = 100


@dataclass(frozen=True)
class Part:
    """One part of the desk; `name` finds its words under `console.status`."""

    name: str
    well: bool
    found: str


@dataclass(frozen=True)
class LostNews:
    """News that no way took to their reader."""

    key: str
    person: str
    way: str
    reason: str
    at: datetime | None
    tries: int


class StatusPage:
    """Parts for everybody, sources for those who manage the knowledge."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._desk = pages.desk

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [self._pages.get("/status", self.show), self._pages.post("/status/retry", self.retry)]

    async def show(self, visit: Visit) -> Response:
        """Show what answers, what waits, and what is indexed."""
        manages = decide(visit.actor, Permission.KNOWLEDGE_MANAGE).allowed
        sources = await self._desk.search.sources(visit.actor) if manages else ()
        return await self._pages.draw(
            visit,
            "status.html",
            here="status",
            parts=await self._parts(visit),
            sources=sources,
            lost=await self._lost(visit),
        )

    async def retry(self, visit: Visit) -> Response:
        """Tell once more what could not be delivered, for people with `jobs:manage`."""
        require(visit.actor, Permission.JOBS_MANAGE)
        key = visit.form.get("key", "")
        async with self._desk.database.transaction() as session:
            if not await self._desk.news.retry(session, key):
                raise HTTPException(404)
            await audit.record(
                session,
                actor=visit.actor,
                action="news.retry",
                resource=key,
                allowed=True,
                reason="role",
                outcome="done",
                now=self._desk.clock.now(),
            )
        return back_to("/status", done="news_again")

    async def _lost(self, visit: Visit) -> list[LostNews]:
        """Return what could not be delivered to whom and why, without a word of what it says."""
        if not decide(visit.actor, Permission.JOBS_MANAGE).allowed:
            return []
        async with self._desk.database.reading() as session:
            found = await store.undelivered(session, limit=LOST)
        names = {each.id: each.name for each in await self._desk.people.all()}
        return [
            LostNews(
                key=each.key,
                person=names.get(each.person, each.person),
                way=visit.say(f"settings.way.{each.way}") if has(f"settings.way.{each.way}") else each.way or "–",
                reason=each.reason,
                at=each.changed_at,
                tries=each.tries + 1,
            )
            for each in found
        ]

    async def _parts(self, visit: Visit) -> list[Part]:
        async with self._desk.database.reading() as session:  # a database that is away is the page for errors
            unfinished = await work.count_open(session, topics=self._desk.inbox.worker.topics)
            gone = await address_store.count_gone(session)
        parts = [
            Part("database", well=True, found=self._desk.database.dialect),
            Part("inbox", well=True, found=visit.say("console.status.unfinished", count=unfinished)),
            Part("brain", well=True, found=self._desk.settings.model),
        ]
        if self._desk.redis is not None:
            answers = await self._desk.redis.ping()
            parts.append(
                Part("redis", well=answers, found="" if answers else visit.say("console.status.without_redis"))
            )
        if gone:
            parts.append(Part("reach", well=True, found=visit.say("console.status.unreachable", count=gone)))
        return [*parts, *(_platform(visit, platform) for platform in self._desk.platforms)]


def _platform(visit: Visit, platform: Platform) -> Part:
    state, name = platform.state(), visit.say(f"console.status.{platform.chat.name}")
    troubles = [visit.say(f"console.status.trouble.{code}", platform=name) for code in state.troubles]
    refused = [visit.say("console.status.refused", count=state.refused, platform=name)] if state.refused else []
    return Part(platform.chat.name, well=not troubles, found=" ".join([*troubles, *refused]))
