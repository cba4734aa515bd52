"""What somebody can ask, and what was saved: as blocks for a person, as plain words for a model."""

from collections.abc import Iterator

from adapters.cards import Block, Facts, Heading, Note, Suggestions
from agent.results import Records
from agent.tools.context import Recollection
from features.anatomy.reader import Reader
from features.anatomy.texts import say
from features.data.understanding.asked import AskedData, without_days
from features.data.understanding.composing.known import sample_questions
from features.data.understanding.rows import KnownRows
from features.data.understanding.thread import Questions
from features.data.wording import Wording
from identity.actor import Actor
from identity.policy import decide
from language.scripts import Language, language_of
from queries.sql.catalog.catalog import Catalog, Metric
from queries.sql.permissions import ASK
from queries.sql.saved.saved import SavedQuestion
from queries.sql.service import SqlService

#: Metrics that a refusal names, and questions that are offered to be pressed.
_FEW, _OFFERED = 8, 4


class Overview:
    """Draws what there is."""

    def __init__(self, sql: SqlService, questions: Questions, rows: KnownRows) -> None:
        self._sql = sql
        self._questions = questions
        self._rows = rows

    async def about(self, actor: Actor, _shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the metrics and tables of every database that the actor may ask, and a few questions to press."""
        if not decide(actor, ASK).allowed or not (readable := self._sql.readable(actor)):
            return (Note(say(reader.language, "data.about.nothing")),)
        blocks: list[Block] = []
        for name, tables in readable.items():
            source = self._sql.source(name)
            metrics = [(key, each) for key, each in source.catalog.metrics.items() if each.table in tables]
            called = [source.catalog.tables[each].called.first(reader.language, each) for each in tables]
            blocks.append(Heading(say(reader.language, "data.about.lead", name=source.title(reader.language))))
            rows = [_row(source.catalog, key, metric, reader.language) for key, metric in metrics]
            rows.append((say(reader.language, "data.about.tables"), _comma(reader.language).join(called)))
            blocks.append(Facts(tuple(rows)))
            offered = list(_offered([metric for _, metric in metrics], reader.language))
            if offered:
                blocks.append(Suggestions(label="", items=tuple(offered)))
        return tuple(blocks)

    async def saved(self, actor: Actor, _shown: Records, reader: Reader) -> tuple[Block, ...]:
        """Return the questions that were saved."""
        found = await self._sql.saved(actor) if decide(actor, ASK).allowed else ()
        if not found:
            return (Note(say(reader.language, "data.saved.none")),)
        rows = tuple((each.name, self._told(actor, each, reader.language)) for each in found)
        return (Heading(say(reader.language, "data.saved.lead")), Facts(rows))

    def _told(self, actor: Actor, saved: SavedQuestion, language: Language) -> str:
        """Return the words of a saved question, or what it asks for where they do not say it alone: "by region?"."""
        if saved.query is None or saved.saved_at is None:
            return saved.question
        alone = self._questions.read(
            saved.question,
            Recollection(),
            today=saved.saved_at.date(),
            language=language_of(saved.question) or "en",
            names=self._rows.of(actor.id),
        )
        if isinstance(alone, AskedData) and without_days(alone.query) == without_days(saved.query):
            return saved.question
        return Wording(self._sql.source(saved.source).catalog, language).subject(saved.query)

    def example(self, actor: Actor, language: Language) -> str:
        """Return the first sample question that the actor can ask, "" for none."""
        if not decide(actor, ASK).allowed:
            return ""
        return next(_offered([metric for _, metric in self._metrics(actor)], language), "")

    def names(self, actor: Actor, language: Language) -> str:
        """Return the names of the metrics that the actor may ask for, for a refusal; "" for none."""
        named = [metric.called.first(language, key) for key, metric in self._metrics(actor)]
        return _comma(language).join(named[:_FEW])

    def _metrics(self, actor: Actor) -> list[tuple[str, Metric]]:
        """Return the metrics that the actor may ask for, with their names."""
        return [
            (key, metric)
            for name, tables in self._sql.readable(actor).items()
            for key, metric in self._sql.source(name).catalog.metrics.items()
            if metric.table in tables
        ]

    def schema(self, actor: Actor) -> str:
        """Return the tables and columns that the actor may read, with metrics and joins, as a model is told them."""
        return "\n".join(
            line
            for name, tables in self._sql.readable(actor).items()
            for line in _schema(
                name, self._sql.source(name).catalog, {each: set(t.masked) for each, t in tables.items()}
            )
        )


def _row(catalog: Catalog, key: str, metric: Metric, language: Language) -> tuple[str, str]:
    comma = _comma(language)
    by = comma.join(catalog.column(each, metric.table).called.first(language, each) for each in metric.dimensions)
    split = say(language, "data.about.by", dimensions=by) if by else ""
    told = " ".join(filter(None, (metric.meaning.in_language(language), split)))
    return metric.called.first(language, key), told or "–"


def _offered(metrics: list[Metric], language: Language) -> Iterator[str]:
    """Yield a sample question of each of the first metrics, in the reader's language."""
    for metric in metrics[:_OFFERED]:
        yield from sample_questions(metric, language)[:1]


def _schema(name: str, catalog: Catalog, masked: dict[str, set[str]]) -> Iterator[str]:
    yield f"datasource {name}"
    for table, hidden in masked.items():
        columns = ", ".join(
            f"{column} {each.type}{' ' + each.unit if each.unit else ''}{_values(each.values)}"
            for column, each in catalog.tables[table].columns.items()
            if column not in hidden
        )
        yield f"table {table} ({columns}) {catalog.tables[table].meaning.in_language('en')}".rstrip()
    for join in catalog.joins:
        if {catalog.place(join.many)[0], catalog.place(join.one)[0]} <= masked.keys():
            yield f"join {join.many} = {join.one}"
    for key, metric in catalog.metrics.items():
        if metric.table in masked:
            where = f" where {metric.where}" if metric.where else ""
            yield f"metric {key} = {metric.expression} of {metric.table}{where}"


def _values(values: object) -> str:
    return f" in {sorted(map(str, values))}" if isinstance(values, dict) and values else ""


def _comma(language: Language) -> str:
    return "、" if language == "zh" else ", "
