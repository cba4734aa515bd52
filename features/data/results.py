"""Results as runs keep them: found again for the button, the page and the file, with the rights of today."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from agent.errors import RunNotFound
from agent.results import Cell, Table, cell_text, result_of
from agent.runs.run import Run
from agent.runs.runs import Runs
from identity.actor import Actor
from identity.errors import Forbidden
from identity.readership import ALONE, Alone, Readership, Shared, ThreadOnly, others_read
from queries.sql.errors import SqlError
from queries.sql.metrics.query import DataQuery
from queries.sql.reach import all_read
from queries.sql.saved.saved import SavedQuestion, query_of
from queries.sql.service import SqlService
from storage.ids import JsonObject

#: Between a run and the number of one of its results.
_PART = "."
#: What a spreadsheet takes for a formula at the start of a cell.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class Kept:
    """What a run answered from a database."""

    question: str
    table: Table
    asked: str  # the statement as it was given to the guard
    ran: str  # as the guard wrote it; `table.statement` is the same over lines
    rows: int  # most of them
    datasource: str
    assumptions: tuple[str, ...] = ()
    query: DataQuery | None = None

    def under(self, name: str) -> SavedQuestion:
        """Return it as a question to be saved."""
        return SavedQuestion(
            name, owner="", question=self.question, source=self.datasource, statement=self.asked, query=self.query
        )


class Results:
    """Finds results in runs that the viewer may see."""

    def __init__(self, runs: Runs, sql: SqlService) -> None:
        self._runs = runs
        self._sql = sql

    async def find(self, viewer: Actor, run_id: str) -> Kept:
        """Return a run's result; raise `RunNotFound` for none, and for one that the viewer would not get today.

        Whoever may see a run sees its rows only where the guard writes the very same statement for them now.
        """
        named, _, part = run_id.partition(_PART)
        run, number = await self._runs.whole_for(viewer, named), int(part) if part.isdecimal() else 1
        kept, told = _kept(run, number), _told(run, number)[1]
        if kept is None or told is None or not self._still_theirs(viewer, told):
            raise RunNotFound(run_id)
        return kept

    def _rights(self, viewer: Actor, source: str) -> str:
        return self._sql.source(source).rights(viewer) if source in self._sql.sources else ""

    async def is_readable(self, viewer: Actor, run_id: str, readership: Readership) -> bool:
        """Return whether the viewer, and all who read along, would get the same rows of a run today."""
        named, _, part = run_id.partition(_PART)
        run = await self._runs.whole(named)
        told = None if run is None else _told(run, int(part) if part.isdecimal() else 1)[1]
        return told is not None and self._still_theirs(viewer, told, readership)

    def _still_theirs(self, viewer: Actor, told: JsonObject, readership: Readership = ALONE) -> bool:
        asked, source = str(told["asked"]), str(told["datasource"])
        if not others_read(readership) and told.get("rights") == self._rights(viewer, source):
            return True
        try:
            guarded = self._sql.guarded(viewer, source, asked, rows=int(str(told["rows"])))
        except (SqlError, Forbidden):
            return False
        if guarded.statement != told["ran"]:
            return False
        match readership:
            case Shared(principals=principals) | ThreadOnly(otherwise=Shared(principals=principals)):
                return all_read(self._sql.source(source).catalog, guarded.reads, principals)
            case Alone() | ThreadOnly():
                return True


def part_of(run_id: str, part: int) -> str:
    """Return what names a result of a run with several of them; the first is named by the run alone."""
    return run_id if part <= 1 else f"{run_id}{_PART}{part}"


def _kept(run: Run, part: int) -> Kept | None:
    """Return a result of a run: of several the one that is the given part of its question."""
    at, told = _told(run, part)
    tables = [made for made in map(result_of, _results(run.answer)) if isinstance(made, Table) and made.folded]
    if told is None or len(tables) <= at:
        return None
    assumptions, query = told.get("assumptions"), told.get("query")
    return Kept(
        question=run.text,
        table=tables[at],
        asked=str(told["asked"]),
        ran=str(told["ran"]),
        rows=int(str(told["rows"])),
        datasource=str(told["datasource"]),
        assumptions=tuple(map(str, assumptions)) if isinstance(assumptions, list) else (),
        query=query_of(query if isinstance(query, dict) else None),
    )


def _told(run: Run, part: int) -> tuple[int, JsonObject | None]:
    """Return what it takes to look at a result again, and the number of it among the run's."""
    kept = [step.private["data"] for step in run.steps if "data" in step.private]
    at = next((at for at, each in enumerate(kept) if isinstance(each, dict) and each.get("part", 1) == part), 0)
    told = kept[at] if kept else None
    return at, told if isinstance(told, dict) else None


def _results(answer: JsonObject) -> Iterable[JsonObject]:
    found = answer.get("results")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else ()


def as_csv(table: Table) -> bytes:
    """Return a table as a file that spreadsheets open: UTF-8 with its mark, and no cell that begins a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_safe(f"{each.name} ({each.unit})" if each.unit else each.name) for each in table.columns])
    for row in table.rows:
        writer.writerow([_cell(value) for value in row])
    return out.getvalue().encode("utf-8-sig")


def _cell(value: Cell) -> str:
    """Return a cell; a number stays one, whatever sign it begins with."""
    return cell_text(value) if not isinstance(value, str) else _safe(value)


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
