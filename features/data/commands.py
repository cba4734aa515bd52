"""The verbs of the databases. Loads nothing heavy: `dutydesk --help` reads it."""

from collections.abc import Mapping

from features.anatomy.verbs import Verb
from storage.ids import JsonValue


def _statement(line: str) -> Mapping[str, JsonValue]:
    """Return a statement, with the database before it where one is named: `sales: SELECT …`."""
    name, colon, statement = line.partition(":")
    if colon and name.strip().isidentifier():
        return {"datasource": name.strip(), "statement": statement.strip()}
    return {"statement": line.strip()}


VERBS = (
    Verb("data", "ask_numbers", rest="question", needs_rest=True, prose=True),
    Verb("data about", "describe_data"),
    Verb("sql", "run_sql", rest="statement", needs_rest=True, read=_statement),
    Verb("sql saved", "saved_questions", rest="name"),
    Verb("sql schedule", "schedule_question", rest="when", needs_rest=True, prose=True),
    Verb("sql schedules", "sent_questions"),
    Verb("sql forget", "forget_question", rest="name", needs_rest=True),
)
