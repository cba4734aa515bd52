"""A whole Teams in one `async with`: the connector, the logins and keys, the way to the app, and the people."""

from random import Random
from types import TracebackType
from typing import Any, Self

from storage.clock import Clock
from tests.fakes.teams.deliveries import Deliveries
from tests.fakes.teams.endpoint import Endpoint
from tests.fakes.teams.faults import TeamsFaults
from tests.fakes.teams.feed import Feed
from tests.fakes.teams.logins import Logins
from tests.fakes.teams.organisation import Organisation
from tests.fakes.teams.people import Person, Scene
from tests.fakes.teams.records import User
from tests.fakes.teams.server import TeamsServer
from tests.fakes.teams.tokens import Signing


class LocalTeams:
    """Teams on loopback; its clock must run by itself, as the system's or a scaled one does.

    It listens from the start, so that an app can be given its addresses; `install` then tells it where the app is.
    """

    def __init__(
        self, clock: Clock | None = None, *, organisation: Organisation | None = None, seed: int = 4,
        signed: bool = True, port: int = 0,
    ) -> None:  # fmt: skip
        self.organisation = organisation or Organisation(clock, seed=seed)
        self.signed = signed
        self.server = TeamsServer(self.organisation, port=port, signed=signed)
        self.random = Random(seed)
        self._endpoint: Endpoint | None = None
        self._scene: Scene | None = None

    @property
    def service_url(self) -> str:
        """Where the connector is, as activities say it."""
        return self.organisation.service_url

    @property
    def login_url(self) -> str:
        """Where the bot asks for tokens (`TeamsConfig.login_url`)."""
        return self.server.login_url

    @property
    def keys_url(self) -> str:
        """Where the keys are announced with which activities are signed (`TeamsConfig.keys_url`)."""
        return self.server.keys_url

    @property
    def signing(self) -> Signing:
        """The keys with which Teams vouches for its activities."""
        return self.server.signing

    @property
    def logins(self) -> Logins:
        """What was asked for tokens, and which are good."""
        return self.server.logins

    @property
    def faults(self) -> TeamsFaults:
        """The switches for trouble."""
        return self.organisation.faults

    @property
    def scene(self) -> Scene:
        """Everything that acts, once the app is installed."""
        if self._scene is None:
            raise RuntimeError("no app is installed yet")
        return self._scene

    @property
    def deliveries(self) -> Deliveries:
        """What went to the app, and the switches for duplicates and reordering."""
        return self.scene.deliveries

    @property
    def feed(self) -> Feed:
        """What Teams tells by itself: people who join and leave."""
        return self.scene.feed

    @property
    def endpoint(self) -> Endpoint:
        """The way to the app, for requests that Teams would never make."""
        if self._endpoint is None:
            raise RuntimeError("no app is installed yet")
        return self._endpoint

    async def install(self, endpoint: str) -> None:
        """Register the messaging endpoint of the app (`http://127.0.0.1:PORT/api/messages`)."""
        if self._scene is not None:
            raise RuntimeError("an app is installed already")
        clock = self.organisation.clock
        self._endpoint = await Endpoint(endpoint, clock, self.server.signing if self.signed else None).__aenter__()
        deliveries = Deliveries(clock, self._endpoint, random=self.random)
        self._scene = Scene(self.organisation, deliveries, Feed(self.organisation, deliveries))

    def person(self, user: User) -> Person:
        """Return somebody who is in the organisation already."""
        return self.scene.person(user)

    def add_person(self, name: str, **fields: Any) -> Person:
        """Add somebody; the fields are those of `User`."""
        return self.person(self.organisation.add_user(name, **fields))

    async def __aenter__(self) -> Self:
        await self.server.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._scene is not None:
            await self._scene.deliveries.close()
        if self._endpoint is not None:
            await self._endpoint.__aexit__()
        await self.server.close()
