"""Everyday words for what a small handbook says in other ones, in two languages, and questions off its subject."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.runner.requests import Request
from agent.runs.answer import Answered
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.settings import load
from identity.actor import local_operator
from language.scripts import language_of
from storage.ids import new_id

POTTERY = Path(__file__).parent / "pottery"
PEOPLE = "people:\n  - {id: ada, email: ada@pottery.example, name: Ada, language: en, timezone: Europe/Amsterdam}\n"


#: Least share that is answered rightly, most that is answered with something else, and least share of foreign
#: questions that nothing is answered to.
RIGHT, WRONG, OFF = 0.6, 0.1, 0.95


def test_a_pottery_is_asked_in_everyday_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = yaml.safe_load((POTTERY / "cases.yaml").read_text(encoding="utf-8"))

    answered, foreign = asyncio.run(
        _play(tmp_path, cases["questions"], [*cases["off_subject"], *cases["how_it_stands"]])
    )

    told = "\n".join([*answered, *foreign])
    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build
    assert _share(answered, "right") >= RIGHT, told
    assert _share(answered, "wrong") <= WRONG, told
    assert _share(foreign, "right") >= OFF, told


def _share(verdicts: Sequence[str], word: str) -> float:
    return sum(each.startswith(word) for each in verdicts) / len(verdicts)


async def _play(
    home: Path, questions: Sequence[Mapping[str, Any]], off_subject: Sequence[str]
) -> tuple[list[str], list[str]]:
    people = home / "people.yaml"
    people.write_text(PEOPLE, encoding="utf-8")
    settings = load(home=home, people_file=people, database_url="", redis_url="", model="rules")
    async with await compose(settings) as desk:
        await desk.search.add_folder(local_operator(), POTTERY / "pages", allow=("staff",))
        await desk.search.embed_pending()
        answered = [await _asked(desk, each["ask"], each["says"]) for each in questions]
        return answered, [await _asked(desk, each, ()) for each in off_subject]


async def _asked(desk: Desk, text: str, says: Sequence[str]) -> str:
    request = Request(
        actor=await desk.directory.person("ada"),
        event_id=new_id("asked"),
        thread=new_id("thread"),
        text=text,
        language=language_of(text) or "en",
        address={},
        now=desk.clock.now(),
    )
    answer = (await desk.runner.run(request)).answer
    said = answer.text if isinstance(answer, Answered) else ""
    right = any(words in said for words in says) if said else not says
    verdict = "right" if right else "wrong" if said else "nothing found"
    sure = answer.confidence if isinstance(answer, Answered) else type(answer).__name__
    return f"{verdict:14} {sure} {text} -> {' '.join(said.split())[:150]}"
