"""The audit trail as a page, and the check that nothing of it is missing or edited."""

from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from bot.console.pages import Pages
from features.anatomy.pages import Visit
from identity.audit import Verification

#: Entries on one page.
PAGE = 100


class AuditPage:
    """For people with `audit:read`; the trail itself asks for it."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._trail = pages.desk.audit

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [self._pages.get("/audit", self.show), self._pages.post("/audit/verify", self.verify)]

    async def show(self, visit: Visit) -> Response:
        """Show entries, newest first."""
        return await self._draw(visit)

    async def verify(self, visit: Visit) -> Response:
        """Check the whole chain now and say what was found."""
        return await self._draw(visit, verification=await self._verification(visit))

    async def _verification(self, visit: Visit) -> Verification:
        heads = await self._pages.desk.witness.heads()
        return await self._trail.verify(visit.actor, witnessed=heads)

    async def _draw(self, visit: Visit, *, verification: Verification | None = None) -> Response:
        actor, action, before = visit.asked("actor"), visit.asked("action"), visit.asked("before", limit=18)
        entries = await self._trail.entries(
            visit.actor,
            limit=PAGE,
            before=int(before) if before.isdecimal() else None,
            actor_id=actor or None,
            action=action or None,
        )
        older = {"actor": actor, "action": action, "before": str(entries[-1].id)} if len(entries) == PAGE else None
        return await self._pages.draw(
            visit,
            "audit.html",
            here="audit",
            entries=entries,
            actor_filter=actor,
            action_filter=action,
            next=f"/audit?{urlencode(older)}" if older else "",
            verification=_words(visit, verification) if verification else None,
        )


def _words(visit: Visit, verification: Verification) -> dict[str, object]:
    if verification.ok:
        counts = {"sealed": verification.sealed, "unsealed": verification.unsealed, "witnessed": verification.witnessed}
        text = visit.say("console.audit.sound", **counts)
    else:
        names = ("missing", "edited", "added", "cut", "rewritten", "broken")
        found = {name: ", ".join(str(each) for each in getattr(verification, name)) for name in names}
        text = visit.say("console.audit.broken", **{name: numbers or "–" for name, numbers in found.items()})
    return {"ok": verification.ok, "text": text}
