"""Pages of features: drawn from blocks, like cards of the chat."""

from functools import partial

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import BaseRoute

from bot.console.conversations import renderer_for
from bot.console.pages import Pages, Visit
from bot.rendering.cards import card_of
from features.anatomy.feature import Page
from identity.policy import require


class FeaturePages:
    """One page for each that a feature has."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._desk = pages.desk

    def routes(self) -> list[BaseRoute]:
        """Return the routes of these pages."""
        every = (page for feature in self._desk.features for page in feature.pages)
        return [self._pages.get(f"/features/{page.name}", partial(self._show, page)) for page in every]

    async def _show(self, page: Page, visit: Visit) -> Response:
        require(visit.actor, page.permission)
        card = card_of(await page.draw(visit.actor, visit.reader), visit.reader)
        renderer = renderer_for(visit.language, own_url=self._desk.settings.public_url)
        title = visit.say(f"console.nav.{page.name}")
        drawn = Markup(renderer.card(card))  # noqa: S704 - the renderer escapes
        return await self._pages.draw(visit, "feature.html", here=page.name, title=title, drawn=drawn)
