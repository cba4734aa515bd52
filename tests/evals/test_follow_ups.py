"""Questions that go on with what was answered, asked of a whole desk with the rules brain in one thread each."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.compose.desk import Desk
from evals.trial import sample_desk
from storage.ids import new_id
from tests.evals.asking import ask, share, verdict

#: Many messages are played one after another: a busy machine takes several times as long as a quiet one.
pytestmark = pytest.mark.timeout(1_800)

CASES = Path(__file__).parent / "follow_ups.yaml"
#: Least share of the follow-ups that are answered rightly, and most that are answered with something else.
RIGHT, WRONG = 0.75, 0.12


def test_follow_ups_are_answered(capsys: pytest.CaptureFixture[str]) -> None:
    conversations = yaml.safe_load(CASES.read_text(encoding="utf-8"))["conversations"]

    outcomes = asyncio.run(_play_all(conversations))

    told = "\n".join(outcomes)
    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build
    assert len(outcomes) >= 30
    assert share(outcomes, "right") >= RIGHT, told
    assert share(outcomes, "wrong") <= WRONG, told


async def _play_all(conversations: list[Mapping[str, Any]]) -> list[str]:
    async with sample_desk() as desk:
        return [outcome for each in conversations for outcome in await _play(desk, each)]


async def _play(desk: Desk, conversation: Mapping[str, Any]) -> list[str]:
    thread, asker = new_id("thread"), conversation["asker"]
    await ask(desk, conversation["first"], thread=thread, asker=asker)
    return [
        verdict(more["ask"], await ask(desk, more["ask"], thread=thread, asker=asker), more["says"])
        for more in conversation["then"]
    ]
