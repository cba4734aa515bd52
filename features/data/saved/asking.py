"""A saved question as it is asked today: its words say which days are meant."""

from dataclasses import dataclass
from datetime import date, timedelta

from agent.tools.context import Recollection
from features.data.understanding.asked import AskedData
from features.data.understanding.rows import KnownRows, RowNames
from features.data.understanding.thread import Questions
from identity.actor import Actor
from language.scripts import language_of
from queries.sql.metrics.query import DataQuery, MetricQuery, Period
from queries.sql.saved.saved import SavedQuestion
from queries.sql.service import ReadyQuestion, SqlService

#: Days around the one on which a question was saved: it was asked a little before, in a zone of its own.
_AROUND = (timedelta(), timedelta(days=-1), timedelta(days=1))


@dataclass(frozen=True)
class SavedAnswers:
    """Asks saved questions again."""

    sql: SqlService
    questions: Questions
    rows: KnownRows

    async def ready(self, actor: Actor, saved: SavedQuestion, *, today: date) -> tuple[ReadyQuestion, DataQuery | None]:
        """Return a question made ready for the actor, and its query; raise what is in the way."""
        await self.rows.learn(actor)
        query = self._as_of(saved, today, self.rows.of(actor.id))
        ready = await self.sql.ready(actor, saved.source, saved.statement if query is None else query, today=today)
        return ready, query

    def _as_of(self, saved: SavedQuestion, today: date, names: RowNames) -> DataQuery | None:
        """Return the query with the days that its words mean today: "last month" is another one each month.

        That is done where the words alone name the days that it had when it was saved, so that what they are read as
        otherwise may change with the desk; what a conversation had led to keeps its days.
        """
        if saved.query is None or saved.query.period is None or saved.saved_at is None:
            return saved.query
        then = saved.saved_at.date()
        if not any(_days(self._read(saved, then + days, names)) == _days(saved.query) for days in _AROUND):
            return saved.query
        return saved.query.model_copy(update=_days(self._read(saved, today, names)))

    def _read(self, saved: SavedQuestion, day: date, names: RowNames) -> DataQuery | None:
        language = language_of(saved.question) or "en"
        found = self.questions.read(saved.question, Recollection(), today=day, language=language, names=names)
        return found.query if isinstance(found, AskedData) and found.source == saved.source else None


def _days(query: DataQuery | None) -> dict[str, Period | None]:
    """Return the days of a query, and those that it is compared with."""
    if query is None:
        return {}
    return {"period": query.period} | ({"against": query.against} if isinstance(query, MetricQuery) else {})
