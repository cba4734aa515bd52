"""The names of rows that somebody may read, "Polderfris" of a customer, so that a question for one is understood.

A name is known to those alone who may read its row: whoever may not gets the answer that a word of nothing gets.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from features.data.understanding.asked import Values
from identity.actor import Actor
from identity.policy import decide
from queries.sql.errors import SqlError
from queries.sql.permissions import ASK
from queries.sql.service import SqlService
from storage.clock import Clock

#: Seconds for which names are kept, and for which a message waits for those of one database.
_FRESH_S, _PATIENCE_S = 300.0, 1.0
_MOST_PEOPLE = 512


@dataclass(frozen=True, eq=False)
class RowNames:
    """Names by database and column; people with the same ones share them, and what is made of them."""

    values: Values = field(default_factory=dict)


NO_NAMES = RowNames()


@dataclass
class _Learnt:
    at: float
    rights: Mapping[str, str]
    names: RowNames


class KnownRows:
    """Keeps for each person the names of the rows that are theirs."""

    def __init__(self, sql: SqlService, clock: Clock) -> None:
        self._sql = sql
        self._clock = clock
        self._learnt: OrderedDict[str, _Learnt] = OrderedDict()

    def of(self, person: str) -> RowNames:
        """Return the names that a person is known to read, by their id."""
        return self._learnt[person].names if person in self._learnt else NO_NAMES

    async def learn(self, actor: Actor) -> None:
        """Read the names anew where they are old, or the actor's rights have changed."""
        if not decide(actor, ASK).allowed:
            return
        rights = {name: source.rights(actor) for name, source in self._sql.sources.items()}
        kept = self._learnt.get(actor.id)
        if kept is not None and kept.rights != rights:
            del self._learnt[actor.id]
        elif kept is not None and self._clock.monotonic() - kept.at < _FRESH_S:
            return
        found: dict[str, Mapping[str, tuple[str, ...]]] = {}
        for source in rights:
            with suppress(SqlError, TimeoutError):  # a database in trouble says so when it is asked
                async with asyncio.timeout(_PATIENCE_S):
                    found[source] = await self._sql.names(actor, source)
        alike = (each.names for each in self._learnt.values() if each.names.values == found)
        self._learnt[actor.id] = _Learnt(self._clock.monotonic(), rights, next(alike, RowNames(found)))
        self._learnt.move_to_end(actor.id)
        while len(self._learnt) > _MOST_PEOPLE:
            self._learnt.popitem(last=False)
