"""Numbers from databases, as one value."""

from collections.abc import Mapping

from features.anatomy.feature import Feature, Services
from features.anatomy.handling import RecordKind
from features.anatomy.routing import routes_of
from features.anatomy.texts import prompt_of
from features.data.commands import VERBS
from features.data.drawing import ABOUT, RESULT, RESULT_ALONE, SAVE, SAVED, STATEMENT, ResultButtons, draw
from features.data.overview import Overview
from features.data.pages import DataPages
from features.data.phrases import PHRASES, in_round_figures
from features.data.results import Results
from features.data.talk import talk
from features.data.tools import DataTools
from features.data.understanding.thread import Questions
from identity.actor import Actor
from queries.sql.permissions import ASK, MANAGE


def build(services: Services) -> Feature:
    """Return the feature over the databases of `datasources.yaml`; with none of them there is nothing to offer."""
    sql = services.sql
    if not sql.sources and not sql.broken:
        return Feature(name="data", permissions=(ASK, MANAGE))
    results = Results(services.runs, sql)
    questions = Questions({name: source.catalog for name, source in sql.sources.items()})
    overview, buttons = Overview(sql), ResultButtons(results, sql)
    tools = DataTools(sql, questions, overview).tools()
    return Feature(
        name="data",
        tools=tools,
        verbs=VERBS,
        routes=routes_of("features.data"),
        talks=(talk(questions, services.clock, frozenset(tool.spec.name for tool in tools)),),
        buttons={STATEMENT: buttons.show},
        openers={SAVE: buttons.open},
        forms={SAVE: buttons.form()},
        kinds={
            RESULT: RecordKind(draw),
            RESULT_ALONE: RecordKind(draw, private=True),
            ABOUT: RecordKind(overview.about, private=True),
            SAVED: RecordKind(overview.saved, private=True),
        },
        phrases=PHRASES,
        describe=_described,
        permissions=(ASK, MANAGE),
        views=DataPages(sql, results).views(),
        example=overview.example,
        prompt=prompt_of("features.data"),
    )


async def _described(actor: Actor, rows: str) -> Mapping[str, str]:
    language = "zh" if actor.language == "zh" else "en"
    return {"rows": in_round_figures(int(rows or 0), language)}
