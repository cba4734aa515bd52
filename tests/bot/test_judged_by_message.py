"""A platform may say only which message somebody judged: the answer in it is found."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.events import Feedback
from adapters.memory import MemoryChat
from storage.database import Database
from tests.scenarios.world import ACCOUNTS, World, account, world_in


class Platform(MemoryChat):
    """A recording chat whose judgements name messages."""

    limits = replace(MemoryChat.limits, judged_by_message=True)


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    async with world_in(tmp_path, database, chat=Platform(people=ACCOUNTS)) as made:
        yield made


async def judge(world: World, person: str, message: str | None) -> None:
    event = Feedback(
        event_id=f"{person}:{message}",
        account=account(person),
        address=world.chat.address(person),
        thread=f"memory:{person}:main",
        received_at=datetime.now(UTC),
        id="",
        verdict="down",
        reason="too long",
        message=message,
    )
    await world.chat.deliver(event)
    await world.settle("ada")


async def test_the_answer_in_the_message_is_judged(world: World) -> None:
    await world.say("ada", "When does a VPN session end?")
    await judge(world, "ada", world.newest("ada").reference)

    ada = await world.desk.people.named("ada")
    (run,) = await world.desk.runs.list(ada)
    assert run.feedback is not None
    assert (run.feedback.verdict, run.feedback.reason) == ("down", "too long")


async def test_without_a_message_the_newest_answer_is_judged(world: World) -> None:
    await world.say("ada", "Where do I install the VPN client?")
    await world.say("ada", "When does a VPN session end?")
    await judge(world, "ada", None)

    ada = await world.desk.people.named("ada")
    verdicts = {run.text: run.feedback is not None for run in await world.desk.runs.list(ada)}
    assert verdicts == {"Where do I install the VPN client?": False, "When does a VPN session end?": True}


async def test_a_message_without_an_answer_changes_nothing(world: World) -> None:
    await world.say("ada", "When does a VPN session end?")
    await judge(world, "ada", "no such message")

    ada = await world.desk.people.named("ada")
    (run,) = await world.desk.runs.list(ada)
    assert run.feedback is None
