"""`ElasticsearchIndex`: what serves, and the generation that may take its place."""

from dataclasses import dataclass

from search.config import ElasticsearchConfig
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits import committing
from search.indexes.elasticsearch.commits.head import Head
from search.indexes.elasticsearch.generations import Generations, Names
from search.indexes.elasticsearch.pages import IndexPages
from search.indexes.elasticsearch.writing.writer import Writer
from storage.clock import Clock, SystemClock


class ElasticsearchIndex(IndexPages):
    """One desk's part of a cluster. Opening is lazy: nothing is asked before the first call."""

    def __init__(self, config: ElasticsearchConfig, *, clock: Clock | None = None) -> None:
        connection = Connection(config, clock or SystemClock())
        self._generations = Generations(connection, Names(config.prefix))
        super().__init__(connection, _Serving(self._generations))

    async def model(self) -> str:
        """Return the model whose vectors are searched; empty when there are none yet."""
        view = await self._reader.view()
        return view.head.model if view else ""

    async def begin(self) -> "ElasticsearchBuilding":
        """Return a new empty index beside this one, which goes on serving."""
        return ElasticsearchBuilding(self._generations, await self._generations.begin())

    async def rollback(self) -> None:
        """Let the index of before serve again, without what changed or went since; raise `NothingToRollBack`."""
        await self._generations.rollback()

    async def remove_all(self) -> None:
        """Remove everything of this prefix from the cluster."""
        await self._generations.remove_all()


class ElasticsearchBuilding(IndexPages):
    """A generation that is being filled."""

    def __init__(self, generations: Generations, name: str) -> None:
        super().__init__(generations.connection, _Built(generations, name))
        self._generations = generations
        self._name = name

    async def hold(self) -> None:
        """Let writes to what serves wait until this one is published; the caller catches up with what changed."""
        await self._generations.hold()

    async def publish(self) -> None:
        """Serve in place of what serves now."""
        await self._generations.publish(self._name)

    async def discard(self) -> None:
        """Go away."""
        await self._generations.discard(self._name)

    async def close(self) -> None:
        """Keep the connections: they belong to what serves."""


@dataclass(frozen=True)
class _Serving:
    """Whatever is behind the aliases."""

    generations: Generations

    @property
    def read(self) -> str:
        return self.generations.names.read

    async def writer(self) -> Writer:
        return Writer(self.generations.connection, await self.generations.current())

    async def mend(self) -> None:
        await committing.create(self.generations.connection, await self.generations.current(), Head())


@dataclass(frozen=True)
class _Built:
    """One generation by its name; vectors that what serves already has are taken over."""

    generations: Generations
    name: str

    @property
    def read(self) -> str:
        return self.name

    async def writer(self) -> Writer:
        return Writer(self.generations.connection, self.name, elder=await self.generations.current())

    async def mend(self) -> None:
        return
