"""What the tools over databases share: the question that was made ready, and its answer as a tool's result."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from pydantic import PrivateAttr

from adapters.cards import Language
from agent.errors import ToolRefused
from agent.results import Bilingual, Column, ColumnType, Drawn, Records, Table
from agent.runs.rights import kept_id
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Prepared, ToolPolicy, ToolResult
from features.anatomy.moments import day_in
from features.anatomy.reader import Reader
from features.anatomy.texts import say
from features.data.drawing import RESULT, RESULT_ALONE
from features.data.phrases import in_words
from features.data.results import part_of
from features.data.understanding.asked import AskedData
from features.data.wording import Wording, cells
from identity.readership import Alone, Readership, Shared, ThreadOnly
from language.moments import TimeStep
from queries.sql.catalog.catalog import Catalog
from queries.sql.datasource import Rows, Value
from queries.sql.errors import SqlError, StatementRefused
from queries.sql.metrics.measures import measure_of
from queries.sql.metrics.query import DataQuery, MetricQuery
from queries.sql.metrics.steps import step_of, steps_between
from queries.sql.permissions import ASK
from queries.sql.service import ReadyQuestion, SqlAnswer
from storage.ids import JsonValue

#: What the thread remembers the result by that was shown last.
LAST_RESULT = "data_result"
#: Seconds that a tool takes at most: the longest time limit of a database, and some.
_LONGEST_S = 305.0


class DataArguments(Arguments):
    """Arguments that carry what `prepare` made ready to the call that follows at once.

    It is no field: what waits for a button is kept without it, and made ready again when the button is pressed.
    """

    _ready: ReadyQuestion | None = PrivateAttr(default=None)

    @property
    def ready(self) -> ReadyQuestion | None:
        """Return what was made ready, None where the call was kept in between."""
        return self._ready

    def carrying(self, ready: ReadyQuestion) -> Prepared:
        """Return the call with its question: it waits for a button where it reads too much."""
        made = self.model_copy()
        made._ready = ready  # noqa: SLF001 - a copy of its own
        return Prepared(made, resource=str(ready.price or ""), waits=ready.price is not None)


def data_policy(audit: str) -> ToolPolicy:
    """Return the policy of a tool that asks a database: what reads too much waits for a button."""
    return ToolPolicy(
        permission=ASK,
        effect=Effect.READ,
        audit=audit,
        confirmation=Confirmation.AS_PREPARED,
        returns_untrusted=True,
        timeout_s=_LONGEST_S,
    )


def tool_result(
    context: ToolContext,
    answered: SqlAnswer,
    query: DataQuery | None,
    *,
    drawn: Drawn = "",
    part: int = 0,
    read_as: Sequence[str] = (),
) -> ToolResult:
    """Return a table with its buttons; what it takes to look at it again stays in the run.

    `read_as` is said behind its sentence: what words were taken for.
    """
    language = language_of(context)
    wording = Wording(answered.source.catalog, language)
    built = answered.built
    assumed = [wording.assumption(each) for each in built.assumptions] if built is not None else []
    kept: dict[str, JsonValue] = {
        "asked": answered.asked,
        "ran": answered.guarded.statement,
        "rows": answered.guarded.rows,
        "datasource": answered.source.name,
        "assumptions": list(assumed),
        "query": None if query is None else query.model_dump(mode="json"),
        "part": max(part, 1),
        "rights": answered.source.rights(context.actor),
    }
    kind = RESULT if _is_for_all(answered, context.readership) else RESULT_ALONE
    tells: dict[str, JsonValue] = {"left_out": list(left_out(answered, wording))} if answered.guarded.masked else {}
    shown = Records(kind, (part_of(context.run_id, part),), tells=tells)
    table = replace(table_of(answered, query, language), drawn=drawn)
    if read_as and table.title is not None:
        end, space = ("。", "") if language == "zh" else (".", " ")
        said = f"{getattr(table.title, language)}{end}{space}{space.join(read_as)}"
        table = replace(table, title=Bilingual(said, said))
    found = kept_id(RESULT, part_of(context.run_id, part))
    remembers = {LAST_RESULT: part_of(context.run_id, part)}
    return ToolResult((table, shown), remembers=remembers, private={"data": kept}, rests_on=found)


def read_as_words(asked: AskedData, language: Language) -> tuple[str, ...]:
    """Return what words were taken for that the catalogue does not list, a sentence each."""
    return tuple(say(language, "data.read_as", said=said, meant=meant) for said, meant in asked.assumed)


def _is_for_all(answered: SqlAnswer, readership: Readership) -> bool:
    match readership:
        case Shared(principals=principals) | ThreadOnly(otherwise=Shared(principals=principals)):
            return answered.is_for(principals)
        case Alone() | ThreadOnly():
            return True


def left_out(answered: SqlAnswer, wording: Wording) -> tuple[str, ...]:
    """Return what the columns are called that the statement names and the asker may not read."""
    return tuple(map(wording.column, answered.guarded.masked))


def table_of(answered: SqlAnswer, query: DataQuery | None, language: Language) -> Table:
    """Return an answer as a table, with the sentence that says it where a query of the catalogue was asked."""
    rows, built = answered.rows, answered.built
    if built is None or query is None:
        return Table(
            columns=tuple(
                Column(_called_so(name, answered, language), kind)
                for name, kind in zip(rows.columns, _types(rows), strict=True)
            ),
            rows=rows.rows,
            statement=answered.laid_out,
            datasource=answered.source.title(language),
            truncated=rows.truncated,
            folded=True,
        )
    wording = Wording(answered.source.catalog, language)
    said = wording.sentence(query, built, rows.rows)
    grain: TimeStep = step_of(query.grain) or "" if isinstance(query, MetricQuery) else ""
    if answered.is_partial:
        said += say(language, "data.yours" if rows.rows else "data.none_yours")
    return Table(
        columns=tuple(
            Column(wording.heading(each, query), each.type, each.unit, grain if each.role == "time" else "")
            for each in built.columns
        ),
        rows=tuple(cells(row, built.columns, wording) for row in _with_empty_steps(answered, query)),
        title=Bilingual(said, said),
        statement=answered.laid_out,
        datasource=answered.source.title(language),
        truncated=rows.truncated,
        folded=True,
    )


def _called_so(name: str, answered: SqlAnswer, language: Language) -> str:
    """Return a column of a statement's result as people call it: in the catalogue's words, or in plain ones."""
    wording, catalog = Wording(answered.source.catalog, language), answered.source.catalog
    read = (f"{table}.{each}" for table, columns in answered.guarded.reads.items() for each in columns if each == name)
    called = {wording.column(each) for each in read if catalog.column(each).called.every}
    return called.pop() if len(called) == 1 else name.replace("_", " ")


def _with_empty_steps(answered: SqlAnswer, query: DataQuery) -> Sequence[Sequence[Value]]:
    """Return the rows with the steps of time in which there was nothing, so that none is drawn as its neighbour."""
    rows, built = answered.rows.rows, answered.built
    grain = step_of(query.grain) if isinstance(query, MetricQuery) else None
    if built is None or not isinstance(query, MetricQuery) or grain is None or not rows or query.rows is not None:
        return rows
    if [each.role for each in built.columns] != ["time", "value"] or query.having or answered.rows.truncated:
        return rows
    if not measure_of(query, answered.source.catalog).adds_up or any(row[0] is None for row in rows):
        return rows
    told = {date.fromisoformat(str(row[0])[:10]): row for row in rows}
    first = query.period.start if query.period is not None and query.period.start is not None else min(told)
    return [told.get(step, (step, 0)) for step in steps_between(first, max(told), grain)]


def _types(rows: Rows) -> Iterator[ColumnType]:
    """Yield what each column of a statement holds, by its values."""
    for at in range(len(rows.columns)):
        values = [row[at] for row in rows.rows if row[at] is not None]
        yield _type(values)


def _type(values: list[Value]) -> ColumnType:
    if values and all(isinstance(value, bool) for value in values):
        return "flag"
    if values and all(isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in values):
        return "number"
    if values and all(isinstance(value, datetime) for value in values):
        return "time"
    if values and all(isinstance(value, date) and not isinstance(value, datetime) for value in values):
        return "date"
    return "text"


@contextmanager
def told(context: ToolContext, catalog: Catalog | None = None) -> Iterator[None]:
    """Turn what is in the way into a refusal in the person's words: of a question in words, in the catalogue's."""
    try:
        yield
    except SqlError as error:
        if catalog is not None and isinstance(error, StatementRefused):
            error = _called(error, Wording(catalog, language_of(context)))
        reader = Reader(language=language_of(context), timezone=context.actor.timezone)
        raise ToolRefused("data", in_words(reader, error)) from error


def _called(error: StatementRefused, wording: Wording) -> StatementRefused:
    """Return why a question is refused with the column as people call it: who asked in words wrote no name of one."""
    try:
        return StatementRefused(error.code, wording.column(error.detail))
    except ValueError:
        return error


def language_of(context: ToolContext) -> Language:
    """Return the language of the question."""
    return "zh" if context.language == "zh" else "en"


def today_of(context: ToolContext) -> date:
    """Return the day that it is where the asker is."""
    return day_in(context.actor.timezone, context.now)
