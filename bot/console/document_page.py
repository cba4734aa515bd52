"""The page that a citation's link opens."""

import asyncio

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute

from bot.console import document
from bot.console.pages import Pages, Visit


class DocumentPage:
    """Shows a page to whom search would show it; for everybody else there is none, in the same words."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [self._pages.get("/knowledge/page/{source}/{path:path}", self.show)]

    async def show(self, visit: Visit) -> Response:
        """Show the page; the browser scrolls to the anchor, and the style sheet marks that section."""
        source, path = visit.request.path_params["source"], visit.request.path_params["path"]
        page = await self._pages.desk.search.page(visit.actor, source, path)
        if page is None:
            raise HTTPException(404)
        found = page.document
        html = await asyncio.to_thread(document.to_html, page)  # of a large workbook this takes seconds
        return await self._pages.draw(
            visit,
            "document.html",
            source=found.source,
            path=found.path,
            title=found.title,
            updated=found.updated.isoformat() if found.updated else "",
            original=found.url,
            document_language="zh-Hans" if found.language == "zh" else found.language,
            html=Markup(html),  # noqa: S704 - `to_html` escapes
        )
