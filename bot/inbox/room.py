"""Room in the queue: nobody, and not all together, can have so much wait that others are answered hours later.

It stands before the inbox, at the doors that the network reaches. What is refused here is not stored and not
acknowledged: Slack and Teams send it again, and the page tells the person, who can.
"""

import logging

from adapters.events import Account, Inbound, Message, Withdrawn
from adapters.port import Overfull, Receipt
from bot.delivery.events import event_key, event_topic
from bot.inbox.inbox import Inbox
from bot.settings import LimitSettings
from storage.clock import Clock
from storage.database import Database
from storage.queue import work
from storage.queue.seldom import SeldomLog

log = logging.getLogger(__name__)

#: Seconds after which whoever was refused may try again.
AGAIN_S = 30.0
#: Where an event of the queue says whose it is.
_SENDER = ("event", "account", "user")


class WaitingRoom:
    """Hands events to the inbox as long as there is room for them."""

    def __init__(self, inbox: Inbox, database: Database, clock: Clock, *, limits: LimitSettings) -> None:
        self._inbox = inbox
        self._database = database
        self._limits = limits
        self._log = SeldomLog(log, clock.monotonic)

    async def receive(self, event: Inbound) -> Receipt:
        """Store an event, or raise `Overfull`. What is taken back is always heard, and what is stored already."""
        overheard = isinstance(event, Message) and event.overheard  # let in only while there is much room
        if not isinstance(event, Withdrawn) and not overheard:
            wait_s = await self.wait_s(event.account)
            if wait_s > 0 and not await self._is_known(event):
                raise Overfull(retry_after_s=wait_s)
        return await self._inbox.receive(event)

    async def wait_s(self, account: Account) -> float:
        """Return the seconds after which this account may try again; 0 when there is room now."""
        async with self._database.reading() as session:
            in_all, own = await work.count_waiting(
                session,
                topics=self._inbox.worker.topics,
                of=event_topic(account.platform),
                path=_SENDER,
                value=account.user,
            )
        if in_all >= self._limits.waiting:
            self._log.say("events are refused: limits.waiting of them are waiting already")
        elif own >= self._limits.waiting_per_person:
            self._log.say(
                f"events of one person ({account.platform}) are refused: limits.waiting_per_person are waiting"
            )
        else:
            return 0.0
        return AGAIN_S

    async def _is_known(self, event: Inbound) -> bool:
        async with self._database.reading() as session:
            return await work.is_known(session, key=event_key(event.account.platform, event.event_id))
