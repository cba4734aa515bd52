"""A message that ends the process: taken again alone, given up after the second death with a word, others answered."""

import asyncio
import json
import signal
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.cards import Card
from bot.compose.compose import compose
from bot.rendering.texts.catalogue import say
from search.embedding.memory import HashEmbedder
from storage.database import Database
from tests.crash.poisoned import WORD, place_of
from tests.desks.harbour import answers, prepare, question, settings_of
from tests.processes import ROOT
from tests.scenarios.world import PEOPLE, words

POISON = ["poison", "ada", f"How many tons of {WORD} does the crane lift?"]
#: Seconds from the start of a desk to its last answer; a busy machine takes several times the usual.
USUAL_S = 15.0


async def live(home: Path, *messages: list[str]) -> tuple[int, float, str]:
    """Let a desk live until it has nothing to do, or dies; return how it ended, its seconds, and its log."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.crash.poisoned",
        str(home),
        json.dumps(messages),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, log = await process.communicate()
    return process.returncode or 0, float(said or 0), log.decode()


@pytest.mark.timeout(300)
async def test_a_message_that_ends_the_process_is_given_up_and_others_are_answered(tmp_path: Path) -> None:
    home = tmp_path / "home"
    await asyncio.to_thread(home.mkdir)
    await asyncio.to_thread((home / "people.yaml").write_text, PEOPLE, encoding="utf-8")
    settings = settings_of(home, {})
    await prepare(settings)

    first, _, _ = await live(home, POISON)
    second, _, _ = await live(home, ["q1", "ben", question("Rigel")])
    third, seconds, log = await live(home, POISON, ["q2", "ben", question("Vega")], ["q3", "ada", question("Izar")])

    assert (first, second) == (-signal.SIGKILL, -signal.SIGKILL)
    assert third == 0, log
    assert seconds < USUAL_S
    assert "ended the process that worked on it" in log
    async with await compose(settings, embedder=HashEmbedder()) as desk:
        told = {
            person: [
                words(each.content)
                for each in await desk.transcript.recent(place_of(person))
                if isinstance(each.content, Card)
            ]
            for person in ("ada", "ben")
        }
        reference = await _reference(desk.database)
    assert told["ada"][0] == say("en", "failed.deadly", reference=reference)
    assert [answers(berth, each) for berth, each in zip(("Rigel", "Vega"), told["ben"], strict=True)] == [True, True]
    assert len(told["ada"]) == 2
    assert answers("Izar", told["ada"][1])


async def _reference(database: Database) -> str:
    async with database.reading() as session:
        return str(await session.scalar(text("SELECT id FROM storage_queue WHERE state = 'dead'")))
