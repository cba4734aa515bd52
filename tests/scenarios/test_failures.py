"""Whatever breaks, the person is told, with a reference; what was half done is not there."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from adapters.cards import Note
from search.access import Scope
from search.errors import IndexUnavailable
from search.indexes.memory import MemoryIndex
from search.indexes.port import IndexQuery, LegFindings
from storage.clock import ManualClock
from storage.database import Database
from tests.scenarios.story import CHINESE, ENGLISH
from tests.scenarios.world import World, actions, button, words, world_in

QUESTION, REPORT = ENGLISH.question, ENGLISH.report
FIELDS = {"location": ENGLISH.given, "device": ENGLISH.device}
#: Table → what fails to write or read it, and what the person did.
BROKEN = {
    "agent_memory": QUESTION,
    "agent_runs": QUESTION,
    "agent_steps": QUESTION,
    "identity_accounts": QUESTION,
    "storage_throttle": QUESTION,
    "tickets_drafts": REPORT,
    "identity_audit": REPORT,
    "bot_addresses": QUESTION,
}


@contextmanager
def broken_table(database: Database, table: str) -> Any:
    """Let every statement that touches a table fail as a full disk would."""

    def fail(_conn: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if table in statement:
            raise OperationalError(statement, {}, OSError("disk full"))

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", fail)


class BrokenIndex(MemoryIndex):
    async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
        raise RuntimeError(f"the index is gone for {question.terms} in {scope}")


class AwayIndex(MemoryIndex):
    away = False

    async def search(self, question: IndexQuery, scope: Scope) -> LegFindings:
        if self.away:
            raise IndexUnavailable("Elasticsearch at https://search.internal:9200 does not answer")
        return await super().search(question, scope)


@pytest.fixture
async def world(tmp_path: Path, database: Database) -> AsyncIterator[World]:
    async with world_in(tmp_path, database) as made:
        yield made


def reference_in(world: World, user: str = "ada") -> str:
    """Return the reference that the person is given; it is a failure's only note."""
    card = world.newest(user).card
    (note,) = (block for block in card.blocks if isinstance(block, Note))
    assert note.tone == "bad"
    return next(word.strip(".;") for word in note.text.split() if word.startswith("in_"))


@pytest.mark.parametrize("table", BROKEN)
async def test_a_broken_part_ends_in_a_reply_with_its_reference(
    table: str, world: World, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with broken_table(database, table), caplog.at_level(logging.ERROR):
        await world.say("ada", BROKEN[table])

    assert reference_in(world) in caplog.text


async def test_a_broken_part_leaves_the_next_message_alone(world: World, database: Database) -> None:
    with broken_table(database, "agent_runs"):
        await world.say("ada", QUESTION)

    assert "12 hours" in words(await world.say("ada", QUESTION))


async def test_a_broken_index_is_told(tmp_path: Path, database: Database, caplog: pytest.LogCaptureFixture) -> None:
    async with world_in(tmp_path, database, index=BrokenIndex()) as world:
        await world.say("ada", QUESTION)

        assert reference_in(world) in caplog.text


async def test_while_the_search_is_away_the_desk_says_so_and_takes_tickets(tmp_path: Path, database: Database) -> None:
    index = AwayIndex()
    async with world_in(tmp_path, database, index=index) as world:
        index.away = True
        said = words(await world.say("ada", QUESTION))
        assert "the search is away" in said
        assert "search.internal" not in said
        assert "搜索服务不可用" in words(await world.say("ada", CHINESE.question))
        assert "draft.edit" in actions(await world.say("ada", REPORT))
        index.away = False
        assert "12 hours" in words(await world.say("ada", QUESTION))


async def test_an_event_that_cannot_be_stored_is_not_acknowledged(world: World, database: Database) -> None:
    with broken_table(database, "storage_queue"), pytest.raises(OperationalError):
        await world.chat.say("ada", QUESTION)


async def test_a_chat_that_fails_once_still_gets_the_one_answer(world: World) -> None:
    world.chat.refuse = ConnectionError("the chat is away")
    await world.chat.say("ada", QUESTION)
    await world.desk.inbox.drain()
    for _ in range(30):
        await world.desk.outbox.drain_once()
        if world.all("ada"):
            break
        await asyncio.sleep(0.1)

    assert len(world.all("ada")) == 1


async def test_an_expired_draft_says_so(tmp_path: Path, database: Database) -> None:
    clock = ManualClock()
    async with world_in(tmp_path, database, clock=clock) as world:
        card = await world.say("ada", REPORT)
        if "draft.confirm" not in actions(card):
            await world.fill("ada", button(card, "draft.edit"), FIELDS)
            card = world.draft_card("ada")
        clock.advance(timedelta(days=8).total_seconds())
        refused = await world.press("ada", button(card, "draft.confirm"))

        assert "expired" in words(refused)
        assert await world.desk.tickets.mine(await world.desk.people.named("ada")) == ()


async def test_buttons_work_after_a_restart(tmp_path: Path, database: Database) -> None:
    async with world_in(tmp_path, database) as before:
        card = await before.say("ada", REPORT)
        if "draft.confirm" not in actions(card):
            await before.fill("ada", button(card, "draft.edit"), FIELDS)
            card = before.draft_card("ada")
    async with world_in(tmp_path, database, chat=before.chat) as after:
        filed = await after.press("ada", button(card, "draft.confirm"))

        assert "is filed" in words(filed)


async def test_an_expired_approval_changes_nothing(tmp_path: Path, database: Database) -> None:
    clock = ManualClock()
    async with world_in(tmp_path, database, clock=clock) as world:
        ada = await world.desk.people.named("ada")
        draft = await world.desk.tickets.draft(
            ada,
            thread="t",
            category="other",
            title="Chair",
            description="The chair squeaks",
            priority="normal",
            fields={},
            address={},
        )
        nonce = await world.desk.tickets.nonce_for(ada, draft.id)
        ticket = await world.desk.tickets.file(ada, draft.id, nonce=nonce)
        asked = await world.say("ada", f"/desk ticket cancel {ticket.number}")
        clock.advance(timedelta(hours=1).total_seconds())
        refused = await world.press("ada", button(asked, "approval.confirm"))

        assert "expired" in words(refused)
        assert (await world.desk.tickets.show(ada, ticket.number)).status == "open"
