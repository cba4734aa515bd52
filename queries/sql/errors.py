"""What can be in the way of a question to a database.

SqlError
├── StatementRefused    the guard does not let it run: `code` says why, `detail` names what
├── TooCostly           it would read more than anybody may without a button
├── SourceUnavailable   the database is down, not started, or there is none of that name
├── QueryNotPossible    a query of metrics or rows names or combines what the catalogue does not have
├── QueryFailed         the database gave an error of its own
├── QueryTooSlow        it ran into its time limit
├── SourcesInvalid      `datasources.yaml` or a catalogue is wrong: told with file and line
├── NameTaken           somebody else keeps a question under that name
├── NoSuchQuestion      no question is saved under that name, or it is somebody else's
├── TooManySchedules    one person has as many questions sent as anybody may
└── NoSuchSchedule      nothing is sent under that id, or it is somebody else's
"""

from enum import StrEnum


class SqlError(Exception):
    """The base of this package's errors."""


class Refusal(StrEnum):
    """Why the guard refuses a statement."""

    TOO_LONG = "too_long"
    CHARACTERS = "characters"  # control characters, odd white space, odd identifiers
    UNREADABLE = "unreadable"  # no SQL of this dialect
    NOT_ONE = "not_one"  # no statement, or several
    NOT_A_QUERY = "not_a_query"  # it is no SELECT, or hides something that is none
    CONSTRUCT = "construct"  # a construct that is not on the list
    FUNCTION = "function"  # a function that is not on the list
    NO_SUCH_TABLE = "no_such_table"
    TABLE_NOT_PERMITTED = "table_not_permitted"
    NO_SUCH_COLUMN = "no_such_column"
    COLUMN_NOT_PERMITTED = "column_not_permitted"


class StatementRefused(SqlError):
    """The guard does not let a statement run."""

    def __init__(self, code: Refusal, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else str(code))
        self.code = code
        self.detail = detail


class TooCostly(SqlError):
    """It would read about so many rows, more than may be read without somebody's yes."""

    def __init__(self, rows: int) -> None:
        super().__init__(f"this reads about {rows} rows")
        self.rows = rows


class SourceUnavailable(SqlError):
    """There is no such database, or it cannot be asked now."""

    def __init__(self, name: str, why: str = "") -> None:
        super().__init__(f"{name}: {why}" if why else name)
        self.name = name
        self.why = why


class QueryNotPossible(SqlError):
    """A query of metrics or rows names or combines what the catalogue does not have; its text says what."""


class QueryFailed(SqlError):
    """The database gave an error; its words are for who may read the catalogue, never for a row's secrets."""


class QueryTooSlow(SqlError):
    """It ran into its time limit, in seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")
        self.seconds = seconds


class SourcesInvalid(SqlError):
    """A file says something that cannot be followed; each line names file, line and what to do."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class NameTaken(SqlError):
    """Somebody else keeps a question under that name."""


class NoSuchQuestion(SqlError):
    """No question is saved under that name, or it is somebody else's to change."""


class TooManySchedules(SqlError):
    """One person has as many questions sent as anybody may."""


class NoSuchSchedule(SqlError):
    """Nothing is sent under that id, or it is somebody else's to end."""
