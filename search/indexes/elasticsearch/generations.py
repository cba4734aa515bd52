"""The indices behind one pair of aliases: each a generation, of which one is read and written."""

from dataclasses import dataclass

from elasticsearch import ApiError, AsyncElasticsearch, BadRequestError

from search.indexes.elasticsearch import committing
from search.indexes.elasticsearch.connection import Connection
from search.indexes.elasticsearch.mapping import VERSION, template


@dataclass(frozen=True)
class Names:
    """How everything of one desk is called on the cluster."""

    prefix: str

    @property
    def read(self) -> str:
        """Return the alias that is searched."""
        return f"{self.prefix}-v{VERSION}"

    @property
    def write(self) -> str:
        """Return the alias that is written to."""
        return f"{self.read}-write"

    @property
    def pattern(self) -> str:
        """Return what all generations match."""
        return f"{self.read}-g*"

    def generation(self, number: int) -> str:
        """Return the name of a generation."""
        return f"{self.read}-g{number:06}"


async def ensure(connection: Connection, names: Names) -> str:
    """Return the index that is written to; the first one is made when there is none."""
    current = await serving(connection, names)
    if current is None:
        await _create(connection, names, 1, aliases=(names.read, names.write))
        current = names.generation(1)
    await committing.create(connection, current)
    return current


async def serving(connection: Connection, names: Names) -> str | None:
    """Return the index behind the write alias."""

    async def work(client: AsyncElasticsearch) -> list[str]:
        return list((await client.options(ignore_status=404).indices.get_alias(name=names.write)).body)

    found = [name for name in await connection.call(work) if name.startswith(names.read)]
    return found[0] if found else None


async def _create(connection: Connection, names: Names, number: int, *, aliases: tuple[str, ...]) -> None:
    async def work(client: AsyncElasticsearch) -> None:
        body = template(names.pattern, shards=connection.config.shards)
        await client.indices.put_index_template(name=names.read, **body)
        try:
            await client.indices.create(index=names.generation(number), aliases={alias: {} for alias in aliases})
        except BadRequestError as error:
            if not _exists(error):
                raise

    await connection.call(work)


def _exists(error: ApiError) -> bool:
    return error.message == "resource_already_exists_exception"
