"""Everyday words for what a small handbook says in other ones, in two languages, and questions off its subject."""

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

POTTERY = Path(__file__).parent / "pottery"


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
    assert share(answered, "right") >= RIGHT, told
    assert share(answered, "wrong") <= WRONG, told
    assert share(foreign, "right") >= OFF, told


async def _play(
    home: Path, questions: Sequence[Mapping[str, Any]], off_subject: Sequence[str]
) -> tuple[list[str], list[str]]:
    async with desk_over(home, POTTERY / "pages") as desk:
        answered = [await _asked(desk, each["ask"], each["says"]) for each in questions]
        return answered, [await _asked(desk, each, ()) for each in off_subject]


async def _asked(desk: Desk, text: str, says: Sequence[str]) -> str:
    return verdict(text, await ask(desk, text, thread=new_id("thread")), says)
