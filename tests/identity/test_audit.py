"""The trail shows what was done, and shows when somebody was at it."""

import asyncio
import logging
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import column, delete, insert, select, table, update

from adapters.cards import Code
from bot.cli.running.logs import RedactingFormatter
from bot.compose.witness import Witness
from bot.delivery.news.webhook import signature
from bot.settings import WebhookSettings
from features.anatomy.reader import Reader
from identity import audit
from identity.actor import Actor, local_operator, system_actor
from identity.audit import AuditTrail
from identity.chain import ROOT, Verification
from identity.errors import Forbidden
from identity.tables import AuditTable, SealHeadTable, SealTable
from storage.clock import ManualClock
from storage.database import Database
from tests.fakes.news_ways import SECRET, Received, webhook_receiver
from tests.scale import scaled


@pytest.fixture
def receiver() -> Iterator[Received]:
    with webhook_receiver() as receiver:
        yield receiver


@pytest.fixture
def trail(database: Database, clock: ManualClock) -> AuditTrail:
    return AuditTrail(database, clock)


async def record(database: Database, clock: ManualClock, *resources: str, actor: Actor | None = None) -> None:
    for resource in resources:
        async with database.transaction() as session:
            await audit.record(
                session,
                actor=actor or system_actor("test"),
                action="test.do",
                resource=resource,
                allowed=True,
                reason="role",
                outcome="done",
                detail={"text": resource, "ratio": 0.5, "list": [1, "二", None]},
                run_id="run_1",
                now=clock.now(),
            )


async def sealed_trail(database: Database, clock: ManualClock, trail: AuditTrail, *, entries: int = 9) -> list[int]:
    await record(database, clock, *(f"R{number}" for number in range(entries)))
    assert await trail.seal() == entries
    async with database.reading() as session:
        return list((await session.execute(select(AuditTable.id).order_by(AuditTable.id))).scalars())


async def tamper(database: Database, *statements: Any) -> None:
    async with database.transaction() as session:
        for statement in statements:
            await session.execute(statement, execution_options={"synchronize_session": False})


async def verify(trail: AuditTrail) -> Verification:
    return await trail.verify(local_operator())


async def test_an_untouched_trail_is_whole(database: Database, clock: ManualClock, trail: AuditTrail) -> None:
    assert await verify(trail) == Verification(sealed=0, unsealed=0, head=ROOT)
    await sealed_trail(database, clock, trail, entries=5)
    await record(database, clock, "late", "later")
    found = await verify(trail)
    assert (found.ok, found.sealed, found.unsealed) == (True, 5, 2)
    assert await trail.seal() == 2
    assert await trail.seal() == 0
    assert (await verify(trail)).unsealed == 0


@pytest.mark.parametrize(
    "change",
    [
        {"actor_id": "somebody"},
        {"action": "other"},
        {"resource": "other"},
        {"allowed": False},
        {"reason": "other"},
        {"outcome": "other"},
        {"detail": {"text": "other"}},
        {"run_id": None},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_an_edited_entry_is_named(
    database: Database, clock: ManualClock, trail: AuditTrail, change: dict[str, Any]
) -> None:
    ids = await sealed_trail(database, clock, trail)
    await tamper(database, update(AuditTable).where(AuditTable.id == ids[4]).values(**change))
    found = await verify(trail)
    assert not found.ok
    assert (found.edited, found.missing) == ((ids[4],), ())


async def test_a_moved_instant_is_named(database: Database, clock: ManualClock, trail: AuditTrail) -> None:
    ids = await sealed_trail(database, clock, trail)
    clock.advance(1)
    await tamper(database, update(AuditTable).where(AuditTable.id == ids[0]).values(at=clock.now()))
    assert (await verify(trail)).edited == (ids[0],)


async def test_a_deleted_entry_is_named(database: Database, clock: ManualClock, trail: AuditTrail) -> None:
    ids = await sealed_trail(database, clock, trail)
    await tamper(database, delete(AuditTable).where(AuditTable.id == ids[3]))
    found = await verify(trail)
    assert (found.ok, found.missing, found.edited) == (False, (ids[3],), ())


@pytest.mark.parametrize("position", [0, 4, 8], ids=["first", "middle", "last"])
async def test_an_entry_deleted_with_its_seal_is_named(
    database: Database, clock: ManualClock, trail: AuditTrail, position: int
) -> None:
    ids = await sealed_trail(database, clock, trail)
    await tamper(
        database,
        delete(AuditTable).where(AuditTable.id == ids[position]),
        delete(SealTable).where(SealTable.entry_id == ids[position]),
    )
    found = await verify(trail)
    assert (found.ok, found.missing, found.broken) == (False, (ids[position],), (position + 1,))


@pytest.mark.parametrize("seals_too", [False, True])
async def test_a_deleted_tail_is_noticed(
    database: Database, clock: ManualClock, trail: AuditTrail, seals_too: bool
) -> None:
    ids = await sealed_trail(database, clock, trail)
    await tamper(database, delete(AuditTable).where(AuditTable.id >= ids[6]))
    if seals_too:
        await tamper(database, delete(SealTable).where(SealTable.entry_id >= ids[6]))
    found = await verify(trail)
    assert (found.ok, found.missing) == (False, tuple(ids[6:]))


async def test_a_deleted_head_is_noticed(database: Database, clock: ManualClock, trail: AuditTrail) -> None:
    await sealed_trail(database, clock, trail)
    await tamper(database, delete(SealHeadTable))
    assert not (await verify(trail)).ok


async def test_everything_deleted_but_the_head_is_noticed(
    database: Database, clock: ManualClock, trail: AuditTrail
) -> None:
    ids = await sealed_trail(database, clock, trail)
    await tamper(database, delete(AuditTable), delete(SealTable))
    assert (await verify(trail)).missing == tuple(ids)


@pytest.mark.parametrize("taken", [[0], [1], [2], [0, 1, 2]], ids=["first", "middle", "last", "all"])
@pytest.mark.parametrize("sealed", [0, 4])
async def test_an_entry_deleted_before_it_was_sealed_is_named(
    database: Database, clock: ManualClock, trail: AuditTrail, taken: list[int], sealed: int
) -> None:
    await sealed_trail(database, clock, trail, entries=sealed)
    await record(database, clock, "waits", "waits, too", "waits as well")
    gone = tuple(sealed + 1 + each for each in taken)
    await tamper(database, delete(AuditTable).where(AuditTable.id.in_(gone)))
    counted = database.dialect == "sqlite"  # PostgreSQL skips a number where a transaction was taken back
    assert (await verify(trail)).missing == (gone if counted else ())

    await record(database, clock, "afterwards")
    await trail.seal()
    found = await verify(trail)
    assert (found.ok, found.missing, found.unused) == ((False, gone, ()) if counted else (True, (), gone))


@pytest.mark.parametrize("column", ["entry_hash", "chain_hash"])
async def test_a_forged_seal_is_noticed(database: Database, clock: ManualClock, trail: AuditTrail, column: str) -> None:
    ids = await sealed_trail(database, clock, trail)
    await tamper(database, update(SealTable).where(SealTable.entry_id == ids[2]).values({column: "f" * 64}))
    found = await verify(trail)
    assert not found.ok
    assert ids[2] in found.edited


async def test_an_entry_slipped_in_behind_the_chain_is_named(
    database: Database, clock: ManualClock, trail: AuditTrail
) -> None:
    ids = await sealed_trail(database, clock, trail)
    forged = {"id": -5, "at": clock.now(), "actor_id": "x", "actor_name": "x", "actor_kind": "person", "action": "x"}
    rest = {"resource": "x", "allowed": True, "reason": "x", "outcome": "x", "detail": {}}
    await tamper(database, insert(AuditTable).values(**forged, **rest))
    found = await verify(trail)
    assert (found.ok, found.added, found.sealed) == (False, (-5,), len(ids))


async def test_writers_do_not_wait_for_one_another_nor_for_the_sealer(
    postgresql_only: Database, clock: ManualClock
) -> None:
    trail = AuditTrail(postgresql_only, clock)
    async with postgresql_only.transaction() as first:
        await _record_in(first, clock, "first")
        async with asyncio.timeout(60):
            await record(postgresql_only, clock, "second")
            assert await trail.seal() == 0, "the second came after one that may still be written"
            await record(postgresql_only, clock, "third")
    assert await trail.seal() == 3
    shown = [entry.resource for entry in await trail.entries(local_operator())]
    assert shown == ["third", "second", "first"]


async def test_a_writer_that_gives_up_leaves_a_gap_and_no_harm(postgresql_only: Database, clock: ManualClock) -> None:
    trail = AuditTrail(postgresql_only, clock)
    with pytest.raises(RuntimeError):
        async with postgresql_only.transaction() as session:
            await _record_in(session, clock, "never")
            raise RuntimeError
    await record(postgresql_only, clock, "first")
    assert await trail.seal() == 1
    found = await verify(trail)
    assert (found.ok, found.missing, found.unused) == (True, (), (1,))


async def test_seals_are_in_the_order_of_ids_with_many_writers_and_sealers(
    database: Database, clock: ManualClock
) -> None:
    writers, entries = 8, scaled(50, least=10)
    trails = [AuditTrail(database, clock) for _ in range(3)]
    writing = asyncio.Event()

    async def write(writer: int) -> None:
        chance = random.Random(writer)
        for number in range(entries):
            async with database.transaction() as session:
                await _record_in(session, clock, f"{writer}-{number}")
                await asyncio.sleep(chance.random() / 100)

    async def keep_sealing(trail: AuditTrail) -> None:
        while not writing.is_set():
            await trail.seal()
            await asyncio.sleep(0.005)

    sealing = asyncio.gather(*(keep_sealing(trail) for trail in trails))
    await asyncio.gather(*(write(writer) for writer in range(writers)))
    writing.set()
    await sealing
    await trails[0].seal()
    async with database.reading() as session:
        sealed = list((await session.execute(select(SealTable.entry_id).order_by(SealTable.position))).scalars())
    assert sealed == sorted(sealed)
    assert len(sealed) == writers * entries
    found = await verify(trails[1])
    assert (found.ok, found.unsealed) == (True, 0)


async def test_secrets_and_unstorable_characters_do_not_reach_the_trail(
    database: Database, clock: ManualClock, trail: AuditTrail
) -> None:
    async with database.transaction() as session:
        detail = {"text": "password=hunter2 a\x00b \ud83d", "nonce": "abc"}
        await _record_in(session, clock, "token=abc", detail=detail)
    (entry,) = await trail.entries(local_operator())
    assert entry.resource == "token=[redacted]"
    assert entry.detail == {"text": "password=[redacted] a�b ?", "nonce": "[redacted]"}


async def test_entries_are_filtered_and_paged(
    database: Database, clock: ManualClock, trail: AuditTrail, ada: Actor, dora: Actor
) -> None:
    await record(database, clock, "1", "2", "3", actor=ada)
    await record(database, clock, "4", actor=dora)
    shown = await trail.entries(dora, actor_id="ada", limit=2)
    assert [entry.resource for entry in shown] == ["3", "2"]
    shown = await trail.entries(dora, actor_id="ada", before=shown[-1].id)
    assert [entry.resource for entry in shown] == ["1"]
    assert await trail.entries(dora, action="other") == ()


@pytest.mark.parametrize("method", ["verify", "entries"])
async def test_only_auditors_may_look(trail: AuditTrail, ada: Actor, ben: Actor, dora: Actor, method: str) -> None:
    ask: Callable[[Actor], Any] = getattr(trail, method)
    for actor in (ada, ben):
        with pytest.raises(Forbidden):
            await ask(actor)
    await ask(dora)


async def _record_in(session: Any, clock: ManualClock, resource: str, *, detail: dict[str, Any] | None = None) -> None:
    await audit.record(
        session,
        actor=system_actor("test"),
        action="test.do",
        resource=resource,
        allowed=True,
        reason="role",
        outcome="done",
        detail=detail,
        now=clock.now(),
    )


async def cut(database: Database, trail: AuditTrail, *, after: int) -> None:
    """Take away the newest entries with their seals, and set head and count back: nothing in the database shows it."""
    wanted = select(SealTable.position, SealTable.entry_id, SealTable.chain_hash).where(SealTable.position == after)
    async with database.reading() as session:
        last = (await session.execute(wanted)).one_or_none()
    head = delete(SealHeadTable) if last is None else update(SealHeadTable).values(**last._mapping)
    entry_id = 0 if last is None else last.entry_id
    gone = (delete(SealTable).where(SealTable.position > after), delete(AuditTable).where(AuditTable.id > entry_id))
    await tamper(database, *gone, head)
    if database.dialect == "sqlite":
        assert not (await verify(trail)).ok, "it counts how many there were"
        await tamper(database, update(table("sqlite_sequence", column("seq"))).values(seq=entry_id))
    assert (await verify(trail)).ok


@pytest.mark.parametrize("after", [0, 5], ids=["all", "tail"])
async def test_a_cut_tail_and_what_is_made_again_show_against_a_witness(
    database: Database, clock: ManualClock, trail: AuditTrail, tmp_path: Path, after: int
) -> None:
    witness = Witness(tmp_path / "elsewhere" / "witness.jsonl", trail, clock, WebhookSettings())
    await witness.note()
    assert not witness.path.exists(), "an empty chain has nothing to note"
    await sealed_trail(database, clock, trail, entries=4)
    await witness.note()
    await sealed_again(database, clock, trail)
    await witness.note()
    await witness.note()
    with witness.path.open("a", encoding="utf-8") as file:
        file.write('\n{"at": "2026-')  # a crash cut it short
    kept = await witness.heads()
    assert [each.position for each in kept] == [4, 9], "one line each time that it moved"
    assert (await trail.verify(local_operator(), witnessed=kept)).ok

    await cut(database, trail, after=after)
    found = await trail.verify(local_operator(), witnessed=kept)
    assert (found.ok, found.cut, found.rewritten) == (False, (9,) if after else (4, 9), ())

    await sealed_again(database, clock, trail, entries=9 - after)
    await Witness(witness.path, trail, clock, WebhookSettings()).note()
    found = await trail.verify(local_operator(), witnessed=await witness.heads())
    assert (found.ok, found.cut, found.rewritten, found.witnessed) == (False, (), (9,) if after else (4, 9), 3)


async def test_what_the_log_the_webhook_and_the_channel_were_told_is_a_witness_too(
    database: Database,
    clock: ManualClock,
    trail: AuditTrail,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    receiver: Received,
) -> None:
    witness = Witness(tmp_path / "witness.jsonl", trail, clock, WebhookSettings.model_validate(receiver.settings))
    reader = Reader("zh", "Asia/Shanghai", "https://desk.example.com")
    await witness.send()
    assert (receiver.got, await witness.blocks(reader)) == ([], ()), "an empty chain has nothing to tell"

    await sealed_trail(database, clock, trail, entries=4)
    with caplog.at_level(logging.INFO, "bot.compose.witness"):
        await witness.note()
    await witness.send()
    await witness.send()
    ((headers, body),) = receiver.got
    assert headers["X-Dutydesk-Signature"] == signature(SECRET, headers["X-Dutydesk-Timestamp"], body)
    formatter = RedactingFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    posted = next(block.text for block in await witness.blocks(reader) if isinstance(block, Code))
    told = {"log": formatter.format(caplog.records[-1]), "webhook": body.decode(), "channel": f"```\n{posted}\n```"}

    await cut(database, trail, after=2)
    for name, text in told.items():
        (kept := tmp_path / name).write_text(f"something else {{ of the day\n{text}\n", encoding="utf-8")
        found = await trail.verify(local_operator(), witnessed=await witness.heads(kept))
        assert (found.ok, found.cut, found.witnessed) == (False, (4,), 1), name


async def test_a_head_that_the_webhook_did_not_take_is_sent_again(
    database: Database, clock: ManualClock, trail: AuditTrail, tmp_path: Path, receiver: Received
) -> None:
    witness = Witness(tmp_path / "witness.jsonl", trail, clock, WebhookSettings.model_validate(receiver.settings))
    await sealed_trail(database, clock, trail, entries=4)
    receiver.status = 503
    with pytest.raises(ConnectionError, match="503"):
        await witness.send()
    receiver.status = 204
    await witness.send()
    assert len({body for _, body in receiver.got}) == 1
    assert len(receiver.got) == 2


async def sealed_again(database: Database, clock: ManualClock, trail: AuditTrail, *, entries: int = 5) -> None:
    await record(database, clock, *(f"again {number}" for number in range(entries)))
    assert await trail.seal() == entries
