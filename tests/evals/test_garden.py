"""Follow-ups, and questions that only a page in the other language answers, asked of a desk that knows a garden."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.compose.desk import Desk
from storage.ids import new_id
from tests.evals.asking import ask, desk_over, share, verdict

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

GARDEN = Path(__file__).parent / "garden"
#: Least shares that are answered rightly, and most that are answered with something else.
FOLLOW_UPS, OTHER_LANGUAGE, WRONG = 0.75, 0.6, 0.15


def test_a_garden_is_asked_in_threads_and_in_two_languages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = yaml.safe_load((GARDEN / "cases.yaml").read_text(encoding="utf-8"))

    followed, foreign = asyncio.run(_play(tmp_path, cases["threads"], cases["other_language"]))

    told = "\n".join([*followed, *foreign])
    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build
    assert len(followed) >= 30
    assert share(followed, "right") >= FOLLOW_UPS, told
    assert share(foreign, "right") >= OTHER_LANGUAGE, told
    assert share([*followed, *foreign], "wrong") <= WRONG, told


async def _play(
    home: Path, threads: Sequence[Mapping[str, Any]], questions: Sequence[Mapping[str, Any]]
) -> tuple[list[str], list[str]]:
    async with desk_over(home, GARDEN / "pages") as desk:
        followed = [verdict for each in threads for verdict in (await _thread(desk, each["turns"]))[1:]]
        foreign = [(await _thread(desk, [each]))[0] for each in questions]
    return followed, foreign


async def _thread(desk: Desk, turns: Sequence[Mapping[str, Any]]) -> list[str]:
    thread = new_id("thread")
    return [verdict(each["ask"], await ask(desk, each["ask"], thread=thread), each["says"]) for each in turns]
