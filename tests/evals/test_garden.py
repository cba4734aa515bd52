"""Follow-ups, and questions that only a page in the other language answers, asked of a desk that knows a garden."""

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

GARDEN = Path(__file__).parent / "garden"
PEOPLE = "people:\n  - {id: ada, email: ada@garden.example, name: Ada, language: en, timezone: Europe/Amsterdam}\n"
#: Least shares that are answered rightly, and most that are answered with something else.
FOLLOW_UPS, OTHER_LANGUAGE, WRONG = 0.75, 0.6, 0.15


def test_a_garden_is_asked_in_threads_and_in_two_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = yaml.safe_load((GARDEN / "cases.yaml").read_text(encoding="utf-8"))

    followed, foreign = asyncio.run(_play(tmp_path, cases["threads"], cases["other_language"]))

    told = "\n".join([*followed, *foreign])
    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build
    assert len(followed) >= 30
    assert _share(followed, "right") >= FOLLOW_UPS, told
    assert _share(foreign, "right") >= OTHER_LANGUAGE, told
    assert _share([*followed, *foreign], "wrong") <= WRONG, told


def _share(verdicts: Sequence[str], word: str) -> float:
    return sum(each.startswith(word) for each in verdicts) / len(verdicts)


async def _play(
    home: Path, threads: Sequence[Mapping[str, Any]], questions: Sequence[Mapping[str, Any]]
) -> tuple[list[str], list[str]]:
    people = home / "people.yaml"
    people.write_text(PEOPLE, encoding="utf-8")
    settings = load(home=home, people_file=people, database_url="", redis_url="", model="rules")
    async with await compose(settings) as desk:
        await desk.search.add_folder(local_operator(), GARDEN / "pages", allow=("staff",))
        await desk.search.embed_pending()
        followed = [verdict for each in threads for verdict in (await _thread(desk, each["turns"]))[1:]]
        foreign = [(await _thread(desk, [each]))[0] for each in questions]
    return followed, foreign


async def _thread(desk: Desk, turns: Sequence[Mapping[str, Any]]) -> list[str]:
    thread = new_id("thread")
    return [await _asked(desk, thread, turn["ask"], turn["says"]) for turn in turns]


async def _asked(desk: Desk, thread: str, text: str, says: Sequence[str]) -> str:
    request = Request(
        actor=await desk.directory.person("ada"),
        event_id=new_id("asked"),
        thread=thread,
        text=text,
        language=language_of(text) or "en",
        address={},
        now=desk.clock.now(),
    )
    answer = (await desk.runner.run(request)).answer
    said = answer.text if isinstance(answer, Answered) else ""
    right = any(words in said for words in says) if said else not says
    verdict = "right" if right else "wrong" if said else "nothing found"
    return f"{verdict:14} {text} -> {' '.join(said.split())[:140]}"
