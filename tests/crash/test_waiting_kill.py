"""`kill -9` of a desk whose runs wait for buttons: each is carried out once and ends in its answer, told once."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from adapters.cards import Card
from agent.runs.answer import Outcome
from agent.runs.run import RunState
from bot.compose.compose import compose
from bot.compose.desk import Desk
from search.embedding.memory import HashEmbedder
from storage.clock import ScaledClock
from storage.database import Database
from tests.crash.presser import SPEED, place_of, settings_of
from tests.processes import keep_running
from tests.scale import scaled
from tests.scenarios.world import PEOPLE, words
from tickets.ticket import Status

KILLS = 20
#: A cancelled ticket has more commits than this from the question to the told answer.
EDGES = 16


@pytest.mark.timeout(900)
async def test_runs_that_wait_for_a_button_survive_kills_and_end_in_their_answers(
    tmp_path: Path, database: Database, database_url: str
) -> None:
    kills, origin, random = scaled(KILLS, least=3), datetime.now(UTC), Random(12)
    home = tmp_path / "home"
    await asyncio.to_thread(home.mkdir)
    await asyncio.to_thread((home / "people.yaml").write_text, PEOPLE, encoding="utf-8")
    settings = settings_of(home, database_url)
    clock = ScaledClock(SPEED, origin)
    async with await compose(settings, database=database, clock=clock, embedder=HashEmbedder()) as desk:
        tickets = [await _filed(desk, number) for number in range(kills)]

    def life(killed: int) -> list[str]:
        die_at = random.randint(1, EDGES) if killed < kills else 0
        return [str(home), database_url, origin.isoformat(), ",".join(tickets), str(die_at)]

    assert await keep_running("tests.crash.presser", life) == kills

    async with await compose(settings, database=database, clock=clock, embedder=HashEmbedder()) as desk:
        for number, ticket in enumerate(tickets):
            await _assert_cancelled_once(desk, number, ticket)


async def _filed(desk: Desk, number: int) -> str:
    ada = await desk.people.named("ada")
    draft = await desk.tickets.draft(
        ada,
        thread="elsewhere",
        category="other",
        title=f"Screen {number} flickers",
        description="It does so since this morning.",
        priority="normal",
        fields={},
        address={},
    )
    nonce = await desk.tickets.nonce_for(ada, draft.id)
    return (await desk.tickets.file(ada, draft.id, nonce=nonce)).number


async def _assert_cancelled_once(desk: Desk, number: int, ticket: str) -> None:
    ada = await desk.people.named("ada")
    assert (await desk.tickets.show(ada, ticket)).status is Status.CANCELLED
    runs = [run for run in await desk.runs.list(ada, limit=1_000) if run.text == f"cancel {ticket}"]
    assert [(run.state, run.outcome) for run in runs] == [(RunState.ENDED, Outcome.ANSWERED)]
    said = [
        words(each.content) for each in await desk.transcript.recent(place_of(number)) if isinstance(each.content, Card)
    ]
    assert sum("is cancelled" in each for each in said) == 1, said
