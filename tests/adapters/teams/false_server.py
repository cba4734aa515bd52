"""Something else in the place of one of Microsoft's servers."""

from collections.abc import Callable

from aiohttp import web

from storage.clock import ManualClock
from tests.fakes.faults import Faults
from tests.fakes.loopback import LoopbackServer


class FalseServer(LoopbackServer):
    """Answers every request with what a test wants, told where it listens, and keeps what it was sent."""

    def __init__(self, answer: Callable[[str], web.Response] = lambda _: web.Response()) -> None:
        super().__init__(Faults(ManualClock()))
        self.answer = answer
        self.bodies: list[str] = []
        self.tokens: list[str] = []

    def add_routes(self, app: web.Application) -> None:
        app.router.add_route("*", "/{path:.*}", self._serve)

    async def _serve(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.text())
        self.tokens.append(request.headers.get("Authorization", ""))
        return self.answer(self.base_url)


def moved_to(url: str) -> web.Response:
    """Return a redirection that asks to repeat the request elsewhere."""
    return web.Response(status=307, headers={"Location": f"{url}/elsewhere"})
