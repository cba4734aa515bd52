"""What the desk offers where there are databases; loaded with the first of them, as is what reads SQL."""

from collections.abc import Mapping

from features.anatomy.feature import Feature, Services
from features.anatomy.handling import RecordKind
from features.anatomy.routing import routes_of
from features.anatomy.texts import prompt_of
from features.data.commands import VERBS
from features.data.drawing import (
    ABOUT,
    RESULT,
    RESULT_ALONE,
    SAVE,
    SAVED,
    SENT,
    SENT_LIST,
    STATEMENT,
    ResultButtons,
    draw,
)
from features.data.nearby import NearNumbers
from features.data.overview import Overview
from features.data.pages import DataPages
from features.data.phrases import PHRASES, in_round_figures
from features.data.results import Results
from features.data.saved.asking import SavedAnswers
from features.data.saved.sending import STOP, QuestionSender
from features.data.saved.tools import SavedTools
from features.data.saved.wish import read_name, read_wish
from features.data.talk import talk
from features.data.tools import DataTools
from features.data.understanding.rows import KnownRows
from features.data.understanding.thread import Questions
from identity.actor import Actor
from queries.sql.permissions import ASK, MANAGE
from queries.sql.saved.scheduling import TOPIC, SentQuestions


def offered(services: Services) -> Feature:
    """Return the feature over the databases of `datasources.yaml`."""
    sql = services.sql
    results = Results(services.runs, sql)
    questions = Questions({name: source.catalog for name, source in sql.sources.items()})
    rows = KnownRows(sql, services.clock)
    overview, buttons = Overview(sql, questions, rows), ResultButtons(results, sql)
    near = NearNumbers(questions, rows, services.search)
    asking, sent = SavedAnswers(sql, questions, rows), SentQuestions(services.database, services.clock)
    sending = QuestionSender(
        asking,
        sent,
        telling=services.telling,
        directory=services.directory,
        clock=services.clock,
        draw=services.draw,
    )
    tools = (
        *DataTools(sql, questions, rows, overview, near).tools(),
        *SavedTools(asking, sent, services.telling, results).tools(),
    )
    return Feature(
        name="data",
        tools=tools,
        verbs=VERBS,
        routes=routes_of("features.data", {"schedule_question": read_wish, "save_question": read_name}),
        talks=(talk(questions, rows, services.clock, frozenset(tool.spec.name for tool in tools)),),
        rights={RESULT: results.is_readable},
        buttons={STATEMENT: buttons.show, STOP: sending.stop},
        openers={SAVE: buttons.open},
        forms={SAVE: buttons.form()},
        kinds={
            RESULT: RecordKind(draw),
            RESULT_ALONE: RecordKind(draw, private=True),
            ABOUT: RecordKind(overview.about, private=True),
            SAVED: RecordKind(overview.saved, private=True),
            SENT: RecordKind(sending.one),
            SENT_LIST: RecordKind(sending.everything, private=True),
        },
        phrases=PHRASES,
        describe=_described,
        slots={TOPIC: sending.send},
        sections=sending.sections(),
        permissions=(ASK, MANAGE),
        views=DataPages(sql, results).views(),
        example=overview.example,
        prompt=prompt_of("features.data"),
    )


async def _described(actor: Actor, resource: str) -> Mapping[str, str]:
    """Return how many rows would be read, where that is what the button is about."""
    language = "zh" if actor.language == "zh" else "en"
    return {"rows": in_round_figures(int(resource), language)} if resource.isdecimal() else {}
