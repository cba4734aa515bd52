"""What stands below a result: how it came about, the file, the page."""

from collections.abc import Mapping

from adapters.cards import Block, Button, Buttons, Code, Field, Form, Link, Note
from adapters.events import FormSubmit, Press
from agent.errors import RunNotFound
from agent.results import Records
from agent.runs.answer import Outcome
from features.anatomy.handling import FormHandling, Pressed, Sent
from features.anatomy.reader import Reader
from features.anatomy.spoken import Spoken, note
from features.anatomy.texts import say
from features.data.results import Kept, Results
from features.data.understanding.asked import without_days
from features.data.wording import Wording
from identity.actor import Actor
from language.scripts import Language
from queries.sql.saved.saved import LONGEST_NAME
from queries.sql.service import SqlService

#: The kinds of record that stand for a result, for all who read along and for who asked alone; their id is the run's.
RESULT, RESULT_ALONE = "data_result", "data_result_alone"
#: What can be asked, what was saved, and what was forgotten.
ABOUT, SAVED, FORGOTTEN = "data_about", "data_saved", "data_forgotten"
#: One schedule of a saved question, and all of a person's.
SENT, SENT_LIST = "data_sent", "data_sent_list"
#: The actions of the buttons: show the statement, save the question. The second is its form's name, too.
STATEMENT, SAVE = "data.statement", "data.save"


async def draw(_actor: Actor, shown: Records, reader: Reader) -> tuple[Block, ...]:
    """Return what was left out of a result, and its buttons."""
    (run_id,), language = shown.ids, reader.language
    page = f"{reader.base}/data/results/{run_id}"
    hidden = shown.tells.get("left_out")
    names = ", ".join(map(str, hidden)) if isinstance(hidden, list) else ""
    notes = (Note(say(language, "data.left_out", columns=names), tone="warn"),) if names else ()
    return (
        *notes,
        Buttons(
            (
                Button(label=say(language, "data.how"), action=STATEMENT, id=run_id),
                Button(label=say(language, "data.save"), action=SAVE, id=run_id),
                Link(say(language, "data.open"), page),
                Link(say(language, "data.csv"), f"{page}/table.csv"),
            )
        ),
    )


class ResultButtons:
    """What the buttons of a result do, as far as who presses would get the same rows today."""

    def __init__(self, results: Results, sql: SqlService) -> None:
        self._results = results
        self._sql = sql

    async def show(self, pressed: Pressed) -> Spoken:
        """Show the statement that ran, and what was assumed."""
        language = pressed.reader.language
        try:
            kept = await self._results.find(pressed.actor, pressed.event.id)
        except RunNotFound:
            return note(Outcome.REFUSED, say(language, "data.not_yours"), tone="warn")
        assumed = tuple(Note(each) for each in kept.assumptions)
        statement = Code(kept.table.statement, language="sql", title=kept.datasource)
        return Spoken(outcome=Outcome.ANSWERED, blocks=(*assumed, statement), whisper=True)

    async def open(self, actor: Actor, press: Press, reader: Reader) -> Form:
        """Ask for a name."""
        kept = await self._results.find(actor, press.id)
        language = reader.language
        name = called(kept, self._sql, language)
        return Form(
            form=SAVE,
            id=press.id,
            nonce="",
            title=say(language, "data.saved.title"),
            submit=say(language, "data.save"),
            cancel=say(language, "draft.cancel"),
            fields=(Field(name="name", label=say(language, "data.saved.name"), value=name),),
            language=language,
        )

    def form(self) -> FormHandling:
        """Return what is done with the name."""
        return FormHandling(
            self._save,
            wrong=_wrong,
            row=lambda reader, _name, value: (say(reader.language, "data.saved.name"), value),
        )

    async def _save(self, sent: Sent) -> Spoken:
        language, name = sent.reader.language, " ".join(sent.event.values["name"].split())
        try:
            kept = await self._results.find(sent.actor, sent.event.id)
        except RunNotFound:
            return note(Outcome.REFUSED, say(language, "data.not_yours"), tone="warn")
        await self._sql.save(sent.actor, kept.under(name))
        return note(Outcome.ANSWERED, say(language, "data.saved.done", name=name), tone="good")


def called(kept: Kept, sql: SqlService, language: Language) -> str:
    """Return what a question may be saved as: what it asks for, of whatever days; "" for a statement."""
    if kept.query is None or kept.datasource not in sql.sources:
        return ""
    catalog = sql.source(kept.datasource).catalog
    return Wording(catalog, language).subject(without_days(kept.query))[:LONGEST_NAME]


def _wrong(event: FormSubmit, reader: Reader) -> Mapping[str, str]:
    name = event.values.get("name", "").strip()
    if not name:
        return {"name": say(reader.language, "data.saved.required")}
    if len(name) > LONGEST_NAME:
        return {"name": say(reader.language, "data.saved.too_long", limit=LONGEST_NAME)}
    return {}
