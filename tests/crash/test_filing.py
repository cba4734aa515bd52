"""`kill -9` between any two steps of filing: afterwards exactly one ticket, exactly one reply."""

import asyncio
import shutil
import signal
from pathlib import Path

from adapters.cards import Card
from bot.compose import migrate
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import load
from search.embedding.memory import HashEmbedder
from storage.database import Database
from tests.crash.victim import PLACE, press_confirm, settle
from tests.processes import lives
from tests.scale import SCALE
from tests.scenarios.world import PEOPLE, words
from tickets.ticket import Draft

#: More edges than filing has; the loop ends with the first process that survives.
MOST_EDGES = 80


async def test_filing_survives_a_kill_at_any_step(tmp_path: Path) -> None:
    original = tmp_path / "original"
    await _prepare(original)
    every = max(1, round(0.4 / SCALE))  # at full scale each edge, else every fourth
    died, step = 0, 1
    async with lives("tests.crash.victim") as victim:
        while True:
            home = tmp_path / f"step-{step}"
            await asyncio.to_thread(shutil.copytree, original, home)
            code = await victim.one(str(home), _url(home), str(step))
            if code == 0:
                break
            assert code == -signal.SIGKILL
            died += 1
            await _comes_back_whole(home)
            step += every
            assert step < MOST_EDGES
    assert died >= 4


async def _prepare(home: Path) -> None:
    """Leave a home behind in which ada has one complete draft, shown in her conversation."""
    await asyncio.to_thread(_write_people, home)
    database = Database(_url(home))
    await migrate.upgrade(database)
    async with await _desk(home, database) as desk:
        ada = await desk.people.named("ada")
        draft: Draft = await desk.tickets.draft(
            ada,
            thread=PLACE.key,
            category="other",
            title="Laptop does not start",
            description="Since this morning",
            priority="normal",
            fields={},
            address={"platform": "web", "address": PLACE.address(), "language": "en"},
        )
        assert not draft.missing
        await settle(desk)
    await database.close()


async def _comes_back_whole(home: Path) -> None:
    """Start again: the browser resends what was not acknowledged, and everything is worked off."""
    database = Database(_url(home))
    async with await _desk(home, database) as desk:
        async with desk.running():
            await press_confirm(desk, event_id="press-1")
            await settle(desk)
        ada = await desk.people.named("ada")
        tickets = await desk.tickets.mine(ada)
        cards = [entry.content for entry in await desk.transcript.recent(PLACE) if isinstance(entry.content, Card)]
        replies = [words(card) for card in cards]

        assert len(tickets) == 1
        assert len(replies) == 1, replies
        assert tickets[0].number in replies[0]
    await database.close()


async def _desk(home: Path, database: Database) -> Desk:
    return await compose(load(home=home), database=database, embedder=HashEmbedder())


def _write_people(home: Path) -> None:
    home.mkdir()
    (home / "people.yaml").write_text(PEOPLE, encoding="utf-8")


def _url(home: Path) -> str:
    return f"sqlite+aiosqlite:///{home / 'dutydesk.db'}"
