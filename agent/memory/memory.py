"""Thread memory: what was said before, cut to a budget, and the ids of what was last spoken of (never payload).

It belongs to one person in one thread: what somebody else was told there never reaches a run of yours.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import timedelta

from agent.config import AgentConfig
from agent.memory import store
from agent.results import Records, plain_words
from agent.runs.answer import Answer, Answered, AskedBack
from agent.runs.pages import cited_in
from agent.tools.context import Recollection, Turn
from agent.tools.prefetch import PageRights
from identity import audit
from identity.actor import Actor
from identity.readership import ALONE, Readership
from storage.clock import Clock
from storage.database import Database, Session
from storage.redaction.stored import redact

#: Longest part of one turn that is remembered, in characters.
MAX_TURN_CHARS = 600

#: What was just told without being asked for, a ticket and a reminder, what was just filed and what was listed: it is
#: spoken of in the next exchange only.
_JUST_TOLD = frozenset({"told", "told_reminder", "filed", "listed"})
_CITATION_MARKS = re.compile(r"(?<!\s)\s*+\[\d+\]")


class Memory:
    """What threads remember."""

    def __init__(self, database: Database, clock: Clock, config: AgentConfig, *, search: PageRights) -> None:
        self._search = search
        self._database = database
        self._clock = clock
        self._config = config

    async def recall(self, actor: Actor, *, thread: str, readership: Readership = ALONE) -> Recollection:
        """Return what this thread remembers for this person.

        Answers are left out that rest on pages which the person, or somebody who reads along, may not read now.
        """
        async with self._database.reading() as session:
            kept = await store.read_memory(session, thread=thread, actor_id=actor.id)
        readable = await self._search.readable(actor, kept.pages, readership=readership)
        turns = (
            turn if readable.issuperset(turn.pages) else replace(turn, answered="", pages=(), cited=())
            for turn in kept.turns
        )
        return replace(kept, turns=tuple(turns))

    async def add(
        self,
        session: Session,
        actor: Actor,
        *,
        thread: str,
        asked: str,
        answer: Answer,
        last: Mapping[str, str],
        pages: frozenset[str] = frozenset(),
        language: str = "en",
    ) -> None:
        """Add an exchange, keep the newest ones within the budget, and note the ids that were spoken of.

        `pages` are those that the answer rests on.
        """
        said = redact(_shortened(_said(answer, language)))
        turn = Turn(as_remembered(asked), said, answer.outcome, tuple(sorted(pages)), cited_in(answer))
        await self._update(session, actor, thread, turns=(turn,), last=last)

    async def erase(self, session: Session, asked: Collection[str], *, thread: str, aside: str) -> None:
        """Forget what was answered to what was asked, `as_remembered`, with the caller's transaction."""
        await store.erase_turns(session, asked, thread=thread, aside=aside)

    async def forget_repeated(self, session: Session, words: Collection[str], *, actors: Collection[str]) -> None:
        """Forget, of all threads of the actors, the exchanges that repeat words, with the caller's transaction."""
        await store.forget_repeated(session, words, actors=actors)

    async def note(self, actor: Actor, *, thread: str, last: Mapping[str, str]) -> None:
        """Note ids that were spoken of outside a run: a draft that a button filed, a ticket that it made."""
        async with self._database.transaction() as session:
            await self.note_with(session, actor, thread=thread, last=last)

    async def note_with(self, session: Session, actor: Actor, *, thread: str, last: Mapping[str, str]) -> None:
        """Note them with the caller's transaction."""
        await self._update(session, actor, thread, turns=(), last=last)

    async def _update(
        self, session: Session, actor: Actor, thread: str, *, turns: tuple[Turn, ...], last: Mapping[str, str]
    ) -> None:
        def added(before: Recollection) -> Recollection:
            # What was told here meanwhile is spoken of in the next exchange only.
            known = {name: said for name, said in before.last.items() if not (turns and name in _JUST_TOLD)}
            return Recollection(self._compacted((*before.turns, *turns)), last={**known, **last})

        await store.change_memory(session, added, thread=thread, actor_id=actor.id, at=self._clock.now())

    async def count(self, actor: Actor) -> int:
        """Return of how many threads something is remembered for this person."""
        async with self._database.reading() as session:
            return await store.count_memory(session, actor_id=actor.id)

    async def forget(self, actor: Actor) -> int:
        """Forget what every thread remembers for this person, at their own wish; return how many there were."""
        async with self._database.transaction() as session:
            gone = await store.delete_memory_of(session, actor_id=actor.id)
            await audit.record(
                session,
                actor=actor,
                action="memory.forgotten",
                resource=actor.id,
                allowed=True,
                reason="own",
                outcome="done",
                detail={"threads": gone},
                now=self._clock.now(),
            )
            return gone

    async def retain(self) -> int:
        """Forget threads that have been quiet longer than runs are kept; return how many."""
        before = self._clock.now() - timedelta(days=self._config.retention_days)
        async with self._database.transaction() as session:
            return await store.delete_memory(session, before=before)

    def _compacted(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        kept: list[Turn] = []
        left = self._config.memory_chars
        for turn in reversed(turns[-self._config.memory_turns :] if self._config.memory_turns else ()):
            left -= len(turn.asked) + len(turn.answered)
            if left < 0 and kept:
                break
            kept.append(turn)
        return tuple(reversed(kept))


def as_remembered(asked: str) -> str:
    """Return the words of a message as a turn of a memory holds them."""
    return redact(_shortened(asked))


def _said(answer: Answer, language: str) -> str:
    """Return the words of an answer, else those of the results that it shows; records are remembered by their ids."""
    if isinstance(answer, Answered):
        shown = (plain_words(each, language) for each in answer.results if not isinstance(each, Records))
        return _CITATION_MARKS.sub("", answer.text) or "\n".join(shown)
    if isinstance(answer, AskedBack):
        return answer.question or answer.code
    return ""


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= MAX_TURN_CHARS else flat[: MAX_TURN_CHARS - 1] + "…"
