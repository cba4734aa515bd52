"""The tools of saved questions: save one, list them, ask one again, forget it, and have it sent on a schedule."""

from typing import Annotated

from pydantic import Field

from adapters.cards import Language
from agent.errors import RunNotFound, ToolAsks, ToolRefused
from agent.results import Bilingual, Message, Records
from agent.tools.arguments import Arguments
from agent.tools.context import ToolContext
from agent.tools.registry import Confirmation, Effect, Prepared, Tool, ToolPolicy, ToolResult, ToolSpec
from features.anatomy.moments import known_zone, wall_time
from features.anatomy.planned import in_words, plan_of, rule_of
from features.anatomy.telling import Telling
from features.anatomy.texts import say
from features.data.answering import LAST_RESULT, DataArguments, data_policy, language_of, today_of, told, tool_result
from features.data.drawing import FORGOTTEN, SAVED, SENT, SENT_LIST, called
from features.data.phrases import in_round_figures
from features.data.results import Results
from features.data.saved.asking import SavedAnswers
from features.data.saved.wish import wish_in
from queries.sql.errors import NoSuchQuestion, Refusal, StatementRefused
from queries.sql.metrics.query import DataQuery
from queries.sql.permissions import ASK
from queries.sql.saved.saved import LONGEST_NAME, SavedQuestion
from queries.sql.saved.scheduling import SentQuestion, SentQuestions
from queries.sql.service import ReadyQuestion
from storage.ids import JsonObject

_Name = Annotated[str, Field(max_length=LONGEST_NAME, description="Its name")]


class AskSaved(DataArguments):
    """Which saved question; all of them when none is named."""

    name: _Name = ""


class SaveQuestion(Arguments):
    """Under which name; without one, as what it asks for."""

    name: _Name = ""


class ForgetQuestion(Arguments):
    """Which saved question."""

    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, description="Its name")]


class ScheduleQuestion(Arguments):
    """Which saved question is sent, when, and where."""

    when: Annotated[
        str,
        Field(
            min_length=1,
            max_length=400,
            description="How often and when, as said: every day, weekday, Monday or 1st of the month, at a time."
            ' "here": to this channel. It may hold the name, too.',
        ),
    ]
    name: _Name = ""


class ListSent(Arguments):
    """What is sent to the person: all of it."""


class SavedTools:
    """Handlers over saved questions."""

    def __init__(self, asking: SavedAnswers, sent: SentQuestions, telling: Telling, results: Results) -> None:
        self._asking = asking
        self._results = results
        self._sql = asking.sql
        self._sent = sent
        self._telling = telling

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools of this file."""
        return (
            Tool(
                spec=ToolSpec(
                    name="saved_questions",
                    description="List the questions that were saved, or ask one of them again.",
                    arguments=AskSaved,
                ),
                policy=data_policy("data.saved"),
                handler=self._ask,
                prepare=self._prepare_saved,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(
                    name="save_question",
                    description="Save the question for numbers that was answered last in this thread, under a name.",
                    arguments=SaveQuestion,
                ),
                policy=ToolPolicy(permission=ASK, effect=Effect.WRITE, audit="data.save"),
                handler=self._save,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(name="forget_question", description="Forget a saved question.", arguments=ForgetQuestion),
                policy=ToolPolicy(permission=ASK, effect=Effect.WRITE, audit="data.forget"),
                handler=self._forget,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(
                    name="schedule_question",
                    description="Have a saved question asked again and again, and its answer sent.",
                    arguments=ScheduleQuestion,
                ),
                policy=ToolPolicy(
                    permission=ASK, effect=Effect.WRITE, audit="data.schedule", confirmation=Confirmation.ALWAYS
                ),
                handler=self._schedule,
                prepare=self._prepare_schedule,
                resumable=True,
            ),
            Tool(
                spec=ToolSpec(
                    name="sent_questions",
                    description="List the saved questions that are sent to the person, each with its button to stop.",
                    arguments=ListSent,
                ),
                policy=ToolPolicy(permission=ASK, effect=Effect.READ, audit="data.schedules"),
                handler=self._list,
            ),
        )

    async def _ask(self, context: ToolContext, arguments: AskSaved) -> ToolResult:
        if not arguments.name:
            names = [each.name for each in await self._sql.saved(context.actor)]
            return ToolResult((Records(SAVED, tells={"saved": list(names)}),))
        saved = await self._named(context, arguments.name)
        ready, query = await self._ready(context, saved)
        with told(context):
            return tool_result(context, await self._sql.answer(context.actor, arguments.ready or ready), query)

    async def _prepare_saved(self, context: ToolContext, arguments: AskSaved) -> Prepared:
        if not arguments.name:
            return Prepared(arguments, waits=False)
        ready, _ = await self._ready(context, await self._named(context, arguments.name))
        return arguments.carrying(ready)

    async def _save(self, context: ToolContext, arguments: SaveQuestion) -> ToolResult:
        try:
            kept = await self._results.find(context.actor, context.memory.last.get(LAST_RESULT, ""))
        except RunNotFound as error:
            raise ToolRefused("data_no_result") from error
        what = called(kept, self._sql, language_of(context))
        name = " ".join(arguments.name.split()) or what
        if not name:
            raise ToolAsks("data_save_as")
        with told(context):
            await self._sql.save(context.actor, kept.under(name))
        english, chinese = say("en", "data.saved.done", name=name), say("zh", "data.saved.done", name=name)
        return ToolResult((Message(Bilingual(english, chinese)),))

    async def _forget(self, context: ToolContext, arguments: ForgetQuestion) -> ToolResult:
        with told(context):
            await self._sql.forget(context.actor, arguments.name)
        return ToolResult((Records(FORGOTTEN, (arguments.name,), "data.forgotten"),))

    async def _prepare_schedule(self, context: ToolContext, arguments: ScheduleQuestion) -> Prepared:
        sent = await self._wished(context, arguments)
        named = arguments.model_copy(update={"name": sent.question})
        return Prepared(named, resource=sent_in_words(sent, language_of(context)))

    async def _schedule(self, context: ToolContext, arguments: ScheduleQuestion) -> ToolResult:
        sent = await self._wished(context, arguments)
        with told(context):
            await self._sent.start(context.actor, sent)
        return ToolResult((Records(SENT, (sent.id,)),))

    async def _list(self, context: ToolContext, arguments: ListSent) -> ToolResult:
        del arguments
        found = await self._sent.of(context.actor)
        lines = [f"{each.question}: {sent_in_words(each, language_of(context))}" for each in found]
        return ToolResult((Records(SENT_LIST, tells={"sent": list(lines)}),))

    async def _wished(self, context: ToolContext, arguments: ScheduleQuestion) -> SentQuestion:
        """Return what is to be sent, as it may be now; raise ToolRefused with what is missing or in the way."""
        zone = known_zone(context.actor.timezone)
        wish = wish_in(arguments.when, now=wall_time(context.now, zone))
        if wish.when is None:
            raise ToolRefused("data_when", arguments.when)
        saved = await self._named(context, arguments.name or wish.name)
        ready, _ = await self._ready(context, saved)
        if ready.price is not None:
            rows = in_round_figures(ready.price, language_of(context))
            raise ToolRefused("data_sent_costly", rows)
        channel = await self._channel(context, ready) if wish.here else None
        return SentQuestion(saved.name, context.actor.id, rule_of(wish.when), zone, channel)

    async def _channel(self, context: ToolContext, ready: ReadyQuestion) -> JsonObject | None:
        """Return the channel of a wish, None for a conversation of the person alone."""
        channel = self._telling.channel_of(context.address)
        if channel is not None and not ready.is_for(await self._telling.readers(context.address)):
            raise ToolRefused("data_sent_readers")
        return channel

    async def _ready(self, context: ToolContext, saved: SavedQuestion) -> tuple[ReadyQuestion, DataQuery | None]:
        with told(context):
            try:
                return await self._asking.ready(context.actor, saved, today=today_of(context))
            except StatementRefused as error:
                if error.code is not Refusal.NO_SUCH_TABLE:
                    raise
                raise ToolRefused("data_saved_hidden", saved.name) from error

    async def _named(self, context: ToolContext, name: str) -> SavedQuestion:
        try:
            return await self._sql.saved_as(context.actor, name)
        except NoSuchQuestion as error:
            raise ToolRefused("data_not_saved", name) from error


def sent_in_words(sent: SentQuestion, language: Language) -> str:
    """Return when a question is sent and where, as people read it."""
    plan = plan_of(sent.when, sent.timezone)
    when = in_words(plan, language, sent.timezone) if plan else str(sent.when)
    return say(language, "data.sent.to_channel" if sent.channel else "data.sent.to_you", when=when)
