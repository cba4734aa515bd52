"""The page that a citation's link opens."""

from markupsafe import Markup

from features.anatomy.pages import Drawn, NoSuchPage, View, Visit
from features.knowledge.pages import html
from search.parsing.apart.threads import LongWork
from search.service import SearchService


class DocumentPage:
    """Shows a page to whom search would show it; for everybody else there is none, in the same words."""

    def __init__(self, search: SearchService) -> None:
        self._search = search
        self._drawing = LongWork("draw-pages")

    def views(self) -> tuple[View, ...]:
        """Return the page."""
        return (View("/knowledge/page/{source}/{path:path}", self.show),)

    async def show(self, visit: Visit) -> Drawn:
        """Show the page; the browser scrolls to the anchor, and the style sheet marks that section."""
        page = await self._search.page(visit.actor, visit.parts["source"], visit.parts["path"])
        if page is None:
            raise NoSuchPage
        found = page.document
        drawn = await self._drawing.run(html.to_html, page)  # of a large workbook this takes seconds
        values = {
            "source": found.source,
            "path": found.path,
            "title": found.title,
            "updated": found.updated.isoformat() if found.updated else "",
            "original": found.url,
            "document_language": "zh-Hans" if found.language == "zh" else found.language,
            "html": Markup(drawn),  # noqa: S704 - `to_html` escapes
        }
        return Drawn("document.html", values)
