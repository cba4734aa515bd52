"""`kill -9` between any two steps of filing: after the restart there is exactly one ticket."""

import asyncio
import signal
import sys
from pathlib import Path

from sqlalchemy import text

from identity.actor import Actor
from storage.database import Database
from tests.scale import scaled
from tests.tickets.conftest import SIGNING_KEY, DraftMaker
from tickets.errors import AlreadyFiled
from tickets.service import TicketService
from tickets.ticket import Draft

FILED = "SELECT count(*) FROM identity_audit WHERE resource = :id AND action = 'draft.file' AND outcome = 'done'"
ROOT = Path(__file__).resolve().parents[2]


async def run(service: TicketService, actor: Actor, draft: Draft, *, die_before: int) -> tuple[int, str]:
    """Let another process file the draft; return its exit code and what it printed."""
    arguments = {
        "url": service.database.url.render_as_string(hide_password=False),
        "actor": actor.id,
        "draft": draft.id,
        "nonce": await service.nonce_for(actor, draft.id),
        "signing-key": SIGNING_KEY.decode(),
        "die-before": str(die_before),
    }
    options = [f"--{name}={value}" for name, value in arguments.items()]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.tickets.filing_process", *options, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode().strip()


async def press_again(service: TicketService, actor: Actor, draft: Draft) -> str:
    try:
        return (await service.file(actor, draft.id, nonce=await service.nonce_for(actor, draft.id))).number
    except AlreadyFiled as filed:
        return filed.number


async def count(database: Database, query: str, **values: str) -> int:
    async with database.reading() as session:
        return int((await session.execute(text(query), values)).scalar_one())


async def test_a_killed_filing_leaves_one_ticket_or_none_and_the_next_press_exactly_one(
    service: TicketService, ada: Actor, drafted: DraftMaker
) -> None:
    database = service.database
    code, printed = await run(service, ada, await drafted(ada, "To the end"), die_before=0)
    assert code == 0
    commit = int(printed)  # the last step of all
    for n, step in enumerate(points(commit), start=2):
        draft = await drafted(ada, f"Killed before step {step}")
        code, _ = await run(service, ada, draft, die_before=step)
        assert code == -signal.SIGKILL
        there = await count(database, "SELECT count(*) FROM tickets_tickets WHERE draft_id = :id", id=draft.id)
        assert there == (1 if step > commit else 0)
        number = await press_again(service, ada, draft)
        assert number == f"TCK-2026-{n:06d}"  # nothing was lost, nothing was counted twice
        assert await count(database, "SELECT count(*) FROM tickets_tickets") == n
        assert await count(database, "SELECT count(*) FROM tickets_tickets WHERE draft_id = :id", id=draft.id) == 1
        key = f"draft:{draft.id}:filed"
        assert await count(database, "SELECT count(*) FROM storage_queue WHERE key = :key", key=key) == 1
        assert await count(database, FILED, id=draft.id) == 1


def points(commit: int) -> list[int]:
    """Return the steps to die before: some of them, always the commit, and the moment after it."""
    many = scaled(commit - 1, least=2)
    early = {1 + (commit - 2) * n // max(1, many - 1) for n in range(many)}
    return [*sorted(early), commit, commit + 1]
