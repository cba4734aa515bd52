"""The whole desk with what is optional: a language model over HTTP, and Redis; and without them in the middle."""

from pathlib import Path

import pytest

from storage.database import Database
from tests.fixtures.openai_server import Answer, Fails, OpenAIServer, call
from tests.fixtures.redis import RedisServer
from tests.scenarios.world import words, world_in

QUESTION = "When does a VPN session end?"
CLAIM = "A VPN session ends after 12 hours, and you sign in again."


def answers_from_the_first_passage(messages: object) -> Answer:
    """Search first, then rest on what came first."""
    found = "12 hours" in str(messages)
    if not found:
        return call("search_knowledge", query="VPN session length")
    return call("reply", claims=[{"text": CLAIM, "evidence": ["E1"]}], followups=[])


@pytest.fixture
def model_settings(openai_server: OpenAIServer) -> dict[str, object]:
    model = {"base_url": openai_server.base_url, "api_key": "k", "timeout_s": 5.0, "retries": 0}
    return {"model": "openai:test", "agent": {"model": model}}


async def test_a_language_model_named_in_the_settings_answers(
    tmp_path: Path, database: Database, openai_server: OpenAIServer, model_settings: dict[str, object]
) -> None:
    openai_server.script = answers_from_the_first_passage
    async with world_in(tmp_path, database, settings=model_settings) as world, world.desk.runner.running():
        card = await world.say("ada", QUESTION)
        (run,) = await world.desk.runs.list(await world.desk.people.named("ada"))

    assert CLAIM in words(card)
    assert run.brain == "openai:test"


async def test_a_language_model_that_fails_leaves_the_rules_answering(
    tmp_path: Path, database: Database, openai_server: OpenAIServer, model_settings: dict[str, object]
) -> None:
    openai_server.script = lambda messages: Fails(500)  # noqa: ARG005
    async with world_in(tmp_path, database, settings=model_settings) as world, world.desk.runner.running():
        card = await world.say("ada", QUESTION)
        (run,) = await world.desk.runs.list(await world.desk.people.named("ada"))

    assert "12 hours" in words(card)
    assert run.brain == "rules"


async def test_a_redis_that_dies_in_the_middle_changes_no_answer(
    tmp_path: Path, database: Database, redis_server: RedisServer
) -> None:
    async with world_in(tmp_path, database, settings={"redis_url": redis_server.url}) as world:
        before = await world.say("ada", QUESTION, thread="before")
        redis_server.kill()
        after = await world.say("ada", QUESTION, thread="after")

    assert "12 hours" in words(before)
    assert "12 hours" in words(after)
