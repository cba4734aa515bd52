"""Questions that go on with what was answered, asked of a whole desk with the rules brain in one thread each."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.runner.requests import Request
from agent.runs.answer import Answer, Answered
from bot.compose.desk import Desk
from evals.trial import sample_desk
from language.scripts import language_of
from storage.ids import new_id

CASES = Path(__file__).parent / "follow_ups.yaml"
VERDICTS = ("right", "wrong", "nothing found")
#: Least share of the follow-ups that are answered rightly, and most that are answered with something else.
RIGHT, WRONG = 0.75, 0.12


@dataclass(frozen=True)
class Outcome:
    """What came of one follow-up."""

    asked: str
    verdict: str  # "right", "wrong" or "nothing found"
    said: str


def test_follow_ups_are_answered(capsys: pytest.CaptureFixture[str]) -> None:
    conversations = yaml.safe_load(CASES.read_text(encoding="utf-8"))["conversations"]

    outcomes = asyncio.run(_play_all(conversations))

    told = "\n".join(f"{each.verdict:14} {each.asked} -> {each.said}" for each in outcomes)
    with capsys.disabled():
        print(f"\n{told}")  # noqa: T201 - the score belongs into the log of every build
    share = {verdict: sum(each.verdict == verdict for each in outcomes) / len(outcomes) for verdict in VERDICTS}
    assert len(outcomes) >= 30
    assert share["right"] >= RIGHT, told
    assert share["wrong"] <= WRONG, told


async def _play_all(conversations: list[Mapping[str, Any]]) -> list[Outcome]:
    async with sample_desk() as desk:
        return [outcome for each in conversations for outcome in await _play(desk, each)]


async def _play(desk: Desk, conversation: Mapping[str, Any]) -> list[Outcome]:
    thread = new_id("thread")
    await _ask(desk, conversation["asker"], thread, conversation["first"])
    return [
        _judged(more, await _ask(desk, conversation["asker"], thread, more["ask"])) for more in conversation["then"]
    ]


async def _ask(desk: Desk, asker: str, thread: str, text: str) -> Answer:
    actor = await desk.directory.person(asker)
    request = Request(
        actor=actor,
        event_id=new_id("asked"),
        thread=thread,
        text=text,
        language=language_of(text) or "en",
        address={},
        now=desk.clock.now(),
    )
    return (await desk.runner.run(request)).answer


def _judged(more: Mapping[str, Any], answer: Answer) -> Outcome:
    said = answer.text if isinstance(answer, Answered) else ""
    if not said:
        verdict = "nothing found" if more["says"] else "right"
    else:
        verdict = "right" if any(words in said for words in more["says"]) else "wrong"
    return Outcome(more["ask"], verdict, " ".join(said.split())[:160])
