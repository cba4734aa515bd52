"""Questions in their thread: "and by region?" goes on from what was asked before, "the second one" from a choice."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from agent.tools.context import Recollection, Turn
from features.data.understanding.asked import (
    AskedData,
    AskedPart,
    AskedParts,
    ReadingChoice,
    ReadMessage,
    UnclearQuestion,
)
from features.data.understanding.asking import asks_number, fits, ranks_rows, wants_rows
from features.data.understanding.choosing.those import bounded, points_back
from features.data.understanding.naming import Naming, table_of
from features.data.understanding.nearest import NOTHING, Nearest, is_unread, nearest, stands
from features.data.understanding.reading import NOTHING_KNOWN, read_all
from features.data.understanding.rows import NO_NAMES, RowNames
from features.data.understanding.words.lexicon import vocabulary_of
from queries.sql.catalog.catalog import Catalog

#: Choices that one question back offers.
MOST_CHOICES = 5
#: Choices that a message may go on from, all of them: "as a chart".
_MOST_AMENDED = 12
#: Earlier messages of a thread that a question may go on from.
_TURNS = 6
#: Characters of a message that may ask for some number.
_LONGEST = 300
#: Readings that are kept.
_REMEMBERED = 512


class Questions:
    """Reads the messages of a thread in their order; the same words always give the same question."""

    def __init__(self, catalogs: Mapping[str, Catalog]) -> None:
        self._catalogs = catalogs
        # A message of a thread is looked at for each one after it, and several times for an answer.
        self._read = lru_cache(maxsize=_REMEMBERED)(self._reading)
        self._near = lru_cache(maxsize=_REMEMBERED)(self._coming_near)

    def read(
        self, text: str, memory: Recollection, *, today: date, language: str, names: RowNames = NO_NAMES
    ) -> ReadMessage:
        """Return what a message asks of the databases; None when it asks them nothing.

        `names` are those of rows that the asker may read.
        """
        of = _Telling(today, language, names)
        if not self._catalogs:
            return None
        before: AskedData | None = None
        beside: tuple[AskedData, ...] = ()  # what was asked of the same rows before
        offered: Mapping[str, AskedData] = {}
        is_read = False  # what "of those" may point back at
        for turn in memory.turns[-_TURNS:]:
            found = self._of_each(turn.asked, beside, of) or self._one(turn.asked, before, offered, of, is_read=is_read)
            is_read = isinstance(found, AskedData | AskedParts)
            beside = _of_the_same(found) if not isinstance(found, UnclearQuestion) else beside
            if isinstance(found, UnclearQuestion):  # what is said next may still go on from what was asked before it
                offered = {each.label: each.asked for each in found.choices}
            else:
                before = found.asked[-1].asked if isinstance(found, AskedParts) else found
                offered = self._offered_near(turn, of) if found is None else {}
        return self._of_each(text, beside, of) or self._one(text, before, offered, of, is_read=is_read)

    def nearest(self, text: str, *, today: date, language: str, names: RowNames = NO_NAMES) -> Nearest:
        """Return what comes nearest to a message that wants a number and was not read; this may take a while."""
        return self._near(text, _Telling(today, language, names)) if len(text) <= _LONGEST else NOTHING

    def unread(self, text: str, *, today: date) -> tuple[str, ...]:
        """Return the words of a message that wants a number of which something could be read; () for any other."""
        if len(text) > _LONGEST:
            return ()
        for catalog in self._catalogs.values():
            words = vocabulary_of(catalog, NO_NAMES.values).cut(text, today, supposing=True)
            if wants_rows(words) and (stands(words) or ranks_rows(words)):
                return tuple(word.text for word in words if is_unread(word)) or (text,)
        return ()

    def asks_number(self, text: str, *, today: date) -> bool:
        """Tell whether a message asks for a number, be it one that no database holds."""
        vocabularies = (
            (vocabulary_of(each, NO_NAMES.values) for each in self._catalogs.values()) if len(text) <= _LONGEST else ()
        )
        return any(asks_number(each.cut(text, today)) for each in vocabularies)

    def among(self, choices: Sequence[ReadingChoice], tables: Collection[str]) -> tuple[ReadingChoice, ...]:
        """Return the first of the choices that are of some tables, each named with its database."""
        return tuple(each for each in choices if self._table(each.asked) in tables)[:MOST_CHOICES]

    def _table(self, asked: AskedData) -> str:
        return f"{asked.source}.{table_of(asked.query, self._catalogs[asked.source])}"

    def _one(
        self,
        text: str,
        before: AskedData | None,
        offered: Mapping[str, AskedData],
        of: "_Telling",
        *,
        is_read: bool,
    ) -> ReadMessage:
        chosen = next((asked for label, asked in offered.items() if _plain(label) == _plain(text)), None)
        if chosen is not None:
            return chosen
        found = self._read(text, before, of)
        if found is None and 0 < len(offered) <= _MOST_AMENDED:
            return self._said_of_each(text, offered, of)
        return self._pointing_back(text, found, before if is_read else None, of)

    def _pointing_back(self, text: str, found: ReadMessage, before: AskedData | None, of: "_Telling") -> ReadMessage:
        """Return what is asked of those that were spoken of; a question back where nobody knows which those are."""
        first = found.asked[0].asked if isinstance(found, AskedParts) else found
        if not isinstance(first, AskedData) or len(text) > _LONGEST:
            return found
        catalog = self._catalogs[first.source]
        words = vocabulary_of(catalog, of.names.values.get(first.source, NOTHING_KNOWN)).cut(text, of.today)
        if not points_back(text, words):
            return found
        if before is not None:
            meant = bounded(first, before, catalog, words)
            if meant is not None and fits(meant, catalog, of.today):
                return meant if isinstance(found, AskedData) else found
        label = Naming(catalog, "zh" if of.language == "zh" else "en").subject(first.query)
        return UnclearQuestion("those", "", (ReadingChoice(label, first),))

    def _offered_near(self, turn: Turn, of: "_Telling") -> Mapping[str, AskedData]:
        """Return what was offered as the nearest to a message that was not read."""
        near = self._near(turn.asked, of).near if turn.outcome == "asked_back" and len(turn.asked) <= _LONGEST else ()
        return {each.choice.label: each.choice.asked for each in near}

    def _of_each(self, text: str, beside: Sequence[AskedData], of: "_Telling") -> AskedParts | None:
        """Return each of several numbers of the same rows with what a message changes: "split that by payer"."""
        found = [self._read(text, each, of) for each in beside]
        changed = [AskedPart(text, each) for each in found if isinstance(each, AskedData)]
        goes_on = len({each.asked.query.model_dump_json() for each in changed}) == len(beside) > 0
        return AskedParts(tuple(changed)) if goes_on else None

    def _said_of_each(self, text: str, offered: Mapping[str, AskedData], of: "_Telling") -> UnclearQuestion | None:
        """Return the choices once more where a message goes on from each of them: "as a chart", 前三名呢."""
        amended = {label: self._read(text, asked, of) for label, asked in offered.items()}
        choices = [ReadingChoice(label, each) for label, each in amended.items() if isinstance(each, AskedData)]
        return UnclearQuestion("ambiguous", text, tuple(choices)) if len(choices) == len(offered) else None

    def _coming_near(self, text: str, of: "_Telling") -> Nearest:
        """Return the numbers of all databases, the first one's words for what was not read."""
        found = [
            nearest(
                text,
                source=source,
                catalog=catalog,
                known=of.names.values.get(source, NOTHING_KNOWN),
                today=of.today,
                language=of.language,
            )
            for source, catalog in self._catalogs.items()
        ]
        told = [each for each in found if each.near]
        near = tuple(near for each in told for near in each.near)
        return Nearest(told[0].unread, near, any(each.stands for each in told)) if told else NOTHING

    def _reading(self, text: str, before: AskedData | None, of: "_Telling") -> ReadMessage:
        return read_all(
            text,
            catalogs=self._catalogs,
            known=of.names.values,
            today=of.today,
            language=of.language,
            before=before,
        )


@dataclass(frozen=True)
class _Telling:
    """What tells how words are read, beside the thread."""

    today: date
    language: str
    names: RowNames


def _of_the_same(found: ReadMessage) -> tuple[AskedData, ...]:
    """Return the questions of a message that asks several things of the same rows: how many, and how much money."""
    if not isinstance(found, AskedParts) or found.documents or len(found.asked) == 1:
        return ()
    asked = tuple(part.asked for part in found.asked)
    rows = {(each.source, each.query.where, each.query.period) for each in asked}
    return asked if len(rows) == 1 else ()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .?!。？！")
