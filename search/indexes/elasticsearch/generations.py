"""The indices behind one pair of aliases: each a generation. One is read and written, the one before is kept.

A generation is built beside the one that serves, and takes its place in one step that every search sees whole.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from elasticsearch import AsyncElasticsearch, BadRequestError, NotFoundError

from search.errors import IndexUnavailable, NothingToRollBack
from search.indexes.elasticsearch.cluster.connection import Connection
from search.indexes.elasticsearch.commits import committing
from search.indexes.elasticsearch.commits.head import HEAD_ID, Head
from search.indexes.elasticsearch.commits.reader import HeadView
from search.indexes.elasticsearch.documents.mapping import VERSION, template

#: Writers wait that long for another generation to take over.
HOLD_S = 120.0
#: A generation that nobody has written to for that long, and that nobody reads, was given up.
_GIVEN_UP_S = 3_600.0


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

    def number(self, generation: str) -> int:
        """Return the number of a generation; 0 for what is none."""
        found = re.fullmatch(re.escape(self.read) + r"-g(\d{6})", generation)
        return int(found[1]) if found else 0


@dataclass(frozen=True)
class Generations:
    """Makes, swaps and removes generations."""

    connection: Connection
    names: Names

    async def current(self) -> str:
        """Return the index that is written to; the first one is made when there is none."""
        aliases = await self._aliases()
        served = next((index for index, held in aliases.items() if self.names.write in held), None)
        if served is None:
            served = self.names.generation(1)
            await self._make(1, aliases={self.names.read: {}, self.names.write: {}})
            await committing.create(self.connection, served, Head())
        return served

    async def begin(self) -> str:
        """Return a new empty generation that nobody reads yet; those that were given up are removed."""
        served = await self.current()
        view = await self._mended(served)
        aliases = await self._aliases()
        for index in aliases:
            if index not in (served, view.head.previous) and await self._is_given_up(index):
                await self._remove(index)
        number = max(map(self.names.number, aliases)) + 1
        await self._make(number, aliases={})
        made = self.names.generation(number)
        await committing.create(self.connection, made, Head(model=view.head.model, at=self._now()))
        return made

    async def hold(self) -> None:
        """Let nobody write to the generation that serves, for as long as the last step takes."""

        async def change(view: HeadView) -> Head:
            return replace(view.head, held=self._now() + HOLD_S)

        await committing.swap(self.connection, await self.current(), change)

    async def publish(self, made: str) -> None:
        """Let searches and writes go to a generation; the one that served before is kept, the one before it removed."""
        served = await self.current()
        old = await self._view(served)
        if old.head.held < self._now():
            raise IndexUnavailable("the new index was not finished in time to take over; build it again")
        await self._note(made, previous=served, held=0.0)
        await self._swap(served, made)
        await self._note(served, previous=made, held=0.0)
        if old.head.previous not in ("", made):
            await self._remove(old.head.previous)

    async def rollback(self) -> None:
        """Let the generation before serve again; a second time brings this one back."""
        served = await self.current()
        previous = (await self._view(served)).head.previous
        if not previous or previous not in await self._aliases():
            raise NothingToRollBack("there is no index of before that could be brought back")
        await self.hold()
        await self._swap(served, previous)
        await self._note(served, previous=previous, held=0.0)

    async def discard(self, made: str) -> None:
        """Remove a generation that is not wanted."""
        await self._remove(made)

    async def remove_all(self) -> None:
        """Remove every generation and the template."""
        for index in await self._aliases():
            await self._remove(index)
        await self.connection.call(lambda client: client.indices.delete_index_template(name=self.names.read))

    async def _aliases(self) -> Mapping[str, frozenset[str]]:
        """Return every generation with its aliases."""

        async def work(client: AsyncElasticsearch) -> Mapping[str, frozenset[str]]:
            found = (await client.indices.get_alias(index=self.names.pattern)).body
            return {index: frozenset(each["aliases"]) for index, each in found.items() if self.names.number(index)}

        return await self.connection.call(work)

    async def _view(self, index: str) -> HeadView:
        found = await self.connection.call(lambda client: client.get(index=index, id=HEAD_ID))
        return HeadView(index, Head.read(found["_source"]["stored"]))

    async def _mended(self, index: str) -> HeadView:
        """Return what an index holds; whoever made it may have been killed before it had a head."""
        try:
            return await self._view(index)
        except NotFoundError:
            await committing.create(self.connection, index, Head())
            return await self._view(index)

    async def _note(self, index: str, *, previous: str, held: float) -> None:
        async def change(view: HeadView) -> Head:
            return replace(view.head, previous=previous, held=held)

        await committing.swap(self.connection, index, change, through_hold=True)

    async def _is_given_up(self, index: str) -> bool:
        try:
            return (await self._view(index)).head.at + _GIVEN_UP_S < self._now()
        except NotFoundError:
            return False  # it is being made

    async def _make(self, number: int, *, aliases: Mapping[str, Mapping[str, object]]) -> None:
        body = template(self.names.pattern, shards=self.connection.config.shards)

        async def work(client: AsyncElasticsearch) -> None:
            await client.indices.put_index_template(name=self.names.read, **body)
            try:
                await client.indices.create(index=self.names.generation(number), aliases=aliases)
            except BadRequestError as error:
                if error.message != "resource_already_exists_exception":
                    raise

        await self.connection.call(work)

    async def _swap(self, old: str, new: str) -> None:
        both = (self.names.read, self.names.write)
        actions = [{"remove": {"index": old, "alias": alias}} for alias in both]
        actions += [{"add": {"index": new, "alias": alias}} for alias in both]
        await self.connection.call(lambda client: client.indices.update_aliases(actions=actions))

    async def _remove(self, index: str) -> None:
        await self.connection.call(lambda client: client.options(ignore_status=404).indices.delete(index=index))

    def _now(self) -> float:
        return self.connection.clock.now().timestamp()
