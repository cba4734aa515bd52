"""Questions in their thread: "and by region?" goes on from what was asked before, "the second one" from a choice."""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from agent.tools.context import Recollection
from features.data.understanding.asked import AskedData, AskedParts, ReadMessage, UnclearQuestion
from features.data.understanding.reading import read_all
from queries.sql.catalog.catalog import Catalog

#: Earlier messages of a thread that a question may go on from.
_TURNS = 6
#: Readings that are kept.
_REMEMBERED = 512


class Questions:
    """Reads the messages of a thread in their order; the same words always give the same question."""

    def __init__(self, catalogs: Mapping[str, Catalog]) -> None:
        self._catalogs = catalogs
        # A message of a thread is looked at for each one after it, and several times for an answer.
        self._read = lru_cache(maxsize=_REMEMBERED)(self._reading)

    def read(self, text: str, memory: Recollection, *, today: date, language: str) -> ReadMessage:
        """Return what a message asks of the databases; None when it asks them nothing."""
        if not self._catalogs:
            return None
        before: AskedData | None = None
        offered: Mapping[str, AskedData] = {}
        for turn in memory.turns[-_TURNS:]:
            found = self._one(turn.asked, before, offered, today=today, language=language)
            if isinstance(found, UnclearQuestion):  # what is said next may still go on from what was asked before it
                offered = {_plain(each.label): each.asked for each in found.choices}
            else:
                before, offered = found.asked[-1].asked if isinstance(found, AskedParts) else found, {}
        return self._one(text, before, offered, today=today, language=language)

    def _one(
        self, text: str, before: AskedData | None, offered: Mapping[str, AskedData], *, today: date, language: str
    ) -> ReadMessage:
        chosen = offered.get(_plain(text))
        if chosen is not None:
            return chosen
        return self._read(text, before, today, language)

    def _reading(self, text: str, before: AskedData | None, today: date, language: str) -> ReadMessage:
        return read_all(text, catalogs=self._catalogs, known={}, today=today, language=language, before=before)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .?!。？！")
