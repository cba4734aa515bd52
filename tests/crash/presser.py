"""A desk that is asked to cancel tickets, is told yes, and dies on the way: `HOME URL ORIGIN TICKETS DIE_AT`.

It dies just before or just after the chosen commit; with 0 it lives. What it has done before is not done again: each
life sends the same events, as a platform does that was not told of them.
"""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from adapters.events import Message, Press
from adapters.web.transcript import TranscriptPlace
from bot.compose.compose import compose
from bot.compose.desk import Desk
from bot.conversation.people import own_account
from bot.settings import Settings, load
from identity.actor import Actor
from search.embedding.memory import HashEmbedder
from storage.clock import ScaledClock
from tests.crash.victim import DyingDatabase

#: So fast that what a dead process was carrying out counts as interrupted by the time the next one has started.
SPEED = 100.0


def settings_of(home: Path, url: str) -> Settings:
    """Return the settings of every life; a button works for long on a clock that is so fast."""
    return load(
        home=home, database_url=url, secret="s" * 32, agent={"approval_minutes": 100_000}, limits={"deaths": 100}
    )


def place_of(number: int) -> TranscriptPlace:
    """Return the thread in which a ticket is talked about."""
    return TranscriptPlace(user="ada", thread=f"t{number}")


async def cancel(desk: Desk, ada: Actor, number: int, ticket: str) -> None:
    """Ask for it, and press the button that comes."""
    place = place_of(number)
    account, now = own_account("web", ada), datetime.now(UTC)
    message = Message(
        event_id=f"ask-{number}",
        account=account,
        address=place.address(),
        thread=place.key,
        received_at=now,
        text=f"cancel {ticket}",
    )
    await desk.inbox.receive(message)
    await settle(desk)
    for approval in await desk.approvals.waiting(ada):
        press = Press(
            event_id=f"press-{approval.id}",
            account=account,
            address=place.address(),
            thread=place.key,
            received_at=now,
            action="approval.confirm",
            id=approval.id,
            nonce=await desk.approvals.nonce_for(ada, approval.id),
        )
        await desk.inbox.receive(press)
        await settle(desk)


async def settle(desk: Desk) -> None:
    """Work everything off, what a dead process was at included."""
    await desk.inbox.drain()
    await desk.outbox.drain()


async def main(home: Path, url: str, origin: datetime, tickets: list[str], die_at: int) -> None:
    """Bring what the life before began to its end, then cancel each ticket."""
    database = DyingDatabase(url)
    clock = ScaledClock(SPEED, origin)
    settings = settings_of(home, url)
    desk = await compose(settings, database=database, clock=clock, embedder=HashEmbedder(), lease_s=0.5)
    async with desk:
        ada = await desk.people.named("ada")
        database.die_at, database.armed = die_at, True
        await settle(desk)
        await desk.approvals.recover()
        for number, ticket in enumerate(tickets):
            await cancel(desk, ada, number, ticket)
    await database.close()


if __name__ == "__main__":
    home, url, origin, tickets, die_at = sys.argv[1:]
    asyncio.run(main(Path(home), url, datetime.fromisoformat(origin), tickets.split(","), int(die_at)))
