"""A message that ends the process: taken again alone, given up after the second death with a word, others answered."""

import asyncio
import json
import signal
import sys
from dataclasses import dataclass
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
from tests.scale import scaled
from tests.scenarios.world import PEOPLE, words

POISON = ["poison", "ada", f"How many tons of {WORD} does the crane lift?"]
#: Seconds from the start of a desk to its last answer; a busy machine takes several times the usual.
USUAL_S = 15.0
#: The processor's seconds until it serves: the issue's number; a core that is shared with others is slower, too.
STARTED_S = 5.0
BUSY, KILLED = 3.0, 20


@dataclass(frozen=True)
class Life:
    """How a desk ended, the processor's seconds until it served, the seconds until all was answered, and its log."""

    code: int
    started_s: float
    answered_s: float
    log: str


async def live(home: Path, *messages: list[str], deaths: int = 2) -> Life:
    """Let a desk live until it has nothing to do, or dies."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.crash.poisoned",
        str(home),
        str(deaths),
        json.dumps(messages),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, log = await process.communicate()
    started, *rest = said.decode().split()
    return Life(process.returncode or 0, float(started), float(rest[0]) if rest else 0.0, log.decode())


@pytest.mark.timeout(900)
async def test_a_message_that_ends_the_process_is_given_up_and_others_are_answered(tmp_path: Path) -> None:
    home = tmp_path / "home"
    await asyncio.to_thread(home.mkdir)
    await asyncio.to_thread((home / "people.yaml").write_text, PEOPLE, encoding="utf-8")
    settings = settings_of(home, {})
    await prepare(settings)
    deaths = scaled(KILLED, least=2)

    lives = [await live(home, POISON, deaths=deaths)]
    while lives[-1].code == -signal.SIGKILL and len(lives) < deaths + 3:
        asked = ["b", "ada", question("Izar")], [f"q{len(lives)}", "ben", question("Rigel")]
        lives.append(await live(home, POISON, *asked, deaths=deaths))

    assert lives[-1].code == 0, lives[-1].log
    assert len(lives) > deaths
    assert max(each.started_s for each in lives) < STARTED_S * BUSY
    assert lives[-1].answered_s < USUAL_S
    assert "ended the process that worked on it" in lives[-1].log
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
    assert [answers("Izar", each) for each in told["ada"][1:]] == [True]
    assert [answers("Rigel", each) for each in told["ben"]] == [True] * (len(lives) - 1)


async def _reference(database: Database) -> str:
    async with database.reading() as session:
        return str(await session.scalar(text("SELECT id FROM storage_queue WHERE state = 'dead'")))
