"""Pages of features: drawn from blocks like cards of the chat, or from templates of the feature's own."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import assert_never

from markupsafe import Markup
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from adapters.cards import Block
from bot.console.conversations import renderer_for
from bot.console.pages import Handler, Pages, back_to
from bot.rendering.cards import card_of
from features.anatomy.feature import Feature
from features.anatomy.pages import BackTo, Data, Download, Drawn, Page, View, Visit
from features.anatomy.texts import folder_of
from identity.policy import require


class FeaturePages:
    """One route for each page and view that a feature has."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._desk = pages.desk

    def routes(self) -> list[BaseRoute]:
        """Return the routes of these pages."""
        found: list[BaseRoute] = []
        for feature in self._desk.features:
            found += [self._pages.get(f"/features/{page.name}", partial(self._page, page)) for page in feature.pages]
            found += [self._route(view, partial(self._view, feature.name, view)) for view in feature.views]
        return found

    def _route(self, view: View, handler: Handler) -> BaseRoute:
        if view.writes:
            return self._pages.post(view.address, handler, upload=view.upload)
        return self._pages.get(view.address, handler)

    async def _page(self, page: Page, visit: Visit) -> Response:
        require(visit.actor, page.permission)
        title = visit.say(f"console.nav.{page.name}")
        drawn = self._drawn(await page.draw(visit.actor, visit.reader), visit)
        return await self._pages.draw(visit, "feature.html", here=page.name, title=title, drawn=drawn)

    def _drawn(self, blocks: tuple[Block, ...], visit: Visit) -> Markup:
        renderer = renderer_for(visit.language, own_url=self._desk.settings.public_url)
        return Markup(renderer.card(card_of(blocks, visit.reader)))  # noqa: S704 - the renderer escapes

    async def _view(self, feature: str, view: View, visit: Visit) -> Response:
        match await view.show(visit):
            case Drawn() as drawn:
                template = f"{feature}/{drawn.template}"
                blocks = {name: self._drawn(each, visit) for name, each in drawn.blocks.items()}
                return await self._pages.draw(
                    visit, template, here=drawn.here, status_code=drawn.status, **drawn.values, **blocks
                )
            case BackTo() as back:
                return back_to(back.address, done=back.done)
            case Data(values=values):
                return JSONResponse(values, headers={"Cache-Control": "no-store"})
            case Download(name=name, media_type=media_type, content=content):
                kept = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
                return Response(content, media_type=media_type, headers=kept)
            case never:
                assert_never(never)


def feature_files(features: Iterable[Feature]) -> Iterator[BaseRoute]:
    """Yield where the static files of features are served; they need no sign-in and hold nothing of anybody's."""
    for feature in features:
        folder = folder_of(feature.name) / "static"
        if folder.is_dir():
            yield Mount(f"/static/{feature.name}", StaticFiles(directory=folder))
