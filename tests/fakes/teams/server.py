"""The local Teams on a loopback port."""

from aiohttp import web

from tests.fakes.teams.organisation import Organisation


class TeamsServer:
    """Serves one organisation on 127.0.0.1."""

    def __init__(self, organisation: Organisation, *, port: int = 0) -> None:
        self.organisation = organisation
        self.port = port
        self.base_url = ""
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Listen; `base_url` is known afterwards."""
        app = web.Application(client_max_size=8 * 1024 * 1024)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.organisation.service_url = f"{self.base_url}/emea/"

    async def close(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
