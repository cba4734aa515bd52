"""What people take back: the words of a message, in all places that hold them, and the files that it brought.

What stays: the audit, which holds no words; tickets, which are records of their own; and what the desk had said in
Slack or Teams, which keep it themselves.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from adapters.events import Withdrawn, withdrawal_of
from adapters.web.chat import WebChat
from adapters.web.transcript import TranscriptPlace, said_key
from agent.approvals.approvals import Approvals
from agent.memory.memory import Memory, as_remembered
from agent.results import Records, result_of
from agent.runs.run import Run
from agent.runs.runs import Runs
from agent.tools.execution import SCOPE
from bot.conversation.files import Files
from bot.conversation.requests import private_threads
from bot.delivery.events import event_key
from bot.delivery.posts import enqueue_erasure, topic_of
from bot.delivery.transcript import DatabaseTranscript
from features.anatomy.handling import Erase
from storage import once
from storage.database import Database, Session
from storage.ids import JsonObject
from storage.queue import work
from tickets.service import TicketService


@dataclass(frozen=True)
class Withdrawals:
    """Takes out what was taken back."""

    database: Database
    files: Files
    runs: Runs
    memory: Memory
    approvals: Approvals
    tickets: TicketService
    transcript: DatabaseTranscript
    erasing: Mapping[str, Erase]  # by kind of record, for what features keep of a message's words

    async def withdraw(self, event: Withdrawn) -> tuple[str, ...]:
        """Take out what a message brought, and, of a whole one, what it said; return the subjects to be drawn again."""
        await self.files.withdraw(event)
        if event.event_id != withdrawal_of(event.message):
            return ()
        async with self.database.transaction() as session:
            await self._erase_message(session, event)
            aside = private_threads(event.thread)
            asked = await self.runs.erase(session, event_id=event.message, thread=event.thread, aside=aside)
            records = await self._erase_records(session, asked)
            if said := {as_remembered(run.text) for run in asked if run.text}:
                since = min(run.started_at for run in asked)
                await self.memory.erase(session, said, thread=event.thread, aside=aside)
                said |= {each for each in records.values() if each}
                actors = {run.actor_id for run in asked}
                later = await self.runs.erase_remembered(
                    session, said, thread=event.thread, aside=aside, actors=actors, since=since
                )
                await self.memory.forget_repeated(session, said, actors=actors)
                records |= await self._erase_repeated(session, event, later, said, since=since)
            await self.approvals.erase(session, event_id=event.message, thread=event.thread)
            made = [(draft, run) for run in asked for draft in _made_by(run, "draft")]
            erased = [
                draft for draft, run in made if await self.tickets.erase_draft(session, draft, since=run.started_at)
            ]
            for draft in erased:
                await once.erase(session, scope=SCOPE, mention=draft)
        return (*(f"draft:{draft}" for draft in erased), *records)

    async def _erase_records(
        self, session: Session, runs: Sequence[Run], words: Collection[str] = ()
    ) -> dict[str, str]:
        """Take out what runs made, or of it these words alone; return the subjects with what they had said."""
        made = [(kind, record) for kind in self.erasing for run in runs for record in _made_by(run, kind)]
        erased = {f"{kind}:{record}": await self.erasing[kind](session, record, words) for kind, record in made}
        return {subject: said for subject, said in erased.items() if said is not None}

    async def _erase_repeated(
        self, session: Session, event: Withdrawn, later: Sequence[Run], words: Collection[str], *, since: datetime
    ) -> dict[str, str]:
        """Take words out of what later runs made, asked leave for and said; return the subjects as above.

        The runs may be of other conversations. In the browser, what came by itself is looked through as well.
        """
        for run in later:
            await self.approvals.erase(session, event_id=run.event_id, thread=run.thread, words=words)
        for line in {event.thread, *(run.thread for run in later)}:
            for key in await work.take_out(session, line=line, topic=topic_of(line.partition(":")[0]), words=words):
                await enqueue_erasure(session, key, line=line)
        people = {run.actor_id for run in later}
        if event.account.platform == WebChat.name:
            people.add(TranscriptPlace.of(event.address).user)
        for person in sorted(people):
            await self.transcript.take_out(session, person, words, since=since)
        return await self._erase_records(session, later, words)

    async def _erase_message(self, session: Session, event: Withdrawn) -> None:
        """Empty the stored event, and what was posted in reply to it."""
        key = event_key(event.account.platform, event.message)
        item = await work.find(session, key=key)
        if item is not None:
            said = item.payload.get("event")
            emptied: JsonObject = {**said, "text": "", "files": []} if isinstance(said, dict) else {}
            await work.erase(session, key=key, payload={**item.payload, "event": emptied})
        replies = () if item is None else (f"reply:{item.id}", f"offer:{item.id}", f"taken:{item.id}")
        for reply in replies:
            if not await work.erase(session, key=reply, payload={}) and await work.is_known(session, key=reply):
                await enqueue_erasure(session, reply, line=event.thread)
        if event.account.platform == WebChat.name:
            place = TranscriptPlace.of(event.address)
            key = said_key(event.message.removeprefix(f"{place.user}:"))
            await self.transcript.remove(session, place, key=key, answers=replies)


def _made_by(run: Run, kind: str) -> list[str]:
    kept = run.answer.get("results")
    shown = [result_of(each) for each in kept] if isinstance(kept, list | tuple) else []
    return [record for each in shown if isinstance(each, Records) and each.kind == kind for record in each.ids]
