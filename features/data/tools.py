"""The tools over databases: a question in words, what there is to ask for, and a statement."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from agent.errors import ToolAsks, ToolRefused
from agent.results import Bilingual, Drawn, Message, Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Effect, Prepared, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.spoken import refusal
from features.anatomy.texts import say
from features.data.answering import (
    DataArguments,
    data_policy,
    language_of,
    read_as_words,
    today_of,
    told,
    tool_result,
)
from features.data.drawing import ABOUT
from features.data.nearby import NearNumbers
from features.data.overview import Overview
from features.data.understanding.asked import AskedData, AskedParts, ReadMessage, UnclearQuestion
from features.data.understanding.rows import KnownRows
from features.data.understanding.thread import Questions
from identity.actor import Actor
from identity.readership import Readership
from queries.sql.datasource import MOST_ROWS, USUAL_ROWS
from queries.sql.errors import Refusal, StatementRefused
from queries.sql.metrics.query import MetricQuery, RowQuery
from queries.sql.permissions import ASK
from queries.sql.service import ReadyQuestion, SqlService

Datasource = Annotated[str, Field(max_length=63, description="Name of a database; leave it out where there is one")]

#: Refusals whose detail is the word that could not be read.
_OF_A_WORD = ("data_word", "data_fits")


class AskNumbers(DataArguments):
    """A question in words, or as a query of the catalogue."""

    question: Annotated[str, Field(min_length=1, max_length=1_000, description="The person's question, as asked")]
    datasource: Datasource = ""
    query: Annotated[
        MetricQuery | RowQuery | None,
        Field(description="Only where the question in words was not understood: a metric, or rows of a table"),
    ] = None
    part: Annotated[int, Field(ge=0, le=4, description="Which of several questions for numbers in it, from 1")] = 0
    drawn: Annotated[Drawn, Field(description="Only where the person says how to show it")] = ""
    read_as: Annotated[
        tuple[str, ...], Field(max_length=8, description="What words were taken for that the catalogue does not list")
    ] = ()
    left: Annotated[
        tuple[str, ...], Field(max_length=4, description="What else of the message nobody answers, word for word")
    ] = ()


class DescribeData(Arguments):
    """What there is to ask for: all of it."""


class RunSql(DataArguments):
    """One statement."""

    statement: Annotated[str, Field(min_length=1, max_length=8_000, description="One SELECT over the catalogue")]
    datasource: Datasource = ""
    rows: Annotated[int, Field(ge=1, le=MOST_ROWS, description="Most rows")] = USUAL_ROWS


class DataTools:
    """Handlers over the service."""

    def __init__(
        self, sql: SqlService, questions: Questions, rows: KnownRows, overview: Overview, near: NearNumbers
    ) -> None:
        self._sql = sql
        self._near = near
        self._rows = rows
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
                policy=data_policy("data.ask"),
                handler=self._ask,
                prepare=self._prepare_question,
                resumable=True,
                learn=self._rows.learn,
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
                policy=data_policy("data.run"),
                handler=self._run,
                prepare=self._prepare_statement,
                resumable=True,
                things=self._tables,
            ),
        )

    def _tables(self, actor: Actor, _readership: Readership) -> tuple[str, ...]:
        """Return the tables that an actor may ask for, each with its database."""
        return tuple(f"{source}.{table}" for source, tables in self._sql.readable(actor).items() for table in tables)

    async def _ask(self, context: ToolContext, arguments: AskNumbers) -> ToolResult:
        try:
            answered = await self._answer(context, arguments)
        except ToolRefused as error:
            if not arguments.part:
                raise
            answered = ToolResult((self._refused(context, arguments, error),))
        if not arguments.left:
            return answered
        left = [say(language_of(context), "data.left", text=each) for each in arguments.left]
        return replace(answered, results=(*answered.results, *(Message(Bilingual(each, each)) for each in left)))

    async def _answer(self, context: ToolContext, arguments: AskNumbers) -> ToolResult:
        await self._rows.learn(context.actor)
        asked = await self._asked(context, arguments)
        ready = arguments.ready or await self._ready_question(context, asked)
        with told(context):
            answered = await self._sql.answer(context.actor, ready)
        read_as = arguments.read_as or read_as_words(asked, language_of(context))
        return tool_result(context, answered, asked.query, drawn=asked.drawn, part=arguments.part, read_as=read_as)

    async def _prepare_question(self, context: ToolContext, arguments: AskNumbers) -> Prepared:
        await self._rows.learn(context.actor)
        try:
            asked = await self._asked(context, arguments)
            ready = await self._ready_question(context, asked)
        except ToolRefused:
            if not arguments.part:
                raise
            return Prepared(arguments, waits=False)  # the other parts are answered; it says why this one is not
        read_as = arguments.read_as or read_as_words(asked, language_of(context))
        changed = {"datasource": asked.source, "query": asked.query, "drawn": asked.drawn, "read_as": read_as}
        return arguments.model_copy(update=changed).carrying(ready)

    async def _ready_question(self, context: ToolContext, asked: AskedData) -> ReadyQuestion:
        source = self._sql.sources.get(asked.source)
        with told(context, source.catalog if source is not None else None):
            try:
                return await self._sql.ready(context.actor, asked.source, asked.query, today=today_of(context))
            except StatementRefused as error:
                if error.code is not Refusal.NO_SUCH_TABLE:
                    raise
                raise self._nothing(context) from error  # a metric over what they may not read is none to them

    def _refused(self, context: ToolContext, arguments: AskNumbers, error: ToolRefused) -> Message:
        """Return why one of several questions is not answered."""
        language = language_of(context)
        read = self._read(context, arguments)
        text = arguments.question
        if isinstance(read, AskedParts) and arguments.part <= len(read.asked):
            text = read.asked[arguments.part - 1].text
        why = refusal(language, error.code, error.detail)
        said = say(language, "data.left_because", text=text, why=why)
        return Message(Bilingual(said, said))

    async def _asked(self, context: ToolContext, arguments: AskNumbers) -> AskedData:
        """Return the database and what it is asked; where it was not read, ask back with what comes nearest to it."""
        try:
            return self._understood(context, arguments)
        except ToolAsks:
            raise
        except ToolRefused as error:
            unread, near = ("", ()) if arguments.part else await self._near.to(context, arguments.question)
            tables = self._tables(context.actor, context.readership)
            if options := tuple(each.label for each in self._questions.among(near, tables)):
                word = unread or (error.detail if error.code in _OF_A_WORD else "")
                question = say(language_of(context), "data.nearest", word=word) if word else ""
                raise ToolAsks("data_nearest", question=question, options=options) from error
            raise

    def _understood(self, context: ToolContext, arguments: AskNumbers) -> AskedData:
        """Return the database and what it is asked; raise ToolRefused with what can be asked where there is none."""
        if arguments.query is not None:
            return AskedData(self._name(arguments.datasource), arguments.query, arguments.drawn)
        found = self._read(context, arguments)
        if isinstance(found, AskedParts):
            parts = found.asked[max(arguments.part, 1) - 1 :]
            found = parts[0].asked if parts else None
        if isinstance(found, AskedData):
            return found
        if isinstance(found, UnclearQuestion) and found.choices:
            choices = self._questions.among(found.choices, self._tables(context.actor, context.readership))
            if not choices:
                raise self._nothing(context)
            code = "data_those" if found.reason == "those" else "data_near" if found.word else "data"
            raise ToolAsks(code, options=tuple(each.label for each in choices))
        if isinstance(found, UnclearQuestion) and found.reason == "combination":
            raise ToolRefused("data_fits" if found.word else "data_together", found.word)
        if isinstance(found, UnclearQuestion) and found.word:
            raise ToolRefused("data_word", found.word)
        raise self._nothing(context)

    def _read(self, context: ToolContext, arguments: AskNumbers) -> ReadMessage:
        return self._questions.read(
            arguments.question,
            context.memory,
            today=today_of(context),
            language=context.language,
            names=self._rows.of(context.actor.id),
        )

    def _nothing(self, context: ToolContext) -> ToolRefused:
        names = self._overview.names(context.actor, language_of(context))
        return ToolRefused("data_nothing" if names else "data_none", names)

    async def _describe(self, context: ToolContext, arguments: DescribeData) -> ToolResult:
        del arguments
        return ToolResult((Records(ABOUT, tells={"schema": self._overview.schema(context.actor)}),))

    async def _run(self, context: ToolContext, arguments: RunSql) -> ToolResult:
        ready = arguments.ready or await self._ready_statement(context, arguments)
        with told(context):
            return tool_result(context, await self._sql.answer(context.actor, ready), None)

    async def _prepare_statement(self, context: ToolContext, arguments: RunSql) -> Prepared:
        named = arguments.model_copy(update={"datasource": self._name(arguments.datasource)})
        return named.carrying(await self._ready_statement(context, named))

    async def _ready_statement(self, context: ToolContext, arguments: RunSql) -> ReadyQuestion:
        source = self._name(arguments.datasource)
        with told(context):
            return await self._sql.ready(
                context.actor, source, arguments.statement, today=today_of(context), rows=arguments.rows
            )

    def _name(self, said: str) -> str:
        names = tuple(self._sql.sources)
        if not said and len(names) == 1:
            return names[0]
        if said not in names:
            raise ToolRefused("data_source", ", ".join(names))
        return said
