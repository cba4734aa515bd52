"""A post whose pages cannot be looked up waits for the index; it is not sent without its words for good."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from agent.tools.prefetch import PageRights
from bot.delivery.posts import INDEX_AWAITED
from identity.actor import Actor
from identity.readership import ALONE, Readership
from search.errors import IndexUnavailable
from storage.database import Database
from tests.scenarios.world import words, world_in

QUESTION = "How long does a VPN session last?"


@dataclass
class AwayFor:
    """An index that does not answer so many times."""

    rights: PageRights
    times: int

    async def readable(
        self, actor: Actor, documents: Collection[str], *, readership: Readership = ALONE, can_wait: bool = False
    ) -> frozenset[str]:
        """Fail for whoever can wait, and let nobody else read anything, as the service does."""
        self.times -= 1
        if self.times < 0:
            return await self.rights.readable(actor, documents, readership=readership)
        if can_wait:
            raise IndexUnavailable("away")
        return frozenset()


async def test_a_post_waits_for_an_index_that_comes_back(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as world:
        away = AwayFor(world.desk.poster._search, 2)
        world.desk.poster._search = away
        async with world.desk.running():
            await world.chat.say("ada", QUESTION)
            async with asyncio.timeout(60):
                while not world.all("ada"):  # noqa: ASYNC110 - what is looked at is a chat
                    await asyncio.sleep(0.05)
        (post,) = world.all("ada")
    assert away.times < 0
    assert "12 hours" in words(post.card)


def test_it_does_not_wait_without_end() -> None:
    assert 1 < INDEX_AWAITED < 8  # the attempts that the queue gives a post
