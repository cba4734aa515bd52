"""The tools over databases: a question in words, what there is to ask for, and a statement."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import Field

from adapters.cards import Language
from agent.errors import ToolRefused
from agent.results import Bilingual, Column, ColumnType, Records, Table
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Prepared, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.moments import day_in
from features.anatomy.reader import Reader
from features.anatomy.texts import say
from features.data.drawing import ABOUT, FORGOTTEN, RESULT, RESULT_ALONE, SAVED
from features.data.overview import Overview
from features.data.phrases import in_words
from features.data.understanding.asked import AskedData, Unclear
from features.data.understanding.thread import Questions
from features.data.wording import Wording, cells
from queries.sql.datasource import MOST_ROWS, USUAL_ROWS, Rows, Value
from queries.sql.errors import NoSuchQuestion, SqlError
from queries.sql.metrics.query import DataQuery, MetricQuery, RowQuery
from queries.sql.permissions import ASK
from queries.sql.saved.saved import LONGEST_NAME, SavedQuestion
from queries.sql.service import SqlAnswer, SqlService
from storage.ids import JsonValue

#: Seconds that a tool takes at most: the longest time limit of a database, and some.
_LONGEST_S = 305.0
Datasource = Annotated[str, Field(max_length=63, description="Name of a database; leave it out where there is one")]


class AskNumbers(Arguments):
    """A question in words, or as a query of the catalogue."""

    question: Annotated[str, Field(min_length=1, max_length=1_000, description="The person's question, as asked")]
    datasource: Datasource = ""
    query: Annotated[
        MetricQuery | RowQuery | None,
        Field(description="Only where the question in words was not understood: a metric, or rows of a table"),
    ] = None


class DescribeData(Arguments):
    """What there is to ask for: all of it."""


class RunSql(Arguments):
    """One statement."""

    statement: Annotated[str, Field(min_length=1, max_length=8_000, description="One SELECT over the catalogue")]
    datasource: Datasource = ""
    rows: Annotated[int, Field(ge=1, le=MOST_ROWS, description="Most rows")] = USUAL_ROWS


class SavedQuestions(Arguments):
    """Which saved question; all of them when none is named."""

    name: Annotated[str, Field(max_length=LONGEST_NAME, description="Its name")] = ""


class ForgetQuestion(Arguments):
    """Which saved question."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, description="Its name")]


class DataTools:
    """Handlers over the service."""

    def __init__(self, sql: SqlService, questions: Questions, overview: Overview) -> None:
        self._sql = sql
        self._questions = questions
        self._overview = overview

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of this file."""
        return (
            Tool(
                spec=ToolSpec(
                    name="ask_numbers",
                    description="Answer a question for numbers or lists from the company's databases.",
                    arguments=AskNumbers,
                ),
                policy=_policy("data.ask"),
                handler=self._ask,
                prepare=self._prepare_question,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(
                    name="describe_data",
                    description="List the metrics, tables and columns that the person may ask for.",
                    arguments=DescribeData,
                ),
                policy=ToolPolicy(permission=ASK, effect=Effect.READ, audit="data.describe"),
                handler=self._describe,
            ),
            Tool(
                spec=ToolSpec(
                    name="run_sql",
                    description="Run one SELECT over the tables and columns that `describe_data` lists.",
                    arguments=RunSql,
                ),
                policy=_policy("data.run"),
                handler=self._run,
                prepare=self._prepare_statement,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(
                    name="saved_questions",
                    description="List the questions that were saved, or ask one of them again.",
                    arguments=SavedQuestions,
                ),
                policy=_policy("data.saved"),
                handler=self._saved,
                prepare=self._prepare_saved,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(name="forget_question", description="Forget a saved question.", arguments=ForgetQuestion),
                policy=ToolPolicy(permission=ASK, effect=Effect.WRITE, audit="data.forget"),
                handler=self._forget,
                resumable=True,
            ),
        )

    async def _ask(self, context: ToolContext, arguments: AskNumbers) -> ToolResult:
        source, query = self._understood(context, arguments)
        with _told(context):
            answered = await self._sql.query(
                context.actor, source, query, today=today_of(context), costly=context.approved is not None
            )
        return self._result(context, answered, query)

    async def _prepare_question(self, context: ToolContext, arguments: AskNumbers) -> Prepared:
        source, query = self._understood(context, arguments)
        with _told(context):
            price = await self._sql.price(context.actor, source, query, today=today_of(context))
        named = arguments.model_copy(update={"datasource": source, "query": query})
        return Prepared(named, resource=str(price or ""), waits=price is not None)

    def _understood(self, context: ToolContext, arguments: AskNumbers) -> tuple[str, DataQuery]:
        """Return the database and what it is asked; raise ToolRefused with what can be asked where there is none."""
        if arguments.query is not None:
            return self._name(arguments.datasource), arguments.query
        found = self._questions.read(
            arguments.question, context.memory, today=today_of(context), language=context.language
        )
        if isinstance(found, AskedData):
            return found.source, found.query
        if isinstance(found, Unclear) and found.word and not found.choices:
            raise ToolRefused("data_word", found.word)
        raise ToolRefused("data_nothing", self._overview.names(context.actor, _language(context)))

    async def _describe(self, context: ToolContext, arguments: DescribeData) -> ToolResult:
        del arguments
        return ToolResult((Records(ABOUT, tells={"schema": self._overview.schema(context.actor)}),))

    async def _run(self, context: ToolContext, arguments: RunSql) -> ToolResult:
        with _told(context):
            answered = await self._sql.run(
                context.actor,
                self._name(arguments.datasource),
                arguments.statement,
                rows=arguments.rows,
                costly=context.approved is not None,
            )
        return self._result(context, answered, None)

    async def _prepare_statement(self, context: ToolContext, arguments: RunSql) -> Prepared:
        named = arguments.model_copy(update={"datasource": self._name(arguments.datasource)})
        with _told(context):
            price = await self._sql.price_of(context.actor, named.datasource, named.statement)
        return Prepared(named, resource=str(price or ""), waits=price is not None)

    async def _saved(self, context: ToolContext, arguments: SavedQuestions) -> ToolResult:
        if not arguments.name:
            names = [each.name for each in await self._sql.saved(context.actor)]
            return ToolResult((Records(SAVED, tells={"saved": list(names)}),))
        saved = await self._named(context, arguments.name)
        costly = context.approved is not None
        with _told(context):
            if saved.query is None:
                answered = await self._sql.run(context.actor, saved.source, saved.statement, costly=costly)
            else:
                answered = await self._sql.query(
                    context.actor, saved.source, saved.query, today=today_of(context), costly=costly
                )
        return self._result(context, answered, saved.query)

    async def _prepare_saved(self, context: ToolContext, arguments: SavedQuestions) -> Prepared:
        if not arguments.name:
            return Prepared(arguments, waits=False)
        saved = await self._named(context, arguments.name)
        with _told(context):
            price = await self._sql.price_of(context.actor, saved.source, saved.statement)
        return Prepared(arguments, resource=str(price or ""), waits=price is not None)

    async def _named(self, context: ToolContext, name: str) -> SavedQuestion:
        try:
            return await self._sql.saved_as(context.actor, name)
        except NoSuchQuestion as error:
            raise ToolRefused("data_not_saved", name) from error

    async def _forget(self, context: ToolContext, arguments: ForgetQuestion) -> ToolResult:
        with _told(context):
            await self._sql.forget(context.actor, arguments.name)
        return ToolResult((Records(FORGOTTEN, (arguments.name,), "data.forgotten"),))

    def _name(self, said: str) -> str:
        names = tuple(self._sql.sources)
        if not said and len(names) == 1:
            return names[0]
        if said not in names:
            raise ToolRefused("data_source", ", ".join(names))
        return said

    def _result(self, context: ToolContext, answered: SqlAnswer, query: DataQuery | None) -> ToolResult:
        wording = Wording(answered.source.catalog, _language(context))
        table = _table(answered, query, wording, context)
        built = answered.built
        assumed = [wording.assumption(each) for each in built.assumptions] if built is not None else []
        kept: dict[str, JsonValue] = {
            "asked": answered.asked,
            "ran": answered.guarded.statement,
            "rows": answered.guarded.rows,
            "datasource": answered.source.name,
            "assumptions": list(assumed),
            "query": None if query is None else query.model_dump(mode="json"),
        }
        kind = RESULT if answered.is_public else RESULT_ALONE
        return ToolResult((table, Records(kind, (context.run_id,))), private={"data": kept})


def _policy(audit: str) -> ToolPolicy:
    return ToolPolicy(
        permission=ASK,
        effect=Effect.READ,
        audit=audit,
        confirmation=Confirmation.AS_PREPARED,
        returns_untrusted=True,
        timeout_s=_LONGEST_S,
    )


def _table(answered: SqlAnswer, query: DataQuery | None, wording: Wording, context: ToolContext) -> Table:
    rows, built = answered.rows, answered.built
    if built is None or query is None:
        return Table(
            columns=tuple(Column(name, kind) for name, kind in zip(rows.columns, _types(rows), strict=True)),
            rows=rows.rows,
            statement=answered.laid_out,
            datasource=answered.source.name,
            truncated=rows.truncated,
            folded=True,
        )
    said = wording.sentence(query, built, rows.rows)
    if answered.is_partial:
        said += say(_language(context), "data.yours" if rows.rows else "data.none_yours")
    return Table(
        columns=tuple(Column(wording.heading(each, query), each.type, each.unit) for each in built.columns),
        rows=tuple(cells(row, built.columns, wording) for row in rows.rows),
        title=Bilingual(said, said),
        statement=answered.laid_out,
        datasource=answered.source.title(context.language),
        truncated=rows.truncated,
        folded=True,
    )


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
def _told(context: ToolContext) -> Iterator[None]:
    """Turn what is in the way into a refusal in the person's words."""
    try:
        yield
    except SqlError as error:
        reader = Reader(language=_language(context), timezone=context.actor.timezone)
        raise ToolRefused("data", in_words(reader, error)) from error


def _language(context: ToolContext) -> Language:
    return "zh" if context.language == "zh" else "en"


def today_of(context: ToolContext) -> date:
    """Return the day that it is where the asker is."""
    return day_in(context.actor.timezone, context.now)
